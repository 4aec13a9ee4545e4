import { type SQL, eq, inArray, sql } from 'drizzle-orm';
import { siteDayMoney, siteDays } from '#domain/admin/tables.ts';
import { users } from '#domain/identity/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import {
  giftCards,
  invoiceRefunds,
  invoices,
  paymentCustomers,
  paymentEvents,
  reconciliationRuns,
} from '#domain/membership/tables.ts';
import { taxDocuments } from '#domain/membership/tax/tables.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { removeDemoLedger } from './ledger.ts';
import { people } from './people.ts';

export type DemoPaymentsState = {
  payments?: 'due' | 'running' | 'done';
  since?: string;
  promoCodeIds?: string[];
  months?: string[];
  /** The comparisons with the provider, by id. */
  runs?: string[];
};

/** Only demo users have neither an account nor an email address. */
export const isInvented = sql`users.identity_provider is null and users.email is null and users.username = any(${sql.param(
  [...people.subscribers, ...people.giftedUsers].map(({ username }) => username),
)}::text[])`;

/** Deletes objects of the sandbox; `query` runs within the caller's transaction. */
export type ForgetPayments = (
  query: (text: string, values: unknown[]) => Promise<unknown>,
  objects: { customers: string[]; promotionCodes: string[]; payments: string[] },
) => Promise<void>;

/** Deletes everything but the users, here and in the sandbox. @returns the users */
export async function removeDemoPayments(tx: Db, deletePayments: ForgetPayments): Promise<string[]> {
  const rows = await tx
    .select({ id: users.id, customerId: paymentCustomers.customerId })
    .from(users)
    .leftJoin(paymentCustomers, eq(paymentCustomers.userId, users.id))
    .where(isInvented)
    .orderBy(users.id);
  const userIds = rows.map(({ id }) => id);
  if (userIds.length === 0) return [];
  const customers = rows.flatMap(({ customerId }) => customerId ?? []);
  const [row] = await tx.select().from(siteSettings).where(eq(siteSettings.key, 'demo_accounts'));
  const { promoCodeIds = [], months = [], runs = [] } = (row?.value ?? {}) as DemoPaymentsState;
  const gifts = await tx
    .delete(giftCards)
    .where(inArray(giftCards.buyerId, userIds))
    .returning({ paymentId: giftCards.paymentId });
  await tx.delete(paymentEvents).where(inArray(paymentEvents.customerId, customers));
  await tx.delete(paymentCustomers).where(inArray(paymentCustomers.userId, userIds));
  await removeDemoLedger(tx, months);
  await tx.delete(reconciliationRuns).where(inArray(reconciliationRuns.id, runs));
  const payments = gifts.flatMap(({ paymentId }) => paymentId ?? []);
  const sandbox = await tx.execute(sql`select where to_regclass('stripe_sandbox.objects') is not null`);
  if (sandbox.rowCount === 1)
    await deletePayments((text, values) => tx.execute(withLists(text, values)), {
      customers,
      promotionCodes: promoCodeIds,
      payments,
    });
  await removeDemoDocuments(tx, userIds);
  // Computed again from the remaining rows.
  await tx.delete(siteDays);
  await tx.delete(siteDayMoney);
  return userIds;
}

/** No tax is owed for them. Numbers begin at one again when none are left. */
export async function removeDemoDocuments(tx: Db, userIds: string[]): Promise<void> {
  await tx.update(invoices).set({ awaitsDocument: false }).where(inArray(invoices.userId, userIds));
  await tx.update(invoiceRefunds).set({ awaitsDocument: false }).where(inArray(invoiceRefunds.userId, userIds));
  await tx.delete(taxDocuments).where(inArray(taxDocuments.userId, userIds));
  await tx.execute(sql`delete from tax_numbers where not exists (select from tax_documents)`);
}

/** @param text uses `$1` for the first list of texts, and so on */
function withLists(text: string, lists: unknown[]): SQL {
  const parts = text.split(/\$(\d)/);
  return sql.join(
    parts.map((part, at) => (at % 2 === 0 ? sql.raw(part) : sql`${sql.param(lists[Number(part) - 1])}::text[]`)),
  );
}
