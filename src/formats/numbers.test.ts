import { describe, expect, test } from 'vitest';
import { cappedCountOf, countOf, formatCapped, formatCount, formatMoney, hasCents } from './numbers.ts';

describe('counts', () => {
  test('have thousands commas', () => {
    expect(formatCount(999)).toBe('999');
    expect(formatCount(1_204_880)).toBe('1,204,880');
  });

  test('put the noun into singular or plural', () => {
    expect(countOf(0, 'audio')).toBe('0 audios');
    expect(countOf(1, 'audio')).toBe('1 audio');
    expect(countOf(2455, 'play')).toBe('2,455 plays');
  });
});

test('a count that stopped says that there are more', () => {
  expect(formatCapped({ count: 10_000, isMore: true })).toBe('10,000+');
  expect(cappedCountOf({ count: 10_000, isMore: true }, 'audio')).toBe('over 10,000 audios');
  expect(cappedCountOf({ count: 1, isMore: false }, 'audio')).toBe('1 audio');
});

test('cents are written in their currency, and only currencies with two decimals have them', () => {
  expect(formatMoney(499, 'usd')).toBe('$4.99');
  expect(formatMoney(1_234_500, 'EUR')).toBe('€12,345.00');
  expect(['usd', 'jpy', 'kwd', 'nonsense'].map(hasCents)).toEqual([true, false, false, false]);
});
