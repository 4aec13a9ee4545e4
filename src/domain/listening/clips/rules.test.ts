import { expect, test } from 'vitest';
import { windowAround, withEnd, withStart } from './rules.ts';

test.each([
  ['within', { start: 10, end: 30 }, 20, 100, { start: 20, end: 30 }],
  ['before the beginning', { start: 10, end: 30 }, -5, 100, { start: 0, end: 30 }],
  ['past the end', { start: 10, end: 30 }, 40, 100, { start: 40, end: 41 }],
  ['too far before', { start: 80, end: 90 }, 10, 100, { start: 10, end: 70 }],
  ['at the very end', { start: 10, end: 30 }, 100, 100, { start: 99, end: 100 }],
])('the start of a clip, moved %s', (_where, range, to, duration, moved) => {
  expect(withStart(range, to, duration)).toEqual(moved);
});

test.each([
  ['within', { start: 10, end: 30 }, 40, 100, { start: 10, end: 40 }],
  ['before its start', { start: 10, end: 30 }, 5, 100, { start: 4, end: 5 }],
  ['too far', { start: 10, end: 30 }, 90, 100, { start: 30, end: 90 }],
  ['beyond the audio', { start: 10, end: 30 }, 500, 100, { start: 40, end: 100 }],
])('the end of a clip, moved %s', (_where, range, to, duration, moved) => {
  expect(withEnd(range, to, duration)).toEqual(moved);
});

test('of a long audio, two minutes around the clip are shown, and of a short one all', () => {
  expect(windowAround({ start: 10, end: 20 }, 100)).toEqual({ start: 0, end: 100 });
  expect(windowAround({ start: 1000, end: 1030 }, 3600)).toEqual({ start: 955, end: 1075 });
  expect(windowAround({ start: 0, end: 30 }, 3600)).toEqual({ start: 0, end: 120 });
  expect(windowAround({ start: 3570, end: 3600 }, 3600)).toEqual({ start: 3480, end: 3600 });
});
