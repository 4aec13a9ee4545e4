import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { promoCodeOf } from '#test/support/payments/promo-codes.ts';
import type { PromoCode } from './payment-provider.ts';
import { chargedAt, checkPromoCode, discounted } from './promo-codes.ts';

const { db } = await createTestDatabase();
const { provider } = openPlainPayments();
const half = { percentOff: 50, amountOff: null, duration: 'months' } as const;
const code = promoCodeOf({ discount: half, months: 3, currency: 'usd' });
const plan = { period: 'month', amount: 799, currency: 'usd' } as const;
const soon = (milliseconds: number) => new Date(Date.now() + milliseconds);

test.each<[string, Partial<PromoCode>, string | undefined]>([
  ['whose least price is the plan’s', { minimumAmount: 799 }, undefined],
  ['whose least price is a cent more', { minimumAmount: 800 }, 'promo-code/not-for-you'],
  ['in any currency', { currency: undefined }, undefined],
  ['in another currency', { currency: 'eur' }, 'promo-code/other-currency'],
  ['with an amount in the currency too', { currency: 'eur', amounts: { usd: 200 } }, undefined],
  ['with amounts in others alone', { currency: 'eur', amounts: { jpy: 300 } }, 'promo-code/other-currency'],
  ['that ends in a minute', { expiresAt: soon(60_000) }, undefined],
  ['that has ended', { expiresAt: soon(0) }, 'promo-code/expired'],
  ['with one use left', { maxRedemptions: 5, redemptions: 4 }, undefined],
  ['with no use left', { maxRedemptions: 5, redemptions: 5 }, 'promo-code/used-up'],
  ['that was disabled', { isActive: false }, 'promo-code/disabled'],
])('a code %s is judged by it', async (_, terms, reason) => {
  const payments = { ...provider, findPromoCode: async () => ({ ...code, ...terms }) };
  const outcome = await checkPromoCode({ db, payments }, undefined, 'half', { plan, facts: undefined });
  expect(outcome.ok ? undefined : outcome.reason).toBe(reason);
});

test('a discount ends at its end, to the millisecond', () => {
  const discount = { ...half, code: 'HALF', endsAt: '2026-03-01T00:00:00.000Z' };
  expect(chargedAt(800, discount, new Date('2026-02-28T23:59:59.999Z'))).toBe(400);
  expect(chargedAt(800, discount, new Date('2026-03-01T00:00:00.000Z'))).toBe(800);
  expect(chargedAt(800, { ...discount, endsAt: null }, new Date('2036-03-01T00:00:00.000Z'))).toBe(400);
  expect(chargedAt(800, null, new Date('2026-02-01T00:00:00.000Z'))).toBe(800);
});

test('discounts are whole cents, as the provider rounds them, and never more than the price', () => {
  expect(discounted(799, half)).toBe(399);
  expect(discounted(799, { percentOff: null, amountOff: 250 })).toBe(549);
  expect(discounted(799, { percentOff: null, amountOff: 800 })).toBe(0);
  expect(discounted(799, { percentOff: 100, amountOff: null })).toBe(0);
});
