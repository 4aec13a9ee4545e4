import { expect, test } from 'vitest';
import { cardFailureOf } from './card-failure.ts';

test.each([
  ['incomplete_number', 'number'],
  ['payment/incorrect-number', 'number'],
  ['invalid_expiry_year_past', 'expiry'],
  ['incomplete_cvc', 'cvc'],
  ['payment/incorrect-cvc', 'cvc'],
  ['expired_card', 'other'],
  ['payment/card-declined', 'other'],
  [undefined, 'other'],
])('%s is said at: %s', (code, field) => {
  expect(cardFailureOf(code, 'No')).toEqual({ field, message: 'No' });
});
