import { describe, expect, test } from 'vitest';
import { formatLastUse } from './last-use.ts';
import {
  formatClock,
  formatDateRange,
  formatDateTime,
  formatMoment,
  formatMonthName,
  formatShortDate,
  formatWeekday,
  formatWeekdayTime,
} from './moments.ts';
import { formatAgo, formatDate, formatDay, formatMonth } from './times.ts';
import { inZone } from './zones.ts';

const zones = ['America/Bogota', 'UTC', 'Asia/Kolkata', 'Pacific/Apia'] as const;

describe('a date is the day in its zone', () => {
  test.each([
    // Midnight in UTC, at the end of a month and of a year.
    ['2026-12-31T23:59:59.999Z', ['31 Dec 2026', '31 Dec 2026', '1 Jan 2027', '1 Jan 2027']],
    ['2027-01-01T00:00:00.000Z', ['31 Dec 2026', '1 Jan 2027', '1 Jan 2027', '1 Jan 2027']],
    // Midnight in Bogota, Kolkata and Apia.
    ['2026-03-01T04:59:59.000Z', ['28 Feb 2026', '1 Mar 2026', '1 Mar 2026', '1 Mar 2026']],
    ['2026-03-01T05:00:00.000Z', ['1 Mar 2026', '1 Mar 2026', '1 Mar 2026', '1 Mar 2026']],
    ['2026-02-28T18:29:59.000Z', ['28 Feb 2026', '28 Feb 2026', '28 Feb 2026', '1 Mar 2026']],
    ['2026-02-28T18:30:00.000Z', ['28 Feb 2026', '28 Feb 2026', '1 Mar 2026', '1 Mar 2026']],
    ['2026-02-28T10:59:59.000Z', ['28 Feb 2026', '28 Feb 2026', '28 Feb 2026', '28 Feb 2026']],
    ['2026-02-28T11:00:00.000Z', ['28 Feb 2026', '28 Feb 2026', '28 Feb 2026', '1 Mar 2026']],
  ])('%s', (at, days) => {
    expect(zones.map((zone) => formatDate(inZone(at, zone)))).toEqual(days);
  });

  test('which is UTC unless one is given', () => {
    expect(formatDate('2026-11-02T23:59:59.999Z')).toBe('2 Nov 2026');
    expect(formatDate(new Date(0))).toBe('1 Jan 1970');
  });
});

test('months and weekdays have the same names in every engine', () => {
  const months = Array.from({ length: 12 }, (_, month) => formatShortDate(Date.UTC(2026, month, 5)));
  expect(months.join()).toBe('5 Jan,5 Feb,5 Mar,5 Apr,5 May,5 Jun,5 Jul,5 Aug,5 Sep,5 Oct,5 Nov,5 Dec');
  expect(formatDay('2027-03-14T23:30:00Z')).toBe('14 March 2027');
  expect(formatDay(inZone('2027-03-14T23:30:00Z', 'Asia/Kolkata'))).toBe('15 March 2027');
  expect(formatMonth('2026-03-31T23:59:59.999Z')).toBe('March 2026');
  expect(formatMonth('2026-04-01T00:00:00.000Z')).toBe('April 2026');
  expect(formatMonth('2026-10')).toBe('October 2026');
  expect(formatMonthName('2026-10')).toBe('October');
  expect(formatWeekday('2026-11-22T01:00:00Z', undefined)).toBe('Sunday');
  expect(formatWeekday('2026-11-22T01:00:00Z', 'America/Bogota')).toBe('Saturday');
});

test('clocks are those of the zone, and say UTC while none is known', () => {
  const at = '2026-11-22T18:45:00Z';
  expect(zones.map((zone) => formatClock(at, zone))).toEqual(['13:45', '18:45', '00:15', '07:45']);
  expect(formatClock(at, undefined)).toBe('18:45 UTC');
  expect(formatDateTime(at, 'Asia/Kolkata')).toBe('23 Nov 2026, 00:15');
  expect(formatDateTime(at, undefined)).toBe('22 Nov 2026, 18:45 UTC');
  expect(formatWeekdayTime(at, 'Asia/Kolkata')).toBe('Mon 23 Nov, 00:15');
});

describe('a moment', () => {
  const now = '2026-11-21T20:00:00Z';
  test.each([
    ['2026-11-21T20:00:00Z', ['Today, 15:00', 'Today, 20:00', 'Today, 01:30', 'Today, 09:00']],
    ['2026-11-21T04:00:00Z', ['Yesterday', 'Today, 04:00', 'Yesterday', 'Yesterday']],
    ['2026-11-20T04:00:00Z', ['19 Nov', 'Yesterday', '20 Nov', '20 Nov']],
    ['2026-01-01T02:00:00Z', ['31 Dec 2025', '1 Jan', '1 Jan', '1 Jan']],
    ['2026-11-22T12:00:00Z', ['22 Nov', '22 Nov', 'Today, 17:30', '23 Nov']],
  ])('%s', (at, texts) => {
    expect(zones.map((zone) => formatMoment(at, now, zone))).toEqual(texts);
  });

  test('was yesterday also where a day had 25 hours', () => {
    // In New York, clocks went back on 1 November 2026.
    expect(formatMoment('2026-11-01T04:30:00Z', '2026-11-02T05:30:00Z', 'America/New_York')).toBe('Yesterday');
    expect(formatMoment('2026-10-31T20:00:00Z', '2026-11-01T23:00:00Z', 'America/New_York')).toBe('Yesterday');
  });
});

test('a range of days has the years that it needs', () => {
  expect(formatDateRange('2026-10-25', '2026-11-21')).toBe('25 Oct to 21 Nov 2026');
  expect(formatDateRange('2025-11-22', '2026-11-21')).toBe('22 Nov 2025 to 21 Nov 2026');
  expect(formatDateRange('2026-11-21', '2026-11-21')).toBe('21 Nov 2026');
});

test.each([
  ['2026-11-21T12:00:00.000Z', 'today'],
  ['2026-11-21T00:00:00.000Z', 'today'],
  // The browser’s clock can differ from the site’s.
  ['2026-11-22T00:00:01.000Z', 'today'],
  ['2026-11-20T23:59:59.999Z', 'yesterday'],
  ['2026-11-19T23:59:59.999Z', 'on 19 Nov 2026'],
  ['2025-11-21T12:00:00.000Z', 'on 21 Nov 2025'],
])('a session used at %s was last used %s', (at, text) => {
  expect(formatLastUse(at, '2026-11-21T08:00:00.000Z')).toBe(text);
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
