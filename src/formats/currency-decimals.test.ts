import { expect, test } from 'vitest';
import { decimalsOf, fromDecimalText, toDecimalText } from './currency-decimals.ts';

test.each([
  [799, 'eur', '7.99'],
  [5, 'USD', '0.05'],
  [0, 'usd', '0.00'],
  [800, 'jpy', '800'],
  [0, 'jpy', '0'],
  [2500, 'kwd', '2.500'],
  [1, 'kwd', '0.001'],
  // A float of it would be 1.1499999999999999.
  [115, 'gbp', '1.15'],
  [90_071_992_547_409_91, 'eur', '90071992547409.91'],
])('%i of %s is %s, and back', (amount, currency, text) => {
  expect(toDecimalText(amount, currency)).toBe(text);
  if (amount < 1e14) expect(fromDecimalText(text, currency)).toBe(amount);
});

test('every cent comes back exactly', () => {
  for (let amount = 0; amount < 20_000; amount += 1)
    for (const currency of ['eur', 'jpy', 'kwd'])
      expect(fromDecimalText(toDecimalText(amount, currency), currency)).toBe(amount);
});

test.each([
  ['7.9', 'eur', 790],
  ['7', 'eur', 700],
  ['7.990000', 'eur', 799],
  ['800.00', 'jpy', 800],
  [' 7.99 ', 'eur', 799],
])('%j of %s is read as %i', (text, currency, amount) => {
  expect(fromDecimalText(text, currency)).toBe(amount);
});

test.each([
  ['7.995', 'eur'],
  ['800.5', 'jpy'],
  ['-7.99', 'eur'],
  ['7,99', 'eur'],
  ['7.', 'eur'],
  ['1e3', 'eur'],
  ['0x10', 'eur'],
  ['', 'eur'],
  ['7.99', 'euro'],
  ['9999999999999', 'eur'],
])('%j of %s is no amount', (text, currency) => {
  expect(fromDecimalText(text, currency)).toBeUndefined();
});

test('parts of the smallest unit and negative amounts are not written', () => {
  expect(() => toDecimalText(7.5, 'eur')).toThrow();
  expect(() => toDecimalText(-1, 'eur')).toThrow();
  expect(decimalsOf('ISK')).toBe(0);
});
