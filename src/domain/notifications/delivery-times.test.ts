import { expect, test } from 'vitest';
import { afterQuietHours, nextMail } from './delivery-times.ts';
import { type NewsPreferences, defaultPreferences } from './rules.ts';

const vienna: NewsPreferences = { ...defaultPreferences, timeZone: 'Europe/Vienna' };
const at = (text: string) => new Date(text);
const mailed = (now: string, changes: Partial<NewsPreferences>) =>
  nextMail(at(now), { ...vienna, ...changes })?.toISOString();

test('without mails there is no time for one', () => {
  expect(nextMail(at('2026-11-23T12:00:00Z'), vienna)).toBeUndefined();
});

test('a daily digest goes out at the hour of the listener’s clock, and the next day once that has begun', () => {
  const daily = { email: 'daily', digestHour: 18 } as const;
  expect(mailed('2026-11-23T12:00:00Z', daily)).toBe('2026-11-23T17:00:00.000Z');
  expect(mailed('2026-11-23T17:00:00Z', daily)).toBe('2026-11-24T17:00:00.000Z');
  expect(mailed('2026-07-01T17:30:00Z', daily)).toBe('2026-07-02T16:00:00.000Z');
  expect(mailed('2026-11-23T22:30:00Z', { ...daily, digestHour: 0 })).toBe('2026-11-23T23:00:00.000Z');
});

test('an hour that the clock skips in spring is that of its next hour', () => {
  expect(mailed('2026-03-28T20:00:00Z', { email: 'daily', digestHour: 2 })).toBe('2026-03-29T01:00:00.000Z');
});

test('a weekly digest waits for its day', () => {
  // A Monday.
  expect(mailed('2026-11-23T12:00:00Z', { email: 'weekly', digestHour: 9, digestWeekday: 5 })).toBe(
    '2026-11-27T08:00:00.000Z',
  );
  expect(mailed('2026-11-27T09:00:00Z', { email: 'weekly', digestHour: 9, digestWeekday: 5 })).toBe(
    '2026-12-04T08:00:00.000Z',
  );
});

test('nothing goes out in quiet hours, also over midnight and in zones with odd offsets', () => {
  const quiet = { from: 22, until: 7 };
  const pushed = (now: string, timeZone: string) =>
    afterQuietHours(at(now), { ...vienna, quiet, timeZone }).toISOString();
  expect(pushed('2026-11-23T12:34:56Z', 'Europe/Vienna')).toBe('2026-11-23T12:34:56.000Z');
  expect(pushed('2026-11-23T21:00:00Z', 'Europe/Vienna')).toBe('2026-11-24T06:00:00.000Z');
  expect(pushed('2026-11-24T02:10:00Z', 'Europe/Vienna')).toBe('2026-11-24T06:00:00.000Z');
  expect(pushed('2026-11-23T18:20:00Z', 'Asia/Kathmandu')).toBe('2026-11-24T01:15:00.000Z');
  expect(mailed('2026-11-23T23:00:00Z', { email: 'at-once', quiet })).toBe('2026-11-24T06:00:00.000Z');
  expect(mailed('2026-11-23T12:00:00Z', { email: 'daily', digestHour: 23, quiet })).toBe('2026-11-24T06:00:00.000Z');
});
