import { toDecimalText } from '#formats/currency-decimals.ts';
import type { Actor } from '../../kernel/actor.ts';
import { csvLine } from '../../kernel/csv.ts';
import type { Db } from '../../kernel/db.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { OverviewPeriod } from '../rules.ts';
import { boundsOf } from './overview.ts';
import { dayIn, furtherIn } from './overview-money.ts';
import { readSiteDays } from './site-days.ts';

const head = [
  'Day',
  'Currency',
  'Monthly recurring revenue',
  'Not paid',
  'Monthly payments',
  'Monthly income',
  'Yearly payments',
  'Yearly income',
  'Gift cards',
  'Gift card income',
  'Refunds',
  'Refunded',
];

/** One line for each day and currency with money, the site's own currency always. */
export async function exportRevenue(db: Db, actor: Actor, period: OverviewPeriod = '28'): Promise<string> {
  administratorsOnly(actor);
  const all = await readSiteDays(db);
  const days = all.slice(boundsOf(all, period).first);
  const own = days.at(-1)?.currency ?? 'usd';
  const lines = [own, ...furtherIn(days, own)].flatMap((currency) =>
    days.map((day) => {
      const figures = dayIn(day, currency);
      const money = (amount: number) => toDecimalText(amount, currency);
      return [
        day.day,
        currency.toUpperCase(),
        money(figures.monthlyRevenue),
        money(figures.pastDueAmount),
        figures.monthlyPayments,
        money(figures.monthlyIncome),
        figures.yearlyPayments,
        money(figures.yearlyIncome),
        figures.giftCards,
        money(figures.giftIncome),
        figures.refunds,
        money(figures.refunded),
      ];
    }),
  );
  return [head, ...lines].map(csvLine).join('');
}
