import { expect, test } from 'vitest';
import { dayAfter, deliveryAt } from './gift-card-draft.ts';

test.each([
  ['America/Bogota', ['2026-12-30', '2026-12-31', '2027-01-01', '2027-03-01']],
  ['Asia/Kolkata', ['2026-12-31', '2027-01-01', '2027-01-02', '2027-03-02']],
  ['Pacific/Apia', ['2026-12-31', '2027-01-01', '2027-01-02', '2027-03-02']],
])('days in %s roll over at the ends of months and years', (zone, days) => {
  expect([0, 1, 2, 61].map((count) => dayAfter(count, '2026-12-31T04:00:00Z', zone))).toEqual(days);
});

test('a gift is delivered in the morning of its day, or at once when no day is set', () => {
  expect(deliveryAt('2027-02-14', 'America/Bogota')).toBe('2027-02-14T14:00:00.000Z');
  expect(deliveryAt('2027-02-14', 'Asia/Kolkata')).toBe('2027-02-14T03:30:00.000Z');
  expect(deliveryAt('2027-02-14', 'Pacific/Apia')).toBe('2027-02-13T20:00:00.000Z');
  expect([deliveryAt(''), deliveryAt('2027-13-40')]).toEqual([undefined, undefined]);
});
