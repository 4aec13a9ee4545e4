import { useLocation } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { canDeleteComment, canReportComment } from '#domain/community/rules.ts';
import { canPlay } from '#domain/listening/rules.ts';
import type { AudioCard } from '#web/catalogue/cards/audio-card.tsx';
import type { AudioRow } from '#web/catalogue/audio-row.tsx';
import type { AudioSection } from '#web/catalogue/cards/audio-section.tsx';
import type { AudioTranscript } from '#web/catalogue/audio-transcript.tsx';
import type { StillLine } from '#web/catalogue/audio-waveform.tsx';
import type { BrowseChips } from '#web/catalogue/browse-chips.tsx';
import type { CategoryTile } from '#web/catalogue/cards/category-tile.tsx';
import type { CategorySection } from '#web/catalogue/category-section.tsx';
import type { RailSection } from '#web/catalogue/rail-section.tsx';
import type { SmallRow } from '#web/catalogue/more-from-voice.tsx';
import type { PlaylistCard } from '#web/catalogue/cards/playlist-card.tsx';
import type { SeriesCard } from '#web/catalogue/cards/series-card.tsx';
import type { VoiceCard } from '#web/catalogue/cards/voice-card.tsx';
import type { Thread } from '#web/community/thread.tsx';
import { useFavoriteState } from '#web/favorites/library-provider.tsx';
import { formatAgo } from '#formats/times.ts';
import { useSession } from '#web/identity/session-provider.tsx';
import type { UserPlaylistCard } from '#web/library/user-playlist-cover.tsx';
import type { RowBody } from '#web/library/long-rows.tsx';
import { isCurrent } from '#web/listening/playback.ts';
import { useListener, usePlayerState } from '#web/listening/player-provider.tsx';
import type { Transport } from '#web/player/transport.tsx';
import type { VolumeSlider } from '#web/player/volume.tsx';
import { useRootData } from '#web/root-data.ts';
import type { Footer } from '#web/shell/footer.tsx';
import type { MainNav } from '#web/shell/main-nav.tsx';
import { navigation } from '#web/shell/navigation.ts';
import type { SearchForm } from '#web/shell/search-form.tsx';
import type { SiteMenu } from '#web/shell/site-menu.tsx';

/**
 * Everything that a cached part shows: `of` the data, `useKey` the rest. A part with new viewer-dependent content must
 * list it here, or one viewer would get the HTML of another (`test/e2e/pages.e2e.ts`). Content of a single viewer is
 * never cached: no name, picture or position in an audio.
 */
type Shows<Part extends (props: never) => unknown> = {
  of: (props: Parameters<Part>[0]) => object | undefined;
  useKey: (props: Parameters<Part>[0]) => string;
};

/** For parts that show no data. Their keys must have few values. */
const site = {};

/**
 * The parts of a play button that depend on the viewer: the lock, and whether the player holds the audio. On the server
 * nothing plays, and nothing is known of what was heard.
 */
function usePlayState(audio: AudioItem | undefined): string {
  const viewer = useListener();
  const isHeld = usePlayerState((snapshot) => isCurrent(snapshot, audio?.id ?? ''));
  return `${audio !== undefined && canPlay(viewer, audio)} ${isHeld} ${useNamedLanguages()}`;
}

/** A list may have a language that the page does not name yet. */
function useNamedLanguages(): string {
  return Object.keys(useRootData()?.languageNames ?? {}).join();
}

/** `usePlayState` of a list. */
function usePlayStates(audios: AudioItem[]): string {
  const viewer = useListener();
  const held = usePlayerState((snapshot) => audios.findIndex(({ id }) => isCurrent(snapshot, id)));
  return `${audios.map((audio) => Number(canPlay(viewer, audio))).join('')} ${held} ${useNamedLanguages()}`;
}

function useRowState(audio: AudioItem | undefined): string {
  const favorite = useFavoriteState({ contentTypeId: 'audio', id: audio?.id ?? '' });
  return `${usePlayState(audio)} ${favorite}`;
}

const audioCard: Shows<typeof AudioCard> = {
  of: ({ audios, index }) => audios[index],
  useKey: ({ audios, index, source }) => `${usePlayState(audios[index])} ${source}`,
};
const audioRow: Shows<typeof AudioRow> = {
  of: ({ audios, index }) => audios[index],
  useKey: ({ audios, index, number, source }) => `${useRowState(audios[index])} ${number} ${source}`,
};
const rowBody: Shows<typeof RowBody> = {
  // Rows that can be moved or removed belong to the user.
  of: ({ audio, list }) => (list.onMove || list.onRemove ? undefined : audio),
  useKey: ({ audio, list }) => `${useRowState(audio)} ${list.source}`,
};
const audioSection: Shows<typeof AudioSection> = {
  of: ({ audios }) => audios,
  useKey: ({ audios, title, to, source, place }) =>
    `${usePlayStates(audios)} ${JSON.stringify([title, to, source, place])}`,
};
const audioTranscript: Shows<typeof AudioTranscript> = {
  of: ({ transcript }) => (transcript === 'locked' ? undefined : transcript),
  useKey: ({ audio, isOpen }) => `${audio.slug} ${isOpen}`,
};
const smallRow: Shows<typeof SmallRow> = {
  of: ({ audios, index }) => audios[index],
  useKey: ({ audios, index }) => usePlayState(audios[index]),
};
const stillLine: Shows<typeof StillLine> = {
  // The voice object as it was read, because the page's copy has newer counts.
  of: ({ audio }) => audio.voice,
  useKey: ({ audio, bars }) => `${audio.id} ${audio.numberDuration} ${bars}`,
};
const voiceCard: Shows<typeof VoiceCard> = {
  of: ({ voice }) => voice,
  useKey: ({ variant, priority }) => `${variant} ${priority}`,
};
const browseChips: Shows<typeof BrowseChips> = { of: ({ categories }) => categories, useKey: () => '' };
const categoryTile: Shows<typeof CategoryTile> = {
  of: ({ category }) => category,
  useKey: ({ priority }) => String(priority),
};
const categorySection: Shows<typeof CategorySection> = {
  of: ({ categories }) => categories,
  useKey: ({ title, isGrid }) => `${isGrid} ${title}`,
};
const playlistCard: Shows<typeof PlaylistCard> = {
  of: ({ playlist }) => playlist,
  useKey: ({ variant }) => variant,
};
const seriesCard: Shows<typeof SeriesCard> = {
  of: ({ series }) => series,
  useKey: ({ variant, priority }) => `${variant} ${priority}`,
};
// Each list of items has its own cards and address.
const railSection: Shows<typeof RailSection> = { of: ({ items }) => items, useKey: ({ title }) => title };
const userPlaylistCard: Shows<typeof UserPlaylistCard> = { of: ({ playlist }) => playlist, useKey: () => '' };

const thread: Shows<typeof Thread> = {
  of: ({ thread: shown }) => shown,
  useKey({ thread: shown, voice, now, write }) {
    const viewer = useListener();
    const views = [shown, ...shown.replies].map((comment) => [
      formatAgo(comment.createdAt, now),
      viewer.kind,
      canDeleteComment(viewer, comment),
      canReportComment(viewer, comment),
    ]);
    // Beside a pin or a heart.
    return JSON.stringify([write !== undefined, views, voice.name, voice.imageUrl]);
  },
};

const footer: Shows<typeof Footer> = {
  of: () => site,
  useKey({ siteName, own, extent }) {
    const isUser = useSession().user !== null;
    return JSON.stringify([siteName, own, extent, isUser, useRootData()?.off, new Date().getUTCFullYear()]);
  },
};
const mainNav: Shows<typeof MainNav> = {
  of: () => site,
  useKey() {
    const [, first = ''] = useLocation().pathname.toLowerCase().split('/');
    return navigation.some(({ to }) => to === `/${first}`) ? first : '';
  },
};
const searchForm: Shows<typeof SearchForm> = { of: () => site, useKey: ({ place }) => place };
const siteMenu: Shows<typeof SiteMenu> = { of: () => site, useKey: () => '' };
const transport: Shows<typeof Transport> = {
  of: () => site,
  useKey: ({ place }) =>
    `${place} ${usePlayerState(({ current, canPrevious, canNext }) => `${current === null} ${canPrevious} ${canNext}`)}`,
};
const volumeSlider: Shows<typeof VolumeSlider> = {
  of: () => site,
  useKey: ({ variant, className }) => `${variant} ${className}`,
};

export const cachedParts = {
  AudioCard: audioCard,
  AudioRow: audioRow,
  AudioSection: audioSection,
  AudioTranscript: audioTranscript,
  BrowseChips: browseChips,
  CategorySection: categorySection,
  CategoryTile: categoryTile,
  Footer: footer,
  MainNav: mainNav,
  PlaylistCard: playlistCard,
  RailSection: railSection,
  RowBody: rowBody,
  SearchForm: searchForm,
  SeriesCard: seriesCard,
  SiteMenu: siteMenu,
  SmallRow: smallRow,
  StillLine: stillLine,
  Thread: thread,
  Transport: transport,
  UserPlaylistCard: userPlaylistCard,
  VoiceCard: voiceCard,
  VolumeSlider: volumeSlider,
};
