import type Stripe from 'stripe';
import { z } from 'zod';
import { invalid, missing } from '../http/failure.ts';
import { text } from '../http/parameters.ts';
import { idOf, newIdOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { addInterval } from '../subscriptions/calendar.ts';
import { amountOffIn, isRedeemable } from './coupons.ts';
import { refusalOf } from './promotion-codes.ts';

/** An empty text removes all discounts. */
export const DiscountsInput = z.union([
  z.literal('').transform(() => []),
  z
    .array(z.strictObject({ coupon: text.optional(), discount: text.optional(), promotion_code: text.optional() }))
    .max(20),
]);
export type DiscountsInput = z.output<typeof DiscountsInput>;

type Redemption = {
  customer: string;
  subscription: string | null;
  clock: string | null;
  amount: number;
  currency: string;
};

/**
 * Redeems the named codes and coupons and counts them.
 * @param redemption its `amount` is the first invoice in cents, for minimum amounts
 * @returns ids of the discounts
 * @throws Failure 400 for a code or coupon that cannot be redeemed
 */
export async function redeemDiscounts(work: Work, input: DiscountsInput, redemption: Redemption): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, one] of input.entries()) {
    const param = `discounts[${index}]`;
    if (one.discount !== undefined) ids.push((await work.store.get('discount', one.discount, param)).id);
    else ids.push(await redeem(work, one, param, redemption));
  }
  return ids;
}

async function redeem(
  work: Work,
  one: DiscountsInput[number],
  param: string,
  { customer, subscription, clock, amount, currency }: Redemption,
): Promise<string> {
  const now = await work.now(clock);
  const code =
    one.promotion_code === undefined
      ? undefined
      : await work.store.get('promotion_code', one.promotion_code, `${param}[promotion_code]`);
  if (code !== undefined) {
    const refusal = await refusalOf(work, code, { customer, now, amount });
    if (refusal !== undefined)
      throw invalid(refusal, `${param}[promotion_code]`, code.active ? 'promotion_code_expired' : 'resource_missing');
  }
  const couponId = code === undefined ? one.coupon : optionalIdOf(code.promotion.coupon);
  if (couponId === undefined || couponId === null)
    throw invalid('Each discount needs a coupon, a promotion_code or a discount.', param, 'parameter_missing');
  const coupon = await work.store.get('coupon', couponId, `${param}[coupon]`);
  if (!isRedeemable(coupon, now)) throw invalid(`Coupon expired: ${coupon.id}`, `${param}[coupon]`, 'coupon_expired');
  if ((await amountOffIn(work, coupon, currency)) === undefined)
    throw invalid(`The coupon ${coupon.id} takes nothing off in ${currency}.`, `${param}[coupon]`);

  const discount: Stripe.Discount = {
    id: newIdOf('discount'),
    object: 'discount',
    checkout_session: null,
    customer,
    customer_account: null,
    end:
      coupon.duration === 'repeating'
        ? addInterval(now, { interval: 'month', interval_count: coupon.duration_in_months ?? 1 })
        : null,
    invoice: null,
    invoice_item: null,
    promotion_code: code?.id ?? null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: now,
    subscription,
    subscription_item: null,
  };
  await work.store.insert<'discount'>(discount);
  await work.store.save<'coupon'>({ ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  if (code !== undefined) await work.store.save<'promotion_code'>({ ...code, times_redeemed: code.times_redeemed + 1 });
  if (subscription !== null) await work.emit('customer.discount.created', discount, { clock });
  return discount.id;
}

export type AppliedDiscount = { discount: Stripe.Discount; coupon: Stripe.Coupon };

/** Discounts in effect at `now`, with their coupons, also deleted ones, whose amounts are in that currency. */
export async function readDiscounts(
  work: Work,
  ids: readonly (string | Stripe.Discount)[],
  { now, currency }: { now: number; currency: string },
): Promise<AppliedDiscount[]> {
  const { store } = work;
  const applied: AppliedDiscount[] = [];
  for (const id of ids) {
    const discount = await store.get('discount', idOf(id), 'discounts');
    if (discount.end !== null && discount.end <= now) continue;
    const couponId = optionalIdOf(discount.source.coupon);
    const row = couponId === null ? undefined : await store.find('coupon', couponId);
    if (row === undefined) throw missing('coupon', couponId ?? '', 'coupon');
    const coupon = row.document;
    const amount_off = coupon.amount_off === null ? null : ((await amountOffIn(work, coupon, currency)) ?? 0);
    applied.push({ discount, coupon: { ...coupon, amount_off } });
  }
  return applied;
}
