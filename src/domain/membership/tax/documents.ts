import { type SQL, and, asc, eq, inArray, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { type ChargedTax, invoiceRefunds, invoices } from '../tables.ts';
import { rateOn, taxCountry, taxIn, taxOfPart } from './rules.ts';
import { type TaxSettings, taxSetting } from './settings.ts';
import type { TaxDocument } from './shapes.ts';
import { buyerTaxFacts, taxDocuments, taxNumbers } from './tables.ts';

type NewDocument = Omit<typeof taxDocuments.$inferInsert, 'number'>;
type InvoiceRow = typeof invoices.$inferSelect;
type Line = TaxDocument['lines'][number];

const atOnce = 100;

/**
 * Issues the invoices of payments and the credit notes of refunds that wait for one. Safe to repeat and to run at the
 * same time. Providers that sell in their own name issue their own receipts: their payments never wait.
 * @param options.of one user; default: all
 * @returns how many were issued
 */
export async function issueDocuments(
  db: Db,
  { of, now = new Date(), signal }: { of?: string; now?: Date; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  let issued = 0;
  for (;;) {
    signal?.throwIfAborted();
    // Mostly none waits; then nobody has to wait for the numbers' rows.
    if (!(await isAnyWaiting(db, of))) return issued;
    issued += await db.transaction((tx) => issueSome(tx, of, now));
  }
}

const isPaid = sql`${invoices.awaitsDocument} and ${invoices.status} = 'paid' and ${invoices.amountPaid} > 0`;
const isGivenBack = sql`${invoiceRefunds.awaitsDocument} and ${invoiceRefunds.state} = 'done'`;
const ofUser = (column: typeof invoices.userId | typeof invoiceRefunds.userId, of: string | undefined): SQL =>
  of === undefined ? sql`true` : eq(column, of);

async function isAnyWaiting(db: Db, of: string | undefined): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`
    select exists (select from ${invoices} where ${isPaid} and ${ofUser(invoices.userId, of)})
      or exists (select from ${invoiceRefunds} where ${isGivenBack} and ${ofUser(invoiceRefunds.userId, of)}) as is`);
  return rows[0]?.is === true;
}

async function issueSome(tx: Db, of: string | undefined, now: Date): Promise<number> {
  const { value: settings } = await findSetting(tx, taxSetting);
  // These rows stay locked until the commit: numbers follow each other, and a rollback gives them back.
  const numbers = { tx, settings, year: now.getUTCFullYear() };
  const invoiceNumbers = await takeNumbers(numbers, 'invoice');
  const noteNumbers = await takeNumbers(numbers, 'credit-note');
  const made = await makeInvoices(tx, of, settings, now);
  await invoiceNumbers(made);
  const notes = await makeCreditNotes(tx, of, now);
  await noteNumbers(notes);
  return made.length + notes.length;
}

/** Locks the series of a year. @returns inserts documents with its next numbers */
async function takeNumbers(
  { tx, settings, year }: { tx: Db; settings: TaxSettings; year: number },
  series: TaxDocument['kind'],
): Promise<(documents: NewDocument[]) => Promise<void>> {
  const isSeries = and(eq(taxNumbers.series, series), eq(taxNumbers.year, year));
  await tx.insert(taxNumbers).values({ series, year, last: 0 }).onConflictDoNothing();
  const [row] = await tx.select().from(taxNumbers).where(isSeries).for('update');
  const last = row?.last ?? 0;
  const prefix = `${settings.numberPrefix}-${series === 'invoice' ? '' : 'CN-'}${year}-`;
  return async (documents) => {
    if (documents.length === 0) return;
    const numbered = documents.map((document, index) => ({
      ...document,
      number: `${prefix}${String(last + 1 + index).padStart(6, '0')}`,
    }));
    await tx.insert(taxDocuments).values(numbered);
    if (series === 'invoice') await showNumbers(tx, numbered);
    await tx
      .update(taxNumbers)
      .set({ last: last + documents.length })
      .where(isSeries);
  };
}

/** Lists, mails and operators know the invoice by this number instead of the provider's. */
async function showNumbers(tx: Db, documents: { invoiceId?: string | null; number: string }[]): Promise<void> {
  const ids = documents.map(({ invoiceId }) => invoiceId);
  const numbers = documents.map(({ number }) => number);
  await tx.execute(sql`
    update invoices i set number = given.number
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(numbers)}::text[]) given (id, number) where i.id = given.id`);
}

async function makeInvoices(tx: Db, of: string | undefined, settings: TaxSettings, now: Date): Promise<NewDocument[]> {
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
  { mode, rates, seller }: TaxSettings,
): Omit<NewDocument, 'issuedAt'> {
  const { country: home, ...sellerFacts } = seller;
  const { taxes } = invoice;
  const country = taxes?.[0]?.country ?? taxCountry(evidence, home);
  const suppliedAt = suppliedOf(invoice);
  const byTable = mode === 'off' ? null : (rateOn(rates, country, suppliedAt) ?? null);
  const permille = taxes === null ? byTable : chargedRate(taxes);
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
    seller: sellerFacts,
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

/** The same taxes, whose amounts add up to another sum: of a part that was given back, or that a credit did not pay. */
function shareTaxes(taxes: NonNullable<TaxDocument['taxes']>, tax: number): NonNullable<TaxDocument['taxes']> {
  const whole = { gross: taxes.reduce((sum, { amount }) => sum + amount, 0), tax };
  if (whole.gross === 0) return taxes;
  let before = 0;
  return taxes.map((one) => {
    const amount = taxOfPart(whole, before, one.amount);
    before += one.amount;
    return { ...one, amount };
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

/** Refunds of invoices that this site has not issued, such as older ones, get none. */
async function makeCreditNotes(tx: Db, of: string | undefined, now: Date): Promise<NewDocument[]> {
  const some = sql`select ${invoiceRefunds.id} from ${invoiceRefunds}
    where ${isGivenBack} and ${ofUser(invoiceRefunds.userId, of)}
    order by ${invoiceRefunds.createdAt}, ${invoiceRefunds.id} limit ${atOnce}`;
  const taken = await tx
    .update(invoiceRefunds)
    .set({ awaitsDocument: false })
    .where(and(sql`${invoiceRefunds.id} in (${some})`, isGivenBack))
    .returning();
  const ids = taken.map(({ invoiceId }) => invoiceId);
  if (ids.length === 0) return [];
  const known = await tx
    .select()
    .from(taxDocuments)
    .where(inArray(taxDocuments.invoiceId, ids))
    .orderBy(asc(taxDocuments.issuedAt));
  const before = new Map<string | null, number>();
  for (const { kind, invoiceId, gross } of known)
    if (kind === 'credit-note') before.set(invoiceId, (before.get(invoiceId) ?? 0) - gross);
  return taken
    .toSorted((one, other) => +one.createdAt - +other.createdAt || (one.id < other.id ? -1 : 1))
    .flatMap((refund) => {
      const invoice = known.find(({ kind, invoiceId }) => kind === 'invoice' && invoiceId === refund.invoiceId);
      if (invoice === undefined) return [];
      const sum = before.get(refund.invoiceId) ?? 0;
      const gross = Math.min(refund.amount, invoice.gross - sum);
      if (gross <= 0) return [];
      before.set(refund.invoiceId, sum + gross);
      const tax = taxOfPart(invoice, sum, gross);
      const amounts = { net: tax - gross, tax: tax === 0 ? 0 : -tax, gross: -gross };
      const { number, evidence: _evidence, taxes, ...same } = invoice;
      const line: Line = { kind: 'refund', description: '', start: null, end: null, ...amounts };
      return {
        ...same,
        ...amounts,
        id: newId(),
        kind: 'credit-note',
        taxes: taxes && shareTaxes(taxes, amounts.tax),
        refundId: refund.id,
        correctsNumber: number,
        issuedAt: now,
        suppliedAt: refund.createdAt,
        lines: [line],
      };
    });
}
