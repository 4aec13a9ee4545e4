import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { type Calendar, clockOf, dueAt, dueSql, workingDaysBetween } from './calendar.ts';

const utc: Calendar = { zone: 'UTC', holidays: [] };
const due = (received: string, calendar = utc) => dueAt(new Date(received), calendar).toISOString();

test('seven working days begin after the day of receipt, and end with the last one', () => {
  // A Saturday: Monday is the first.
  expect(due('2026-11-28T15:04:00Z')).toBe('2026-12-09T00:00:00.000Z');
  expect(due('2026-11-30T00:00:00Z')).toBe('2026-12-10T00:00:00.000Z');
});

test('holidays do not count, wherever they stand', () => {
  const holidays = ['2026-12-24', '2026-12-25', '2026-12-26', '2027-01-01'];
  expect(due('2026-12-21T10:00:00Z', { zone: 'UTC', holidays })).toBe('2027-01-05T00:00:00.000Z');
  // On a Sunday, a holiday takes nothing.
  expect(due('2026-12-21T10:00:00Z', { zone: 'UTC', holidays: ['2026-12-27'] })).toBe(due('2026-12-21T10:00:00Z'));
});

test.each([
  // Clocks go back on 25 October 2026, and forward on 28 March 2027.
  ['Europe/Vienna', '2026-10-20T10:00:00Z', '2026-10-29T23:00:00.000Z'],
  ['Europe/Vienna', '2027-03-24T10:00:00Z', '2027-04-02T22:00:00.000Z'],
  // The evening in UTC is the next morning there.
  ['Pacific/Auckland', '2026-11-27T12:30:00Z', '2026-12-08T11:00:00.000Z'],
  // 24 April 2026 has no midnight there: the day begins at one.
  ['Africa/Cairo', '2026-04-14T10:00:00Z', '2026-04-23T22:00:00.000Z'],
])('%s: received at %s, over at %s', (zone, received, end) => {
  expect(due(received, { zone, holidays: [] })).toBe(end);
});

test('the database counts as this does', async () => {
  const { db } = await createTestDatabase();
  const holidays = ['2026-10-26', '2026-12-24', '2026-12-25', '2027-01-01'];
  for (const zone of ['UTC', 'Europe/Vienna', 'Pacific/Auckland', 'Africa/Cairo'])
    for (const received of [
      '2026-04-14T10:00:00Z',
      '2026-10-20T23:30:00Z',
      '2026-11-27T12:30:00Z',
      '2026-12-19T00:00:00Z',
      '2027-03-24T10:00:00Z',
    ]) {
      const calendar = { zone, holidays };
      const { rows } = await db.execute<{ due: string }>(sql`
        select ${dueSql(calendar)} as due from (select ${received}::timestamptz as created_at, null::timestamptz as due_at) n`);
      expect(new Date(rows[0]?.due ?? 0).toISOString()).toBe(due(received, calendar));
    }
});

test('the clock counts working days, today included, and days over', () => {
  const notice = (createdAt: string) => ({ createdAt: new Date(createdAt), dueAt: dueAt(new Date(createdAt), utc) });
  const saturday = new Date('2026-11-28T15:04:00Z');
  const at = (createdAt: string, now = saturday) => {
    const { left, over, day } = clockOf(notice(createdAt), now, utc);
    return { left, over, day };
  };
  expect(at('2026-11-28T10:00:00Z')).toEqual({ left: 7, over: 0, day: '2026-12-08' });
  expect(at('2026-11-26T10:00:00Z')).toEqual({ left: 6, over: 0, day: '2026-12-07' });
  expect(at('2026-11-19T22:17:00Z')).toEqual({ left: 1, over: 0, day: '2026-11-30' });
  expect(at('2026-11-18T10:00:00Z')).toEqual({ left: 0, over: 1, day: '2026-11-27' });
});

test('working days between two times', () => {
  expect(workingDaysBetween(new Date('2026-11-28T15:04:00Z'), new Date('2026-12-03T11:40:00Z'), utc)).toBe(4);
});
