import type { SiteDay } from './site-days.ts';

type Money = NonNullable<SiteDay['further'][string]>;
type Figure = keyof Money;
export type Income = { count: number; amount: number };

/** The days of the period, those before, and those of the month, oldest first. */
type Parts = Record<'days' | 'before' | 'ofMonth', SiteDay[]>;

/** A day without any. */
export const noMoney: Money = {
  monthlyRevenue: 0,
  pastDueAmount: 0,
  monthlyPayments: 0,
  monthlyIncome: 0,
  yearlyPayments: 0,
  yearlyIncome: 0,
  giftCards: 0,
  giftIncome: 0,
  refunds: 0,
  refunded: 0,
};

const figures = Object.keys(noMoney) as Figure[];

export type MoneyFigures = ReturnType<typeof moneyIn>;

/** The figures of each currency that has any; never a sum of two. */
export function moneyOf(parts: Parts, siteCurrency: string): [MoneyFigures, ...MoneyFigures[]] {
  const further = furtherIn([...parts.days, ...parts.before, ...parts.ofMonth], siteCurrency);
  return [moneyIn(siteCurrency, parts), ...further.map((currency) => moneyIn(currency, parts))];
}

/** Other currencies with money in these days. */
export function furtherIn(all: SiteDay[], siteCurrency: string): string[] {
  const currencies = new Set(all.flatMap((day) => [day.currency, ...Object.keys(day.further)]));
  const hasMoney = (currency: string) =>
    all.some((day) => figures.some((figure) => dayIn(day, currency)[figure] !== 0));
  return [...currencies].filter((one) => one !== siteCurrency && hasMoney(one)).toSorted();
}

export function dayIn(day: SiteDay, currency: string): Money {
  return day.currency === currency ? day : (day.further[currency] ?? noMoney);
}

function moneyIn(currency: string, parts: Parts) {
  const [days, before, ofMonth] = [parts.days, parts.before, parts.ofMonth].map((some) =>
    some.map((day) => dayIn(day, currency)),
  ) as [Money[], Money[], Money[]];
  const sumOf = (figure: Figure) => ofMonth.reduce((sum, day) => sum + day[figure], 0);
  const income = (count: Figure, amount: Figure): Income => ({ count: sumOf(count), amount: sumOf(amount) });
  const earned = (day: Money) => day.monthlyIncome + day.yearlyIncome + day.giftIncome - day.refunded;
  const monthly = income('monthlyPayments', 'monthlyIncome');
  const yearly = income('yearlyPayments', 'yearlyIncome');
  const giftCards = income('giftCards', 'giftIncome');
  const refunds = income('refunds', 'refunded');
  const today = days.at(-1) ?? noMoney;
  return {
    currency,
    /** Monthly price of all running subscriptions before discounts; a yearly one counts as a twelfth of its price. */
    monthlyRevenue: today.monthlyRevenue,
    /** Due after failed payments. */
    unpaid: today.pastDueAmount,
    /** At the end of each day of the period, oldest first. */
    monthlyRevenues: days.map((day) => day.monthlyRevenue),
    /** Less refunds, on each day of the period, and the sum of as many days before. */
    income: { days: days.map(earned), before: before.reduce((sum, day) => sum + earned(day), 0) },
    /** This month so far. */
    revenue: {
      monthly,
      yearly,
      giftCards,
      refunds,
      total: monthly.amount + yearly.amount + giftCards.amount - refunds.amount,
    },
  };
}
