import { createAutoplay } from './autoplay.ts';
import { createOnce } from './lazy.ts';
import { createListeners } from './listeners.ts';
import { type PlaybackStatus, isStarted } from './playback.ts';
import type { LockedListener, NoticeListener, PlayerOptions } from './player-options.ts';
import { resumePosition } from './reports/progress.ts';
import { MAX_LAG_SECONDS } from './reports/resume-positions.ts';
import * as queues from './queue/queue.ts';
import type { Queue } from './queue/queue.ts';
import { type SleepSetting, SLEEP_KEY, sleepOff } from './sleep/sleep-state.ts';
import { createPlayerListener } from './player-listener.ts';
import { createPlayerState } from './player-state.ts';
import { linkTabs } from './tabs.ts';
import type { Track } from './track.ts';

export type Player = ReturnType<typeof createPlayer>;

/** After this much listening, "previous" restarts the audio instead of leaving it. */
const RESTART_AFTER_SECONDS = 3;

/** Joins queue and engine: every command of the buttons, keys and lock screen. */
export function createPlayer(options: PlayerOptions) {
  const { engine, clock, maySkip } = options;
  const lockedRequests = createListeners<Parameters<LockedListener>>();
  const notices = createListeners<Parameters<NoticeListener>>();
  const notify = notices.emit;
  // The list has ended and continues as soon as suggestions arrive.
  let waitsForMore = false;
  // It ended before the rest of the saved queue arrived.
  let waitsForQueue = false;
  let lastStatus: PlaybackStatus = 'idle';

  const sleepChanges = createListeners();
  /** Created when a timer is set, or was left running by a reload. */
  const sleepTimer = createOnce(options.parts, ({ createSleepTimer }) => {
    const timer = createSleepTimer({ engine, clock, storage: options.sessionStore });
    timer.subscribe(sleepChanges.emit);
    return timer;
  });

  const state = createPlayerState(options, {
    observe,
    hasMore: () => autoplay.hasMore(),
    onQueue: (queue) => listener.queueChanged(queue),
    isListenerKnown: () => listener.isKnown(),
  });
  const { settings, listening, resumePositions, seeking, current, mayHear, report } = state;
  const announceStart = linkTabs(options.channel, () => engine.pause());
  const autoplay = createAutoplay(options, state, () => {
    state.refresh();
    advanceIfWaiting();
  });

  const failures = createOnce(options.parts, ({ createFailures }) =>
    createFailures({
      ...options,
      isReconnecting: () => engine.getSnapshot().reconnecting,
      state,
      following: autoplay.following,
      stopForSleep,
      askForAccess: (track) => lockedRequests.emit(track, play),
      notify,
    }),
  );

  const setSleepTimer = (setting: SleepSetting | undefined) => sleepTimer.use((timer) => timer.set(setting));
  if (options.sessionStore?.get(SLEEP_KEY)) sleepTimer.use(() => sleepChanges.emit());

  const listener = createPlayerListener({
    options,
    state,
    notify,
    onAdopted: () => void (waitsForQueue && advanceIfWaiting()),
    onLogOut() {
      autoplay.clear();
      sleepTimer.ready()?.set(undefined);
    },
  });

  /** Starts the next playable audio automatically. Never prompts. @returns false when there is none */
  function advance(): boolean {
    const following = autoplay.following();
    if (following === state.queue()) return false;
    state.goTo(following, { isAutomatic: true });
    return true;
  }

  /** @returns true when the sleep timer ends with this audio; the queue has then moved on for the next play */
  function stopForSleep(): boolean {
    if (!sleepTimer.ready()?.audioEnded()) return false;
    state.changeQueue(autoplay.following());
    return true;
  }

  function advanceIfWaiting() {
    if (waitsForMore && state.getSnapshot().status === 'ended') advance();
  }

  function observe() {
    const { status, muted, volume, rate } = engine.getSnapshot();
    const isAudible = !muted && volume > 0;
    listening.observe({ isPlaying: status === 'playing', isAudible, position: engine.getPosition(), rate });
    const track = state.isLoaded() ? current() : null;
    if (!track) return;
    listener.sync.ready()?.positionChanged();
    if (status !== 'playing') return;
    failures.ready()?.onPlaying();
    autoplay.observe(track);
  }

  function onEngineChange() {
    const { status, failure, reconnecting } = engine.getSnapshot();
    const before = lastStatus;
    lastStatus = status;
    observe();
    if (isStarted(status)) waitsForMore = false;
    if (isStarted(status) && !isStarted(before)) announceStart();
    if (status === 'paused' && isStarted(before)) listening.flush();
    if (status === 'failed' && before !== 'failed' && failure) {
      report({ name: 'error', code: failure });
      failures.use((handler) => handler.failed(failure, isStarted(before)));
    }
    if (reconnecting) failures.use((handler) => handler.connectionLost());
    state.refresh();
  }

  function onEnded() {
    if (!state.isLoaded()) return;
    seeking.resetScrub();
    listening.complete();
    waitsForQueue = state.isAwaitingQueue();
    if (!stopForSleep()) waitsForMore = !advance();
    state.refresh();
  }

  /** `index` is the pressed row. `source` names the list; without it each audio keeps its own. */
  function playList(list: readonly Track[], index: number, source?: string, from: { startAt?: number } = {}) {
    const tracks = source === undefined ? list : list.map((track) => ({ ...track, source }));
    const chosen = tracks[index];
    if (!chosen) return;
    if (!mayHear(chosen)) return lockedRequests.emit(chosen, () => playList(list, index, source, from));
    const changed = queues.startAt(tracks, index);
    listener.ownListStarted(changed);
    if (state.isLoaded() && chosen.id === current()?.id && from.startAt === undefined)
      return state.resumeInQueue(changed);
    listening.report(chosen, { name: 'play_click' }, from.startAt ?? resumePositions.of(chosen));
    state.goTo(changed, from);
  }

  function toggle() {
    if (isStarted(state.getSnapshot().status)) pause();
    else play();
  }

  /** After the end of the list, plays what was added since instead of repeating the last audio. */
  function play() {
    const following = state.getSnapshot().status === 'ended' ? autoplay.following() : state.queue();
    if (following === state.queue()) playCurrent();
    else startHead(following);
  }

  function playCurrent() {
    const track = current();
    if (!track) return;
    if (!mayHear(track)) return lockedRequests.emit(track, playCurrent);
    if (state.isLoaded()) return state.resumeLoaded();
    report({ name: 'play_click' });
    state.goTo(state.queue());
  }

  function pause() {
    const { status } = state.getSnapshot();
    // A failed audio could otherwise start again by itself when the connection is back.
    if (status === 'failed') return engine.pause();
    if (!isStarted(status)) return;
    report({ name: 'pause_click' });
    engine.pause();
  }

  /** Skips locked audios. Prompts for the next one only when nothing playable follows. */
  function next() {
    const queue = state.queue();
    const [, second] = queue.list;
    if (!maySkip()) return;
    const changed = autoplay.following();
    if (changed !== queue) {
      report({ name: 'play_next' });
      state.goTo(changed);
    } else if (second) lockedRequests.emit(second, next);
  }

  /** Restarts the audio after three seconds of listening, otherwise returns to the previous one. */
  function previous() {
    if (!maySkip() || !current()) return;
    report({ name: 'play_previous' });
    const queue = state.queue();
    const changed = listening.playedSeconds() > RESTART_AFTER_SECONDS ? queue : queues.previous(queue, mayHear);
    if (changed !== queue) return state.goTo(changed);
    seeking.seekToSecond(0);
    listening.resetPlayed();
  }

  function addToQueue(track: Track) {
    const base = state.isPreviewUntouched() ? queues.emptyQueue : state.queue();
    const changed = queues.add(base, track);
    if (changed !== base) state.changeQueue(changed);
    else if (!state.getSnapshot().queuedIds.has(track.id)) notify({ kind: 'queue-full', limit: queues.QUEUE_LIMIT });
  }

  /** Starts an item further down; the skipped ones move behind the others of their kind (`queues.jump`). */
  function playFromQueue(id: string) {
    const queue = state.queue();
    const chosen = queue.list.find((track) => track.id === id);
    if (!chosen) return;
    if (!mayHear(chosen)) return lockedRequests.emit(chosen, () => playFromQueue(id));
    const changed = queues.jump(queue, id);
    if (changed === queue) return playCurrent();
    startHead(changed);
  }

  /** The listener chose this queue, and with it its head. */
  function startHead(changed: Queue) {
    const [track] = changed.list;
    if (track) listening.report(track, { name: 'play_click' }, resumePositions.of(track));
    state.goTo(changed);
  }

  /**
   * The stored positions have changed (`resumeFrom`): a paused audio moves to its stored position, unless it was played
   * here and on no other device since.
   */
  function resumePositionsChanged() {
    const track = current();
    resumePositions.renew(track);
    if (track && state.getSnapshot().status === 'paused') {
      const seconds = resumePosition(resumePositions.stored(track), track.numberDuration);
      if (seconds > 0 && Math.abs(seconds - engine.getPosition()) > (listening.hasPlayed() ? MAX_LAG_SECONDS : 0)) {
        engine.seek(seconds);
        listening.savePosition(track.id, seconds);
      }
    }
    seeking.publish();
  }

  engine.subscribe(onEngineChange);
  engine.onEnded(onEnded);

  return {
    subscribe: state.subscribe,
    getSnapshot: state.getSnapshot,
    subscribePosition: seeking.subscribe,
    getPosition: seeking.getPosition,
    getDuration: seeking.getDuration,
    getBuffered: seeking.getBuffered,
    /** Volume, mute, speed, blocked start and lost connection. */
    subscribeEngine: engine.subscribe,
    getEngineSnapshot: engine.getSnapshot,
    sleepTimer: { subscribe: sleepChanges.subscribe, getSnapshot: () => sleepTimer.ready()?.getSnapshot() ?? sleepOff },
    onLocked: (listener: LockedListener) => lockedRequests.subscribe(listener),
    onNotice: (listener: NoticeListener) => notices.subscribe(listener),
    notify,
    /** Position of an audio in seconds, so that its row shows Resume. */
    progressOf: resumePositions.of,
    playList,
    toggle,
    play,
    pause,
    next,
    previous,
    ...seeking.commands,
    ...settings.commands,
    setDiscreet(isDiscreet: boolean) {
      settings.setDiscreet(isDiscreet);
      state.refresh();
    },
    /** Whether similar audios follow the end of the list; persisted. */
    setKeepPlaying(keepsPlaying: boolean) {
      settings.setKeepPlaying(keepsPlaying);
      state.refresh();
    },
    setSleepTimer,
    setPreview: state.setPreview,
    /** The head of a saved queue that is still loading, for the first render. @param seconds its stored position */
    awaitQueue(head: Track, seconds: number) {
      resumePositions.suggest({ id: head.id, seconds });
      state.awaitQueue(head);
    },
    addToQueue,
    playFromQueue,
    removeFromQueue: (id: string) => state.changeQueue(queues.remove(state.queue(), id)),
    /** Both are indexes in the queue's list; the head (0) stays. */
    moveInQueue: (from: number, to: number) =>
      options.parts.use(({ queueEdits }) => state.changeQueue(queueEdits.move(state.queue(), from, to))),
    clearQueue: () => state.changeQueue(queues.clear(state.queue())),
    /** Undoes a removal or clearing, or adds more of a list; the current audio stays the head. */
    addMissingToQueue: (other: Queue) =>
      options.parts.use(({ queueEdits }) => state.changeQueue(queueEdits.addMissing(state.queue(), other))),
    /** Makes this queue current at a second of its first audio, without starting it. */
    returnTo(queue: Queue, seconds: number) {
      state.changeQueue(queue);
      seeking.seekToSecond(seconds);
    },
    /** Also when the audios that this listener may hear have changed. */
    setListener: listener.set,
    resumePositionsChanged,
    /**
     * The audio was removed from the listener's history; all of them without an id. If it plays, it continues; if paused,
     * it returns to its beginning.
     */
    clearPosition(trackId?: string) {
      const currentId = current()?.id;
      if (state.getSnapshot().status === 'paused' && (trackId ?? currentId) === currentId) engine.seek(0);
      if (trackId === undefined) resumePositions.clear();
      else resumePositions.drop(trackId);
      seeking.publish();
    },
    /** On page hide or unload (`isClosing`): reports position and seconds listened, and stores the queue. */
    flush(isClosing = false) {
      listening.flush(isClosing);
      sleepTimer.ready()?.save();
      listener.sync.ready()?.flush();
    },
    settle: async () => listener.sync.ready()?.settle(),
    /** The page is visible or focused again: another device may have changed the queue. */
    pageShown: () => listener.sync.ready()?.refresh(),
  };
}
