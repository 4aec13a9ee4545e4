import { expect, test } from 'vitest';
import { promoCodeOf } from '#test/support/payments/promo-codes.ts';
import type { PromoCode } from '../payment-provider.ts';
import { previewCharges } from './subscription-preview.ts';

const now = new Date('2026-03-01T12:00:00Z');
const monthly = { period: 'month', amount: 799, currency: 'usd' } as const;
const yearly = { period: 'year', amount: 5988, currency: 'usd' } as const;

const half = (duration: PromoCode['discount']['duration'], months?: number) =>
  promoCodeOf({ discount: { percentOff: 50, amountOff: null, duration }, months });

const inMonths = (months: number) => ({ until: new Date(Date.UTC(2026, 2 + months, 1, 12)) });

type Shown = { dueToday: number; first: number; thenAmount: number; discountedCharges: number | null };

test.each<[string, Omit<Parameters<typeof previewCharges>[0], 'now'>, Shown]>([
  [
    'without free time or promo code',
    { plan: monthly, promoCode: undefined, free: undefined },
    { dueToday: 799, first: 799, thenAmount: 799, discountedCharges: 0 },
  ],
  [
    'with a trial',
    { plan: yearly, promoCode: undefined, free: { days: 7 } },
    { dueToday: 0, first: 5988, thenAmount: 5988, discountedCharges: 0 },
  ],
  [
    'a discount on one charge',
    { plan: monthly, promoCode: half('once'), free: undefined },
    { dueToday: 399, first: 399, thenAmount: 799, discountedCharges: 1 },
  ],
  [
    'a permanent discount after a trial',
    { plan: monthly, promoCode: half('forever'), free: { days: 7 } },
    { dueToday: 0, first: 399, thenAmount: 399, discountedCharges: null },
  ],
  [
    'three months off, charged each month',
    { plan: monthly, promoCode: half('months', 3), free: undefined },
    { dueToday: 399, first: 399, thenAmount: 799, discountedCharges: 3 },
  ],
  [
    'three months off, charged each year',
    { plan: yearly, promoCode: half('months', 3), free: undefined },
    { dueToday: 2994, first: 2994, thenAmount: 5988, discountedCharges: 1 },
  ],
  [
    'three months off, of which a gift covers two',
    { plan: monthly, promoCode: half('months', 3), free: inMonths(2) },
    { dueToday: 0, first: 399, thenAmount: 799, discountedCharges: 1 },
  ],
  [
    'three months off, all before the first charge',
    { plan: monthly, promoCode: half('months', 3), free: inMonths(3) },
    { dueToday: 0, first: 799, thenAmount: 799, discountedCharges: 0 },
  ],
])('previewCharges: %s', (_title, terms, shown) => {
  const { dueToday, firstCharge, thenAmount, discountedCharges } = previewCharges({ ...terms, now });
  expect({ dueToday, first: firstCharge.amount, thenAmount, discountedCharges }).toEqual(shown);
});

test('the preview names the end of the free time and of the discount', () => {
  expect(previewCharges({ plan: monthly, promoCode: half('months', 3), free: { days: 7 }, now })).toMatchObject({
    trialEndsAt: new Date('2026-03-08T12:00:00Z'),
    firstCharge: { at: new Date('2026-03-08T12:00:00Z') },
    discount: { code: 'HALF', percentOff: 50, endsAt: '2026-06-01T12:00:00.000Z' },
  });
});
