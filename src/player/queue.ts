import type { Track } from './track.ts';

/**
 * What plays and what comes after it (spec §4 "Queue"). The head of `list` plays, then come the audios added by hand,
 * then the rest of the rotated list. Values are never changed: each function answers a new queue, or the same one when
 * there is nothing to do.
 */
export type Queue = {
  readonly list: readonly Track[];
  /** What the list was: the source tag of the audio that was chosen. */
  readonly listType: string | null;
  /** The rotation: so many items at the end of the rest stood before the chosen one in the list as it was shown. */
  readonly index: number;
  /** Where in `list` the next audio added by hand goes; between the head and here stand the ones added before. */
  readonly individualAddToQueueIndex: number;
  /** Oldest first. */
  readonly played: readonly Track[];
  /** The last change left what plays alone, so its position stays. */
  readonly isIndividualQueueUpdate: boolean;
  /** What plays was added by hand. */
  readonly isQueueAudio: boolean;
};

export type QueueContents = Pick<Queue, 'list' | 'listType' | 'index' | 'individualAddToQueueIndex'>;

type MayHear = (track: Track) => boolean;

/** How far back "previous" remembers. */
const PLAYED_LIMIT = 100;

const anyone: MayHear = () => true;

export const emptyQueue: Queue = {
  list: [],
  listType: null,
  index: 0,
  individualAddToQueueIndex: 0,
  played: [],
  isIndividualQueueUpdate: false,
  isQueueAudio: false,
};

/** Rotates the list so that the chosen item comes first; those before it follow at the end. Each audio stands once. */
export function startAt(list: readonly Track[], index: number): Queue {
  const chosen = list[index];
  if (!chosen) return emptyQueue;
  const before = unique(list.slice(0, index)).filter((track) => track.id !== chosen.id);
  const after = unique(list.slice(index)).filter((track) => !has(before, track.id));
  return withHead({
    ...emptyQueue,
    list: [...after, ...before],
    listType: chosen.source,
    index: before.length,
    individualAddToQueueIndex: 1,
  });
}

/** Puts an audio after those added by hand before it. One that stands in the queue already stays where it is. */
export function add(queue: Queue, track: Track): Queue {
  if (has(queue.list, track.id)) return queue;
  const at = queue.individualAddToQueueIndex;
  const list = queue.list.toSpliced(at, 0, { ...track, source: 'queue' });
  return withHead({
    ...queue,
    list,
    individualAddToQueueIndex: at + 1,
    isIndividualQueueUpdate: queue.list.length > 0,
  });
}

/** Takes an audio out; the one that plays stays. */
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
 * Takes the head off, remembers it as played, and goes to the item after it. Items that this listener may not hear are
 * passed over and leave the queue. The same queue when nothing follows: the end of the list stops, it never wraps round.
 */
export function next(queue: Queue, mayHear: MayHear = anyone): Queue {
  const at = queue.list.findIndex((track, position) => position > 0 && mayHear(track));
  if (at === -1) return queue;
  return withHead({
    ...queue,
    list: queue.list.slice(at),
    individualAddToQueueIndex: Math.max(1, queue.individualAddToQueueIndex - at),
    played: [...queue.played, ...queue.list.slice(0, 1)].slice(-PLAYED_LIMIT),
    isIndividualQueueUpdate: false,
  });
}

/**
 * Back to the audio played last or, when none was, to the item that stands before the chosen one in the rotated list.
 * The same queue when there is neither.
 */
export function previous(queue: Queue, mayHear: MayHear = anyone): Queue {
  const [head, ...others] = queue.list;
  if (!head) return queue;
  const queued = others.slice(0, queue.individualAddToQueueIndex - 1);
  const rest = others.slice(queue.individualAddToQueueIndex - 1);
  const backTo = (track: Track, following: readonly Track[], changes: Pick<Queue, 'played' | 'index'>): Queue =>
    withHead({
      ...queue,
      ...changes,
      // What left the head goes back to its own kind, so that audios added by hand still come before the rest.
      list: queue.isQueueAudio
        ? [track, head, ...queued, ...following.filter((item) => item !== head)]
        : [track, ...queued, ...following],
      individualAddToQueueIndex: 1 + queued.length + (queue.isQueueAudio ? 1 : 0),
      isIndividualQueueUpdate: false,
    });

  const wasPlayed = queue.played.findLastIndex((track) => mayHear(track) && track.id !== head.id);
  const last = queue.played[wasPlayed];
  // An audio heard before may have been added again meanwhile; it does not stand in the list twice.
  if (last && has(queue.list, last.id)) return previous(remove(queue, last.id), mayHear);
  if (last) return backTo(last, [head, ...rest], { played: queue.played.slice(0, wasPlayed), index: queue.index });

  const at = rest.findLastIndex(mayHear);
  const before = rest[at];
  if (!before) return queue;
  const length = rest.length + (queue.isQueueAudio ? 0 : 1);
  return backTo(before, [...rest.slice(at + 1), head, ...rest.slice(0, at)], {
    played: [],
    index: (((queue.index - (rest.length - at)) % length) + length) % length,
  });
}

/** Takes out everything but what plays. */
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

/**
 * Moves an item to another place; both are places in `list`, and what plays (0) stays. An item set down among those
 * added by hand becomes one of them, and stops being one when it is set down after them.
 */
export function move(queue: Queue, from: number, to: number): Queue {
  const track = queue.list[from];
  if (!track || from < 1 || to < 1 || to >= queue.list.length || from === to) return queue;
  const others = queue.list.toSpliced(from, 1);

  const wasQueued = from < queue.individualAddToQueueIndex;
  const queued = queue.individualAddToQueueIndex - 1 - (wasQueued ? 1 : 0);
  const isQueued = to <= queued + (wasQueued ? 1 : 0);

  const rest = queue.list.length - queue.individualAddToQueueIndex;
  const rotated = Math.min(queue.index, rest);
  const wasRotated = from >= queue.list.length - rotated;
  const border = others.length - (rotated - (wasRotated ? 1 : 0));
  const isRotated = !isQueued && (wasRotated ? to >= border : to > border);

  return {
    ...queue,
    list: others.toSpliced(to, 0, track),
    index: queue.index + Number(isRotated) - Number(wasRotated),
    individualAddToQueueIndex: 1 + queued + Number(isQueued),
    isIndividualQueueUpdate: true,
  };
}

/** Takes over a queue from elsewhere (the saved one, another device), putting right what does not fit. */
export function replace(queue: Queue, contents: QueueContents): Queue {
  const list = unique(contents.list);
  return withHead({
    ...queue,
    list,
    listType: contents.listType,
    index: clamp(contents.index, 0, Math.max(0, list.length - 1)),
    individualAddToQueueIndex: clamp(contents.individualAddToQueueIndex, Math.min(1, list.length), list.length),
    isIndividualQueueUpdate: list[0] !== undefined && list[0].id === queue.list[0]?.id,
  });
}

function withHead(queue: Omit<Queue, 'isQueueAudio'>): Queue {
  return { ...queue, isQueueAudio: queue.list[0]?.source === 'queue' };
}

function has(list: readonly Track[], id: string): boolean {
  return list.some((track) => track.id === id);
}

function unique(list: readonly Track[]): Track[] {
  return [...new Map(list.toReversed().map((track) => [track.id, track])).values()].toReversed();
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
