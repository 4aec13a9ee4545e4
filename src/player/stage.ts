import { createListeners, sameFields } from './listeners.ts';
import { createListening } from './listening.ts';
import { createPlaces } from './places.ts';
import type { PlayerEventDetail } from './player-events.ts';
import type { PlayerOptions } from './player-options.ts';
import { idlePlayerSnapshot, viewOf } from './player-snapshot.ts';
import type { PlayerSnapshot } from './player-snapshot.ts';
import { resumePosition } from './progress.ts';
import * as queues from './queue.ts';
import type { Queue } from './queue.ts';
import { createSettings } from './settings.ts';
import { createTimeline } from './timeline.ts';
import type { Track } from './track.ts';

type StageHooks = {
  /** The position has moved; runs before anybody is told. */
  observe: () => void;
  /** The list can go on when it is over. */
  hasMore: () => boolean;
  onQueue: (queue: Queue) => void;
  /** The page has said who listens: from then on, the head may be loaded by itself. */
  knowsListener: () => boolean;
};

/** What stands in the player: the queue, its head in the engine, and what is told of both. */
export function createStage(options: PlayerOptions, hooks: StageHooks) {
  const { engine, clock, maySkip = () => true, autoLoads = () => false } = options;
  const changes = createListeners();
  let queue = queues.emptyQueue;
  let preview: Track | null = null;
  // Null, or the id of the queue's head.
  let loadedId: string | null = null;
  // The loaded audio was not asked for: the one before it had ended.
  let wentOn = false;

  const current = (): Track | null => queue.list[0] ?? null;
  const isLoaded = () => loadedId !== null;
  const isPreview = () => current()?.source === 'preview';
  /** The preview stands there alone, and nobody has listened to it. */
  const isPreviewUntouched = () => isPreview() && queue.list.length === 1 && !(isLoaded() && listening.hasSounded());
  const mayHear = (track: Track) => track.id === preview?.id || options.mayHear(track);
  const orPreview = (changed: Queue) => (changed.list.length > 0 || !preview ? changed : queues.startAt([preview], 0));

  const settings = createSettings(engine, options.storage, options.discreet);
  const listening = createListening(clock, options.report);
  const places = createPlaces(listening, options.resumeFrom);
  // Before the timeline listens: a place is kept before it is told.
  const stopObserving = engine.subscribePosition(hooks.observe);
  const timeline = createTimeline({ engine, clock, listening, current, isLoaded, progressOf: places.of, report });
  let snapshot: PlayerSnapshot = {
    ...idlePlayerSnapshot,
    isDiscreet: settings.isDiscreet(),
    keepsPlaying: settings.keepsPlaying(),
  };

  function report(detail: PlayerEventDetail, position = timeline.getPosition()) {
    const track = current();
    if (track) listening.report(track, detail, position);
  }

  function refresh() {
    const { status, failure } = engine.getSnapshot();
    const { queue: told, upNext, queuedCount, queuedIds } = snapshot;
    const now: PlayerSnapshot = {
      ...(told === queue ? { queue, upNext, queuedCount, queuedIds } : viewOf(queue)),
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
    if (told !== queue) hooks.onQueue(queue);
    changes.emit();
  }

  /** Nothing starts by this. What plays, plays on as long as it is the head. */
  function changeQueue(changed: Queue) {
    queue = changed;
    if (isLoaded() && loadedId !== current()?.id) unload();
    settle();
  }

  /** After anything that may have changed the head, or what this listener may hear. */
  function settle() {
    if (hooks.knowsListener() && autoLoads()) loadHead();
    refresh();
    timeline.tell();
  }

  function load(track: Track, { startAt, autoplay }: { startAt?: number; autoplay: boolean }) {
    const from = resumePosition(startAt ?? places.of(track), track.numberDuration);
    timeline.letGo();
    loadedId = track.id;
    listening.begin(track, from);
    engine.load(track.audioFileUrl, { startAt: from, autoplay });
  }

  /** Loads the current audio without starting it (spec §4: the first one, for subscribed users). */
  function loadHead() {
    const track = current();
    if (!track || isLoaded() || !mayHear(track)) return;
    wentOn = false;
    load(track, { autoplay: false });
  }

  function unload() {
    if (!isLoaded()) return;
    loadedId = null;
    timeline.letGo();
    listening.leave();
    engine.unload();
  }

  /** Makes this queue's head current and starts it. */
  function goTo(changed: Queue, { isAutomatic = false, startAt }: { isAutomatic?: boolean; startAt?: number } = {}) {
    const [track] = changed.list;
    if (!track) return;
    queue = changed;
    wentOn = isAutomatic;
    load(track, { startAt, autoplay: true });
    refresh();
    timeline.tell();
  }

  /** The queue becomes another one around what is loaded, which goes on. */
  function goOnIn(changed: Queue) {
    queue = changed;
    goOnLoaded();
    refresh();
  }

  /** Asked for by the listener: what is loaded goes on. */
  function goOnLoaded() {
    wentOn = false;
    report({ name: 'play_click' });
    engine.play();
  }

  /** The audio that stands in the player when nothing else does. It does not start by itself. */
  function setPreview(track: Track | null) {
    preview = track && { ...track, source: 'preview' };
    if (queue.list.length > 0 && !isPreviewUntouched()) return;
    if (preview && preview.id === current()?.id) return;
    changeQueue(orPreview(queues.emptyQueue));
  }

  return {
    settings,
    listening,
    places,
    timeline,
    subscribe: changes.subscribe,
    getSnapshot: () => snapshot,
    queue: () => queue,
    current,
    isLoaded,
    isPreviewUntouched,
    /** Nobody asked for what is loaded: the one before it had ended. */
    wentOn: () => wentOn,
    mayHear,
    orPreview,
    report,
    refresh,
    changeQueue,
    settle,
    unload,
    goTo,
    goOnIn,
    goOnLoaded,
    setPreview,
    dispose() {
      stopObserving();
      timeline.dispose();
    },
  };
}
