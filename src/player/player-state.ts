import { createListeners, sameFields } from './listeners.ts';
import { createListening } from './reports/listening.ts';
import { createResumePositions } from './reports/resume-positions.ts';
import type { PlayerEvent, PlayerEventDetail } from './reports/player-events.ts';
import type { PlayerOptions } from './player-options.ts';
import { type PlayerSnapshot, idlePlayerSnapshot, viewOf } from './player-snapshot.ts';
import { resumePosition } from './reports/progress.ts';
import * as queues from './queue/queue.ts';
import type { Queue } from './queue/queue.ts';
import { createSettings } from './settings.ts';
import { createSeeking } from './seeking.ts';
import type { Track } from './track.ts';

type PlayerStateHooks = {
  /** The position has changed; runs before subscribers are notified. */
  observe: () => void;
  /** Whether suggestions can follow the end of the list. */
  hasMore: () => boolean;
  onQueue: (queue: Queue) => void;
  /** Whether the page has set the listener: only then may the head load automatically. */
  isListenerKnown: () => boolean;
};

/** Holds the queue, loads its head into the engine, and publishes both as one snapshot. */
export function createPlayerState(options: PlayerOptions, hooks: PlayerStateHooks) {
  const { engine, clock, maySkip, autoLoads } = options;
  const changes = createListeners();
  let queue = queues.emptyQueue;
  let preview: Track | null = null;
  // A saved queue whose head is shown while the rest loads.
  let awaited: Queue | null = null;
  // Null, or the id of the queue's head.
  let loadedId: string | null = null;
  // The loaded audio started automatically after the previous one ended.
  let startedAutomatically = false;

  const current = (): Track | null => queue.list[0] ?? null;
  const isLoaded = () => loadedId !== null;
  const isPreview = () => current()?.source === 'preview';
  /** Only the preview is in the queue, and it has not been played. */
  const isPreviewUntouched = () => isPreview() && queue.list.length === 1 && !(isLoaded() && listening.hasPlayed());
  const mayHear = (track: Track) => track.id === preview?.id || options.mayHear(track);
  const previewIfEmpty = (changed: Queue) =>
    changed.list.length > 0 || !preview ? changed : queues.startAt([preview], 0);

  const settings = createSettings(engine, options.storage, options.discreet ?? false);
  const reports = createListeners<[PlayerEvent]>();
  reports.subscribe(options.report);
  const listening = createListening(clock, reports.emit);
  const resumePositions = createResumePositions(listening, options.resumeFrom);
  // Subscribe before seeking does, so that a position is recorded before it is published.
  engine.subscribePosition(hooks.observe);
  const seeking = createSeeking({
    engine,
    clock,
    listening,
    current,
    isLoaded,
    progressOf: resumePositions.of,
    report,
  });
  let snapshot: PlayerSnapshot = {
    ...idlePlayerSnapshot,
    isDiscreet: settings.isDiscreet(),
    keepsPlaying: settings.keepsPlaying(),
  };

  function report(detail: PlayerEventDetail, position = seeking.getPosition()) {
    const track = current();
    if (track) listening.report(listening.withStartedSource(track), detail, position);
  }

  function refresh() {
    const { status, failure } = engine.getSnapshot();
    const { queue: published, upNext, queuedIds } = snapshot;
    const now: PlayerSnapshot = {
      ...(published === queue ? { queue, upNext, queuedIds } : viewOf(queue)),
      current: current(),
      status: isLoaded() ? status : 'idle',
      failure: isLoaded() ? failure : null,
      isPreview: isPreview(),
      canNext: maySkip() && (queue.list.length > 1 || hooks.hasMore()),
      canPrevious: maySkip() && (isLoaded() || queue.list.length > 1),
      isDiscreet: settings.isDiscreet(),
      keepsPlaying: settings.keepsPlaying(),
    };
    if (sameFields(snapshot, now)) return;
    snapshot = now;
    if (published !== queue) hooks.onQueue(queue);
    changes.emit();
  }

  /** Starts nothing. The current audio continues while it stays the head. */
  function changeQueue(changed: Queue) {
    queue = changed;
    if (isLoaded() && loadedId !== current()?.id) unload();
    refreshHead();
  }

  /** Call after any change of the head or of the listener's access. */
  function refreshHead() {
    if (hooks.isListenerKnown() && autoLoads()) loadHead();
    refresh();
    seeking.publish();
  }

  function load(track: Track, { startAt, autoplay }: { startAt?: number; autoplay: boolean }) {
    const from = resumePosition(startAt ?? resumePositions.of(track), track.numberDuration);
    seeking.resetScrub();
    loadedId = track.id;
    listening.begin(track, from);
    engine.load(track.audioFileUrl, { startAt: from, autoplay });
  }

  /** Loads the current audio without starting it (spec §4: the first one, for subscribed users). */
  function loadHead() {
    const track = current();
    if (!track || isLoaded() || !mayHear(track)) return;
    startedAutomatically = false;
    load(track, { autoplay: false });
  }

  function unload() {
    if (!isLoaded()) return;
    loadedId = null;
    seeking.resetScrub();
    listening.end();
    engine.unload();
  }

  /** Makes this queue's head current and starts it. */
  function goTo(changed: Queue, { isAutomatic = false, startAt }: { isAutomatic?: boolean; startAt?: number } = {}) {
    const [track] = changed.list;
    if (!track) return;
    queue = changed;
    startedAutomatically = isAutomatic;
    load(track, { startAt, autoplay: true });
    refresh();
    seeking.publish();
  }

  /** Replaces the queue around the loaded audio, which continues. */
  function resumeInQueue(changed: Queue) {
    queue = changed;
    listening.changeSource(changed.list[0]);
    resumeLoaded();
    refresh();
  }

  /** The listener chose the loaded audio: it continues. */
  function resumeLoaded() {
    startedAutomatically = false;
    report({ name: 'play_click' });
    engine.play();
  }

  /** The audio shown in an otherwise empty player. It does not start by itself. */
  function setPreview(track: Track | null) {
    preview = track && { ...track, source: 'preview' };
    if (queue.list.length > 0 && !isPreviewUntouched()) return;
    if (preview && preview.id === current()?.id) return;
    changeQueue(previewIfEmpty(queues.emptyQueue));
  }

  /** Shows the head of a saved queue until the rest arrives. */
  function awaitQueue(head: Track) {
    awaited = queues.startAt([head], 0);
    changeQueue(awaited);
  }

  return {
    settings,
    listening,
    resumePositions,
    seeking,
    subscribe: changes.subscribe,
    getSnapshot: () => snapshot,
    queue: () => queue,
    current,
    isLoaded,
    isPreviewUntouched,
    /** Whether the loaded audio started automatically after the previous one ended. */
    startedAutomatically: () => startedAutomatically,
    mayHear,
    previewIfEmpty,
    report,
    refresh,
    changeQueue,
    refreshHead,
    unload,
    goTo,
    resumeInQueue,
    resumeLoaded,
    setPreview,
    awaitQueue,
    isAwaitingQueue: () => queue === awaited,
  };
}
