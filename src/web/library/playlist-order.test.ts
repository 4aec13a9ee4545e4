import { expect, test } from 'vitest';
import { movedTo, neighboursOf, putBetween } from './playlist-order.ts';

const list = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const ids = (items: { id: string }[]) => items.map(({ id }) => id).join('');

test('a moved item changes place, and the others keep their order', () => {
  expect(ids(movedTo(list, 0, 2))).toBe('bcad');
  expect(ids(movedTo(list, 3, 0))).toBe('dabc');
  expect(ids(movedTo(list, 9, 0))).toBe('abcd');
});

test('a place is given by its neighbors; the last item of a partly loaded list has no known next neighbor', () => {
  expect(neighboursOf(list, 1, false)).toEqual({ after: 'a', before: 'c' });
  expect(neighboursOf(list, 0, false)).toEqual({ after: null, before: 'b' });
  expect(neighboursOf(list, 3, false)).toEqual({ after: 'c', before: null });
  expect(neighboursOf(list, 3, true)).toEqual({ after: 'c' });
});

test('a restored item goes between those of its neighbors that still exist', () => {
  const item = { id: 'x' };
  expect(ids(putBetween(list, item, { after: 'b', before: 'c' }))).toBe('abxcd');
  expect(ids(putBetween(list, item, { after: 'gone', before: 'c' }))).toBe('abxcd');
  expect(ids(putBetween(list, item, { after: null, before: 'gone' }))).toBe('xabcd');
  expect(ids(putBetween(list, item, { after: 'gone', before: null }))).toBe('abcdx');
  expect(ids(putBetween(list, { id: 'd' }, { after: null, before: 'a' }))).toBe('dabc');
});

test('undoing a move restores the list', () => {
  for (const [from, to] of [
    [0, 3],
    [3, 0],
    [1, 2],
  ] as const) {
    const before = neighboursOf(list, from, false);
    const item = list[from];
    if (item === undefined) throw new Error('no such item');
    expect(ids(putBetween(movedTo(list, from, to), item, before))).toBe('abcd');
  }
});
