import { expect, test } from 'vitest';
import { brandRuleOf, groupDigits, hasValidCheckDigit } from './card-number.ts';
import { testCards, testPaymentMethods } from './test-cards.ts';

test.each([
  ['4242424242424242', 'visa', '4242 4242 4242 4242'],
  ['5555555555554444', 'mastercard', '5555 5555 5555 4444'],
  ['2223003122003222', 'mastercard', '2223 0031 2200 3222'],
  ['378282246310005', 'amex', '3782 822463 10005'],
  ['6011111111111117', 'discover', '6011 1111 1111 1117'],
  ['3056930009020004', 'diners', '3056 930009 020004'],
  ['3566002020360505', 'jcb', '3566 0020 2036 0505'],
  ['6200000000000005', 'unionpay', '6200 0000 0000 0005'],
])('%s is %s and is written %s', (digits, brand, written) => {
  expect(brandRuleOf(digits).brand).toBe(brand);
  expect(hasValidCheckDigit(digits)).toBe(true);
  expect(groupDigits(digits)).toBe(written);
});

test('one mistyped digit is detected', () => {
  expect(hasValidCheckDigit('4242424242424241')).toBe(false);
  expect(hasValidCheckDigit('2424424242424242')).toBe(false);
  expect(hasValidCheckDigit('')).toBe(false);
});

test('every test card has a valid number, and every test payment method names one', () => {
  for (const { number } of testCards) expect([number, hasValidCheckDigit(number)]).toEqual([number, true]);
  const numbers = testCards.map(({ number }) => number);
  expect(Object.values(testPaymentMethods).filter((number) => !numbers.includes(number))).toEqual([]);
});
