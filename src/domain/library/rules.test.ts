import { expect, test } from 'vitest';
import type { SavedQueue } from './forms.ts';
import { emptySavedQueue, keepInQueue } from './rules.ts';

const item = (id: string) => ({ id, source: 'playlist' });
/** `a` plays, `b` and `c` were queued by hand, `f` and `g` stood before the chosen one. */
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

test('a queue of which nothing is gone stays as it is', () => {
  expect(without()).toEqual(queue);
  expect(keepInQueue(emptySavedQueue, () => true)).toEqual(emptySavedQueue);
});

test('what is gone from each part of the list moves that part only', () => {
  expect(without('b')).toMatchObject({ index: 2, individualAddToQueueIndex: 2, position: 0.4 });
  expect(without('d', 'e')).toMatchObject({ index: 2, individualAddToQueueIndex: 3, position: 0.4 });
  expect(without('g')).toMatchObject({ index: 1, individualAddToQueueIndex: 3, position: 0.4 });
  expect(without('x')).toMatchObject({ played: [item('y')], list: queue.list });
});

test('another head starts at its beginning', () => {
  expect(without('a')).toMatchObject({ list: queue.list.slice(1), individualAddToQueueIndex: 2, position: 0 });
  expect(without('a', 'b', 'c')).toMatchObject({ individualAddToQueueIndex: 1, position: 0 });
});

test('of a queue that is gone altogether nothing is left', () => {
  expect(keepInQueue(queue, () => false)).toEqual({
    ...queue,
    list: [],
    played: [],
    index: 0,
    individualAddToQueueIndex: 0,
    position: 0,
  });
});

test('places beyond the list are brought into it', () => {
  const odd = keepInQueue({ ...queue, index: 999, individualAddToQueueIndex: 999 }, () => true);
  expect(odd).toMatchObject({ index: 7, individualAddToQueueIndex: 7 });
});
