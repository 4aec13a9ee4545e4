import { expect, test } from 'vitest';
import { inLanguage } from '../../../i18n/i18n.ts';
import { amountOf, toTyped } from './typed-amount.ts';

test('an amount is shown with the decimal sign of the language, and read with either', () => {
  expect(inLanguage('en', () => toTyped(499, 'usd'))).toBe('4.99');
  expect(inLanguage('de', () => toTyped(499, 'usd'))).toBe('4,99');
  for (const typed of ['4,99', '4.99', ' 4,99 ']) expect(amountOf(typed, 'eur')).toBe(499);
  const read = ['4,9', '4', '4,999', '1.000,00'].map((typed) => amountOf(typed, 'eur'));
  expect(read).toEqual([490, 400, undefined, undefined]);
});

test('an amount has as many decimals as its currency', () => {
  expect(inLanguage('de', () => [toTyped(800, 'jpy'), toTyped(2500, 'kwd')])).toEqual(['800', '2,500']);
  expect([amountOf('800', 'jpy'), amountOf('8.5', 'jpy')]).toEqual([800, undefined]);
  expect([amountOf('2.5', 'kwd'), amountOf('2,500', 'kwd'), amountOf('2.5001', 'kwd')]).toEqual([
    2500,
    2500,
    undefined,
  ]);
});
