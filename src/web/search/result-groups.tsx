import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { SearchResults } from '#domain/search/results.ts';
import { AudioRows } from '#web/catalogue/audio-list.tsx';
import { CardGrid } from '#web/catalogue/cards/card-grid.tsx';
import { CategoryTile } from '#web/catalogue/cards/category-tile.tsx';
import { PlaylistCard } from '#web/catalogue/cards/playlist-card.tsx';
import { Rail } from '#web/catalogue/cards/rail.tsx';
import { SeriesCard } from '#web/catalogue/cards/series-card.tsx';
import { UserPlaylistCard } from '#web/library/user-playlist-cover.tsx';
import { VoiceCard } from '#web/catalogue/cards/voice-card.tsx';
import { foreign } from '#web/catalogue/foreign-language.tsx';
import { formatTime } from '#formats/durations.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Marked } from './marked.tsx';
import { audioAddress } from './suggestion-rows.tsx';

export type GroupName = keyof SearchResults;

export const groupLabels: Record<GroupName, () => string> = {
  audios: () => t`Audios`,
  voices: () => t`Creators`,
  categories: () => t`Categories`,
  playlists: () => t`Playlists`,
  series: () => t`Series`,
  usersPlaylists: () => t`User playlists`,
  users: () => t`Listeners`,
};
export const groupNames = Object.keys(groupLabels) as GroupName[];

type ResultGroupProps = {
  name: GroupName;
  results: SearchResults;
  listName: string;
  /** One group among all results, or a page of its own. */
  as: 'part' | 'page';
  /** Number of hits on earlier pages. */
  before: number;
};

export function ResultGroup({ name, results, listName, as, before }: ResultGroupProps) {
  const isPage = as === 'page';
  switch (name) {
    case 'audios':
      return <AudioResults results={results.audios} listName={listName} numbered={before === 0} />;
    case 'voices':
      return (
        <CardGrid columns="6">
          {results.voices.items.map((voice) => (
            <VoiceCard key={voice.id} voice={voice} source="search" variant="grid" />
          ))}
        </CardGrid>
      );
    case 'categories':
      return (
        <CardGrid columns="4">
          {results.categories.items.map((category) => (
            <CategoryTile key={category.id} category={category} source="search" />
          ))}
        </CardGrid>
      );
    case 'playlists': {
      const cards = results.playlists.items.map((playlist) => (
        <PlaylistCard key={playlist.id} playlist={playlist} source="search" variant={isPage ? 'grid' : 'rail'} />
      ));
      return isPage ? <CardGrid columns="5">{cards}</CardGrid> : <Rail>{cards}</Rail>;
    }
    case 'series': {
      const cards = results.series.items.map((series) => (
        <SeriesCard key={series.id} series={series} variant={isPage ? 'grid' : 'rail'} />
      ));
      return isPage ? <CardGrid columns="5">{cards}</CardGrid> : <Rail>{cards}</Rail>;
    }
    case 'usersPlaylists': {
      const cards = results.usersPlaylists.items.map((playlist) => (
        <UserPlaylistCard key={playlist.id} playlist={playlist} source="search" />
      ));
      return isPage ? <CardGrid columns="5">{cards}</CardGrid> : <Rail width="5">{cards}</Rail>;
    }
    case 'users':
      return (
        <ul className="flex flex-wrap gap-3">
          {results.users.items.map((user) => (
            <li key={user.id}>
              <Link
                className="flex min-h-14 items-center gap-3 rounded-full bg-raised pe-5 ps-2 hover:bg-overlay"
                to={href('/account/:id', { id: user.id })}
              >
                <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
                <span className="max-w-[60vw] truncate">{user.username}</span>
              </Link>
            </li>
          ))}
        </ul>
      );
  }
}

type AudioResultsProps = { results: SearchResults['audios']; listName: string; numbered: boolean };

/** Playable audios found by name, then the transcript lines that contain the words. */
function AudioResults({ results: { items, lines }, listName, numbered }: AudioResultsProps) {
  const named = items.filter(({ id }) => lines[id] === undefined);
  const heard = items.filter(({ id }) => lines[id] !== undefined);
  return (
    <>
      {named.length > 0 && <AudioRows audios={named} source="search" name={listName} numbered={numbered} />}
      {heard.length > 0 && (
        <>
          <h3 className={named.length > 0 ? 'text-22 mt-10 mb-4' : 'text-22 mb-4'}>
            <Trans>Said in</Trans>
          </h3>
          <ul className="border-t border-line [&_mark]:bg-transparent [&_mark]:text-accent-text" data-heard>
            {heard.map((audio) => (
              <HeardAudio key={audio.id} audio={audio} line={lines[audio.id]} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function HeardAudio({ audio, line }: { audio: AudioItem; line: SearchResults['audios']['lines'][string] | undefined }) {
  if (line === undefined) return null;
  return (
    <li className="border-b border-line">
      <Link
        className="flex min-h-20 items-center gap-4 px-3 py-2 hover:bg-raised"
        to={audioAddress({ slug: audio.slug, line })}
        onClick={() => logEvent('audio_click', { source: 'search', subjectId: audio.id })}
      >
        <Cover imageUrl={audio.imageUrl} size={56} />
        <span className="min-w-0 flex-1">
          <b className="block truncate font-semibold" lang={foreign(audio.language)}>
            {audio.title}
          </b>
          <span className="text-13 text-muted">
            <bdi>{audio.voice.name}</bdi>
            <span className="dot tabular-nums">{formatTime(line.seconds)}</span>
          </span>
          <q lang={line.language} className="mt-1 block text-14 text-soft">
            <Marked text={line.text} marks={line.marks} />
          </q>
        </span>
      </Link>
    </li>
  );
}
