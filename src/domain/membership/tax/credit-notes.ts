import { and, asc, inArray, sql } from 'drizzle-orm';
import { newId } from '../../kernel/ids.ts';
import { invoiceRefunds, invoices } from '../tables.ts';
import { isPaid } from './invoices-of-payments.ts';
import { atOnce, type Issuing, type NewDocument, ofUser } from './issuing.ts';
import { shareTaxes, taxOfPart } from './rules.ts';
import { taxDocuments } from './tables.ts';

/** An invoice that still waits for its own document has no number that a note could correct. */
export const isGivenBack = sql`${invoiceRefunds.awaitsDocument} and ${invoiceRefunds.state} = 'done'
  and not exists (select from ${invoices} where ${invoices.id} = ${invoiceRefunds.invoiceId} and ${isPaid})`;
export const isChargedBack = sql`${invoices.awaitsChargeBack} and ${invoices.chargedBackAt} is not null and not (${isPaid})`;

type TakenBack = { id: string; invoiceId: string; refundId: string | null; amount: number; at: Date };
type Document = typeof taxDocuments.$inferSelect;

/** For refunds and lost disputes. Those of invoices that this site has not issued, such as older ones, get none. */
export async function makeCreditNotes(issuing: Issuing): Promise<NewDocument[]> {
  const taken = [...(await takeRefunds(issuing)), ...(await takeChargeBacks(issuing))].toSorted(
    (one, other) => +one.at - +other.at || (one.id < other.id ? -1 : 1),
  );
  const ids = taken.map(({ invoiceId }) => invoiceId);
  if (ids.length === 0) return [];
  const known = await issuing.tx
    .select()
    .from(taxDocuments)
    .where(inArray(taxDocuments.invoiceId, ids))
    .orderBy(asc(taxDocuments.issuedAt));
  const before = new Map<string | null, number>();
  for (const { kind, invoiceId, gross } of known)
    if (kind === 'credit-note') before.set(invoiceId, (before.get(invoiceId) ?? 0) - gross);
  return taken.flatMap(({ invoiceId, refundId, amount, at }) => {
    const invoice = known.find((one) => one.kind === 'invoice' && one.invoiceId === invoiceId);
    if (invoice === undefined) return [];
    const sum = before.get(invoiceId) ?? 0;
    const gross = Math.min(amount, invoice.gross - sum);
    if (gross <= 0) return [];
    before.set(invoiceId, sum + gross);
    return creditNoteOf(invoice, { before: sum, gross, refundId, at, now: issuing.now });
  });
}

async function takeRefunds({ tx, of }: Issuing): Promise<TakenBack[]> {
  const some = sql`select ${invoiceRefunds.id} from ${invoiceRefunds}
    where ${isGivenBack} and ${ofUser(invoiceRefunds.userId, of)}
    order by ${invoiceRefunds.createdAt}, ${invoiceRefunds.id} limit ${atOnce}`;
  const taken = await tx
    .update(invoiceRefunds)
    .set({ awaitsDocument: false })
    .where(and(sql`${invoiceRefunds.id} in (${some})`, isGivenBack))
    .returning();
  return taken.map(({ id, invoiceId, amount, createdAt }) => ({ id, invoiceId, refundId: id, amount, at: createdAt }));
}

async function takeChargeBacks({ tx, of }: Issuing): Promise<TakenBack[]> {
  const some = sql`select ${invoices.id} from ${invoices} where ${isChargedBack} and ${ofUser(invoices.userId, of)}
    order by ${invoices.chargedBackAt}, ${invoices.id} limit ${atOnce}`;
  const taken = await tx
    .update(invoices)
    .set({ awaitsChargeBack: false })
    .where(and(sql`${invoices.id} in (${some})`, isChargedBack))
    .returning();
  return taken.map(({ id, chargedBack: amount, chargedBackAt, createdAt }) => {
    return { id, invoiceId: id, refundId: null, amount, at: chargedBackAt ?? createdAt };
  });
}

/** @param back.before cents that earlier notes gave back. @param back.gross cents that this one gives back */
export function creditNoteOf(
  invoice: Document,
  back: { before: number; gross: number; refundId: string | null; at: Date; now: Date },
): NewDocument {
  const { gross, refundId } = back;
  const tax = taxOfPart(invoice, back.before, gross);
  const amounts = { net: tax - gross, tax: tax === 0 ? 0 : -tax, gross: -gross };
  const { number, evidence: _evidence, taxes, ...same } = invoice;
  const kind = refundId === null && invoice.subject === 'payment' ? 'charge-back' : 'refund';
  return {
    ...same,
    ...amounts,
    id: newId(),
    kind: 'credit-note',
    taxes: taxes && shareTaxes(taxes, amounts.tax),
    refundId,
    correctsNumber: number,
    issuedAt: back.now,
    suppliedAt: back.at,
    lines: [{ kind, description: '', start: null, end: null, ...amounts }],
  };
}
