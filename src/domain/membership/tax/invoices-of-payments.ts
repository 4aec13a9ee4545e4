import { and, eq, inArray, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import { pick } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { type ChargedTax, invoices } from '../tables.ts';
import { atOnce, type Issuing, type NewDocument, ofUser, sellerOf } from './issuing.ts';
import { rateOn, shareTaxes, taxCountry, taxIn, taxOfPart } from './rules.ts';
import type { TaxSettings } from './settings.ts';
import type { TaxDocument } from './shapes.ts';
import { buyerTaxFacts } from './tables.ts';

type InvoiceRow = typeof invoices.$inferSelect;
type Line = TaxDocument['lines'][number];

export const isPaid = sql`${invoices.awaitsDocument} and ${invoices.status} = 'paid' and ${invoices.amountPaid} > 0`;

/** For payments of subscriptions. */
export async function makeInvoices({ tx, of, settings, now }: Issuing): Promise<NewDocument[]> {
  const some = sql`select ${invoices.id} from ${invoices} where ${isPaid} and ${ofUser(invoices.userId, of)}
    order by ${invoices.paidAt}, ${invoices.id} limit ${atOnce}`;
  const taken = await tx
    .update(invoices)
    .set({ awaitsDocument: false })
    .where(and(sql`${invoices.id} in (${some})`, isPaid))
    .returning();
  if (taken.length === 0) return [];
  const buyers = await tx
    .select({ id: users.id, name: users.username, email: users.email, ...pick(buyerTaxFacts, 'vatId', 'region') })
    .from(users)
    .leftJoin(buyerTaxFacts, eq(buyerTaxFacts.userId, users.id))
    .where(
      inArray(
        users.id,
        taken.map(({ userId }) => userId),
      ),
    );
  return taken
    .toSorted((one, other) => +suppliedOf(one) - +suppliedOf(other) || (one.id < other.id ? -1 : 1))
    .map((invoice) => {
      const buyer = buyers.find(({ id }) => id === invoice.userId);
      const evidence = { region: buyer?.region ?? null, payment: invoice.paidBy?.country ?? null };
      const { vatId = null, name = null, email = null } = buyer ?? {};
      return { ...invoiceOf(invoice, evidence, settings), buyer: { name, email, vatId }, issuedAt: now };
    });
}

const suppliedOf = ({ paidAt, createdAt }: InvoiceRow) => paidAt ?? createdAt;

function invoiceOf(
  invoice: InvoiceRow,
  evidence: NonNullable<NewDocument['evidence']>,
  settings: TaxSettings,
): Omit<NewDocument, 'issuedAt'> {
  const { mode, rates, seller } = settings;
  const { taxes } = invoice;
  // An invoice has the country with the most tax; the quarter counts each (`sumTax`).
  const most = taxes?.toSorted((one, other) => other.amount - one.amount)[0];
  const country = most?.country ?? taxCountry(evidence, seller.country);
  const suppliedAt = suppliedOf(invoice);
  const byTable = mode === 'off' ? null : (rateOn(rates, country, suppliedAt) ?? null);
  const permille = taxes === null ? byTable : chargedRate(taxes.filter((one) => one.country === most?.country));
  const lines = linesOf(
    invoice,
    taxes === null ? () => (gross) => taxIn(gross, permille ?? 0) : shareOut(invoice, taxes),
  );
  const sumOf = (part: 'net' | 'tax' | 'gross') => lines.reduce((sum, line) => sum + line[part], 0);
  return {
    id: newId(),
    kind: 'invoice',
    userId: invoice.userId,
    invoiceId: invoice.id,
    suppliedAt,
    currency: invoice.currency,
    country,
    permille,
    net: sumOf('net'),
    tax: sumOf('tax'),
    gross: sumOf('gross'),
    lines,
    taxes: taxes && shareTaxes(shownTaxes(taxes), sumOf('tax')),
    seller: sellerOf(settings, country, sumOf('tax')),
    provider: providerOf(invoice.invoiceId),
    evidence,
  };
}

/** A provider's charge counts in every mode. Null: it collects nothing there. */
function chargedRate(taxes: ChargedTax[]): number | null {
  const percentage = taxes.reduce((sum, one) => sum + one.percentage, 0);
  return percentage === 0 ? null : Math.round(percentage * 10);
}

/** Lines have parts of the tax that was charged, which add up to it. A part of the price that a credit paid takes its part along. */
function shareOut({ total }: Pick<InvoiceRow, 'total'>, taxes: ChargedTax[]): () => (gross: number) => number {
  const whole = { gross: total, tax: taxes.reduce((sum, { amount }) => sum + amount, 0) };
  return () => {
    let before = 0;
    return (gross) => {
      const tax = taxOfPart(whole, before, gross);
      before += gross;
      return tax;
    };
  };
}

function shownTaxes(taxes: ChargedTax[]): NonNullable<TaxDocument['taxes']> {
  return taxes
    .filter(({ percentage }) => percentage > 0)
    .map(({ name, country, state, percentage, amount }) => {
      return { name, place: [country, state].filter((part) => part !== null).join('-'), percentage, amount };
    });
}

/** Adds up to what was paid. A discount, and a credit from unused time that was taxed when it was paid, are own lines. */
export function linesOf(
  invoice: Pick<InvoiceRow, 'lines' | 'discount' | 'credit' | 'amountPaid' | 'periodStart' | 'periodEnd'>,
  taxer: () => (gross: number) => number,
): Line[] {
  const { discount, credit, amountPaid, periodStart, periodEnd } = invoice;
  let taxOf = taxer();
  const line = (kind: Line['kind'], gross: number, more?: Partial<Line>): Line => {
    const tax = taxOf(gross);
    return { kind, description: '', start: null, end: null, ...more, net: gross - tax, tax, gross };
  };
  const lines = [
    ...invoice.lines.map(({ amount, ...plan }) => line('plan', amount, plan)),
    ...(discount === 0 ? [] : [line('discount', -discount)]),
    ...(credit === 0 ? [] : [line('credit', -credit)]),
  ];
  if (lines.reduce((sum, { gross }) => sum + gross, 0) === amountPaid) return lines;
  // The provider lists only the first lines of long invoices.
  const { description = '' } = invoice.lines[0] ?? {};
  taxOf = taxer();
  return [line('plan', amountPaid, { description, start: periodStart.toISOString(), end: periodEnd.toISOString() })];
}
