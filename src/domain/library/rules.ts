import type { SavedQueue } from './forms.ts';

/** The names of spec §3, as they stand in the database and in the API. */
export const playlistBackgrounds = [
  'Pink to Blue',
  'Blue to Green',
  'Pink to Orange',
  'Purple to Blue',
  'Blue to Orange',
] as const;
export type PlaylistBackground = (typeof playlistBackgrounds)[number];

export const playlistFonts = ['Helvetica Neue', 'Lora Bold', 'Playfair Display Semibold', 'Teko Regular'] as const;
export type PlaylistFont = (typeof playlistFonts)[number];

/** What a user has who never saved a queue. */
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
 * The queue without the audios that are gone; what was queued by hand and what was rotated to the end stay so. With
 * another head it starts at its beginning.
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
