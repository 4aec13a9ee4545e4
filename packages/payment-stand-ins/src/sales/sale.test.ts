import { expect, test } from 'vitest';
import { addPeriod, dayOf } from './sale.ts';

test.each([
  ['2027-01-31', { months: 1 }, '2027-02-28'],
  ['2028-01-31', { months: 1 }, '2028-02-29'],
  ['2027-12-15', { months: 1 }, '2028-01-15'],
  ['2028-02-29', { months: 12 }, '2029-02-28'],
  ['2027-01-15', { days: 30 }, '2027-02-14'],
])('%s and %j is %s', (from, period, until) => {
  expect(dayOf(addPeriod(Date.parse(`${from}T12:00:00Z`), period))).toBe(until);
});
