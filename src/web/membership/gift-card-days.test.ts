import { expect, test } from 'vitest';
import { dayAfter, deliveryAt } from './gift-card-days.ts';

test('days roll over at the ends of months and years', () => {
  const from = new Date(2026, 11, 30, 23, 59);
  expect([0, 1, 2, 61].map((days) => dayAfter(days, from))).toEqual([
    '2026-12-30',
    '2026-12-31',
    '2027-01-01',
    '2027-03-01',
  ]);
});

test('a gift is delivered in the morning of its day, or at once when no day is set', () => {
  expect(deliveryAt('2027-02-14')).toBe(new Date(2027, 1, 14, 9).toISOString());
  expect([deliveryAt(''), deliveryAt('2027-13-40')]).toEqual([undefined, undefined]);
});
