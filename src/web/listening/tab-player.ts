import type { Audio } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/identity/rules.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { canPlay } from '#domain/listening/rules.ts';
import { browserClock } from '#player/clock.ts';
import { createEngine } from '#player/engine.ts';
import { createHistory } from '#player/history.ts';
import { createPlayer } from '#player/player.ts';
import { browserNetwork } from '#player/recovery.ts';
import { tabChannelName } from '#player/tabs.ts';
import type { Track } from '#player/track.ts';
import { createWarmUp } from '#player/warm-up.ts';
import { browserStore, tabStore } from './browser-store.ts';
import { findSimilar, historyServer, loadPlaces, queueServer, renewAccess } from './listening-calls.ts';
import { createPlaces } from './places.ts';
import { isGoing, stateOf } from './playback.ts';
import { reportEvent } from './report-event.ts';
import { trackOf } from './track-of.ts';
import type { Playable } from './track-of.ts';

export type TabPlayer = ReturnType<typeof createTabPlayer>;

type Listener = { viewer: Viewer; preview: Audio | null; discreet: boolean };

/** A page that was opened by a link with a time (`/audio/{slug}?t=95`); `key` is its slug or id. */
export type Arrival = { key: string; seconds: number };

/** Places of other devices are asked for again when the page is looked at after so long. */
const placesAgeMs = 60_000;

let opened: TabPlayer | undefined;

/** The one player of the browser tab. On the server, where nothing sounds, each page has one for its first state. */
export function openTabPlayer(listener: Listener): TabPlayer {
  if (typeof document === 'undefined') return createTabPlayer(listener);
  return (opened ??= createTabPlayer(listener));
}

/** The player with what a page adds to it: who listens, what the site keeps for them, and the lists that it plays. */
function createTabPlayer({ viewer: firstViewer, preview: firstPreview, discreet }: Listener) {
  const isBrowser = typeof document !== 'undefined';
  let viewer = firstViewer;
  // Whom the player knows of; undefined until the page is alive.
  let listenerId: string | null | undefined;
  let arrival: Arrival | undefined;
  let listName: string | undefined;
  let placesAskedAt = Number.NEGATIVE_INFINITY;
  const known = new Map<string, Audio>();
  const places = createPlaces();

  const history = isBrowser
    ? createHistory({ server: historyServer, clock: browserClock, network: browserNetwork, storage: browserStore })
    : undefined;
  const engine = createEngine({ refreshAccess: renewAccess });
  const player = createPlayer({
    engine,
    clock: browserClock,
    mayHear: (track) => canPlay(viewer, track),
    maySkip: () => viewer.kind === 'user',
    autoLoads: () => viewer.kind === 'user' && viewer.isSubscribed,
    report(event) {
      places.report(event);
      reportEvent(event, known.get(event.trackId));
      history?.report(event);
    },
    resumeFrom: (track) => places.find(track.id),
    storage: browserStore,
    sessionStore: tabStore,
    queueServer: isBrowser ? queueServer(know) : undefined,
    findMore: async (track) => tracksOf(await findSimilar(track.id), 'audio_details'),
    network: isBrowser ? browserNetwork : undefined,
    warmUp: isBrowser ? createWarmUp() : undefined,
    channel: isBrowser && 'BroadcastChannel' in window ? new BroadcastChannel(tabChannelName) : undefined,
    discreet,
  });

  function know(audios: readonly Audio[]): void {
    for (const audio of audios) known.set(audio.id, audio);
  }

  function tracksOf(audios: readonly Audio[], source: ContentSource): Track[] {
    know(audios);
    return audios.map((audio) => trackOf(audio, source));
  }

  function setPreview(audio: Audio | null) {
    player.setPreview(audio && (tracksOf([audio], 'preview')[0] ?? null));
  }
  setPreview(firstPreview);

  /** Starts the list at this item. @param name what the list is called, for "Playing from" */
  function playList(audios: Audio[], index: number, source: ContentSource, name?: string, at?: number) {
    const chosen = audios[index];
    if (chosen === undefined) return;
    const startAt = at ?? (isArrival(chosen) ? arrival?.seconds : undefined);
    // A locked one only asks to be let in; what plays goes on meanwhile.
    if (canPlay(viewer, chosen)) {
      listName = name;
      if (isArrival(chosen)) arrival = undefined;
    }
    player.playList(tracksOf(audios, source), index, undefined, { startAt });
  }

  /** What a play button does: pauses what plays, goes on with what is paused, else starts the list at this item. */
  function press(audios: Audio[], index: number, source: ContentSource, name?: string) {
    const chosen = audios[index];
    if (chosen === undefined) return;
    const state = stateOf(player.getSnapshot(), chosen.id);
    // The preview that stands there paused has no list behind it.
    const hasList = !player.getSnapshot().isPreview || source === 'preview';
    if (isGoing(state) || (state === 'paused' && hasList && !isArrival(chosen))) player.toggle();
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

  /** @returns how many were not in the queue before */
  function addToQueue(audios: readonly Playable[]): number {
    const before = player.getSnapshot().queuedIds;
    const added = audios.filter(({ id }) => !before.has(id));
    for (const audio of added) player.addToQueue(trackOf(audio, 'queue'));
    return added.filter(({ id }) => player.getSnapshot().queuedIds.has(id)).length;
  }

  function isArrival({ slug, id }: { slug: string; id: string }): boolean {
    return arrival !== undefined && (arrival.key === slug || arrival.key === id);
  }

  async function askForPlaces(): Promise<void> {
    const of = listenerId;
    if (!of || browserClock.now() - placesAskedAt < placesAgeMs) return;
    placesAskedAt = browserClock.now();
    const loaded = await loadPlaces();
    if (loaded === undefined || of !== listenerId) return;
    places.take(loaded);
    player.placesChanged();
  }

  /** Whom the page is made for. Once it is alive, and each time it is someone else or may hear something else. */
  function setViewer(changed: Viewer) {
    viewer = changed;
    const id = viewer.kind === 'user' ? viewer.id : null;
    if (id !== listenerId) {
      listName = undefined;
      placesAskedAt = Number.NEGATIVE_INFINITY;
      places.forgetAll();
      history?.setListener(id);
    }
    listenerId = id;
    player.setListener(id === null ? null : { id });
    void askForPlaces();
  }

  /** A place was taken out of the listener's history; all of them without an id. */
  function forgetPlaces(audioId?: string) {
    if (audioId === undefined) places.forgetAll();
    else places.forget(audioId);
    player.placesChanged();
  }

  const { play, pause, next, previous, seekBy, seekTo, beginScrub, scrubTo, endScrub, setVolume, toggleMute, setRate } =
    player;
  const { removeFromQueue, moveInQueue, clearQueue, playFromQueue, seekToSeconds, setKeepPlaying, setSleepTimer } =
    player;

  return {
    player,
    /** For `ref`; React gives no null where a cleanup is answered. */
    attach: (element: HTMLAudioElement | null) => (element ? engine.attach(element) : undefined),
    /** As the server draws it, and the browser when it takes the page over. */
    firstSnapshot: player.getSnapshot(),
    /** As the catalogue has it, where this page has met it. */
    knownAudio: (audioId: string) => known.get(audioId),
    /** The kept second of an audio that is not current. */
    placeOf: places.of,
    getListName: () => listName,
    setPreview,
    setViewer,
    setArrival(changed: Arrival | undefined) {
      arrival = changed;
    },
    /** The page is hidden or left. */
    leave() {
      player.flush();
      history?.flush();
    },
    /** The session is about to end: what was listened to arrives while it still counts. */
    async sayGoodbye(): Promise<void> {
      player.flush();
      await Promise.all([player.settle(), history?.settle()]);
    },
    /** The page is looked at again: another device may have done something meanwhile. */
    comeBack() {
      player.pageShown();
      void askForPlaces();
    },
    forgetPlaces,
    /** Places that a page came with. */
    seedPlaces(some: Record<string, number>) {
      places.seed(some);
      player.placesChanged();
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
      seekToSeconds,
      beginScrub,
      scrubTo,
      endScrub,
      setVolume,
      toggleMute,
      setRate,
      addToQueue,
      removeFromQueue,
      moveInQueue,
      clearQueue,
      playFromQueue,
      setKeepPlaying,
      setSleepTimer,
    },
  };
}
