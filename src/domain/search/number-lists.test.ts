import { expect, test } from 'vitest';
import { type NumberLists, createNumberLists } from './number-lists.ts';

function valuesOf(lists: NumberLists, list: number): number[] {
  const { items, from, to } = lists.read(list);
  return [...items.subarray(from, to)];
}

test('lists that grow in turns keep their own numbers', () => {
  const lists = createNumberLists();
  const numbers = Array.from({ length: 3000 }, () => lists.add());
  const expected = numbers.map((list) => Array.from({ length: list % 40 }, (_, round) => list * 100 + round));
  for (let round = 0; round < 40; round += 1)
    for (const list of numbers) if (round < list % 40) lists.push(list, list * 100 + round);
  expect(numbers.map((list) => valuesOf(lists, list))).toEqual(expected);
  expect(numbers.map((list) => lists.length(list))).toEqual(expected.map(({ length }) => length));
});

test('a sweep removes what is marked, and the list grows on', () => {
  const lists = createNumberLists();
  const [one, other] = [lists.add(), lists.add()];
  for (const value of [1, 2, 3, 4, 5]) {
    lists.push(one, value);
    lists.push(other, value);
  }
  lists.sweep(one, Uint8Array.from([0, 1, 0, 1, 0, 0]));
  for (const value of [6, 7, 8, 9, 10, 11, 12]) lists.push(one, value);
  expect(valuesOf(lists, one)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(valuesOf(lists, other)).toEqual([1, 2, 3, 4, 5]);
  lists.sweep(other, new Uint8Array(6).fill(1));
  expect(valuesOf(lists, other)).toEqual([]);
});
