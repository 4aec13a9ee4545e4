import { expect, test } from 'vitest';
import { formatLastUse, formatMonth } from './account-dates.ts';

test.each([
  ['2026-03-31T23:59:59.999Z', 'March 2026'],
  ['2026-04-01T00:00:00.000Z', 'April 2026'],
])('%s is in %s', (iso, month) => {
  expect(formatMonth(new Date(iso))).toBe(month);
});

test.each([
  ['2026-11-21T12:00:00.000Z', 'today'],
  ['2026-11-21T00:00:00.000Z', 'today'],
  // The browser’s clock can differ from the site’s.
  ['2026-11-22T00:00:01.000Z', 'today'],
  ['2026-11-20T23:59:59.999Z', 'yesterday'],
  ['2026-11-19T23:59:59.999Z', 'on 19 Nov 2026'],
  ['2025-11-21T12:00:00.000Z', 'on 21 Nov 2025'],
])('a session used at %s was last used %s', (iso, text) => {
  expect(formatLastUse(iso, new Date('2026-11-21T08:00:00.000Z'))).toBe(text);
});
