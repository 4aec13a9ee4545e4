import type { ComponentProps } from 'react';
import { canPlay } from '#domain/listening/rules.ts';
import type { AudioCard } from '#web/catalogue/audio-card.tsx';
import type { CategoryTile } from '#web/catalogue/category-tile.tsx';
import type { PlaylistCard } from '#web/catalogue/playlist-card.tsx';
import type { SeriesCard } from '#web/catalogue/series-card.tsx';
import type { VoiceCard } from '#web/catalogue/voice-card.tsx';
import type { UserPlaylistCard } from '#web/library/user-playlist-card.tsx';
import { useListener, usePlayback } from '#web/listening/player-provider.tsx';

/**
 * What each kept part shows: `of` the data, `useKey` all the rest. A part that shows something new of a viewer must name
 * it here, or one viewer would get the HTML of another (`test/e2e/pages.e2e.ts`). Rows of audios are not among them: the
 * ids of their menus depend on the row's place.
 */
type Shows<Part extends (props: never) => unknown> = {
  of: (props: Parameters<Part>[0]) => object | undefined;
  useKey: (props: Parameters<Part>[0]) => string;
};

/** The parts of a play button that depend on the viewer: the lock, and the audio in their player. */
function usePlayState({ audios, index }: Pick<ComponentProps<typeof AudioCard>, 'audios' | 'index'>): string {
  const viewer = useListener();
  const audio = audios[index];
  const { isCurrent, status, inProgress } = usePlayback(audio?.id ?? '');
  return JSON.stringify([audio !== undefined && canPlay(viewer, audio), isCurrent, status, inProgress]);
}

const audioCard: Shows<typeof AudioCard> = {
  of: ({ audios, index }) => audios[index],
  useKey: (props) => `${usePlayState(props)} ${props.source}`,
};
const voiceCard: Shows<typeof VoiceCard> = {
  of: ({ voice }) => voice,
  useKey: ({ variant, priority }) => `${variant} ${priority}`,
};
const categoryTile: Shows<typeof CategoryTile> = {
  of: ({ category }) => category,
  useKey: ({ priority }) => String(priority),
};
const playlistCard: Shows<typeof PlaylistCard> = {
  of: ({ playlist }) => playlist,
  useKey: ({ variant }) => variant,
};
const seriesCard: Shows<typeof SeriesCard> = {
  of: ({ series }) => series,
  useKey: ({ variant, priority }) => `${variant} ${priority}`,
};
const userPlaylistCard: Shows<typeof UserPlaylistCard> = { of: ({ playlist }) => playlist, useKey: () => '' };

export const keptParts = {
  AudioCard: audioCard,
  VoiceCard: voiceCard,
  CategoryTile: categoryTile,
  PlaylistCard: playlistCard,
  SeriesCard: seriesCard,
  UserPlaylistCard: userPlaylistCard,
};
