import { expect, test } from 'vitest';
import { marksOf, rowsOf } from './figure-rows.ts';

function daysFrom(first: string, plays: (number | null)[]) {
  return plays.map((count, index) => ({
    day: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
    plays: count,
  }));
}

test('a week has one row per day, and a hidden day is marked', () => {
  const rows = rowsOf(daysFrom('2026-11-01', [5, null, 20]), daysFrom('2026-10-29', [1, 2, null]));
  expect(rows).toEqual([
    ['1 Nov', '5', '1'],
    ['2 Nov', 'Under 10', '2'],
    ['3 Nov', '20', 'Under 10'],
  ]);
});

test('28 days are four weeks, and a year is its months', () => {
  const month = rowsOf(daysFrom('2026-10-25', Array(28).fill(10)), daysFrom('2026-09-27', Array(28).fill(null)));
  expect(month).toEqual([
    ['25 Oct to 31 Oct', '70', 'Under 10'],
    ['1 Nov to 7 Nov', '70', 'Under 10'],
    ['8 Nov to 14 Nov', '70', 'Under 10'],
    ['15 Nov to 21 Nov', '70', 'Under 10'],
  ]);
  const year = rowsOf(daysFrom('2025-11-22', Array(365).fill(1)), daysFrom('2024-11-22', Array(365).fill(2)));
  expect(year).toHaveLength(13);
  expect(year[1]).toEqual(['1 Dec to 31 Dec', '31', '62']);
});

test('marks are spread from the first day to the last', () => {
  expect(marksOf(daysFrom('2026-10-25', Array(28).fill(0)))).toEqual(['25 Oct', '3 Nov', '12 Nov', '21 Nov']);
  expect(marksOf(daysFrom('2026-10-25', [0, 0]))).toEqual(['25 Oct', '26 Oct']);
  expect(marksOf(daysFrom('2026-10-25', [0]))).toEqual(['25 Oct']);
});
