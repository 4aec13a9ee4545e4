import { type Queue, clamp, has, isFull, withHead } from './queue.ts';

// Changes of an open queue, of Undo, and of a list that is still loading. Apart from the others, because no page needs them
// at its start.

/**
 * Adds the items of `other` that the queue lacks, each behind its predecessor there and among its own kind. Returns exactly
 * `other` when the queue has nothing else. For Undo, `other` is the queue before; for a list that is still loading, it has
 * more of it.
 */
export function addMissing(queue: Queue, other: Queue): Queue {
  const playedThere = new Set(other.played.map((track) => track.id));
  const playedSince = queue.played.filter((track) => !playedThere.has(track.id));
  const present = new Set([...queue.list, ...playedSince].map((track) => track.id));
  let result = queue;
  for (const [at, track] of other.list.entries()) {
    if (present.has(track.id) || isFull(result)) continue;
    const wasQueued = at > 0 && at < other.individualAddToQueueIndex;
    const wasRotated = !wasQueued && at >= other.list.length - other.index;
    const predecessor = other.list.slice(0, at).findLast(({ id }) => has(result.list, id));
    const behind = result.list.findIndex(({ id }) => id === predecessor?.id) + 1;
    const queuedEnd = Math.max(1, result.individualAddToQueueIndex);
    const target = wasQueued ? clamp(behind, 1, queuedEnd) : Math.max(behind, queuedEnd);
    result = {
      ...result,
      list: result.list.toSpliced(target, 0, track),
      index: result.index + Number(wasRotated),
      individualAddToQueueIndex: queuedEnd + Number(wasQueued),
      isIndividualQueueUpdate: true,
    };
  }
  const isOther = idsOf(result) === idsOf(other);
  return isOther ? { ...other, played: queue.played, isIndividualQueueUpdate: true } : withHead(result);
}

/**
 * Moves an item; both arguments are indexes in `list`, and the current audio (0) stays. An item dropped among those
 * added by hand becomes one of them, and stops being one when dropped after them.
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
  const queuedEnd = others.length - (rotated - (wasRotated ? 1 : 0));
  const isRotated = !isQueued && (wasRotated ? to >= queuedEnd : to > queuedEnd);

  return {
    ...queue,
    list: others.toSpliced(to, 0, track),
    index: queue.index + Number(isRotated) - Number(wasRotated),
    individualAddToQueueIndex: 1 + queued + Number(isQueued),
    isIndividualQueueUpdate: true,
  };
}

function idsOf({ list }: Queue): string {
  return list.map((track) => track.id).join();
}
