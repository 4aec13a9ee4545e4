import { and, asc, desc, eq, ne, or, sql } from 'drizzle-orm';
import { languageFacts } from '#i18n';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { users } from '../identity/tables.ts';
import { type Page, type PageQuery, pageIn } from '../kernel/pages.ts';
import { providerTitles } from './capabilities.ts';
import type { MembershipParts } from './customers.ts';
import { providerOf } from './hosted/hosted-id.ts';
import { findProvider } from './payment-providers.ts';
import type { Invoice, InvoiceDetail, IssuedDocument } from './shapes.ts';
import { giftCards, invoices } from './tables.ts';
import { taxDocuments } from './tax/tables.ts';

const columns = {
  ...pick(invoices, 'id', 'number', 'status', 'refunded', 'currency', 'createdAt', 'paidAt'),
  amount: invoices.total,
  period: { start: invoices.periodStart, end: invoices.periodEnd },
};

/**
 * Newest first, without invoices of zero (start of a trial). Void ones only if a mail named them: others come from first
 * charges and changes of plan that were declined.
 */
export async function listInvoices(db: Db, userId: string, query: PageQuery): Promise<Page<Invoice>> {
  const page = pageIn('invoices', query, { direction: 'desc', by: invoices.createdAt, id: invoices.id });
  const rows = await db
    .select({ ...columns, ...page.columns })
    .from(invoices)
    .where(
      and(
        eq(invoices.userId, userId),
        or(
          ne(invoices.status, 'void'),
          sql`exists (select from membership_mails m where m.kind = 'payment-failed' and m.ref = ${invoices.invoiceId})`,
        ),
        sql`(${invoices.subtotal} <> 0 or ${invoices.credit} <> 0)`,
        page.after,
      ),
    )
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}

/** @param id of an invoice, or of a credit note: then the invoice that it corrects, with the note as its document */
export async function findInvoice(
  { db, payments, site: { name: seller } }: Pick<MembershipParts, 'db' | 'payments' | 'site'>,
  userId: string,
  id: string,
): Promise<InvoiceDetail | undefined> {
  if (!isId(id)) return undefined;
  const documents = await db
    .select()
    .from(taxDocuments)
    .where(
      and(
        eq(taxDocuments.userId, userId),
        sql`${taxDocuments.invoiceId} in (select ${id}::uuid union select invoice_id from tax_documents where id = ${id})`,
      ),
    )
    .orderBy(asc(taxDocuments.issuedAt), asc(taxDocuments.number));
  const note = documents.find((one) => one.id === id);
  const document = note ?? documents.find(({ kind }) => kind === 'invoice');
  const [found] = await db
    .select({
      ...columns,
      invoiceId: invoices.invoiceId,
      ...pick(invoices, 'subtotal', 'discount', 'credit', 'amountDue', 'amountPaid', 'lines'),
      billedTo: users.email,
    })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(and(eq(invoices.id, document?.invoiceId ?? id), eq(invoices.userId, userId)));
  if (found === undefined) return undefined;
  const { invoiceId, ...row } = found;
  const provider = providerOf(invoiceId);
  const isTheirs = findProvider(payments, provider)?.capabilities.sellsInOwnName === true;
  const ofNote = note && { id: note.id, number: note.number };
  const notes = documents.filter(({ kind }) => kind === 'credit-note' && note === undefined);
  return {
    ...row,
    ...ofNote,
    seller,
    soldBy: isTheirs ? providerTitles[provider] : null,
    document: document === undefined ? null : documentOf(document, seller),
    countryName: document === undefined || document.country === '' ? null : nameOf(document.country),
    creditNotes: notes.map((one) => pick(one, 'id', 'number', 'issuedAt', 'gross')),
  };
}

/**
 * Invoice of a gift card's sale, and its credit note, if it has one: for its buyer. Those of a card that was bought without
 * an account are for whoever has the card's id, and name nobody.
 * @returns undefined until they are issued, for cards without, and for others
 */
export async function findGiftInvoices(
  { db, site: { name: seller } }: Pick<MembershipParts, 'db' | 'site'>,
  giftCardId: string,
  viewerId: string | undefined,
): Promise<IssuedDocument[] | undefined> {
  if (!isId(giftCardId)) return undefined;
  const rows = await db
    .select({ row: taxDocuments, buyerId: giftCards.buyerId })
    .from(taxDocuments)
    .innerJoin(giftCards, eq(giftCards.id, taxDocuments.giftCardId))
    .where(and(eq(giftCards.id, giftCardId), eq(taxDocuments.subject, 'voucher')))
    .orderBy(desc(taxDocuments.kind));
  const shown = rows.filter(({ buyerId }) => buyerId === null || buyerId === viewerId);
  if (shown.length === 0) return undefined;
  return shown.map(({ row, buyerId }) => {
    const document = documentOf({ ...row, buyer: buyerId === null ? null : row.buyer }, seller);
    return { currency: row.currency, countryName: null, document };
  });
}

/** Invoice of a tip, and its credit note, if it has one. @returns undefined until they are issued, and for others */
export async function findTipInvoices(
  { db, site: { name: seller } }: Pick<MembershipParts, 'db' | 'site'>,
  tipId: string,
  giverId: string,
): Promise<IssuedDocument[] | undefined> {
  if (!isId(tipId)) return undefined;
  const rows = await db
    .select()
    .from(taxDocuments)
    .where(and(eq(taxDocuments.tipId, tipId), eq(taxDocuments.userId, giverId)))
    .orderBy(desc(taxDocuments.kind));
  if (rows.length === 0) return undefined;
  return rows.map((row) => ({
    currency: row.currency,
    countryName: row.country === '' ? null : nameOf(row.country),
    document: documentOf(row, seller),
  }));
}

function documentOf(row: typeof taxDocuments.$inferSelect, siteName: string): NonNullable<InvoiceDetail['document']> {
  const { seller, buyer, provider } = row;
  return {
    ...pick(row, 'kind', 'subject', 'number', 'correctsNumber', 'issuedAt', 'suppliedAt', 'country', 'permille'),
    ...pick(row, 'net', 'tax', 'gross', 'lines', 'taxes'),
    seller: { ...seller, name: seller.name === '' ? siteName : seller.name },
    buyer,
    through: providerTitles[provider],
  };
}

/** In the language of the request. Server only, because engines differ. */
function nameOf(country: string): string {
  return new Intl.DisplayNames([languageFacts().intl], { type: 'region' }).of(country) ?? country;
}
