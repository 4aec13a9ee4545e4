import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { PromoCode, PromoCodes } from '#domain/membership/payment-provider.ts';
import { asking, isRefused, maybeDateOf, secondsOf, unlessRefused } from './client.ts';
import { furtherAmounts } from './coupons.ts';
import { durationOf } from './facts.ts';

const durations = { once: 'once', months: 'repeating', forever: 'forever' } as const;
const expand = ['data.promotion.coupon.currency_options'];
const maxListed = 1000;
/** Codes for one user are read over. */
const maxPages = 50;
/** Metadata of codes for one user. */
const forOne = { for_one: 'true' } as const;

export function openPromoCodes({ client }: { client: Stripe }): PromoCodes {
  return {
    async findPromoCode(code) {
      const { data } = await asking(() => client.promotionCodes.list({ code, limit: 100, expand }));
      // Disabled promotion codes may have the same code: the active one counts.
      const one = data.find(({ active }) => active) ?? data[0];
      return one && toPromoCode(one);
    },

    async listPromoCodes() {
      const all: PromoCode[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < maxPages && all.length < maxListed; pages += 1) {
        const page = await asking(() => client.promotionCodes.list({ limit: 100, expand, starting_after: after }));
        const listed = page.data.filter(({ metadata }) => metadata?.['for_one'] !== forOne.for_one);
        all.push(...listed.flatMap((one) => toPromoCode(one) ?? []));
        if (!page.has_more) break;
        after = page.data.at(-1)?.id;
      }
      return all.slice(0, maxListed);
    },

    async createPromoCode(promo, key = randomUUID()) {
      const { code, percentOff, amountOff, currency, amounts, duration, months, expiresAt, maxRedemptions } = promo;
      return asking(async () => {
        const { data } = await client.promotionCodes.list({ code, limit: 100, expand });
        // Stripe forgets idempotency keys after a day; the metadata stay.
        const before = data.find(({ metadata }) => metadata?.['key'] === key);
        if (before !== undefined) return toPromoCode(before);
        if (data.some(({ active }) => active)) return undefined;
        try {
          const coupon = await client.coupons.create(
            {
              ...(percentOff === undefined
                ? { amount_off: amountOff ?? 0, currency, currency_options: toOptions(amounts) }
                : { percent_off: percentOff }),
              duration: durations[duration],
              duration_in_months: duration === 'months' ? (months ?? 1) : undefined,
            },
            { idempotencyKey: `coupon ${key}` },
          );
          const made = await client.promotionCodes.create(
            {
              code,
              promotion: { type: 'coupon', coupon: coupon.id },
              metadata: { key, ...(promo.isForOne && forOne) },
              expires_at: expiresAt && secondsOf(expiresAt),
              max_redemptions: maxRedemptions,
              restrictions: promo.isFirstTimeOnly ? { first_time_transaction: true } : undefined,
              expand: ['promotion.coupon.currency_options'],
            },
            { idempotencyKey: `promo code ${key}` },
          );
          return toPromoCode(made);
        } catch (error) {
          // Someone else took the name meanwhile, or it expires in the past by now.
          if (isRefused(error)) return undefined;
          throw error;
        }
      });
    },

    async disablePromoCode(id) {
      await asking(() => client.promotionCodes.update(id, { active: false }));
    },

    async enablePromoCode(id) {
      const enabled = await asking(() => unlessRefused(client.promotionCodes.update(id, { active: true })));
      return enabled?.active ?? false;
    },
  };
}

/** @returns undefined for a promotion code whose coupon was deleted */
function toPromoCode(one: Stripe.PromotionCode): PromoCode | undefined {
  const { coupon } = one.promotion;
  if (coupon === null || typeof coupon === 'string') return undefined;
  return {
    id: one.id,
    code: one.code,
    discount: { percentOff: coupon.percent_off, amountOff: coupon.amount_off, duration: durationOf(coupon) },
    months: coupon.duration_in_months ?? undefined,
    currency: coupon.currency ?? undefined,
    amounts: furtherAmounts(coupon),
    minimumAmount: one.restrictions.minimum_amount ?? undefined,
    isFirstTimeOnly: one.restrictions.first_time_transaction,
    isActive: one.active && coupon.valid,
    expiresAt: maybeDateOf(one.expires_at ?? coupon.redeem_by),
    maxRedemptions: lowestLimit(one.max_redemptions, coupon.max_redemptions),
    redemptions: Math.max(one.times_redeemed, coupon.max_redemptions === null ? 0 : coupon.times_redeemed),
  };
}

function toOptions(amounts: Record<string, number> = {}): Record<string, { amount_off: number }> | undefined {
  const options = Object.entries(amounts).map(([currency, amount_off]) => [currency, { amount_off }]);
  return options.length === 0 ? undefined : Object.fromEntries(options);
}

function lowestLimit(...limits: (number | null)[]): number | undefined {
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? undefined : Math.min(...set);
}
