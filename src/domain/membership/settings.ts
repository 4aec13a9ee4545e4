import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { DomainError, type ErrorCode } from '../kernel/errors.ts';
import { findSetting } from '../settings/change-setting.ts';
import type { Setting } from '../settings/setting.ts';
import { type Capabilities, providerNames } from './capabilities.ts';
import type { Plan } from './payment-provider.ts';
import { type Period, defaultGraceDays, giftCardMonths, membershipBounds, periods } from './rules.ts';
import type { Offer } from './shapes.ts';

const within = ([min, max]: readonly [number, number]) => z.number().int().min(min).max(max);
const code = z.string().regex(/^[a-z]{3}$/);
const pricesWithin = (bounds: readonly [number, number]) => {
  const amount = within(bounds);
  return {
    plans: z.object({ month: amount, year: amount }),
    giftCards: z.object({ 1: amount, 3: amount, 6: amount, 12: amount }),
  };
};
const { plans, giftCards } = pricesWithin(membershipBounds.cents);

/** Prices in a further currency. */
const CurrencyPrices = z.object({
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be a country, such as FR'))
    .max(250)
    .describe('Countries in which it is chosen; ISO 3166'),
  ...pricesWithin(membershipBounds.furtherAmount),
});

/** Prices in the smallest unit of their currency, such as cents, and durations. */
export const MembershipSettings = z.object({
  currency: code.default('usd'),
  plans: plans.default({ month: 799, year: 5988 }),
  trialDays: within(membershipBounds.trialDays).default(7),
  /** Access after a failed charge, counted from the invoice. */
  graceDays: within(membershipBounds.graceDays).default(defaultGraceDays),
  giftCards: giftCards.default({ 1: 799, 3: 2199, 6: 3999, 12: 5988 }),
  currencies: z
    .record(code, CurrencyPrices)
    .describe('Further currencies, with prices of their own; `currency` is for all other countries')
    .default({}),
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

type Prices = Pick<MembershipSettings, 'plans' | 'currency'> & Partial<Pick<MembershipSettings, 'currencies'>>;

/** @throws DomainError `subscription/currency-not-offered` */
export function planOf(settings: Prices, period: Period, currency = settings.currency): Plan {
  const prices = currency === settings.currency ? settings : settings.currencies?.[currency];
  if (prices === undefined) throw new DomainError('subscription/currency-not-offered');
  return { period, amount: prices.plans[period], currency };
}

/** Each plan in each currency that has prices, those of the main one first. */
export function plansOf(settings: Prices, { currencies }: Pick<Capabilities, 'currencies'>): Plan[] {
  const further = Object.keys(settings.currencies ?? {}).filter((one) => takes(currencies, one));
  return [settings.currency, ...further].flatMap((currency) =>
    periods.map((period) => planOf(settings, period, currency)),
  );
}

const takes = (currencies: Capabilities['currencies'], currency: string) =>
  currencies === 'any' || currencies.includes(currency);

/** The currencies that the provider takes, the main one first if it is among them. */
export function currenciesOf(settings: MembershipSettings, { currencies }: Pick<Capabilities, 'currencies'>): string[] {
  return [settings.currency, ...Object.keys(settings.currencies)].filter((one) => takes(currencies, one));
}

/** Chosen for visitors of that country. @param region such as `FR` or `US-TX`; undefined: unknown */
export function currencyIn(
  settings: MembershipSettings,
  capabilities: Pick<Capabilities, 'currencies'>,
  region: string | undefined,
): string {
  const offered = currenciesOf(settings, capabilities);
  const country = region?.slice(0, 2) ?? '';
  const own = offered.find((one) => settings.currencies[one]?.countries.includes(country));
  return own ?? offered[0] ?? settings.currency;
}

/** The currencies of what a customer has, newest first. */
type PaidIn = { invoices: { currency: string }[]; subscriptions: { plan: { currency: string } }[] };

/** The first subscription's, at a provider that knows one currency per customer, such as Stripe. */
export function fixedCurrencyOf(
  { oneCurrency }: Pick<Capabilities, 'oneCurrency'>,
  facts: PaidIn | undefined,
): string | undefined {
  return oneCurrency ? (facts?.invoices[0]?.currency ?? facts?.subscriptions[0]?.plan.currency) : undefined;
}

type Choice = {
  settings: MembershipSettings;
  capabilities: Pick<Capabilities, 'currencies' | 'oneCurrency'>;
  facts: PaidIn | undefined;
  /** Undefined: not chosen. */
  currency: string | undefined;
};

/** The plan in the currency that was chosen, or the customer's own. */
export function choosePlan(
  period: Period,
  { settings, capabilities, facts, currency }: Choice,
): { ok: true; plan: Plan } | { ok: false; reason: Extract<ErrorCode, `subscription/currency-${string}`> } {
  const fixed = fixedCurrencyOf(capabilities, facts);
  if (fixed !== undefined && currency !== undefined && currency !== fixed)
    return { ok: false, reason: 'subscription/currency-fixed' };
  const chosen = fixed ?? currency ?? currencyIn(settings, capabilities, undefined);
  const isOffered = chosen === settings.currency || currenciesOf(settings, capabilities).includes(chosen);
  if (!isOffered) return { ok: false, reason: 'subscription/currency-not-offered' };
  return { ok: true, plan: planOf(settings, period, chosen) };
}

export function offerOf(settings: MembershipSettings, capabilities: Pick<Capabilities, 'currencies'>): Offer {
  const { trialDays, graceDays } = settings;
  const [first = settings.currency, ...others] = currenciesOf(settings, capabilities);
  const pricesIn = (currency: string) => {
    const { plans: prices, giftCards: gifts } = settings.currencies[currency] ?? settings;
    return {
      currency,
      plans: periods.map((period) => ({
        period,
        amount: prices[period],
        perMonth: period === 'year' ? Math.round(prices.year / 12) : prices.month,
      })),
      giftCards: giftCardMonths.map((months) => ({ months, amount: gifts[months] })),
    };
  };
  return { trialDays, graceDays, ...pricesIn(first), currencies: others.map(pricesIn) };
}
