import type { ReactNode } from 'react';
import { href } from 'react-router';
import type { EventName } from '#domain/insight/forms.ts';
import type { SearchAnswer, SearchHit } from '#domain/search/search.ts';
import { playlistBackgroundClass } from '#web/library/user-playlist-cover.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Collage } from '#web/ui/collage.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { formatCountOf, formatTime } from '../format.ts';
import { Marked } from './marked.tsx';

/** One thing that can be chosen. */
export type Suggestion = {
  id: string;
  to: string;
  /** What it is told apart by when it is chosen. */
  kind: keyof SearchAnswer;
  event: EventName | undefined;
  content: ReactNode;
};

export type SuggestionGroup = { label: string; suggestions: Suggestion[] };

type RowProps = { picture: ReactNode; title: ReactNode; note?: ReactNode; aside?: ReactNode };

function Row({ picture, title, note, aside }: RowProps) {
  return (
    <>
      {picture}
      <span className="grow">
        <span className="trunc block">{title}</span>
        {note !== undefined && <small className="trunc">{note}</small>}
      </span>
      {aside !== undefined && <small className="num">{aside}</small>}
    </>
  );
}

/** The groups of spec §2, "Search dropdown" (series and listeners are on the page), in the order of the drawing; those with nothing in them are left out. */
export function suggestionsOf(answer: SearchAnswer): SuggestionGroup[] {
  return [
    group('Categories', answer.categories.hits, 'categories', 'category_click', (hit) => ({
      to: href('/categories/:slug', { slug: hit.slug }),
      picture: <Cover imageUrl={hit.imageUrl} size={40} />,
      title: <Marked text={hit.label} marks={hit.highlights.label} />,
    })),
    group('Voices', answer.voices.hits, 'voices', 'voice_click', (hit) => ({
      to: href('/creators/:slug', { slug: hit.slug }),
      picture: <Cover imageUrl={hit.imageURL} shape="circle" size={40} />,
      title: <Marked text={hit.name} marks={hit.highlights.name} />,
      note: (
        <>
          {hit.voiceTypeLabel}
          {hit.category && <span className="dot">{hit.category.name}</span>}
        </>
      ),
    })),
    group('Playlists', answer.playlists.hits, 'playlists', 'playlist_click', (hit) => ({
      to: href('/playlists/:slug', { slug: hit.slug }),
      picture: <Collage imageUrls={hit.voiceImages} size={40} />,
      title: <Marked text={hit.title} marks={hit.highlights.title} />,
      note: formatCountOf(hit.totalAudios, 'audio'),
    })),
    group('User playlists', answer.usersPlaylists.hits, 'usersPlaylists', 'user_playlist_click', (hit) => ({
      to: href('/users-playlists/:id', { id: hit.id }),
      picture: <span className={classNames('cov cov--40', playlistBackgroundClass[hit.background])} />,
      title: <Marked text={hit.title} marks={hit.highlights.title} />,
      note: <Marked text={hit.user.username} marks={hit.highlights.user} />,
    })),
    group('Audios', answer.audios.hits, 'audios', 'audio_click', (hit) => ({
      to: audioAddress(hit),
      picture: <Cover imageUrl={hit.imageUrl} size={40} />,
      title: <Marked text={hit.title} marks={hit.highlights.title} />,
      note:
        hit.line === null ? (
          <Marked text={hit.voice.name} marks={hit.highlights.voice} />
        ) : (
          <>
            <span className="num">{formatTime(hit.line.seconds)}</span>{' '}
            <q>
              <Marked text={hit.line.text} marks={hit.line.marks} />
            </q>
          </>
        ),
      aside: formatTime(hit.numberDuration),
    })),
  ].filter(({ suggestions }) => suggestions.length > 0);
}

/** Where something is said, its page begins with that second, which nobody shared (insight/shared-link.ts). */
export function audioAddress({ slug, line }: Pick<SearchHit<'audios'>, 'slug' | 'line'>): string {
  const seconds = Math.floor(line?.seconds ?? 0);
  return `${href('/audio/:slug', { slug })}${seconds > 0 ? `?t=${seconds}&via=search` : ''}`;
}

function group<Kind extends keyof SearchAnswer>(
  label: string,
  hits: SearchHit<Kind>[],
  kind: Kind,
  event: EventName | undefined,
  present: (hit: SearchHit<Kind>) => RowProps & { to: string },
): SuggestionGroup {
  return {
    label,
    suggestions: hits.map((hit) => {
      const { to, ...row } = present(hit);
      return { id: hit.id, to, kind, event, content: <Row {...row} /> };
    }),
  };
}
