import { expect, test } from 'vitest';
import { spreadOverParts } from './rules.ts';

const duration = 100_000;

test('what was heard lies before the position, each part with its share', () => {
  expect(spreadOverParts({ milliseconds: 7000, positionMs: 12_000 }, duration)).toEqual([
    [1, 5000],
    [2, 2000],
  ]);
  expect(spreadOverParts({ milliseconds: 1000, positionMs: 5000 }, duration)).toEqual([[0, 1000]]);
});

test('nothing is heard before the beginning or after the end', () => {
  expect(spreadOverParts({ milliseconds: 60_000, positionMs: 3000 }, duration)).toEqual([[0, 3000]]);
  expect(spreadOverParts({ milliseconds: 2000, positionMs: 999_999 }, duration)).toEqual([[19, 2000]]);
  expect(spreadOverParts({ milliseconds: 2000, positionMs: 0 }, duration)).toEqual([]);
});

test('the whole audio fills all parts, whatever its length', () => {
  for (const length of [100_000, 61_237, 19, 1]) {
    const parts = spreadOverParts({ milliseconds: 2 * length, positionMs: length }, length);
    expect(parts.reduce((sum, [, milliseconds]) => sum + milliseconds, 0)).toBe(length);
    expect(new Set(parts.map(([part]) => part)).size).toBe(parts.length);
  }
});
