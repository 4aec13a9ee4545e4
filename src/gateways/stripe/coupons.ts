import type Stripe from 'stripe';
import { asking } from './client.ts';

/** Amounts off in other currencies than the coupon's first. */
export function furtherAmounts({ currency, currency_options = {} }: Stripe.Coupon): Record<string, number> {
  const others = Object.entries(currency_options).filter(([one]) => one !== currency);
  return Object.fromEntries(others.map(([one, { amount_off }]) => [one, amount_off]));
}

/**
 * Asks for the amounts where they are needed: in lists of subscriptions they are deeper than Stripe expands.
 * @returns null for a percentage; 0 where the coupon takes nothing off
 */
export async function amountOffIn(client: Stripe, coupon: Stripe.Coupon, currency: string): Promise<number | null> {
  if (coupon.amount_off === null || coupon.currency === currency) return coupon.amount_off;
  const whole = await asking(() => client.coupons.retrieve(coupon.id, { expand: ['currency_options'] }));
  return furtherAmounts(whole)[currency] ?? 0;
}
