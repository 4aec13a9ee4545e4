import type Stripe from 'stripe';
import { addMonths } from '#domain/kernel/calendar/months.ts';
import { asking, dateOf, idOf } from './client.ts';
import { amountOffIn } from './coupons.ts';

/** Metadata of a coupon in place of a promo code's own: which code it was, and its id. */
const replacedCode = { code: 'code', id: 'promotion_code' } as const;

/** The promo code of a discount, also of one whose coupon was replaced. */
export function promoCodeOf(discount: Pick<Stripe.Discount, 'promotion_code' | 'source'>) {
  const { promotion_code: promotion, source } = discount;
  const { coupon } = source;
  const replaced = coupon === null || typeof coupon === 'string' ? null : coupon.metadata;
  const code = promotion === null || typeof promotion === 'string' ? replaced?.[replacedCode.code] : promotion.code;
  return { code: code || undefined, id: idOf(promotion) ?? (replaced?.[replacedCode.id] || undefined) };
}

/** For the time between the end of a period and its invoice. */
const marginMs = 60 * 60 * 1000;

/**
 * A discount of some months runs by the calendar at Stripe. When the next charge moves, a coupon of its own lets it reach
 * as many charges as before, also after the promo code has expired.
 * @param subscription with its discounts, their coupons and codes
 * @returns parameters for the update that moves the charge; none when the discount need not move
 */
export async function moveDiscount(
  client: Stripe,
  subscription: Stripe.Subscription,
  until: Date,
): Promise<Pick<Stripe.SubscriptionUpdateParams, 'discounts'>> {
  const [item] = subscription.items.data;
  const discount = subscription.discounts.find((one) => typeof one !== 'string');
  const coupon = discount?.source.coupon;
  if (item === undefined || discount === undefined || coupon === undefined || coupon === null) return {};
  if (typeof coupon === 'string' || discount.end === null) return {};
  const step = item.price.recurring?.interval === 'year' ? 12 : 1;
  const end = dateOf(discount.end);
  const charges = countCharges(dateOf(item.current_period_end), end, step);
  const last = addMonths(until, (charges - 1) * step);
  const isMoved = end > last && countCharges(until, end, step) === charges;
  if (charges === 0 || isMoved) return {};
  const now = new Date();
  let months = 1;
  while (addMonths(now, months).getTime() <= last.getTime() + marginMs) months += 1;
  const { code, id } = promoCodeOf(discount);
  const { currency } = subscription;
  const amount_off = await amountOffIn(client, coupon, currency);
  const made = await asking(() =>
    client.coupons.create(
      {
        ...(coupon.percent_off === null
          ? { amount_off: amount_off ?? 0, currency }
          : { percent_off: coupon.percent_off }),
        duration: 'repeating',
        duration_in_months: months,
        max_redemptions: 1,
        ...(code !== undefined && { name: code.slice(0, 40) }),
        metadata: { [replacedCode.code]: code ?? '', [replacedCode.id]: id ?? '' },
      },
      { idempotencyKey: `moved coupon ${subscription.id} ${discount.id} ${until.toISOString()} ${months}` },
    ),
  );
  return { discounts: [{ coupon: made.id }] };
}

function countCharges(first: Date, end: Date, step: number): number {
  let count = 0;
  while (addMonths(first, count * step) < end) count += 1;
  return count;
}
