import type { Track } from '../track.ts';

/**
 * The current audio and the ones after it (spec §4 "Queue"). The head of `list` plays, then the audios added by hand,
 * then the rest of the rotated list. Immutable: each function returns a new queue, or the same one when nothing
 * changes.
 */
export type Queue = {
  readonly list: readonly Track[];
  /** Type of the list: the source tag of the chosen audio. */
  readonly listType: string | null;
  /**
   * The rotation: number of items before the chosen one in the original list. They are at the end of the rest or, as
   * playing advances, the head and the latest in `played`.
   */
  readonly index: number;
  /** Insertion index in `list` for the next audio added by hand; the ones added before are between the head and it. */
  readonly individualAddToQueueIndex: number;
  /** Oldest first. */
  readonly played: readonly Track[];
  /** The last change did not affect the current audio, so its position stays. */
  readonly isIndividualQueueUpdate: boolean;
  /** The current audio was added by hand. */
  readonly isQueueAudio: boolean;
};

/** Contents of a queue from elsewhere; without `played`, the local history stays. */
export type QueueContents = Pick<Queue, 'list' | 'listType' | 'index' | 'individualAddToQueueIndex'> &
  Partial<Pick<Queue, 'played'>>;

type MayHear = (track: Track) => boolean;

/** More than one night of listening; also the server's limit. */
export const QUEUE_LIMIT = 1000;
/** Maximum length of the history for "previous". */
const PLAYED_LIMIT = 100;

const everyTrack: MayHear = () => true;

export const emptyQueue: Queue = {
  list: [],
  listType: null,
  index: 0,
  individualAddToQueueIndex: 0,
  played: [],
  isIndividualQueueUpdate: false,
  isQueueAudio: false,
};

/**
 * Rotates the list so that the chosen item comes first and the ones before it follow at the end. Removes duplicates.
 */
export function startAt(list: readonly Track[], index: number): Queue {
  const chosen = list[index];
  if (!chosen) return emptyQueue;
  const before = unique(list.slice(0, index)).filter((track) => track.id !== chosen.id);
  const earlier = new Set(before.map((track) => track.id));
  const after = unique(list.slice(index))
    .filter((track) => !earlier.has(track.id))
    .slice(0, QUEUE_LIMIT);
  const rotated = [...after, ...before].slice(0, QUEUE_LIMIT);
  return withHead({
    ...emptyQueue,
    list: rotated,
    listType: chosen.source,
    index: rotated.length - after.length,
    individualAddToQueueIndex: 1,
  });
}

/** Adds an audio behind those already added by hand. An audio already in the queue stays where it is. */
export function add(queue: Queue, track: Track): Queue {
  if (has(queue.list, track.id) || isFull(queue)) return queue;
  const at = queue.individualAddToQueueIndex;
  const list = queue.list.toSpliced(at, 0, { ...track, source: 'queue' });
  return withHead({
    ...queue,
    list,
    individualAddToQueueIndex: at + 1,
    isIndividualQueueUpdate: queue.list.length > 0,
  });
}

export function remove(queue: Queue, id: string): Queue {
  const at = queue.list.findIndex((track) => track.id === id);
  if (at < 1) return queue;
  const wasQueued = at < queue.individualAddToQueueIndex;
  const wasBefore = !wasQueued && at >= queue.list.length - queue.index;
  return {
    ...queue,
    list: queue.list.toSpliced(at, 1),
    index: queue.index - (wasBefore ? 1 : 0),
    individualAddToQueueIndex: queue.individualAddToQueueIndex - (wasQueued ? 1 : 0),
    isIndividualQueueUpdate: true,
  };
}

/**
 * Removes the head, adds it to `played`, and moves to the next playable item. Skipped items stay, in order, in front of
 * the rest. Returns the same queue when nothing follows: the end of the list stops, it never wraps.
 */
export function next(queue: Queue, mayHear: MayHear = everyTrack): Queue {
  const at = queue.list.findIndex((track, position) => position > 0 && mayHear(track));
  const following = queue.list[at];
  if (!following) return queue;
  const queuedEnd = queue.individualAddToQueueIndex;
  return withHead({
    ...queue,
    list: [following, ...queue.list.toSpliced(at, 1).slice(1)],
    individualAddToQueueIndex: Math.max(1, at < queuedEnd ? queuedEnd - 1 : queuedEnd),
    played: withPlayedHead(queue),
    isIndividualQueueUpdate: false,
  });
}

/**
 * Moves to an item further down. The skipped items go behind the others of their kind (added by hand, rest), so that
 * none is lost. Returns the same queue for the head and for unknown ids.
 */
export function jump(queue: Queue, id: string): Queue {
  const at = queue.list.findIndex((track) => track.id === id);
  const chosen = queue.list[at];
  if (!chosen || at < 1) return queue;
  const queuedEnd = queue.individualAddToQueueIndex;
  const queued = queue.list.slice(1, queuedEnd);
  const rest = queue.list.slice(queuedEnd);
  const isQueued = at < queuedEnd;
  const following = isQueued
    ? [...rotatePast(queued, at - 1), ...rest]
    : [...queued, ...rotatePast(rest, at - queuedEnd)];
  return withHead({
    ...queue,
    list: [chosen, ...following],
    index: isQueued ? queue.index : (Math.min(queue.index, rest.length) + at - queuedEnd) % rest.length,
    individualAddToQueueIndex: isQueued ? queuedEnd - 1 : queuedEnd,
    played: withPlayedHead(queue),
    isIndividualQueueUpdate: false,
  });
}

/**
 * Returns to the last played audio or, without history, to the item before the chosen one in the rotated list. Returns
 * the same queue when there is neither.
 */
export function previous(queue: Queue, mayHear: MayHear = everyTrack): Queue {
  const [head, ...others] = queue.list;
  if (!head) return queue;
  const queued = others.slice(0, queue.individualAddToQueueIndex - 1);
  const rest = others.slice(queue.individualAddToQueueIndex - 1);
  const returnTo = (track: Track, following: readonly Track[], changes: Pick<Queue, 'played' | 'index'>): Queue =>
    withHead({
      ...queue,
      ...changes,
      // The old head returns to its own kind, so that audios added by hand still come before the rest.
      list: queue.isQueueAudio
        ? [track, head, ...queued, ...following.filter((item) => item !== head)]
        : [track, ...queued, ...following],
      individualAddToQueueIndex: 1 + queued.length + (queue.isQueueAudio ? 1 : 0),
      isIndividualQueueUpdate: false,
    });

  const wasPlayed = queue.played.findLastIndex((track) => mayHear(track) && track.id !== head.id);
  const last = queue.played[wasPlayed];
  // An audio from the history may have been added again meanwhile; remove the duplicate.
  if (last && has(queue.list, last.id)) return previous(remove(queue, last.id), mayHear);
  if (last) return returnTo(last, [head, ...rest], { played: queue.played.slice(0, wasPlayed), index: queue.index });

  const at = rest.findLastIndex(mayHear);
  const before = rest[at];
  if (!before) return queue;
  const length = rest.length + (queue.isQueueAudio ? 0 : 1);
  return returnTo(before, [...rest.slice(at + 1), head, ...rest.slice(0, at)], {
    played: [],
    index: (((queue.index - (rest.length - at)) % length) + length) % length,
  });
}

export function clear(queue: Queue): Queue {
  if (queue.list.length < 2) return queue;
  return {
    ...queue,
    list: queue.list.slice(0, 1),
    index: 0,
    individualAddToQueueIndex: 1,
    isIndividualQueueUpdate: true,
  };
}

/** Appends audios, so that the list continues after its end. Those already in the queue stay where they are. */
export function extend(queue: Queue, tracks: readonly Track[]): Queue {
  const present = new Set(queue.list.map((track) => track.id));
  const more = unique(tracks)
    .filter((track) => !present.has(track.id))
    .slice(0, Math.max(0, QUEUE_LIMIT - queue.list.length));
  if (more.length === 0) return queue;
  return withHead({
    ...queue,
    list: [...queue.list, ...more],
    // The new audios were never before the chosen one.
    index: 0,
    individualAddToQueueIndex: Math.max(1, queue.individualAddToQueueIndex),
    isIndividualQueueUpdate: queue.list.length > 0,
  });
}

/** Adopts a queue from elsewhere (the saved one, another device) and corrects inconsistencies. */
export function replace(queue: Queue, contents: QueueContents): Queue {
  const list = unique(contents.list).slice(0, QUEUE_LIMIT);
  const played = list.length === 0 ? [] : (contents.played ?? queue.played).slice(-PLAYED_LIMIT);
  return withHead({
    ...queue,
    list,
    listType: contents.listType,
    played,
    index: clamp(contents.index, 0, Math.max(0, list.length - 1 + (contents.played?.length ?? 0))),
    individualAddToQueueIndex: clamp(contents.individualAddToQueueIndex, Math.min(1, list.length), list.length),
    isIndividualQueueUpdate: list[0] !== undefined && list[0].id === queue.list[0]?.id,
  });
}

/** Like `replace`, but the current audio stays the head, in front of the other queue. */
export function replaceBehind(queue: Queue, contents: QueueContents): Queue {
  const [head] = queue.list;
  if (!head || contents.list[0]?.id === head.id) return replace(queue, contents);
  const at = contents.list.findIndex((track) => track.id === head.id);
  const others = contents.list.filter((track) => track.id !== head.id);
  const queued = clamp(contents.individualAddToQueueIndex, Math.min(1, contents.list.length), contents.list.length);
  const wasQueued = at > 0 && at < queued;
  const wasRotated = at >= queued && at >= contents.list.length - contents.index;
  // The other queue's head was not played yet: it comes next, as if it had been added by hand.
  return replace(queue, {
    ...contents,
    list: [head, ...others],
    index: contents.index - Number(wasRotated),
    individualAddToQueueIndex: 1 + queued - Number(wasQueued),
  });
}

export function withHead(queue: Omit<Queue, 'isQueueAudio'>): Queue {
  return { ...queue, isQueueAudio: queue.list[0]?.source === 'queue' };
}

export function isFull(queue: Queue): boolean {
  return queue.list.length >= QUEUE_LIMIT;
}

/** The listener did not choose the preview, so it does not enter the history. */
function withPlayedHead({ list, played }: Queue): readonly Track[] {
  const finished = list.slice(0, 1).filter((track) => track.source !== 'preview');
  return [...played, ...finished].slice(-PLAYED_LIMIT);
}

/** The items after `at`, then those before it, without the item itself. */
function rotatePast(list: readonly Track[], at: number): Track[] {
  return [...list.slice(at + 1), ...list.slice(0, at)];
}

export function has(list: readonly Track[], id: string): boolean {
  return list.some((track) => track.id === id);
}

/** Removes duplicates; the first occurrence stays. */
function unique(list: readonly Track[]): Track[] {
  const seen = new Set<string>();
  return list.filter(({ id }) => !seen.has(id) && seen.add(id));
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
