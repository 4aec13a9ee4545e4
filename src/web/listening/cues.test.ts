import { expect, test } from 'vitest';
import { cueAt } from './cues.ts';

const cues = [{ start: 1 }, { start: 4 }, { start: 9 }];

test('a line is current from its start to the start of the next', () => {
  expect([0, 0.9, 1, 3.9, 4, 8, 9, 500].map((seconds) => cueAt(cues, seconds))).toEqual([-1, -1, 0, 0, 1, 1, 2, 2]);
});

test('a seek that lands slightly early is still on its line', () => {
  expect(cueAt(cues, 3.98)).toBe(1);
});

test('a transcript may have no lines', () => {
  expect(cueAt([], 5)).toBe(-1);
});
