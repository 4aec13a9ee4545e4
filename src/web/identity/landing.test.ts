import { expect, test } from 'vitest';
import { landingOf } from './landing.ts';

test.each([
  ['?promoCode=SPRING', 'SPRING'],
  ['promoCode=%20SPRING%20', 'SPRING'],
  ['?promoCode=', undefined],
  ['?promoCode=%20', undefined],
  ['', undefined],
  ['?promocode=SPRING', undefined],
])('%s brings the promo code %s', (search, promoCode) => {
  expect(landingOf(search).promoCode).toBe(promoCode);
});

test.each([
  ['?utm_source=facebook', true],
  ['?utm_source=Instagram&utm_medium=paid', true],
  ['?utm_source=newsletter', false],
  ['?utm_source=', false],
  ['?source=facebook', false],
])('%s is a paid link: %s', (search, isPaidLink) => {
  expect(landingOf(search).isPaidLink).toBe(isPaidLink);
});
