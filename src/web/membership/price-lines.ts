import type { Period } from '#domain/membership/rules.ts';
import type { Offer, Preview } from '#domain/membership/shapes.ts';
import { formatDate } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { i18n } from '#i18n';
import type { Plain } from './plain.ts';

// No macros: Node runs this without Vite, to compare what it states with the charges.

export const dayMs = 24 * 60 * 60 * 1000;

/** One sentence per charge, shown before paying. */
export function priceLines(preview: Plain<Preview>, now: number = Date.now()): { today: string; later: string } {
  const { currency, period, firstCharge, thenAmount, trialEndsAt, dueToday, discountedCharges } = preview;
  const money = (cents: number) =>
    cents === 0 ? formatMoney(0, currency).replace(/(\d)\D0+(?=\D*$)/, '$1') : formatMoney(cents, currency);
  const [today, first, later] = [dueToday, firstCharge.amount, thenAmount].map(money);
  const day = formatDate(firstCharge.at);
  const isSameEachTime = discountedCharges === 0 || discountedCharges === null;
  const count = (discountedCharges ?? 0) - 1;

  const after = i18n._(
    /*i18n*/ {
      id: 'price.after',
      message: '{period, select, year {Then {later} each year.} other {Then {later} each month.}}',
      values: { period, later },
    },
  );
  const next = i18n._(
    /*i18n*/ {
      id: 'price.next',
      message:
        '{period, select, year {{count, plural, one {The next year {first}.} other {The next # years {first} each.}}} other {{count, plural, one {The next month {first}.} other {The next # months {first} each.}}}}',
      values: { period, count, first },
    },
  );
  const rest = count > 0 ? `${next} ${after}` : after;
  if (trialEndsAt === null)
    return {
      today: isSameEachTime
        ? i18n._(/*i18n*/ { id: 'price.today', message: 'Today {today}.', values: { today } })
        : i18n._(
            /*i18n*/ {
              id: 'price.today-first',
              message:
                '{period, select, year {Today {today} for the first year.} other {Today {today} for the first month.}}',
              values: { period, today },
            },
          ),
      later: rest,
    };
  const freeDays = Math.round((new Date(trialEndsAt).getTime() - now) / dayMs);
  const trial = i18n._(
    /*i18n*/ {
      id: 'price.trial',
      message:
        '{freeDays, plural, one {# day} other {# days}} free, then {first} on {day} and each {period, select, year {year} other {month}} after that.',
      values: { freeDays, first, day, period },
    },
  );
  const firstOne = i18n._(
    /*i18n*/ {
      id: 'price.first',
      message:
        '{period, select, year {On {day} {first} for the first year.} other {On {day} {first} for the first month.}}',
      values: { period, day, first },
    },
  );
  const nothing = money(0);
  return {
    today: i18n._(/*i18n*/ { id: 'price.today', message: 'Today {today}.', values: { today: nothing } }),
    later: isSameEachTime ? trial : `${firstOne} ${rest}`,
  };
}

/** Whole percent saved by a year compared with twelve months; 0 for no saving. */
export function savingOf(plans: Offer['plans']): number {
  const [year, month] = (['year', 'month'] as const).map((period) => plans.find((plan) => plan.period === period));
  if (year === undefined || month === undefined) return 0;
  return Math.max(0, Math.floor((1 - year.amount / (month.amount * 12)) * 100));
}

/** Price preview for a new customer without a promo code. */
export function previewOf(
  { plans, currency, trialDays }: Offer,
  period: Period,
  now: number = Date.now(),
): Plain<Preview> | undefined {
  const plan = plans.find((one) => one.period === period);
  if (plan === undefined) return undefined;
  const at = new Date(now + trialDays * dayMs).toISOString();
  return {
    period,
    amount: plan.amount,
    currency,
    trialEndsAt: trialDays === 0 ? null : at,
    dueToday: trialDays === 0 ? plan.amount : 0,
    firstCharge: { amount: plan.amount, at },
    thenAmount: plan.amount,
    discount: null,
    discountedCharges: 0,
  };
}
