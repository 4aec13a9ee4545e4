import { describe, expect, test } from 'vitest';
import { addDays, clockAt, dayAt, inZone, isTimeZone, readLocal } from './zones.ts';

const iso = (day: string, clock: string, zone: string) => {
  const read = readLocal(day, clock, zone);
  return read.ok ? `${read.at.toISOString().slice(0, 16)}Z${read.isRepeated ? ' first of two' : ''}` : read.reason;
};

describe('a typed time is an instant of its zone', () => {
  test.each([
    ['America/Bogota', '2026-12-31', '23:59', '2027-01-01T04:59Z'],
    ['America/Bogota', '2027-01-01', '00:00', '2027-01-01T05:00Z'],
    ['Asia/Kolkata', '2026-03-01', '00:00', '2026-02-28T18:30Z'],
    ['Asia/Kolkata', '2026-02-28', '23:59', '2026-02-28T18:29Z'],
    ['Pacific/Apia', '2027-01-01', '00:00', '2026-12-31T11:00Z'],
    ['UTC', '2028-02-29', '12:00', '2028-02-29T12:00Z'],
    // Clocks go forward: the hour from 2:00 is skipped.
    ['America/New_York', '2031-03-09', '01:59', '2031-03-09T06:59Z'],
    ['America/New_York', '2031-03-09', '02:00', 'skipped'],
    ['America/New_York', '2031-03-09', '02:59', 'skipped'],
    ['America/New_York', '2031-03-09', '03:00', '2031-03-09T07:00Z'],
    // Clocks go back: the hour from 1:00 comes twice.
    ['America/New_York', '2031-11-02', '00:59', '2031-11-02T04:59Z'],
    ['America/New_York', '2031-11-02', '01:00', '2031-11-02T05:00Z first of two'],
    ['America/New_York', '2031-11-02', '01:59', '2031-11-02T05:59Z first of two'],
    ['America/New_York', '2031-11-02', '02:00', '2031-11-02T07:00Z'],
    ['Europe/Vienna', '2026-03-29', '02:30', 'skipped'],
    ['Europe/Vienna', '2026-10-25', '02:30', '2026-10-25T00:30Z first of two'],
    // By half an hour, in the south.
    ['Australia/Lord_Howe', '2026-10-04', '02:15', 'skipped'],
    ['Australia/Lord_Howe', '2026-10-04', '02:30', '2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45Z first of two'],
    // At midnight.
    ['America/Santiago', '2026-09-06', '00:30', 'skipped'],
    // A whole day.
    ['Pacific/Apia', '2011-12-30', '12:00', 'skipped'],
  ])('in %s, %s %s: %s', (zone, day, clock, expected) => {
    expect(iso(day, clock, zone)).toBe(expected);
  });

  test('or none', () => {
    for (const [day, clock] of [
      ['', '12:00'],
      ['2026-11-02', ''],
      ['2026-02-29', '12:00'],
      ['2026-13-01', '12:00'],
      ['2026-11-02', '24:00'],
      ['12026-11-02', '12:00'],
    ] as const)
      expect([day, clock, iso(day, clock, 'America/Bogota')]).toEqual([day, clock, 'invalid']);
  });

  test('times of two years read back, whatever the zone', () => {
    const step = 15 * 60_000;
    for (const zone of ['America/Bogota', 'Asia/Kolkata', 'Pacific/Apia', 'America/New_York', 'Australia/Lord_Howe'])
      for (let at = Date.UTC(2026, 0); at < Date.UTC(2028, 0); at += 97 * step) {
        const read = readLocal(dayAt(at, zone), clockAt(at, zone), zone);
        // The second of two instants reads as the first.
        const isSame = read.ok && (read.at.getTime() === at || (read.isRepeated && read.at.getTime() < at));
        expect([zone, at, isSame]).toEqual([zone, at, true]);
      }
  });
});

test('fields of an instant are those of the zone’s clock and calendar', () => {
  const local = inZone('2026-12-31T23:30:00Z', 'Asia/Kolkata');
  expect([local.toISOString(), local.getUTCDay()]).toEqual(['2027-01-01T05:00:00.000Z', 5]);
  expect(inZone('2026-11-22T05:00:00Z', 'America/Bogota').getUTCHours()).toBe(0);
  // 01:30 comes twice there.
  expect([
    clockAt('2031-11-02T05:30:00Z', 'America/New_York'),
    clockAt('2031-11-02T06:30:00Z', 'America/New_York'),
  ]).toEqual(['01:30', '01:30']);
});

test('days are added by the calendar', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31');
});

test('an unknown zone counts as UTC', () => {
  expect([isTimeZone('Europe/Vienna'), isTimeZone('Europe/Atlantis'), isTimeZone('')]).toEqual([true, false, false]);
  expect(clockAt('2026-11-22T05:00:00Z', 'Europe/Atlantis')).toBe('05:00');
});
