import type { Clock } from './clock.ts';
import type { FailureCode } from './failure.ts';
import { createListeners, sameFields } from './listeners.ts';
import { createListening } from './listening.ts';
import type { Engine, PlaybackStatus } from './playback.ts';
import type { PlayerEvent, PlayerEventDetail } from './player-events.ts';
import { idlePlayerSnapshot } from './player-snapshot.ts';
import type { PlayerSnapshot } from './player-snapshot.ts';
import type { PreferenceStore } from './preferences.ts';
import { resumePosition } from './progress.ts';
import * as queues from './queue.ts';
import type { Queue, QueueContents } from './queue.ts';
import { createSettings } from './settings.ts';
import { linkTabs } from './tabs.ts';
import type { TabChannel } from './tabs.ts';
import { createTimeline } from './timeline.ts';
import type { Track } from './track.ts';

/** Told when the listener asked for an audio that is locked; `again` repeats what was asked for. */
export type LockedListener = (track: Track, again: () => void) => void;

export type PlayerOptions = {
  engine: Engine;
  clock: Clock;
  /** Whether this listener may hear an audio; asked anew each time. */
  mayHear: (track: Track) => boolean;
  /** Whether previous and next are there for this listener (spec §6); always when left out. */
  maySkip?: () => boolean;
  report: (event: PlayerEvent) => void;
  storage: PreferenceStore;
  /** A `BroadcastChannel` named `tabChannelName`. */
  channel?: TabChannel;
  /** Overrides what was remembered, as when the account says so. */
  discreet?: boolean;
  /** The stored second of an audio that was not loaded in this session. */
  resumeFrom?: (track: Track) => number | undefined;
};

export type Player = ReturnType<typeof createPlayer>;

/** Past so many seconds, previous goes to the beginning of the audio first. */
const RESTART_AFTER_SECONDS = 3;

/** Joins queue and engine: all that the buttons, the keys and the lock screen can do. */
export function createPlayer(options: PlayerOptions) {
  const { engine, clock, maySkip = () => true, resumeFrom } = options;
  const changes = createListeners();
  const lockedRequests = createListeners<Parameters<LockedListener>>();

  let queue = queues.emptyQueue;
  let preview: Track | null = null;
  // Null, or the id of the queue's head.
  let loadedId: string | null = null;
  // The loaded audio was not asked for: the one before it had ended.
  let wentOn = false;
  let lastStatus: PlaybackStatus = 'idle';

  const current = (): Track | null => queue.list[0] ?? null;
  const isLoaded = () => loadedId !== null;
  const isPreview = () => current()?.source === 'preview';
  /** The preview stands there alone, and nobody has listened to it. */
  const isPreviewUntouched = () => isPreview() && queue.list.length === 1 && !(isLoaded() && listening.hasSounded());
  const mayHear = (track: Track) => track.id === preview?.id || options.mayHear(track);
  /** Where an audio stands, in seconds, so that its row shows Resume. */
  const progressOf = (track: Track) => listening.placeIn(track.id) ?? resumeFrom?.(track) ?? 0;

  const settings = createSettings(engine, options.storage, options.discreet);
  const listening = createListening(clock, options.report);
  const tabs = linkTabs(options.channel, () => engine.pause());
  // Before the timeline listens: a place is kept before it is told.
  const stopObserving = engine.subscribePosition(observe);
  const timeline = createTimeline({ engine, clock, listening, current, isLoaded, progressOf, report });
  let snapshot: PlayerSnapshot = { ...idlePlayerSnapshot, isDiscreet: settings.isDiscreet() };

  function refresh() {
    const { status, failure } = engine.getSnapshot();
    const now: PlayerSnapshot = {
      current: current(),
      status: isLoaded() ? status : 'idle',
      failure: isLoaded() ? failure : null,
      queue,
      isPreview: isPreview(),
      canNext: maySkip() && queue.list.length > 1,
      canPrevious: maySkip() && (isLoaded() || queue.list.length > 1),
      isDiscreet: settings.isDiscreet(),
    };
    if (sameFields(snapshot, now)) return;
    snapshot = now;
    changes.emit();
  }

  function report(detail: PlayerEventDetail, position = timeline.getPosition()) {
    const track = current();
    if (track) listening.report(track, detail, position);
  }

  function changeQueue(changed: Queue) {
    queue = changed;
    if (isLoaded() && loadedId !== current()?.id) unload();
    refresh();
    timeline.tell();
  }

  function load(track: Track, { startAt, autoplay }: { startAt?: number; autoplay: boolean }) {
    const from = resumePosition(startAt ?? progressOf(track), track.numberDuration);
    timeline.letGo();
    loadedId = track.id;
    listening.begin(track, from);
    engine.load(track.audioFileUrl, { startAt: from, autoplay });
  }

  function unload() {
    loadedId = null;
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

  /** Goes on by itself to what this listener may hear; stays at the end when there is nothing, and never prompts. */
  function goOn() {
    const following = queues.next(queue, mayHear);
    if (following !== queue) goTo(following, { isAutomatic: true });
  }

  function observe() {
    const { status, muted, volume, rate } = engine.getSnapshot();
    const isAudible = !muted && volume > 0;
    listening.observe({ isPlaying: status === 'playing', isAudible, position: engine.getPosition(), rate });
  }

  function onEngineChange() {
    const { status, failure } = engine.getSnapshot();
    const before = lastStatus;
    lastStatus = status;
    observe();
    if (isStarted(status) && !isStarted(before)) tabs.tellStarted();
    if (status === 'paused' && isStarted(before)) listening.flush();
    if (status === 'failed' && before !== 'failed' && failure) onFailed(failure);
    refresh();
  }

  function onFailed(code: FailureCode) {
    report({ name: 'error', code });
    const track = current();
    if (!track || listening.hasSounded()) return;
    if (wentOn && code !== 'network') goOn();
    else if (!wentOn && (code === 'login-required' || code === 'subscription-required'))
      lockedRequests.emit(track, play);
  }

  function onEnded() {
    if (!isLoaded()) return;
    timeline.letGo();
    listening.complete();
    goOn();
    refresh();
  }

  /** `index` is the row that was pressed. `source` names the list; without it each audio keeps its own. */
  function playList(list: readonly Track[], index: number, source?: string, from: { startAt?: number } = {}) {
    const tracks = source === undefined ? list : list.map((track) => ({ ...track, source }));
    const chosen = tracks[index];
    if (!chosen) return;
    if (!mayHear(chosen)) return lockedRequests.emit(chosen, () => playList(list, index, source, from));
    const changed = queues.startAt(tracks, index);
    if (chosen.id === loadedId && from.startAt === undefined) {
      queue = changed;
      wentOn = false;
      report({ name: 'play_click' });
      engine.play();
      refresh();
    } else {
      listening.report(chosen, { name: 'play_click' }, from.startAt ?? progressOf(chosen));
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
    const [, following] = queue.list;
    if (!maySkip() || !following) return;
    const changed = queues.next(queue, mayHear);
    if (changed === queue) return lockedRequests.emit(following, next);
    report({ name: 'play_next' });
    goTo(changed);
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
    changeQueue(preview ? queues.startAt([preview], 0) : queues.emptyQueue);
  }

  /** Loads the current audio without starting it (spec §4: the first one, for subscribed users). */
  function preload() {
    const track = current();
    if (!track || isLoaded() || !mayHear(track)) return;
    wentOn = false;
    load(track, { autoplay: false });
    refresh();
  }

  function add(track: Track) {
    changeQueue(queues.add(isPreviewUntouched() ? queues.emptyQueue : queue, track));
  }

  /** Takes over a saved queue. It does not start; what plays goes on only when it is the head there too. */
  function replaceQueue(contents: QueueContents) {
    const changed = queues.replace(queue, contents);
    changeQueue(changed.list.length > 0 || !preview ? changed : queues.startAt([preview], 0));
  }

  /** After logging out: stops, and forgets queue, history and places. Volume and speed stay. */
  function reset() {
    if (isLoaded()) unload();
    listening.forget();
    changeQueue(preview ? queues.startAt([preview], 0) : queues.emptyQueue);
  }

  const stop = [
    engine.subscribe(onEngineChange),
    engine.onEnded(onEnded),
    stopObserving,
    timeline.dispose,
    tabs.unlink,
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
    onLocked: (listener: LockedListener) => lockedRequests.subscribe(listener),
    progressOf,
    playList,
    toggle,
    play,
    pause,
    next,
    previous,
    seekBy: timeline.seekBy,
    seekTo: timeline.seekTo,
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
    setPreview,
    preload,
    add,
    remove: (id: string) => changeQueue(queues.remove(queue, id)),
    /** Places in the queue's list; the head (0) stays. */
    move: (from: number, to: number) => changeQueue(queues.move(queue, from, to)),
    clearQueue: () => changeQueue(queues.clear(queue)),
    replaceQueue,
    reset,
    /** Who listens, or what they may hear, has changed. */
    viewerChanged() {
      refresh();
      timeline.tell();
    },
    /** The page is hidden or left: reports the place and the seconds heard now. */
    flush: listening.flush,
    dispose: () => stop.forEach((end) => end()),
  };
}

/** Sound is wanted: playing, or about to. */
function isStarted(status: PlaybackStatus): boolean {
  return status === 'playing' || status === 'loading' || status === 'waiting';
}
