import { describe, expect, test } from 'vitest';
import { inLanguage } from '../i18n/i18n.ts';
import type { Language } from './languages.ts';
import { cappedCountOf, countOf, formatCapped, formatCount, formatMoney } from './numbers.ts';

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

test('an amount is written with as many decimals as its currency has, in every language', () => {
  expect(formatMoney(499, 'usd')).toBe('$4.99');
  expect(formatMoney(1_234_500, 'EUR')).toBe('€12,345.00');
  const digits = { en: '800 2.500', de: '800 2,500', fr: '800 2,500', es: '800 2,500', ar: '800 2.500' };
  for (const [language, shown] of Object.entries(digits)) {
    const written = inLanguage(language as Language, () => [formatMoney(800, 'jpy'), formatMoney(2500, 'kwd')]);
    expect([language, written.map((text) => /[\d.,]*\d/.exec(text)?.[0]).join(' ')]).toEqual([language, shown]);
  }
});
