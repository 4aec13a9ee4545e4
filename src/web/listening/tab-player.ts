import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import type { QueueHead } from '#domain/library/saved-queue.ts';
import { canPlay } from '#domain/listening/rules.ts';
import { browserClock } from '#player/clock.ts';
import { createEngine } from '#player/media/engine.ts';
import { createLazy } from '#player/lazy.ts';
import { isStarted } from '#player/playback.ts';
import { createPlayer } from '#player/player.ts';
import { browserNetwork } from '#player/network.ts';
import { openChannel } from '#offline/open-channel.ts';
import { tabChannelName } from '#player/tabs.ts';
import type { Track } from '#player/track.ts';
import { hasToken } from '#web/api.ts';
import { browserStore, tabStore } from '#web/browser-store.ts';
import type { openLazyParts } from './lazy-player.ts';
import { downloadsMark, downloadedSound } from './downloaded-sound.ts';
import { createResumePositions } from './resume-positions.ts';
import type { RestOfList } from './load-list.ts';
import { isActive, stateOf } from './playback.ts';
import { renderAfterSound } from './render-after-sound.ts';
import { reportEvent } from './report-event.ts';
import { type Playable, trackOf } from './track-of.ts';

export type TabPlayer = ReturnType<typeof createTabPlayer>;

type Listener = {
  viewer: Viewer;
  preview: AudioItem | null;
  /** First audio of the listener’s saved queue, for the first paint. */
  queueHead: QueueHead | null;
  discreet: boolean;
};

/** Share link with a time (`/audio/{slug}?t=95`); `key` is the audio’s slug or id. */
export type Arrival = { key: string; seconds: number };

/** Returning to the page reloads the positions of other devices when the last load is older than this. */
const positionsMaxAgeMs = 60_000;

/** Pointers that only pass over a play button preload nothing. */
const hoverDelayMs = 60;

type LazyParts = Awaited<ReturnType<typeof openLazyParts>>;

const loadLazyPlayer = () => import('./lazy-player.ts');
const loadDownloads = () => import('./tab-downloads.ts');

let opened: TabPlayer | undefined;

/** The browser tab’s only player. On the server each page gets its own, for the first state only. */
export function openTabPlayer(listener: Listener): TabPlayer {
  if (typeof document === 'undefined') return createTabPlayer(listener);
  return (opened ??= createTabPlayer(listener));
}

/** The player plus what a page adds: the listener, the site’s saved data, and the lists that it plays. */
function createTabPlayer({ viewer: firstViewer, preview: firstPreview, queueHead, discreet }: Listener) {
  const isBrowser = typeof document !== 'undefined';
  let viewer = firstViewer;
  // Id of the player's listener; undefined until hydration.
  let listenerId: string | null | undefined;
  let arrival: Arrival | undefined;
  let listName: string | undefined;
  let positionsLoadedAt = Number.NEGATIVE_INFINITY;
  let positionsLoad = Promise.resolve();
  const audiosById = new Map<string, AudioItem>();
  let hovered: AudioItem | undefined;
  const resumePositions = createResumePositions();

  const lazy = createLazy({
    async load() {
      await waitForSound();
      return (await loadLazyPlayer()).openLazyParts({ audiosById, onTakenOver, viewer: () => viewer, player });
    },
    clock: browserClock,
    network: browserNetwork,
  });
  const lazyParts = () => new Promise<LazyParts>(lazy.use);
  // Site address of the loaded sound, also while its stored copy plays.
  let loadedFile: string | null = null;
  const engine = createEngine({
    parts: lazy,
    refreshAccess: async () => (await lazyParts()).renewAccess(),
    // The copy was removed, or its licence has ended: try the site. Offline, the refusal is the answer.
    fallbackUrl: () => navigator.onLine && loadedFile,
    storedUrl: () => (loadedFile === null ? undefined : downloadedSound.addressOf?.(loadedFile)),
    onWholeFile: () => player.notify({ kind: 'whole-file' }),
  });
  /**
   * Loading code between a press and its sound would delay the sound, so this waits for the sound, for a second at
   * most.
   */
  async function waitForSound(): Promise<void> {
    for (let waits = 0; waits < 20; waits += 1) {
      // Before the first check, because the press that requests this code loads its sound only afterwards.
      await new Promise<void>((resolve) => browserClock.after(50, resolve));
      const { status, reconnecting } = engine.getSnapshot();
      if (status !== 'loading' || reconnecting) return;
    }
  }
  const addressOf = (file: string) => downloadedSound.addressOf?.(file) ?? file;
  const player = createPlayer({
    engine: {
      ...engine,
      load(file, options) {
        loadedFile = file;
        engine.load(addressOf(file), options);
      },
    },
    clock: browserClock,
    parts: lazy,
    mayHear: (track) => !viewer.ageMissing && canPlay(viewer, track),
    isOnDevice: (track) => downloadedSound.isOnDevice?.(track) ?? false,
    isOffline: () => !navigator.onLine,
    accessEnded() {
      if (viewer.kind === 'user') viewer = { ...viewer, isSubscribed: false };
    },
    maySkip: () => viewer.kind === 'user',
    autoLoads: () => viewer.kind === 'user' && viewer.isSubscribed,
    report(event) {
      resumePositions.report(event);
      downloadedSound.report?.(event);
      reportEvent(event, audiosById.get(event.trackId));
      lazy.use(({ history }) => history.report(event));
    },
    resumeFrom: (track) => resumePositions.find(track.id),
    storage: browserStore,
    sessionStore: tabStore,
    findMore: async (track) => (await lazyParts()).findMore(track.id),
    network: isBrowser ? browserNetwork : undefined,
    warmUp: {
      warm: (url, mayUseElement) => lazy.ready()?.warmUp.warm(addressOf(url), mayUseElement),
      drop: () => lazy.ready()?.warmUp.drop(),
    },
    channel: isBrowser ? openChannel(tabChannelName) : undefined,
    discreet,
  });

  /** Another device took over: this one stops. */
  function onTakenOver(): void {
    player.pause();
    player.notify({ kind: 'taken-over' });
  }

  function cacheAudios(audios: readonly AudioItem[]): void {
    for (const audio of audios) audiosById.set(audio.id, audio);
  }

  function tracksOf(audios: readonly AudioItem[], source: ContentSource): Track[] {
    cacheAudios(audios);
    return audios.map((audio) => trackOf(audio, source));
  }

  function setPreview(audio: AudioItem | null) {
    player.setPreview(audio && (tracksOf([audio], 'preview')[0] ?? null));
  }
  setPreview(firstPreview);
  if (queueHead) {
    cacheAudios([queueHead.audio]);
    player.awaitQueue({ ...trackOf(queueHead.audio, 'queue'), source: queueHead.source }, queueHead.seconds);
  }

  /** Starts the list at this item. @param name name of the list, for “Playing from” */
  function playList(audios: AudioItem[], index: number, source: ContentSource, name?: string, at?: number) {
    const chosen = audios[index];
    if (chosen === undefined) return;
    const startAt = at ?? (isArrival(chosen) ? arrival?.seconds : undefined);
    // A locked audio only opens a prompt; the current one keeps playing.
    if (canPlay(viewer, chosen)) {
      listName = name;
      if (isArrival(chosen)) endArrival();
    }
    player.playList(tracksOf(audios, source), index, undefined, { startAt });
  }

  /**
   * The pointer is over this audio's play button: once it rests there, the beginning of the file is loaded, so that a
   * press sounds at once. Not during playback, when the next audio is loaded instead.
   * @param audio undefined when the pointer leaves
   */
  function preloadOnHover(audio?: AudioItem) {
    hovered = audio;
    if (isStarted(engine.getSnapshot().status)) return;
    lazy.ready()?.warmUp.drop();
    if (audio && canPlay(viewer, audio))
      browserClock.after(hoverDelayMs, () => audio === hovered && lazy.use(() => warmUpFor(audio)));
  }

  function warmUpFor(audio: AudioItem) {
    const { status, canSetVolume } = engine.getSnapshot();
    if (audio !== hovered || isStarted(status) || !canSetVolume) return;
    lazy.ready()?.warmUp.warm(addressOf(audio.audioFileUrl), true, 'metadata');
  }

  /**
   * Press of a play button: pauses or resumes the current audio, otherwise starts the list at this item.
   * @param rest what follows the loaded audios; appended once they are in the queue
   */
  function press(audios: AudioItem[], index: number, source: ContentSource, name?: string, rest?: RestOfList) {
    const chosen = audios[index];
    if (chosen === undefined) return;
    const state = stateOf(player.getSnapshot(), chosen.id);
    // An unplayed preview has no list.
    const hasList = !player.getSnapshot().isPreview || source === 'preview';
    if (isActive(state) || (state === 'paused' && hasList && !isArrival(chosen))) player.toggle();
    else {
      playList(audios, index, source, name);
      if (rest) lazy.use(({ appendRest }) => void appendRest(player, rest, audios, source));
    }
  }

  /** Space and the player’s own play button. */
  function toggle() {
    const { current } = player.getSnapshot();
    if (current && arrival && isArrival(current) && !isActive(stateOf(player.getSnapshot(), current.id))) {
      player.seekTo(arrival.seconds / player.getDuration());
      endArrival();
    }
    player.toggle();
  }

  /** @returns how many were newly added */
  function addToQueue(audios: readonly Playable[]): number {
    const before = player.getSnapshot().queuedIds;
    const added = audios.filter(({ id }) => !before.has(id));
    for (const audio of added) player.addToQueue(trackOf(audio, 'queue'));
    return added.filter(({ id }) => player.getSnapshot().queuedIds.has(id)).length;
  }

  function isArrival({ slug, id }: { slug: string; id: string }): boolean {
    return arrival !== undefined && (arrival.key === slug || arrival.key === id);
  }

  function endArrival() {
    arrival = undefined;
    lazy.use(({ forgetTime }) => forgetTime());
  }

  function refreshPositions(): void {
    positionsLoad = loadFreshPositions();
  }

  async function loadFreshPositions(): Promise<void> {
    const requestedFor = listenerId;
    if (!requestedFor || browserClock.now() - positionsLoadedAt < positionsMaxAgeMs) return;
    positionsLoadedAt = browserClock.now();
    const loaded = await (await lazyParts()).loadResumePositions();
    if (loaded === undefined || requestedFor !== listenerId) return;
    resumePositions.replace(loaded.positions, loaded.completed);
    player.resumePositionsChanged();
    if (loaded.playingElsewhere !== undefined && !isStarted(player.getSnapshot().status))
      player.notify({ kind: 'playing-elsewhere', ...loaded.playingElsewhere });
  }

  /** Sets the page’s listener: at hydration, and when the user or their access changes. */
  function setViewer(changed: Viewer) {
    const id = changed.kind === 'user' ? changed.id : null;
    // Log out first, or reports of the previous listener's audio would count for this one.
    if (id !== null && listenerId && id !== listenerId) setViewer({ kind: 'visitor' });
    viewer = changed;
    if (id !== listenerId) {
      listName = undefined;
      positionsLoadedAt = Number.NEGATIVE_INFINITY;
      resumePositions.clear();
      // A visitor’s first page has nothing to send.
      if (id !== null || lazy.ready()) lazy.use(({ history }) => history.setListener(id));
    }
    listenerId = id;
    player.setListener(id === null ? null : { id });
    // A visitor's page with a token was rendered without the cookie, which the token restores; a log-out drops both.
    if (browserStore.get(downloadsMark) && (id !== null || !hasToken()))
      void loadDownloads().then((downloads) =>
        downloads.openDownloads(id, { engine, player, resumePositions, loadedFile: () => loadedFile }),
      );
    refreshPositions();
  }

  /** @returns undoes the removal, unless another listener has logged in meanwhile */
  function undoable(remove: () => void): () => void {
    const [before, owner] = [player.getSnapshot().queue, listenerId];
    remove();
    return () => {
      if (owner === listenerId) player.addMissingToQueue(before);
    };
  }

  return {
    player,
    /** For components; everything else subscribes to the player itself. */
    changes: renderAfterSound(player, browserClock),
    lazy,
    /** For `ref`: React does not call it with null when it returns a cleanup. */
    attach(element: HTMLAudioElement | null) {
      return element === null ? undefined : engine.attach(element);
    },
    /** State of the server’s HTML and of hydration. */
    firstSnapshot: player.getSnapshot(),
    firstPosition: player.getPosition(),
    /** Saved second of an audio that is not current. */
    positionOf: resumePositions.of,
    isHeard: resumePositions.isHeard,
    getListName: () => listName,
    setPreview,
    setViewer,
    setArrival(changed: Arrival | undefined) {
      arrival = changed;
    },
    /** The page is hidden, or closed. */
    pageHidden(isClosing = false) {
      player.flush(isClosing);
      lazy.ready()?.history.flush();
    },
    /** The page is visible again: another device may have changed the queue or the positions. */
    pageShown() {
      player.pageShown();
      refreshPositions();
    },
    /** Positions from a page’s data. */
    seedResumePositions(some: Record<string, number>) {
      resumePositions.seed(some);
      player.resumePositionsChanged();
    },
    /** The player's own commands, and those that depend on the page. */
    commands: {
      ...player,
      playList,
      /** Like `playList`, for audios known only as tracks. */
      playTracks(tracks: readonly Track[], index: number, name?: string) {
        listName = name;
        player.playList(tracks, index);
      },
      press,
      preloadOnHover,
      toggle,
      addToQueue,
      removeFromQueue: (id: string) => undoable(() => player.removeFromQueue(id)),
      clearQueue: () => undoable(player.clearQueue),
      /** The catalogue’s data of an audio, if this tab has loaded it. */
      knownAudio: (audioId: string) => audiosById.get(audioId),
      /** Sends pending listening reports, and awaits the running ones, while the session is still valid. */
      async settleReports(): Promise<void> {
        player.flush();
        await Promise.all([
          player.settle(),
          lazy.ready()?.history.settle(),
          downloadedSound.beforeLogOut?.(),
          positionsLoad,
        ]);
      },
      /** Removes a position that was removed from the listener’s history; all of them without an id. */
      clearResumePositions(audioId?: string) {
        resumePositions.clear(audioId);
        player.clearPosition(audioId);
      },
    },
  };
}
