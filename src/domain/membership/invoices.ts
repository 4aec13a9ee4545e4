import { and, eq, ne, or, sql } from 'drizzle-orm';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { users } from '../identity/tables.ts';
import { type Page, type PageQuery, pageIn } from '../kernel/pages.ts';
import type { Invoice, InvoiceDetail } from './shapes.ts';
import { invoices } from './tables.ts';

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

export async function findInvoice(
  db: Db,
  seller: string,
  userId: string,
  id: string,
): Promise<InvoiceDetail | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db
    .select({
      ...columns,
      ...pick(invoices, 'subtotal', 'discount', 'credit', 'amountDue', 'amountPaid', 'lines'),
      billedTo: users.email,
    })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(and(eq(invoices.id, id), eq(invoices.userId, userId)));
  return row && { ...row, seller };
}
