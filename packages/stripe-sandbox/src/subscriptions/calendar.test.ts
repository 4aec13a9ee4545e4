import { expect, test } from 'vitest';
import { addInterval, nextTurn } from './calendar.ts';

const seconds = (text: string) => Date.parse(`${text}T10:30:00Z`) / 1000;
const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
const month = { interval: 'month', interval_count: 1 };

test.each([
  ['2027-01-31', month, '2027-02-28'],
  ['2028-01-31', month, '2028-02-29'],
  ['2027-12-31', month, '2028-01-31'],
  ['2028-02-29', { interval: 'year', interval_count: 1 }, '2029-02-28'],
  ['2027-03-15', { interval: 'month', interval_count: 6 }, '2027-09-15'],
  ['2027-03-15', { interval: 'week', interval_count: 2 }, '2027-03-29'],
  ['2027-03-15', { interval: 'day', interval_count: 10 }, '2027-03-25'],
])('%s and %o is %s', (from, interval, to) => {
  expect(day(addInterval(seconds(from), interval))).toBe(to);
});

test('periods are counted from the anchor, so that a short month does not shorten later ones', () => {
  const turns: string[] = [];
  for (let at = seconds('2027-10-31'); turns.length < 6; turns.push(day(at)))
    at = nextTurn(seconds('2027-10-31'), at, month);
  expect(turns).toEqual(['2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']);
});

test('a cycle whose anchor is in the future turns at the anchor', () => {
  expect(nextTurn(seconds('2027-05-01'), seconds('2027-03-20'), month)).toBe(seconds('2027-05-01'));
});
