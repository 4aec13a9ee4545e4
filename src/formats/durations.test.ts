import { describe, expect, test } from 'vitest';
import { formatDuration, formatIsoDuration, formatTime } from './durations.ts';

describe('time of an audio (spec §9)', () => {
  test.each([
    [0, '0:00'],
    [7, '0:07'],
    [59.99, '0:59'],
    [60, '1:00'],
    [736, '12:16'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [4218, '1:10:18'],
    [36_061, '10:01:01'],
  ])('%d seconds are written %s', (seconds, text) => {
    expect(formatTime(seconds)).toBe(text);
  });

  test('an unknown duration gives an empty text', () => {
    expect(formatTime(Number.NaN)).toBe('0:00');
    expect(formatTime(Number.POSITIVE_INFINITY)).toBe('0:00');
    expect(formatTime(-1)).toBe('0:00');
  });
});

describe('longer durations as hr, min, sec (spec §9)', () => {
  test.each([
    [45, '45 sec'],
    [60, '1 min'],
    [356, '5 min 56 sec'],
    [3600, '1 hr'],
    [5520, '1 hr 32 min'],
    [112_800, '31 hr 20 min'],
    [3601, '1 hr 1 sec'],
    [3661, '1 hr 1 min 1 sec'],
    [3_600_000 + 61, '1,000 hr 1 min 1 sec'],
    [0, '0 sec'],
  ])('%d seconds are written %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('durations for machines', () => {
  test.each([
    [0, 'PT0S'],
    [356, 'PT5M56S'],
    [4218, 'PT1H10M18S'],
    [3600, 'PT1H0S'],
  ])('%d seconds are written %s', (seconds, text) => {
    expect(formatIsoDuration(seconds)).toBe(text);
  });
});
