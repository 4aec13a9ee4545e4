import { expect, test } from 'vitest';
import { inLanguage } from '../../../i18n/i18n.ts';
import { centsOf, toTyped } from './cents.ts';

test('an amount is shown with the decimal sign of the language, and read with either', () => {
  expect(inLanguage('en', () => toTyped(499))).toBe('4.99');
  expect(inLanguage('de', () => toTyped(499))).toBe('4,99');
  for (const typed of ['4,99', '4.99', ' 4,99 ']) expect(centsOf(typed)).toBe(499);
  expect([centsOf('4,9'), centsOf('4'), centsOf('4,999'), centsOf('1.000,00')]).toEqual([
    490,
    400,
    undefined,
    undefined,
  ]);
});
