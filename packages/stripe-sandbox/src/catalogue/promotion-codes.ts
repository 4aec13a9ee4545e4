import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import {
  createdRange,
  createdWithin,
  currency,
  equal,
  flag,
  integer,
  mergeMetadata,
  metadata,
  natural,
  paging,
  text,
} from '../http/parameters.ts';
import { inOrder } from '../store/in-order.ts';
import { idOf, newIdOf, optionalIdOf, randomText } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';
import { isRedeemable } from './coupons.ts';

const PromotionCodeCreate = z.strictObject({
  active: flag.optional(),
  code: z
    .string()
    .regex(/^[\w-]{1,500}$/)
    .optional(),
  customer: text.optional(),
  expires_at: integer.optional(),
  max_redemptions: natural.pipe(z.number().min(1)).optional(),
  metadata: metadata.optional(),
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: text }),
  restrictions: z
    .strictObject({
      first_time_transaction: flag.optional(),
      minimum_amount: natural.optional(),
      minimum_amount_currency: currency.optional(),
    })
    .optional(),
});

const PromotionCodeList = z.strictObject({
  ...paging,
  active: flag.optional(),
  code: text.optional(),
  coupon: text.optional(),
  created: createdRange,
  customer: text.optional(),
});

/** Usable codes must be unique, ignoring case. */
async function requireFreeCode(work: Work, code: string): Promise<void> {
  for (const one of await work.store.all('promotion_code', [{ path: 'code', isUpper: code }]))
    if (await isUsable(work, one))
      throw invalid(
        'An active promotion code with `code: ' + code + '` already exists.',
        'code',
        'resource_already_exists',
      );
}

async function createPromotionCode(
  work: Work,
  input: z.output<typeof PromotionCodeCreate>,
): Promise<Stripe.PromotionCode> {
  const { coupon } = input.promotion;
  await work.store.get('coupon', coupon, 'promotion[coupon]');
  if (input.customer !== undefined) await work.store.get('customer', input.customer, 'customer');
  const code = input.code ?? randomText(8).toUpperCase();
  await requireFreeCode(work, code);
  const restrictions = input.restrictions ?? {};
  const promotionCode: Stripe.PromotionCode = {
    id: newIdOf('promotion_code'),
    object: 'promotion_code',
    active: input.active ?? true,
    code,
    created: await work.now(null),
    customer: input.customer ?? null,
    customer_account: null,
    expires_at: input.expires_at ?? null,
    livemode: false,
    max_redemptions: input.max_redemptions ?? null,
    metadata: mergeMetadata({}, input.metadata),
    promotion: { type: 'coupon', coupon },
    restrictions: {
      first_time_transaction: restrictions.first_time_transaction ?? false,
      minimum_amount: restrictions.minimum_amount ?? null,
      minimum_amount_currency: restrictions.minimum_amount_currency ?? null,
    },
    times_redeemed: 0,
  };
  await work.store.insert<'promotion_code'>(promotionCode);
  await work.emit('promotion_code.created', promotionCode, { clock: null });
  return promotionCode;
}

export async function couponOf(
  { store }: Work,
  { promotion }: Stripe.PromotionCode,
): Promise<Stripe.Coupon | undefined> {
  const id = optionalIdOf(promotion.coupon);
  const row = id === null ? undefined : await store.find('coupon', id);
  return row === undefined || row.deleted ? undefined : row.document;
}

/** Active, not expired, not used up; also checks its coupon. */
export async function isUsable(work: Work, code: Stripe.PromotionCode, now?: number): Promise<boolean> {
  const at = now ?? (await work.now(null));
  const isUsedUp = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions;
  if (!code.active || isUsedUp || (code.expires_at !== null && code.expires_at <= at)) return false;
  const coupon = await couponOf(work, code);
  return coupon !== undefined && isRedeemable(coupon, at);
}

async function asOfNow(work: Work, code: Stripe.PromotionCode): Promise<Stripe.PromotionCode> {
  return { ...code, active: await isUsable(work, code) };
}

export const promotionCodeEndpoints: Endpoint[] = [
  post('/v1/promotion_codes', PromotionCodeCreate, createPromotionCode),
  get('/v1/promotion_codes', PromotionCodeList, async (work, input) => {
    const where = [
      ...equal({ customer: input.customer, 'promotion.coupon': input.coupon }),
      ...(input.code === undefined ? [] : [{ path: 'code', isUpper: input.code }]),
      ...createdWithin(input.created),
    ];
    const list = await listOf(work, 'promotion_code', where, input, '/v1/promotion_codes');
    const data = await inOrder(list.data, (code) => asOfNow(work, code));
    return { ...list, data: data.filter(({ active }) => input.active === undefined || input.active === active) };
  }),
  get('/v1/promotion_codes/:id', z.strictObject({}), async (work, _input, path) =>
    asOfNow(work, await work.store.get('promotion_code', named(path, 'id'), 'promotion_code')),
  ),
  post(
    '/v1/promotion_codes/:id',
    z.strictObject({ active: flag.optional(), metadata: metadata.optional() }),
    async (work, input, path) => {
      const before = await work.store.get('promotion_code', named(path, 'id'), 'promotion_code');
      if (input.active === true && !before.active) await requireFreeCode(work, before.code);
      const after = {
        ...before,
        active: input.active ?? before.active,
        metadata: mergeMetadata(before.metadata, input.metadata),
      };
      await work.store.save<'promotion_code'>(after);
      await work.emit('promotion_code.updated', after, { clock: null, previous: changedFrom(before, after) });
      return after;
    },
  ),
];

/** Reason why `customer` may not redeem the code, by the code's own restrictions; undefined if allowed. */
export async function refusalOf(
  work: Work,
  code: Stripe.PromotionCode,
  { customer, now, amount }: { customer: string; now: number; amount: number },
): Promise<string | undefined> {
  if (!(await isUsable(work, code, now)))
    return 'This promotion code cannot be redeemed because it is not active, has expired, or has been fully redeemed.';
  if (code.customer !== null && idOf(code.customer) !== customer)
    return 'This promotion code cannot be redeemed because it belongs to another customer.';
  const { first_time_transaction, minimum_amount } = code.restrictions;
  if (minimum_amount !== null && amount < minimum_amount)
    return 'This promotion code cannot be redeemed because the minimum amount is not reached.';
  if (!first_time_transaction) return undefined;
  const paid = await work.store.all('invoice', equal({ customer, status: 'paid' }));
  if (paid.some(({ amount_paid }) => amount_paid > 0))
    return 'This promotion code cannot be redeemed because the associated customer has prior transactions.';
  return undefined;
}
