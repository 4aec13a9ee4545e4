import { and, desc, eq, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { Instant } from '../kernel/forms.ts';
import { isId } from '../kernel/ids.ts';
import { users } from '../identity/tables.ts';
import type { Page } from '../kernel/pages.ts';
import { decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import type { Invoice, InvoiceDetail } from './shapes.ts';
import { invoices } from './tables.ts';

function present(row: typeof invoices.$inferSelect): Invoice {
  const { id, number, status, total, refunded, currency, createdAt, paidAt, periodStart, periodEnd } = row;
  return {
    id,
    number,
    status,
    amount: total,
    refunded,
    currency,
    createdAt,
    paidAt,
    period: { start: periodStart, end: periodEnd },
  };
}

/**
 * Newest first, without invoices of zero (start of a trial). Void ones only if a mail named them: others come from first
 * charges and changes of plan that were declined.
 */
export async function listInvoices(
  db: Db,
  userId: string,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<Invoice>> {
  const cursor = decodeCursor('invoices', page.cursor, Instant);
  const rows = await db
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.userId, userId),
        or(
          ne(invoices.status, 'void'),
          sql`exists (select from membership_mails m where m.kind = 'payment-failed' and m.ref = ${invoices.invoiceId})`,
        ),
        sql`(${invoices.subtotal} <> 0 or ${invoices.credit} <> 0)`,
        cursor && isBeyond('desc', [invoices.createdAt, invoices.id], { value: new Date(cursor.value), id: cursor.id }),
      ),
    )
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(page.limit + 1);
  return toPage(rows, page.limit, present, ({ createdAt, id }) =>
    encodeCursor('invoices', { value: createdAt.toISOString(), id }),
  );
}

export async function findInvoice(
  db: Db,
  seller: string,
  userId: string,
  id: string,
): Promise<InvoiceDetail | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db
    .select({ invoice: invoices, email: users.email })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(and(eq(invoices.id, id), eq(invoices.userId, userId)));
  if (row === undefined) return undefined;
  const { subtotal, discount, credit, amountDue, amountPaid, lines } = row.invoice;
  return {
    ...present(row.invoice),
    subtotal,
    discount,
    credit,
    amountDue,
    amountPaid,
    lines,
    billedTo: row.email,
    seller,
  };
}
