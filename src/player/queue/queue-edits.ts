import { clamp, has, isFull, withHead } from './queue.ts';
import type { Queue } from './queue.ts';

// Changes of an open queue, of Undo, and of a list that is still loading. Apart from the others, because no page needs them
// at its start.

/**
 * Adds the items of `other` that the queue lacks, each behind its predecessor there and among its own kind. Returns exactly
 * `other` when the queue has nothing else. For Undo, `other` is the queue before; for a list that is still loading, it has
 * more of it.
 */
export function addMissing(queue: Queue, other: Queue): Queue {
  const heardThere = new Set(other.played.map((track) => track.id));
  const heardSince = queue.played.filter((track) => !heardThere.has(track.id));
  const notMissing = new Set([...queue.list, ...heardSince].map((track) => track.id));
  let result = queue;
  for (const [at, track] of other.list.entries()) {
    if (notMissing.has(track.id) || isFull(result)) continue;
    const wasQueued = at > 0 && at < other.individualAddToQueueIndex;
    const wasRotated = !wasQueued && at >= other.list.length - other.index;
    const earlier = other.list.slice(0, at).findLast(({ id }) => has(result.list, id));
    const behind = result.list.findIndex(({ id }) => id === earlier?.id) + 1;
    const border = Math.max(1, result.individualAddToQueueIndex);
    const place = wasQueued ? clamp(behind, 1, border) : Math.max(behind, border);
    result = {
      ...result,
      list: result.list.toSpliced(place, 0, track),
      index: result.index + Number(wasRotated),
      individualAddToQueueIndex: border + Number(wasQueued),
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

function idsOf({ list }: Queue): string {
  return list.map((track) => track.id).join();
}
