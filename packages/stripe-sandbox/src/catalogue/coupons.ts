import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, del, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import {
  createdRange,
  createdWithin,
  currency,
  currencyOptions,
  decimalNumber,
  integer,
  mergeMetadata,
  metadata,
  natural,
  paging,
  text,
} from '../http/parameters.ts';
import { inOrder } from '../store/in-order.ts';
import { newIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';

const CouponCreate = z.strictObject({
  amount_off: natural.optional(),
  currency: currency.optional(),
  currency_options: currencyOptions('amount_off').optional(),
  duration: z.enum(['forever', 'once', 'repeating']).default('once'),
  duration_in_months: natural.pipe(z.number().min(1)).optional(),
  id: text.max(200).optional(),
  max_redemptions: natural.pipe(z.number().min(1)).optional(),
  metadata: metadata.optional(),
  name: text.max(40).optional(),
  percent_off: decimalNumber.pipe(z.number().gt(0).max(100)).optional(),
  redeem_by: integer.optional(),
});

async function createCoupon(work: Work, input: z.output<typeof CouponCreate>): Promise<Stripe.Coupon> {
  if ((input.amount_off === undefined) === (input.percent_off === undefined))
    throw invalid('You must pass either percent_off or amount_off, and not both.', 'percent_off');
  if (input.amount_off !== undefined && input.currency === undefined)
    throw invalid('You must pass currency when passing amount_off', 'currency', 'parameter_missing');
  if ((input.duration === 'repeating') !== (input.duration_in_months !== undefined))
    throw invalid('duration_in_months is required when duration is repeating, and only then.', 'duration_in_months');
  if (input.id !== undefined && (await work.store.find('coupon', input.id)) !== undefined)
    throw invalid('Coupon already exists.', 'id', 'resource_already_exists');
  const coupon: Stripe.Coupon = {
    id: input.id ?? newIdOf('coupon'),
    object: 'coupon',
    amount_off: input.amount_off ?? null,
    created: await work.now(null),
    currency: input.currency ?? null,
    duration: input.duration,
    duration_in_months: input.duration_in_months ?? null,
    livemode: false,
    max_redemptions: input.max_redemptions ?? null,
    metadata: mergeMetadata({}, input.metadata),
    name: input.name ?? null,
    percent_off: input.percent_off ?? null,
    redeem_by: input.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  };
  await work.store.insert<'coupon'>(coupon, input.currency_options && { currencyOptions: input.currency_options });
  await work.emit('coupon.created', coupon, { clock: null });
  return coupon;
}

/** Undefined: the coupon takes no amount off in that currency. */
export async function amountOffIn({ store }: Work, coupon: Stripe.Coupon, wanted: string): Promise<number | undefined> {
  if (coupon.amount_off === null || coupon.currency === wanted) return coupon.amount_off ?? 0;
  return (await store.row('coupon', coupon.id)).hidden.currencyOptions?.[wanted]?.amount_off;
}

/** @param now seconds */
export function isRedeemable(coupon: Stripe.Coupon, now: number): boolean {
  const isUsedUp = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
  return !isUsedUp && (coupon.redeem_by === null || coupon.redeem_by > now);
}

/** `valid` depends on the current time. */
async function asOfNow(work: Work, coupon: Stripe.Coupon): Promise<Stripe.Coupon> {
  return { ...coupon, valid: isRedeemable(coupon, await work.now(null)) };
}

export const couponEndpoints: Endpoint[] = [
  post('/v1/coupons', CouponCreate, createCoupon),
  get('/v1/coupons', z.strictObject({ ...paging, created: createdRange }), async (work, input) => {
    const list = await listOf(work, 'coupon', createdWithin(input.created), input, '/v1/coupons');
    return { ...list, data: await inOrder(list.data, (coupon) => asOfNow(work, coupon)) };
  }),
  get('/v1/coupons/:id', z.strictObject({}), async (work, _input, path) =>
    asOfNow(work, await work.store.get('coupon', named(path, 'id'), 'coupon')),
  ),
  post(
    '/v1/coupons/:id',
    z.strictObject({ metadata: metadata.optional(), name: text.max(40).optional() }),
    async (work, input, path) => {
      const before = await work.store.get('coupon', named(path, 'id'), 'coupon');
      const after = {
        ...before,
        name: input.name ?? before.name,
        metadata: mergeMetadata(before.metadata, input.metadata),
      };
      await work.store.save<'coupon'>(after);
      await work.emit('coupon.updated', after, { clock: null, previous: changedFrom(before, after) });
      return after;
    },
  ),
  // Existing discounts stay valid.
  del('/v1/coupons/:id', z.strictObject({}), async (work, _input, path) => {
    const coupon = await work.store.get('coupon', named(path, 'id'), 'coupon');
    await work.store.remove('coupon', coupon.id);
    await work.emit('coupon.deleted', coupon, { clock: null });
    return { id: coupon.id, object: 'coupon', deleted: true };
  }),
];
