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
  /**
   * The rotation: so many items stood before the chosen one in the list as it was shown. They are the end of the rest
   * or, as playing goes on, the head and what was played last.
   */
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

/** What a queue is made of when it comes from elsewhere; without `played`, what this one remembers stays. */
export type QueueContents = Pick<Queue, 'list' | 'listType' | 'index' | 'individualAddToQueueIndex'> &
  Partial<Pick<Queue, 'played'>>;

type MayHear = (track: Track) => boolean;

/** More than anybody hears in a night; what the server keeps of a list. */
export const QUEUE_LIMIT = 1000;
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

/** Puts an audio after those added by hand before it. One that stands in the queue already stays where it is. */
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
    played: withPlayedHead(queue),
    isIndividualQueueUpdate: false,
  });
}

/**
 * Goes to an item further down at once. Those passed over go behind the others of their kind (added by hand, rest), so
 * that one press loses nothing. The same queue when it is the head or not there.
 */
export function jump(queue: Queue, id: string): Queue {
  const at = queue.list.findIndex((track) => track.id === id);
  const chosen = queue.list[at];
  if (!chosen || at < 1) return queue;
  const border = queue.individualAddToQueueIndex;
  const queued = queue.list.slice(1, border);
  const rest = queue.list.slice(border);
  const isQueued = at < border;
  const following = isQueued ? [...turn(queued, at - 1), ...rest] : [...queued, ...turn(rest, at - border)];
  return withHead({
    ...queue,
    list: [chosen, ...following],
    index: isQueued ? queue.index : (Math.min(queue.index, rest.length) + at - border) % rest.length,
    individualAddToQueueIndex: isQueued ? border - 1 : border,
    played: withPlayedHead(queue),
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

/** Puts audios at the end, so that a list that is over goes on. Those that stand in the queue already stay where they are. */
export function extend(queue: Queue, tracks: readonly Track[]): Queue {
  const standing = new Set(queue.list.map((track) => track.id));
  const more = unique(tracks)
    .filter((track) => !standing.has(track.id))
    .slice(0, Math.max(0, QUEUE_LIMIT - queue.list.length));
  if (more.length === 0) return queue;
  return withHead({
    ...queue,
    list: [...queue.list, ...more],
    // What comes now never stood before the chosen one.
    index: 0,
    individualAddToQueueIndex: Math.max(1, queue.individualAddToQueueIndex),
    isIndividualQueueUpdate: queue.list.length > 0,
  });
}

/** Takes over a queue from elsewhere (the saved one, another device), putting right what does not fit. */
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

/** As `replace`, but what plays here plays on as the head, in front of all that came from elsewhere. */
export function replaceBehind(queue: Queue, contents: QueueContents): Queue {
  const [head] = queue.list;
  if (!head || contents.list[0]?.id === head.id) return replace(queue, contents);
  const at = contents.list.findIndex((track) => track.id === head.id);
  const others = contents.list.filter((track) => track.id !== head.id);
  const queued = clamp(contents.individualAddToQueueIndex, Math.min(1, contents.list.length), contents.list.length);
  const wasQueued = at > 0 && at < queued;
  const wasRotated = at >= queued && at >= contents.list.length - contents.index;
  // The head there was not played yet: it comes next, as if it had been added by hand.
  return replace(queue, {
    ...contents,
    list: [head, ...others],
    index: contents.index - Number(wasRotated),
    individualAddToQueueIndex: 1 + queued - Number(wasQueued),
  });
}

function withHead(queue: Omit<Queue, 'isQueueAudio'>): Queue {
  return { ...queue, isQueueAudio: queue.list[0]?.source === 'queue' };
}

function isFull(queue: Queue): boolean {
  return queue.list.length >= QUEUE_LIMIT;
}

/** The preview was nobody's choice, so nothing leads back to it. */
function withPlayedHead({ list, played }: Queue): readonly Track[] {
  const heard = list.slice(0, 1).filter((track) => track.source !== 'preview');
  return [...played, ...heard].slice(-PLAYED_LIMIT);
}

/** What follows `at`, then what stands before it; without the item itself. */
function turn(list: readonly Track[], at: number): Track[] {
  return [...list.slice(at + 1), ...list.slice(0, at)];
}

function has(list: readonly Track[], id: string): boolean {
  return list.some((track) => track.id === id);
}

/** Each audio once, where it stands first. */
function unique(list: readonly Track[]): Track[] {
  const seen = new Set<string>();
  return list.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
