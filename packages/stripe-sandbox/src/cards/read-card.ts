import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../http/failure.ts';
import { natural } from '../http/parameters.ts';
import { type Brand, brandRuleOf, hasValidCheckDigit } from './card-number.ts';
import { type CardBehaviour, behaviourOf } from './test-cards.ts';

export const CardInput = z.strictObject({
  number: z.string().transform((number) => number.replaceAll(/[\s-]/g, '')),
  exp_month: natural,
  exp_year: natural.transform((year) => (year < 100 ? 2000 + year : year)),
  cvc: z.string().optional(),
});
export type CardInput = z.output<typeof CardInput>;

/** The stored part of a card; the number cannot be derived from it. */
export type ReadCard = {
  brand: Brand;
  last4: string;
  expMonth: number;
  expYear: number;
  /** Equal for equal numbers within this sandbox. */
  fingerprint: string;
  hasCvc: boolean;
  behaviour: CardBehaviour;
};

function wrong(code: string, param: string, message: string): Failure {
  return new Failure({ status: 402, type: 'card_error', code, param, message });
}

/** @param now seconds @throws Failure 402 with Stripe's message; `code` and `param` name the field */
export function readCard(card: CardInput, { now, hashKey }: { now: number; hashKey: string }): ReadCard {
  const { brand, lengths, cvcLength } = brandRuleOf(card.number);
  const isNumber = /^\d+$/.test(card.number) && lengths.includes(card.number.length);
  if (!isNumber || !hasValidCheckDigit(card.number))
    throw wrong('incorrect_number', 'number', 'Your card number is incorrect.');
  if (card.exp_month < 1 || card.exp_month > 12)
    throw wrong('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  const today = new Date(now * 1000);
  const monthsLeft = (card.exp_year - today.getUTCFullYear()) * 12 + card.exp_month - 1 - today.getUTCMonth();
  if (monthsLeft < 0 || monthsLeft > 50 * 12)
    throw wrong('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  if (card.cvc !== undefined && !new RegExp(`^\\d{${cvcLength === 4 ? '3,4' : '3'}}$`).test(card.cvc))
    throw wrong('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  const behaviour = behaviourOf(card.number);
  if (behaviour === undefined)
    throw new Failure({
      status: 402,
      type: 'card_error',
      code: 'card_declined',
      declineCode: 'test_mode_live_card',
      message:
        'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    });
  return {
    brand,
    last4: card.number.slice(-4),
    expMonth: card.exp_month,
    expYear: card.exp_year,
    fingerprint: createHmac('sha256', hashKey).update(card.number).digest('base64url').slice(0, 16),
    hasCvc: card.cvc !== undefined,
    behaviour,
  };
}
