import { expect, test } from 'vitest';
import type { SavedQueue } from './forms.ts';
import { emptySavedQueue, keepInQueue } from './saved-queue.ts';

const item = (id: string) => ({ id, source: 'playlist' });
/** `a` is playing, `b` and `c` were queued by hand, `f` and `g` were before the chosen audio in its list. */
const queue: SavedQueue = {
  list: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(item),
  played: ['x', 'y'].map(item),
  listType: 'playlist',
  index: 2,
  individualAddToQueueIndex: 3,
  isIndividualQueueUpdate: true,
  position: 0.4,
};
const without = (...ids: string[]) => keepInQueue(queue, (id) => !ids.includes(id));

test('a queue without deleted audios does not change', () => {
  expect(without()).toEqual(queue);
  expect(keepInQueue(emptySavedQueue, () => true)).toEqual(emptySavedQueue);
});

test('a deleted audio changes only its own part of the queue', () => {
  expect(without('b')).toMatchObject({ index: 2, individualAddToQueueIndex: 2, position: 0.4 });
  expect(without('d', 'e')).toMatchObject({ index: 2, individualAddToQueueIndex: 3, position: 0.4 });
  expect(without('g')).toMatchObject({ index: 1, individualAddToQueueIndex: 3, position: 0.4 });
  expect(without('x')).toMatchObject({ played: [item('y')], list: queue.list });
});

test('a new first audio starts at its beginning', () => {
  expect(without('a')).toMatchObject({ list: queue.list.slice(1), individualAddToQueueIndex: 2, position: 0 });
  expect(without('a', 'b', 'c')).toMatchObject({ individualAddToQueueIndex: 1, position: 0 });
});

test('a queue of deleted audios becomes empty', () => {
  expect(keepInQueue(queue, () => false)).toEqual({
    ...queue,
    list: [],
    played: [],
    index: 0,
    individualAddToQueueIndex: 0,
    position: 0,
  });
});

test('indexes beyond the list are clamped', () => {
  const odd = keepInQueue({ ...queue, index: 999, individualAddToQueueIndex: 999 }, () => true);
  expect(odd).toMatchObject({ index: 7, individualAddToQueueIndex: 7 });
});
