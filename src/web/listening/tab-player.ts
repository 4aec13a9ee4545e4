import type { Audio } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/identity/rules.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { canPlay } from '#domain/listening/rules.ts';
import { browserClock } from '#player/clock.ts';
import { createEngine } from '#player/engine.ts';
import { createPlayer } from '#player/player.ts';
import { tabChannelName } from '#player/tabs.ts';
import type { Track } from '#player/track.ts';
import { browserStore } from './browser-store.ts';
import { isGoing, stateOf } from './playback.ts';
import { reportEvent } from './report-event.ts';
import { trackOf } from './track-of.ts';

export type TabPlayer = ReturnType<typeof createTabPlayer>;

type Listener = { viewer: Viewer; preview: Audio | null; discreet: boolean };

/** A page that was opened by a link with a time (`/audio/{slug}?t=95`); `key` is its slug or id. */
export type Arrival = { key: string; seconds: number };

let opened: TabPlayer | undefined;

/** The one player of the browser tab. On the server, where nothing sounds, each page has one for its first state. */
export function openTabPlayer(listener: Listener): TabPlayer {
  if (typeof document === 'undefined') return createTabPlayer(listener);
  return (opened ??= createTabPlayer(listener));
}

/** The player with what a page adds to it: who listens, and the lists that it plays. */
function createTabPlayer({ viewer: firstViewer, preview: firstPreview, discreet }: Listener) {
  let viewer = firstViewer;
  let arrival: Arrival | undefined;
  let listName: string | undefined;
  const known = new Map<string, { audio: Audio; track: Track }>();

  const engine = createEngine();
  const player = createPlayer({
    engine,
    clock: browserClock,
    mayHear: (track) => canPlay(viewer, track),
    maySkip: () => viewer.kind === 'user',
    report: (event) => reportEvent(event, known.get(event.trackId)?.audio),
    storage: browserStore,
    channel:
      typeof document !== 'undefined' && 'BroadcastChannel' in window
        ? new BroadcastChannel(tabChannelName)
        : undefined,
    discreet,
  });

  function tracksOf(audios: Audio[], source: ContentSource): Track[] {
    return audios.map((audio) => {
      const track = trackOf(audio, source);
      known.set(audio.id, { audio, track });
      return track;
    });
  }

  function setPreview(audio: Audio | null) {
    player.setPreview(audio && (tracksOf([audio], 'preview')[0] ?? null));
  }
  setPreview(firstPreview);

  /** Starts the list at this item. @param name what the list is called, for "Playing from" */
  function playList(audios: Audio[], index: number, source: ContentSource, name?: string) {
    const chosen = audios[index];
    if (chosen === undefined) return;
    const startAt = isArrival(chosen) ? arrival?.seconds : undefined;
    // A locked one only asks to be let in; what plays goes on meanwhile.
    if (canPlay(viewer, chosen)) {
      listName = name;
      if (startAt !== undefined) arrival = undefined;
    }
    player.playList(tracksOf(audios, source), index, undefined, { startAt });
  }

  /** What a play button does: pauses what plays, goes on with what is paused, else starts the list at this item. */
  function press(audios: Audio[], index: number, source: ContentSource, name?: string) {
    const chosen = audios[index];
    if (chosen === undefined) return;
    const state = stateOf(player.getSnapshot(), chosen.id);
    if (isGoing(state) || (state === 'paused' && !isArrival(chosen))) player.toggle();
    else playList(audios, index, source, name);
  }

  /** What Space and the player's own button do. */
  function toggle() {
    const { current } = player.getSnapshot();
    if (current && arrival && isArrival(current) && !isGoing(stateOf(player.getSnapshot(), current.id))) {
      player.seekTo(arrival.seconds / player.getDuration());
      arrival = undefined;
    }
    player.toggle();
  }

  function isArrival({ slug, id }: { slug: string; id: string }): boolean {
    return arrival !== undefined && (arrival.key === slug || arrival.key === id);
  }

  const { play, pause, next, previous, seekBy, seekTo, beginScrub, scrubTo, endScrub, setVolume, toggleMute, setRate } =
    player;

  return {
    player,
    /** For `ref`; React gives no null where a cleanup is answered. */
    attach: (element: HTMLAudioElement | null) => (element ? engine.attach(element) : undefined),
    /** As the server draws it, and the browser when it takes the page over. */
    firstSnapshot: player.getSnapshot(),
    /** An audio that this page has played or was about to. */
    knownTrack: (audioId: string) => known.get(audioId)?.track,
    getListName: () => listName,
    setPreview,
    setViewer(changed: Viewer) {
      const isLeft = viewer.kind === 'user' && !(changed.kind === 'user' && changed.id === viewer.id);
      viewer = changed;
      // Logged out: what one user heard is nothing to the next.
      if (isLeft) {
        listName = undefined;
        player.reset();
      }
      player.viewerChanged();
    },
    setArrival(changed: Arrival | undefined) {
      arrival = changed;
    },
    commands: {
      playList,
      press,
      toggle,
      play,
      pause,
      next,
      previous,
      seekBy,
      seekTo,
      beginScrub,
      scrubTo,
      endScrub,
      setVolume,
      toggleMute,
      setRate,
    },
  };
}
