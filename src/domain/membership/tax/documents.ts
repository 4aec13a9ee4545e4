import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { giftCards, invoiceRefunds, invoices } from '../tables.ts';
import { tips } from '../tips/tables.ts';
import { isChargedBack, isGivenBack, makeCreditNotes } from './credit-notes.ts';
import { isGiftWaiting, makeGiftCreditNotes, makeGiftInvoices, ofBuyer } from './gift-documents.ts';
import { isPaid, makeInvoices } from './invoices-of-payments.ts';
import { type NewDocument, ofUser } from './issuing.ts';
import { type TaxSettings, taxSetting } from './settings.ts';
import type { TaxDocument } from './shapes.ts';
import { taxDocuments, taxNumbers } from './tables.ts';
import { isTipWaiting, makeTipCreditNotes, makeTipInvoices, ofGiver } from './tip-documents.ts';

/**
 * Issues the invoices of payments, gift cards and tips, and the credit notes of what went back, that wait for one. Safe
 * to repeat and to run at the same time. Providers that sell in their own name issue their own receipts: their payments never wait.
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

async function isAnyWaiting(db: Db, of: string | undefined): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`
    select exists (select from ${invoices} where ${isPaid} and ${ofUser(invoices.userId, of)})
      or exists (select from ${invoiceRefunds} where ${isGivenBack} and ${ofUser(invoiceRefunds.userId, of)})
      or exists (select from ${invoices} where ${isChargedBack} and ${ofUser(invoices.userId, of)})
      or exists (select from ${giftCards} where ${isGiftWaiting} and ${ofBuyer(of)})
      or exists (select from ${tips} where ${isTipWaiting} and ${ofGiver(of)}) as is`);
  return rows[0]?.is === true;
}

async function issueSome(tx: Db, of: string | undefined, now: Date): Promise<number> {
  const { value: settings } = await findSetting(tx, taxSetting);
  // These rows stay locked until the commit: numbers follow each other, and a rollback gives them back.
  const numbers = { tx, settings, year: now.getUTCFullYear() };
  const invoiceNumbers = await takeNumbers(numbers, 'invoice');
  const noteNumbers = await takeNumbers(numbers, 'credit-note');
  const issuing = { tx, of, settings, now };
  const made = [
    ...(await makeInvoices(issuing)),
    ...(await makeGiftInvoices(issuing)),
    ...(await makeTipInvoices(issuing)),
  ];
  await invoiceNumbers(made);
  const notes = [
    ...(await makeCreditNotes(issuing)),
    ...(await makeGiftCreditNotes(issuing)),
    ...(await makeTipCreditNotes(issuing)),
  ];
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
