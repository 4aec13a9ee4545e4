import { and, desc, eq, gt } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { chargedAt } from '../promo-codes.ts';
import { invoices, type subscriptions } from '../tables.ts';
import { linesOf } from './invoices-of-payments.ts';
import { rateOn, taxCountry, taxIn } from './rules.ts';
import { taxSetting } from './settings.ts';
import { buyerTaxFacts } from './tables.ts';

/**
 * The tax that the invoice of the next charge will show, as far as it is known: by the card of the last payment.
 * @param amount of the charge, after a discount and the balance at the provider
 * @param charged where the provider works the tax out
 * @returns undefined when it will show none
 */
export async function findComingTax(
  db: Db,
  subscription: typeof subscriptions.$inferSelect,
  amount: number,
  charged: number | undefined,
): Promise<{ amount: number; permille: number | undefined } | undefined> {
  if (charged !== undefined) return charged === 0 ? undefined : { amount: charged, permille: undefined };
  const { value: settings } = await findSetting(db, taxSetting);
  if (settings.mode === 'off') return undefined;
  const { userId, periodEndsAt } = subscription;
  const [[buyer], [paid]] = await Promise.all([
    db.select({ region: buyerTaxFacts.region }).from(buyerTaxFacts).where(eq(buyerTaxFacts.userId, userId)),
    db
      .select({ paidBy: invoices.paidBy })
      .from(invoices)
      .where(and(eq(invoices.userId, userId), gt(invoices.amountPaid, 0)))
      .orderBy(desc(invoices.paidAt))
      .limit(1),
  ]);
  const evidence = { region: buyer?.region ?? null, payment: paid?.paidBy?.country ?? null };
  const permille = rateOn(settings.rates, taxCountry(evidence, settings.seller.country), periodEndsAt);
  if (permille === undefined || permille === 0) return undefined;
  const full = subscription.amount;
  const reduced = chargedAt(full, subscription.discount, periodEndsAt);
  const lines = linesOf(
    {
      lines: [{ description: '', amount: full, start: '', end: '' }],
      discount: full - reduced,
      credit: reduced - amount,
      amountPaid: amount,
      periodStart: periodEndsAt,
      periodEnd: periodEndsAt,
    },
    () => (gross) => taxIn(gross, permille),
  );
  return { amount: lines.reduce((sum, { tax }) => sum + tax, 0), permille };
}
