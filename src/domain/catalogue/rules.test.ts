import { expect, test } from 'vitest';
import { faultsOf, formatCueTime, parseCueTime } from './rules.ts';

test('a line says the first thing that is wrong with it', () => {
  const cues = [
    { start: 0, end: 2, text: 'fine' },
    { start: 1.5, end: 3, text: 'overlaps' },
    { start: 5, end: 4, text: 'backwards' },
    { start: 5, end: 6, text: ' ' },
    { start: 9, end: 10.5, text: 'outside' },
  ];
  expect(faultsOf(cues, 10)).toEqual([undefined, 'overlaps', 'ends-before-start', 'empty', 'outside']);
});

test.each([
  ['0:19.4', 19.4],
  ['19,4', 19.4],
  ['1:00:19', 3619],
  ['90', 90],
  [' 2:05.125 ', 125.125],
  ['0:60', undefined],
  ['1:60:00', undefined],
  ['', undefined],
  ['soon', undefined],
  ['-1', undefined],
])('%j typed as a time is %j', (text, seconds) => {
  expect(parseCueTime(text)).toBe(seconds);
});

test('times are written with hundredths, and carry over', () => {
  expect([0.65, 59.999, 3619.4].map(formatCueTime)).toEqual(['0:00.65', '1:00.00', '1:00:19.40']);
});
