import type { FailureCode } from './failure.ts';
import { createGoingOn } from './going-on.ts';
import type { KeptPlace } from './kept-queue.ts';
import { createListeners, sameFields } from './listeners.ts';
import { createListening } from './listening.ts';
import { isStarted } from './playback.ts';
import type { PlaybackStatus } from './playback.ts';
import type { PlayerEventDetail } from './player-events.ts';
import type { LockedListener, NoticeListener, PlayerOptions } from './player-options.ts';
import { idlePlayerSnapshot, viewOf } from './player-snapshot.ts';
import type { PlayerSnapshot } from './player-snapshot.ts';
import { createPlaces } from './places.ts';
import { fractionOf, resumePosition } from './progress.ts';
import * as queues from './queue.ts';
import type { Queue } from './queue.ts';
import { createQueueSync } from './queue-sync.ts';
import { browserNetwork } from './recovery.ts';
import { createSettings } from './settings.ts';
import { createSleepTimer } from './sleep-timer.ts';
import { linkTabs } from './tabs.ts';
import { createTimeline } from './timeline.ts';
import type { Track } from './track.ts';

export type Player = ReturnType<typeof createPlayer>;

/** Past so many seconds, previous goes to the beginning of the audio first. */
const RESTART_AFTER_SECONDS = 3;
/** After so many broken files in a row without a sound, something else is wrong. */
const MOST_BROKEN_IN_A_ROW = 5;

/** Joins queue and engine: all that the buttons, the keys and the lock screen can do. */
export function createPlayer(options: PlayerOptions) {
  const { engine, clock, maySkip = () => true, autoLoads = () => false, network = browserNetwork } = options;
  const changes = createListeners();
  const lockedRequests = createListeners<Parameters<LockedListener>>();
  const notices = createListeners<Parameters<NoticeListener>>();

  let queue = queues.emptyQueue;
  let preview: Track | null = null;
  // Null, or the id of the queue's head.
  let loadedId: string | null = null;
  // The loaded audio was not asked for: the one before it had ended.
  let wentOn = false;
  // The list is over, and goes on as soon as there is more.
  let waitsForMore = false;
  let isOwnList = false;
  let brokenInARow = 0;
  let lastStatus: PlaybackStatus = 'idle';
  // Undefined until the page has said who listens; null for a visitor.
  let listenerId: string | null | undefined;

  const current = (): Track | null => queue.list[0] ?? null;
  const isLoaded = () => loadedId !== null;
  const isPreview = () => current()?.source === 'preview';
  /** The preview stands there alone, and nobody has listened to it. */
  const isPreviewUntouched = () => isPreview() && queue.list.length === 1 && !(isLoaded() && listening.hasSounded());
  const mayHear = (track: Track) => track.id === preview?.id || options.mayHear(track);
  const orPreview = (changed: Queue) => (changed.list.length > 0 || !preview ? changed : queues.startAt([preview], 0));
  const tell = notices.emit;

  const settings = createSettings(engine, options.storage, options.discreet);
  const listening = createListening(clock, options.report);
  const places = createPlaces(listening, options.resumeFrom);
  const tabs = linkTabs(options.channel, () => engine.pause());
  const sleepTimer = createSleepTimer({ engine, clock, storage: options.sessionStore });
  const goingOn = createGoingOn({
    engine,
    clock,
    queue: () => queue,
    mayHear,
    keepsPlaying: settings.keepsPlaying,
    findMore: options.findMore,
    warmUp: options.warmUp,
    onMore,
  });
  const sync = createQueueSync({
    clock,
    network,
    store: options.queueStore ?? options.storage,
    server: options.queueServer,
    standing,
    take,
    tell,
  });
  // Before the timeline listens: a place is kept before it is told.
  const stopObserving = engine.subscribePosition(observe);
  const timeline = createTimeline({ engine, clock, listening, current, isLoaded, progressOf: places.of, report });
  let snapshot: PlayerSnapshot = {
    ...idlePlayerSnapshot,
    isDiscreet: settings.isDiscreet(),
    keepsPlaying: settings.keepsPlaying(),
  };

  function refresh() {
    const { status, failure } = engine.getSnapshot();
    const { queue: told, upNext, queuedCount, queuedIds } = snapshot;
    const now: PlayerSnapshot = {
      ...(told === queue ? { queue, upNext, queuedCount, queuedIds } : viewOf(queue)),
      current: current(),
      status: isLoaded() ? status : 'idle',
      failure: isLoaded() ? failure : null,
      isPreview: isPreview(),
      canNext: maySkip() && (queue.list.length > 1 || goingOn.hasMore()),
      canPrevious: maySkip() && (isLoaded() || queue.list.length > 1),
      isDiscreet: settings.isDiscreet(),
      keepsPlaying: settings.keepsPlaying(),
    };
    if (sameFields(snapshot, now)) return;
    snapshot = now;
    if (told !== queue) sync.changed(queue);
    changes.emit();
  }

  function report(detail: PlayerEventDetail, position = timeline.getPosition()) {
    const track = current();
    if (track) listening.report(track, detail, position);
  }

  function changeQueue(changed: Queue) {
    queue = changed;
    if (isLoaded() && loadedId !== current()?.id) unload();
    settle();
  }

  /** After anything that may have changed the head, or what this listener may hear. */
  function settle() {
    if (listenerId !== undefined && autoLoads()) loadHead();
    refresh();
    timeline.tell();
  }

  function load(track: Track, { startAt, autoplay }: { startAt?: number; autoplay: boolean }) {
    const from = resumePosition(startAt ?? places.of(track), track.numberDuration);
    timeline.letGo();
    waitsForMore = false;
    loadedId = track.id;
    listening.begin(track, from);
    engine.load(track.audioFileUrl, { startAt: from, autoplay });
  }

  function unload() {
    loadedId = null;
    waitsForMore = false;
    timeline.letGo();
    listening.leave();
    engine.unload();
  }

  /** Makes another item of the queue the head and starts it. */
  function goTo(changed: Queue, { isAutomatic = false, startAt }: { isAutomatic?: boolean; startAt?: number } = {}) {
    const [track] = changed.list;
    if (!track) return;
    queue = changed;
    wentOn = isAutomatic;
    load(track, { startAt, autoplay: true });
    refresh();
    timeline.tell();
  }

  /** Goes on by itself to what this listener may hear; stays when there is nothing, and never prompts. */
  function goOn(): boolean {
    const following = goingOn.following();
    if (following === queue) return false;
    goTo(following, { isAutomatic: true });
    return true;
  }

  function onMore() {
    refresh();
    if (waitsForMore && snapshot.status === 'ended') goOn();
  }

  function observe() {
    const { status, muted, volume, rate } = engine.getSnapshot();
    const isAudible = !muted && volume > 0;
    listening.observe({ isPlaying: status === 'playing', isAudible, position: engine.getPosition(), rate });
    const track = isLoaded() ? current() : null;
    if (!track) return;
    sync.moved();
    if (status !== 'playing') return;
    brokenInARow = 0;
    goingOn.observe(track);
  }

  function onEngineChange() {
    const { status, failure } = engine.getSnapshot();
    const before = lastStatus;
    lastStatus = status;
    observe();
    if (isStarted(status) && !isStarted(before)) tabs.tellStarted();
    if (status === 'paused' && isStarted(before)) listening.flush();
    if (status === 'failed' && before !== 'failed' && failure) onFailed(failure, isStarted(before));
    refresh();
  }

  function onFailed(code: FailureCode, wasStarted: boolean) {
    report({ name: 'error', code });
    const track = current();
    if (!track) return;
    if (wasStarted && (code === 'decode' || code === 'gone')) return onBroken(track);
    if (listening.hasSounded()) return;
    if (wentOn && code !== 'network') goOn();
    else if (!wentOn && (code === 'login-required' || code === 'subscription-required'))
      lockedRequests.emit(track, play);
  }

  function onBroken({ id, title }: Track) {
    brokenInARow += 1;
    const goesOn = brokenInARow < MOST_BROKEN_IN_A_ROW && goOn();
    tell({ kind: 'file-broken', trackId: id, title, goesOn });
  }

  function onEnded() {
    if (!isLoaded()) return;
    timeline.letGo();
    listening.complete();
    const isTimeToSleep = sleepTimer.audioEnded();
    waitsForMore = !isTimeToSleep && !goOn();
    refresh();
  }

  /** `index` is the row that was pressed. `source` names the list; without it each audio keeps its own. */
  function playList(list: readonly Track[], index: number, source?: string, from: { startAt?: number } = {}) {
    const tracks = source === undefined ? list : list.map((track) => ({ ...track, source }));
    const chosen = tracks[index];
    if (!chosen) return;
    if (!mayHear(chosen)) return lockedRequests.emit(chosen, () => playList(list, index, source, from));
    const changed = queues.startAt(tracks, index);
    isOwnList = true;
    if (chosen.id === loadedId && from.startAt === undefined) {
      queue = changed;
      wentOn = false;
      report({ name: 'play_click' });
      engine.play();
      refresh();
    } else {
      listening.report(chosen, { name: 'play_click' }, from.startAt ?? places.of(chosen));
      goTo(changed, from);
    }
  }

  /** Plays or pauses what is current, or starts this one audio. */
  function toggle(track?: Track) {
    if (track && track.id !== current()?.id) playList([track], 0);
    else if (isStarted(snapshot.status)) pause();
    else play();
  }

  function play() {
    const track = current();
    if (!track) return;
    if (!mayHear(track)) return lockedRequests.emit(track, play);
    wentOn = false;
    report({ name: 'play_click' });
    if (isLoaded()) engine.play();
    else goTo(queue);
  }

  function pause() {
    if (!isStarted(snapshot.status)) return;
    report({ name: 'pause_click' });
    engine.pause();
  }

  /** Passes over what is locked; only when nothing else follows does it ask for what comes next. */
  function next() {
    const [, second] = queue.list;
    if (!maySkip()) return;
    const changed = second ? queues.next(queue, mayHear) : goingOn.following();
    if (changed !== queue) {
      report({ name: 'play_next' });
      goTo(changed);
    } else if (second) lockedRequests.emit(second, next);
  }

  /** Past three seconds to the beginning, else back to the audio before. */
  function previous() {
    if (!maySkip() || !current()) return;
    report({ name: 'play_previous' });
    const changed = timeline.getPosition() > RESTART_AFTER_SECONDS ? queue : queues.previous(queue, mayHear);
    if (changed === queue) timeline.seekToSecond(0);
    else goTo(changed);
  }

  /** The audio that stands in the player when nothing else does. It does not start by itself. */
  function setPreview(track: Track | null) {
    preview = track && { ...track, source: 'preview' };
    if (queue.list.length > 0 && !isPreviewUntouched()) return;
    if (preview && preview.id === current()?.id) return;
    changeQueue(orPreview(queues.emptyQueue));
  }

  /** Loads the current audio without starting it (spec §4: the first one, for subscribed users). */
  function loadHead() {
    const track = current();
    if (!track || isLoaded() || !mayHear(track)) return;
    wentOn = false;
    load(track, { autoplay: false });
  }

  function addToQueue(track: Track) {
    const standing = isPreviewUntouched() ? queues.emptyQueue : queue;
    const changed = queues.add(standing, track);
    if (changed !== standing) changeQueue(changed);
    else if (!snapshot.queuedIds.has(track.id)) tell({ kind: 'queue-full', limit: queues.QUEUE_LIMIT });
  }

  /** Starts an item further down; those passed over go behind the others of their kind. */
  function playFromQueue(id: string) {
    const chosen = queue.list.find((track) => track.id === id);
    if (!chosen) return;
    if (!mayHear(chosen)) return lockedRequests.emit(chosen, () => playFromQueue(id));
    const changed = queues.jump(queue, id);
    if (changed === queue) return play();
    listening.report(chosen, { name: 'play_click' }, places.of(chosen));
    goTo(changed);
  }

  function standing() {
    const seconds = timeline.getPosition();
    return { queue, seconds, position: fractionOf(seconds, timeline.getDuration()), isOwnList };
  }

  /** A saved queue comes. It does not start by itself; what plays is not interrupted, and goes on into that queue. */
  function take(saved: { queue: Queue; position: number }, place?: KeptPlace) {
    const [head] = saved.queue.list;
    if (place) places.restore(place);
    else if (head) places.restore({ id: head.id, seconds: saved.position * head.numberDuration });
    const isPlaying = isLoaded() && isStarted(engine.getSnapshot().status);
    changeQueue(orPreview((isPlaying ? queues.replaceBehind : queues.replace)(queue, saved.queue)));
  }

  /** After logging out: stops, and forgets queue, history and places. Volume and speed stay. */
  function reset() {
    if (isLoaded()) unload();
    isOwnList = false;
    goingOn.forget();
    places.forget();
    sleepTimer.set(undefined);
    changeQueue(orPreview(queues.emptyQueue));
  }

  /** Who listens, null for a visitor. A listener's queue comes back; when they leave, nothing of it stays. */
  function setListener(listener: { id: string } | null) {
    const before = listenerId;
    listenerId = listener?.id ?? null;
    if (before !== listenerId) {
      if (before) {
        sync.disconnect();
        reset();
      }
      if (listenerId) sync.connect(listenerId);
    }
    settle();
  }

  /** The stored places have changed (`resumeFrom`): what was not heard here yet goes to where it was left elsewhere. */
  function placesChanged() {
    const track = current();
    if (track && isLoaded() && !listening.hasSounded() && snapshot.status === 'paused') {
      const seconds = resumePosition(places.stored(track), track.numberDuration);
      if (seconds > 0 && seconds !== engine.getPosition()) engine.seek(seconds);
    }
    timeline.tell();
  }

  const stop = [
    engine.subscribe(onEngineChange),
    engine.onEnded(onEnded),
    stopObserving,
    timeline.dispose,
    tabs.unlink,
    sleepTimer.dispose,
    sync.dispose,
  ];

  return {
    subscribe: changes.subscribe,
    getSnapshot: () => snapshot,
    subscribePosition: timeline.subscribe,
    getPosition: timeline.getPosition,
    getDuration: timeline.getDuration,
    getBuffered: timeline.getBuffered,
    /** Volume, mute, speed, whether a start was blocked or the connection is being mended. */
    subscribeEngine: engine.subscribe,
    getEngineSnapshot: engine.getSnapshot,
    sleepTimer: { subscribe: sleepTimer.subscribe, getSnapshot: sleepTimer.getSnapshot },
    onLocked: (listener: LockedListener) => lockedRequests.subscribe(listener),
    onNotice: (listener: NoticeListener) => notices.subscribe(listener),
    progressOf: places.of,
    playList,
    toggle,
    play,
    pause,
    next,
    previous,
    seekBy: timeline.seekBy,
    seekTo: timeline.seekTo,
    seekToSeconds: timeline.seekToSeconds,
    beginScrub: timeline.beginScrub,
    scrubTo: timeline.scrubTo,
    endScrub: timeline.endScrub,
    setVolume: settings.setVolume,
    toggleMute: settings.toggleMute,
    setRate: settings.setRate,
    setDiscreet(isDiscreet: boolean) {
      settings.setDiscreet(isDiscreet);
      refresh();
    },
    /** Whether it goes on at the end of the list with audios like the last one; remembered. */
    setKeepPlaying(keepsPlaying: boolean) {
      settings.setKeepPlaying(keepsPlaying);
      refresh();
    },
    setSleepTimer: sleepTimer.set,
    stopAfterThis: () => sleepTimer.set({ kind: 'end-of-audio' }),
    setPreview,
    addToQueue,
    playFromQueue,
    removeFromQueue: (id: string) => changeQueue(queues.remove(queue, id)),
    /** Places in the queue's list; the head (0) stays. */
    moveInQueue: (from: number, to: number) => changeQueue(queues.move(queue, from, to)),
    clearQueue: () => changeQueue(queues.clear(queue)),
    setListener,
    /** What this listener may hear has changed. */
    viewerChanged: settle,
    placesChanged,
    /** Taken out of the listener's history; what is loaded stays where it is. */
    forgetPlace(trackId: string) {
      if (trackId !== loadedId) places.drop(trackId);
      timeline.tell();
    },
    /** The page is hidden or left: reports the place and the seconds heard now, and keeps the queue. */
    flush() {
      listening.flush();
      sleepTimer.remember();
      sync.flush();
    },
    /** The page is seen again, or has the focus: another device may have changed the queue. */
    pageShown: sync.refresh,
    dispose() {
      for (const end of stop) end();
      options.warmUp?.drop();
    },
  };
}
