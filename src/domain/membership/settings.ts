import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { findSetting } from '../settings/change-setting.ts';
import type { Setting } from '../settings/setting.ts';
import { providerNames } from './capabilities.ts';
import type { Plan } from './payment-provider.ts';
import { type Period, defaultGraceDays, giftCardMonths, membershipBounds, periods } from './rules.ts';
import type { Offer } from './shapes.ts';

const within = ([min, max]: readonly [number, number]) => z.number().int().min(min).max(max);
const cents = within(membershipBounds.cents);

/** Prices in cents, and durations. */
export const MembershipSettings = z.object({
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .default('usd'),
  plans: z.object({ month: cents, year: cents }).default({ month: 799, year: 5988 }),
  trialDays: within(membershipBounds.trialDays).default(7),
  /** Access after a failed charge, counted from the invoice. */
  graceDays: within(membershipBounds.graceDays).default(defaultGraceDays),
  giftCards: z.object({ 1: cents, 3: cents, 6: cents, 12: cents }).default({ 1: 799, 3: 2199, 6: 3999, 12: 5988 }),
});
export type MembershipSettings = z.infer<typeof MembershipSettings>;

/** `main`: the provider for what is new; null as long as no operator has chosen one. */
export const PaymentSettings = z.object({ main: z.enum(providerNames).nullable().default(null) });
export const paymentSetting = { key: 'payments', schema: PaymentSettings } satisfies Setting;

export const membershipSetting = { key: 'membership', schema: MembershipSettings } satisfies Setting;

/** From the database: a charge must not use older prices than another process shows. */
export async function findMembershipSettings(db: Db): Promise<MembershipSettings> {
  return (await findSetting(db, membershipSetting)).value;
}

export function planOf(settings: Pick<MembershipSettings, 'plans' | 'currency'>, period: Period): Plan {
  return { period, amount: settings.plans[period], currency: settings.currency };
}

export function offerOf({ trialDays, graceDays, currency, plans, giftCards }: MembershipSettings): Offer {
  return {
    trialDays,
    graceDays,
    currency,
    plans: periods.map((period) => ({
      period,
      amount: plans[period],
      perMonth: period === 'year' ? Math.round(plans.year / 12) : plans.month,
    })),
    giftCards: giftCardMonths.map((months) => ({ months, amount: giftCards[months] })),
  };
}
