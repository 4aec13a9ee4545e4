import type { SavedQueue } from './forms.ts';

/** The queue of a user who never saved one. */
export const emptySavedQueue: SavedQueue = {
  list: [],
  played: [],
  listType: null,
  index: 0,
  individualAddToQueueIndex: 0,
  isIndividualQueueUpdate: false,
  position: 0,
};

/**
 * Removes deleted audios from the queue; queued and rotated items keep their roles. A new first audio starts at its
 * beginning.
 */
export function keepInQueue(queue: SavedQueue, isThere: (audioId: string) => boolean): SavedQueue {
  const list = queue.list.filter(({ id }) => isThere(id));
  const played = queue.played.filter(({ id }) => isThere(id));
  const gone = (from: number, to: number) => queue.list.slice(from, to).filter(({ id }) => !isThere(id)).length;
  const { length } = queue.list;
  const rotated = Math.min(queue.index, length);
  const queued = Math.min(queue.individualAddToQueueIndex, length);
  const isSameHead = list[0] !== undefined && list[0].id === queue.list[0]?.id;
  return {
    ...queue,
    list,
    played,
    index: rotated - gone(length - rotated, length),
    individualAddToQueueIndex: Math.max(queued - gone(0, queued), Math.min(1, queued, list.length)),
    position: isSameHead ? queue.position : 0,
  };
}
