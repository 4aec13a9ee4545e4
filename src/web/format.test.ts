import { describe, expect, test } from 'vitest';
import {
  formatAgo,
  formatCount,
  formatCountOf,
  formatDate,
  formatDuration,
  formatIsoDuration,
  formatNames,
  formatTime,
} from './format.ts';

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

describe('have thousands separators', () => {
  test('have thousands commas', () => {
    expect(formatCount(999)).toBe('999');
    expect(formatCount(1_204_880)).toBe('1,204,880');
  });

  test('put the noun into singular or plural', () => {
    expect(formatCountOf(0, 'audio')).toBe('0 audios');
    expect(formatCountOf(1, 'audio')).toBe('1 audio');
    expect(formatCountOf(2455, 'play')).toBe('2,455 plays');
  });
});

test('a date is the day in UTC, whatever the time zone', () => {
  expect(formatDate('2026-11-02T23:59:59.999Z')).toBe('2 Nov 2026');
  expect(formatDate('2026-01-01T00:00:00.000Z')).toBe('1 Jan 2026');
});

describe('a list of names', () => {
  test('joins a few with and', () => {
    expect(formatNames([])).toBe('');
    expect(formatNames(['Maren Holt'])).toBe('Maren Holt');
    expect(formatNames(['Maren Holt', 'Idris Vale'])).toBe('Maren Holt and Idris Vale');
    expect(formatNames(['Maren Holt', 'Idris Vale', 'Wren Ashby'])).toBe('Maren Holt, Idris Vale and Wren Ashby');
  });

  test('counts the rest', () => {
    expect(formatNames(['Maren Holt', 'Idris Vale', 'Wren Ashby', 'Noor Azadi'])).toBe(
      'Maren Holt, Idris Vale, Wren Ashby and 1 more',
    );
    expect(formatNames(['Maren Holt', 'Idris Vale', 'Wren Ashby'], 7)).toBe(
      'Maren Holt, Idris Vale, Wren Ashby and 4 more',
    );
  });
});

describe('how long ago something was', () => {
  const now = Date.parse('2026-11-21T20:00:00.000Z');
  test.each([
    ['2026-11-21T20:00:05.000Z', 'just now'],
    ['2026-11-21T19:59:01.000Z', 'just now'],
    ['2026-11-21T19:40:00.000Z', '20 min ago'],
    ['2026-11-21T17:30:00.000Z', '2 hr ago'],
    ['2026-11-20T19:00:00.000Z', 'yesterday'],
    ['2026-11-17T19:00:00.000Z', '4 days ago'],
    ['2026-11-02T19:00:00.000Z', '2 Nov 2026'],
  ])('%s is %s', (iso, text) => {
    expect(formatAgo(iso, now)).toBe(text);
  });
});
