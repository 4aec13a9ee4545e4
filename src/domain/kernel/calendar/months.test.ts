import { expect, test } from 'vitest';
import { addMonths } from './months.ts';

// The tests' zone is ahead of UTC, where the last evening of a month is in the next one.
test.each([
  ['2026-01-31T23:30:00.000Z', 1, '2026-02-28T23:30:00.000Z'],
  ['2028-01-31T23:30:00.000Z', 1, '2028-02-29T23:30:00.000Z'],
  ['2026-11-30T20:00:00.000Z', 1, '2026-12-30T20:00:00.000Z'],
  ['2026-10-31T20:00:00.000Z', 4, '2027-02-28T20:00:00.000Z'],
  ['2026-12-31T20:00:00.000Z', 12, '2027-12-31T20:00:00.000Z'],
  ['2026-03-31T20:00:00.000Z', -1, '2026-02-28T20:00:00.000Z'],
  ['2026-01-31T20:00:00.000Z', -2, '2025-11-30T20:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', 12, '2029-02-28T23:59:59.999Z'],
])('%s and %i months: %s', (start, months, end) => {
  expect(addMonths(new Date(start), months).toISOString()).toBe(end);
});
