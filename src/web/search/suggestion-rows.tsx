import { plural, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { href } from 'react-router';
import type { EventName } from '#domain/analytics/forms.ts';
import type { SearchResponse, SearchHit } from '#domain/search/search.ts';
import { voiceHref } from '#web/catalogue/links.ts';
import { voiceTypeText } from '#web/catalogue/voice-type-text.ts';
import { playlistBackgroundClass } from '#web/library/user-playlist-cover.tsx';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Collage } from '#web/ui/images/collage.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { formatTime } from '#formats/durations.ts';
import { Marked } from './marked.tsx';

export type Suggestion = {
  id: string;
  to: string;
  /** Group, for analytics and for telling options apart. */
  kind: keyof SearchResponse;
  event: EventName | undefined;
  /** Accessible name: screen readers would read a word with a highlighted beginning as two. */
  label: string;
  content: ReactNode;
};

export type SuggestionGroup = { kind: Suggestion['kind']; label: string; suggestions: Suggestion[] };

type Presented = RowProps & { to: string; spoken: (string | null | undefined)[] };

type RowProps = { picture: ReactNode; title: ReactNode; note?: ReactNode; aside?: ReactNode };

function Row({ picture, title, note, aside }: RowProps) {
  return (
    <>
      {picture}
      <span className="min-w-0 flex-1">
        <span className="truncate block">{title}</span>
        {note !== undefined && <small className="truncate">{note}</small>}
      </span>
      {aside !== undefined && <small className="tabular-nums">{aside}</small>}
    </>
  );
}

/**
 * Groups of spec §2, “Search dropdown”, in the design’s order, those with an exact name first; empty groups are omitted.
 * Series and listeners appear only by their exact name; the page has all of them.
 */
export function suggestionsOf(answer: SearchResponse): SuggestionGroup[] {
  const groups = [
    group(t`Categories`, answer, 'categories', 'category_click', (hit) => ({
      to: href('/categories/:slug', { slug: hit.slug }),
      spoken: [hit.label],
      picture: <Cover imageUrl={hit.imageUrl} size={40} />,
      title: <Marked text={hit.label} marks={hit.highlights.label} />,
    })),
    group(t`Creators`, answer, 'voices', 'voice_click', (hit) => ({
      to: voiceHref(hit),
      spoken: [hit.name, voiceTypeText(hit.voiceTypeLabel), hit.category?.name],
      picture: <Cover imageUrl={hit.imageURL} shape="circle" size={40} />,
      title: <Marked text={hit.name} marks={hit.highlights.name} />,
      note: (
        <>
          {voiceTypeText(hit.voiceTypeLabel)}
          {hit.category && <span className="dot">{hit.category.name}</span>}
        </>
      ),
    })),
    group(t`Playlists`, answer, 'playlists', 'playlist_click', ({ totalAudios, ...hit }) => {
      const note = plural(totalAudios, { one: '# audio', other: '# audios' });
      return {
        to: href('/playlists/:slug', { slug: hit.slug }),
        spoken: [hit.title, note],
        picture: <Collage imageUrls={hit.voiceImages} size={40} />,
        title: <Marked text={hit.title} marks={hit.highlights.title} />,
        note,
      };
    }),
    group(t`User playlists`, answer, 'usersPlaylists', 'user_playlist_click', (hit) => ({
      to: href('/users-playlists/:id', { id: hit.id }),
      spoken: [hit.title, hit.user.username],
      picture: <span className={classNames('cover cover--40', playlistBackgroundClass[hit.background])} />,
      title: <Marked text={hit.title} marks={hit.highlights.title} />,
      note: <Marked text={hit.user.username} marks={hit.highlights.user} />,
    })),
    group(t`Audios`, answer, 'audios', 'audio_click', (hit) => ({
      to: audioAddress(hit),
      spoken: [hit.title, hit.line === null ? hit.voice.name : hit.line.text, formatTime(hit.numberDuration)],
      picture: <Cover imageUrl={hit.imageUrl} size={40} />,
      title: <Marked text={hit.title} marks={hit.highlights.title} />,
      note:
        hit.line === null ? (
          <Marked text={hit.voice.name} marks={hit.highlights.voice} />
        ) : (
          <>
            <span className="tabular-nums">{formatTime(hit.line.seconds)}</span>{' '}
            <q lang={hit.line.language}>
              <Marked text={hit.line.text} marks={hit.line.marks} />
            </q>
          </>
        ),
      aside: formatTime(hit.numberDuration),
    })),
    group(t`Series`, namedOnly(answer, 'series'), 'series', undefined, (hit) => ({
      to: href('/series/:slug', { slug: hit.slug }),
      spoken: [hit.title, hit.voice?.name],
      picture: <Cover imageUrl={hit.imageUrl} size={40} />,
      title: <Marked text={hit.title} marks={hit.highlights.title} />,
      ...(hit.voice && { note: hit.voice.name }),
    })),
    group(t`Listeners`, namedOnly(answer, 'users'), 'users', undefined, (hit) => ({
      to: href('/account/:id', { id: hit.id }),
      spoken: [hit.username],
      picture: <Avatar name={hit.icon ?? hit.username} color={hit.color} size={40} />,
      title: <Marked text={hit.username} marks={hit.highlights.username} />,
    })),
  ].filter(({ suggestions }) => suggestions.length > 0);
  return groups.toSorted((a, b) => Number(b.hasExactName) - Number(a.hasExactName));
}

function namedOnly(answer: SearchResponse, kind: 'series' | 'users'): SearchResponse {
  const results = answer[kind];
  // An exact name comes first (product.md, “Content”).
  return { ...answer, [kind]: { ...results, hits: results.hasExactName ? results.hits.slice(0, 1) : [] } };
}

/** A transcript hit links to its second. The time does not mark the link as shared (analytics/shared-link.ts). */
export function audioAddress({ slug, line }: Pick<SearchHit<'audios'>, 'slug' | 'line'>): string {
  const seconds = Math.floor(line?.seconds ?? 0);
  return `${href('/audio/:slug', { slug })}${seconds > 0 ? `?t=${seconds}&via=search` : ''}`;
}

function group<Kind extends keyof SearchResponse>(
  label: string,
  answer: SearchResponse,
  kind: Kind,
  event: EventName | undefined,
  present: (hit: SearchHit<Kind>) => Presented,
) {
  const { hits, hasExactName } = answer[kind];
  return {
    kind,
    label,
    hasExactName,
    suggestions: hits.map((hit) => {
      const { to, spoken, ...row } = present(hit as SearchHit<Kind>);
      const name = spoken.filter((text) => text).join(', ');
      return { id: hit.id, to, kind, event, label: name, content: <Row {...row} /> };
    }),
  };
}
