import type { FailureCode } from './failure.ts';
import { createGoingOn } from './going-on.ts';
import type { KeptPlace } from './kept-queue.ts';
import { createListeners } from './listeners.ts';
import { isStarted } from './playback.ts';
import type { PlaybackStatus } from './playback.ts';
import type { LockedListener, NoticeListener, PlayerOptions } from './player-options.ts';
import { fractionOf, resumePosition } from './progress.ts';
import * as queues from './queue.ts';
import type { Queue } from './queue.ts';
import { createQueueSync } from './queue-sync.ts';
import { browserNetwork } from './recovery.ts';
import { createSleepTimer } from './sleep-timer.ts';
import { createStage } from './stage.ts';
import { linkTabs } from './tabs.ts';
import type { Track } from './track.ts';

export type Player = ReturnType<typeof createPlayer>;

/** Past so many seconds, previous goes to the beginning of the audio first. */
const RESTART_AFTER_SECONDS = 3;
/** After so many broken files in a row without a sound, something else is wrong. */
const MOST_BROKEN_IN_A_ROW = 5;

/** Joins queue and engine: all that the buttons, the keys and the lock screen can do. */
export function createPlayer(options: PlayerOptions) {
  const { engine, clock, maySkip = () => true } = options;
  const lockedRequests = createListeners<Parameters<LockedListener>>();
  const notices = createListeners<Parameters<NoticeListener>>();
  const tell = notices.emit;
  // The list is over, and goes on as soon as there is more.
  let waitsForMore = false;
  // The listener started this list on this page.
  let isOwnList = false;
  let brokenInARow = 0;
  let lastStatus: PlaybackStatus = 'idle';
  // Undefined until the page has said who listens; null for a visitor.
  let listenerId: string | null | undefined;

  const stage = createStage(options, {
    observe,
    hasMore: () => goingOn.hasMore(),
    onQueue: (queue) => sync.changed(queue),
    knowsListener: () => listenerId !== undefined,
  });
  const { settings, listening, places, timeline, current, mayHear, report } = stage;
  const tabs = linkTabs(options.channel, () => engine.pause());
  const sleepTimer = createSleepTimer({ engine, clock, storage: options.sessionStore });
  const goingOn = createGoingOn({
    engine,
    clock,
    queue: stage.queue,
    mayHear,
    keepsPlaying: settings.keepsPlaying,
    findMore: options.findMore,
    warmUp: options.warmUp,
    onMore() {
      stage.refresh();
      if (waitsForMore && stage.getSnapshot().status === 'ended') goOn();
    },
  });
  const sync = createQueueSync({
    clock,
    network: options.network ?? browserNetwork,
    store: options.queueStore ?? options.storage,
    server: options.queueServer,
    standing,
    take,
    tell,
  });

  /** Goes on by itself to what this listener may hear; stays when there is nothing, and never prompts. */
  function goOn(): boolean {
    const following = goingOn.following();
    if (following === stage.queue()) return false;
    stage.goTo(following, { isAutomatic: true });
    return true;
  }

  function observe() {
    const { status, muted, volume, rate } = engine.getSnapshot();
    const isAudible = !muted && volume > 0;
    listening.observe({ isPlaying: status === 'playing', isAudible, position: engine.getPosition(), rate });
    const track = stage.isLoaded() ? current() : null;
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
    if (isStarted(status)) waitsForMore = false;
    if (isStarted(status) && !isStarted(before)) tabs.tellStarted();
    if (status === 'paused' && isStarted(before)) listening.flush();
    if (status === 'failed' && before !== 'failed' && failure) onFailed(failure, isStarted(before));
    stage.refresh();
  }

  function onFailed(code: FailureCode, wasStarted: boolean) {
    report({ name: 'error', code });
    const track = current();
    if (!track) return;
    if (wasStarted && (code === 'decode' || code === 'gone')) return onBroken(track);
    if (listening.hasSounded()) return;
    if (stage.wentOn() && code !== 'network') goOn();
    else if (!stage.wentOn() && (code === 'login-required' || code === 'subscription-required'))
      lockedRequests.emit(track, play);
  }

  function onBroken({ id, title }: Track) {
    brokenInARow += 1;
    const goesOn = brokenInARow < MOST_BROKEN_IN_A_ROW && goOn();
    tell({ kind: 'file-broken', trackId: id, title, goesOn });
  }

  function onEnded() {
    if (!stage.isLoaded()) return;
    timeline.letGo();
    listening.complete();
    const isTimeToSleep = sleepTimer.audioEnded();
    waitsForMore = !isTimeToSleep && !goOn();
    stage.refresh();
  }

  /** `index` is the row that was pressed. `source` names the list; without it each audio keeps its own. */
  function playList(list: readonly Track[], index: number, source?: string, from: { startAt?: number } = {}) {
    const tracks = source === undefined ? list : list.map((track) => ({ ...track, source }));
    const chosen = tracks[index];
    if (!chosen) return;
    if (!mayHear(chosen)) return lockedRequests.emit(chosen, () => playList(list, index, source, from));
    const changed = queues.startAt(tracks, index);
    isOwnList = true;
    if (stage.isLoaded() && chosen.id === current()?.id && from.startAt === undefined) return stage.goOnIn(changed);
    listening.report(chosen, { name: 'play_click' }, from.startAt ?? places.of(chosen));
    stage.goTo(changed, from);
  }

  /** Plays or pauses what is current, or starts this one audio. */
  function toggle(track?: Track) {
    if (track && track.id !== current()?.id) playList([track], 0);
    else if (isStarted(stage.getSnapshot().status)) pause();
    else play();
  }

  function play() {
    const track = current();
    if (!track) return;
    if (!mayHear(track)) return lockedRequests.emit(track, play);
    if (stage.isLoaded()) return stage.goOnLoaded();
    report({ name: 'play_click' });
    stage.goTo(stage.queue());
  }

  function pause() {
    if (!isStarted(stage.getSnapshot().status)) return;
    report({ name: 'pause_click' });
    engine.pause();
  }

  /** Passes over what is locked; only when nothing else follows does it ask for what comes next. */
  function next() {
    const queue = stage.queue();
    const [, second] = queue.list;
    if (!maySkip()) return;
    const changed = second ? queues.next(queue, mayHear) : goingOn.following();
    if (changed !== queue) {
      report({ name: 'play_next' });
      stage.goTo(changed);
    } else if (second) lockedRequests.emit(second, next);
  }

  /** Past three seconds to the beginning, else back to the audio before. */
  function previous() {
    if (!maySkip() || !current()) return;
    report({ name: 'play_previous' });
    const queue = stage.queue();
    const changed = timeline.getPosition() > RESTART_AFTER_SECONDS ? queue : queues.previous(queue, mayHear);
    if (changed === queue) timeline.seekToSecond(0);
    else stage.goTo(changed);
  }

  function addToQueue(track: Track) {
    const standing = stage.isPreviewUntouched() ? queues.emptyQueue : stage.queue();
    const changed = queues.add(standing, track);
    if (changed !== standing) stage.changeQueue(changed);
    else if (!stage.getSnapshot().queuedIds.has(track.id)) tell({ kind: 'queue-full', limit: queues.QUEUE_LIMIT });
  }

  /** Starts an item further down; those passed over go behind the others of their kind. */
  function playFromQueue(id: string) {
    const queue = stage.queue();
    const chosen = queue.list.find((track) => track.id === id);
    if (!chosen) return;
    if (!mayHear(chosen)) return lockedRequests.emit(chosen, () => playFromQueue(id));
    const changed = queues.jump(queue, id);
    if (changed === queue) return play();
    listening.report(chosen, { name: 'play_click' }, places.of(chosen));
    stage.goTo(changed);
  }

  function standing() {
    const seconds = timeline.getPosition();
    return { queue: stage.queue(), seconds, position: fractionOf(seconds, timeline.getDuration()), isOwnList };
  }

  /** A saved queue comes. It does not start by itself; what plays is not interrupted, and goes on into that queue. */
  function take(saved: { queue: Queue; position: number }, place?: KeptPlace) {
    const [head] = saved.queue.list;
    if (place) places.restore(place);
    else if (head) places.restore({ id: head.id, seconds: saved.position * head.numberDuration });
    const isPlaying = isStarted(stage.getSnapshot().status);
    const merge = isPlaying ? queues.replaceBehind : queues.replace;
    stage.changeQueue(stage.orPreview(merge(stage.queue(), saved.queue)));
  }

  /** After logging out: stops, and forgets queue, history and places. Volume and speed stay. */
  function reset() {
    stage.unload();
    isOwnList = false;
    goingOn.forget();
    places.forget();
    sleepTimer.set(undefined);
    stage.changeQueue(stage.orPreview(queues.emptyQueue));
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
    stage.settle();
  }

  /** The stored places have changed (`resumeFrom`): what was not heard here yet goes to where it was left elsewhere. */
  function placesChanged() {
    const track = current();
    if (track && stage.getSnapshot().status === 'paused' && !listening.hasSounded()) {
      const seconds = resumePosition(places.stored(track), track.numberDuration);
      if (seconds > 0 && seconds !== engine.getPosition()) engine.seek(seconds);
    }
    timeline.tell();
  }

  const stop = [engine.subscribe(onEngineChange), engine.onEnded(onEnded), tabs.unlink];

  return {
    subscribe: stage.subscribe,
    getSnapshot: stage.getSnapshot,
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
    /** Where an audio stands, in seconds, so that its row shows Resume. */
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
      stage.refresh();
    },
    /** Whether it goes on at the end of the list with audios like the last one; remembered. */
    setKeepPlaying(keepsPlaying: boolean) {
      settings.setKeepPlaying(keepsPlaying);
      stage.refresh();
    },
    setSleepTimer: sleepTimer.set,
    stopAfterThis: () => sleepTimer.set({ kind: 'end-of-audio' }),
    setPreview: stage.setPreview,
    addToQueue,
    playFromQueue,
    removeFromQueue: (id: string) => stage.changeQueue(queues.remove(stage.queue(), id)),
    /** Places in the queue's list; the head (0) stays. */
    moveInQueue: (from: number, to: number) => stage.changeQueue(queues.move(stage.queue(), from, to)),
    clearQueue: () => stage.changeQueue(queues.clear(stage.queue())),
    setListener,
    /** What this listener may hear has changed. */
    viewerChanged: stage.settle,
    placesChanged,
    /** Taken out of the listener's history; what is loaded stays where it is. */
    forgetPlace(trackId: string) {
      if (!stage.isLoaded() || trackId !== current()?.id) places.drop(trackId);
      timeline.tell();
    },
    /** The page is hidden or left: reports the place and the seconds heard now, and keeps the queue. */
    flush() {
      listening.flush();
      sleepTimer.remember();
      sync.flush();
    },
    /** Settled when the queue has arrived, or cannot. */
    settle: sync.settle,
    /** The page is seen again, or has the focus: another device may have changed the queue. */
    pageShown: sync.refresh,
    dispose() {
      for (const end of stop) end();
      stage.dispose();
      sleepTimer.dispose();
      sync.dispose();
      options.warmUp?.drop();
    },
  };
}
