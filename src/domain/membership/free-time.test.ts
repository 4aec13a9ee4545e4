import { expect, test } from 'vitest';
import { isSameSecond, longerFreeTime } from './free-time.ts';

test('of trial and gift time the longer one counts, of equal ones the trial', () => {
  const now = new Date('2026-01-31T23:30:00.000Z');
  const until = (milliseconds: number) => new Date(Date.parse('2026-02-07T23:30:00.000Z') + milliseconds);
  expect(longerFreeTime(7, until(1), now)).toEqual({ until: until(1) });
  expect(longerFreeTime(7, until(0), now)).toEqual({ days: 7 });
  expect(longerFreeTime(7, undefined, now)).toEqual({ days: 7 });
  expect(longerFreeTime(0, undefined, now)).toBeUndefined();
});

test('times are the same within one second of the provider, not across two', () => {
  const at = (seconds: string) => new Date(`2026-01-31T23:59:${seconds}Z`);
  expect(isSameSecond(at('58.000'), at('58.999'))).toBe(true);
  expect(isSameSecond(at('58.999'), at('59.000'))).toBe(false);
  expect(isSameSecond(at('58.000'), undefined)).toBe(false);
  expect(isSameSecond(null, null)).toBe(false);
});
