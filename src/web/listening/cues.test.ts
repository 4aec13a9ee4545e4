import { expect, test } from 'vitest';
import { cueAt } from './cues.ts';

const cues = [{ start: 1 }, { start: 4 }, { start: 9 }];

test('a line is read from its beginning to that of the next', () => {
  expect([0, 0.9, 1, 3.9, 4, 8, 9, 500].map((seconds) => cueAt(cues, seconds))).toEqual([-1, -1, 0, 0, 1, 1, 2, 2]);
});

test('a seek that comes back a hair early is at its line all the same', () => {
  expect(cueAt(cues, 3.98)).toBe(1);
});

test('there may be no lines', () => {
  expect(cueAt([], 5)).toBe(-1);
});
