import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { siteSettings } from '../settings/tables.ts';
import type { Db } from '../kernel/db.ts';
import type { Plan } from './payment-provider.ts';
import type { GiftCardMonths, Period } from './rules.ts';
import { giftCardMonths, periods } from './rules.ts';

const cents = z.number().int().positive();

const MembershipSettings = z.object({
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .default('usd'),
  plans: z.object({ month: cents, year: cents }).default({ month: 799, year: 5988 }),
  trialDays: z.number().int().min(0).max(365).default(7),
  giftCards: z.object({ 1: cents, 3: cents, 6: cents, 12: cents }).default({ 1: 799, 3: 2199, 6: 3999, 12: 5988 }),
});
/** Prices in cents, and durations. Operators override them in the row `membership` of `site_settings`. */
export type MembershipSettings = z.infer<typeof MembershipSettings>;

export async function findMembershipSettings(db: Db): Promise<MembershipSettings> {
  const [row] = await db
    .select({ value: siteSettings.value })
    .from(siteSettings)
    .where(eq(siteSettings.key, 'membership'));
  return MembershipSettings.parse(row?.value ?? {});
}

export function planOf(settings: MembershipSettings, period: Period): Plan {
  return { period, amount: settings.plans[period], currency: settings.currency };
}

/** Public prices and terms. */
export type Offer = {
  trialDays: number;
  currency: string;
  plans: { period: Period; amount: number; perMonth: number }[];
  giftCards: { months: GiftCardMonths; amount: number }[];
};

export async function findOffer(db: Db): Promise<Offer> {
  const { trialDays, currency, plans, giftCards } = await findMembershipSettings(db);
  return {
    trialDays,
    currency,
    plans: periods.map((period) => ({
      period,
      amount: plans[period],
      perMonth: period === 'year' ? Math.round(plans.year / 12) : plans.month,
    })),
    giftCards: giftCardMonths.map((months) => ({ months, amount: giftCards[months] })),
  };
}
