import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { newId } from '../ids.ts';
import type { MembershipParts } from './customers.ts';
import { findUserOfCustomer } from './customers.ts';
import { withPaymentLock } from './lock.ts';
import { queueMails } from './mail-queue.ts';
import type {
  CustomerFacts,
  InvoiceFacts,
  PaymentProvider,
  SubscriptionFacts,
  SubscriptionStatus,
} from './payment-provider.ts';
import { invoices, memberships, paymentCustomers, subscriptions } from './tables.ts';

type SubscriptionRow = typeof subscriptions.$inferSelect;

const rank: Record<SubscriptionStatus, number> = { active: 0, trialing: 0, 'past-due': 1, confirming: 2, ended: 3 };

/** Of all a customer ever had, the one that counts: what can be used before what waits before what has ended. */
export function currentOf({ subscriptions: all }: CustomerFacts): SubscriptionFacts | undefined {
  return all.toSorted(
    (one, other) =>
      rank[one.status] - rank[other.status] ||
      other.startedAt.getTime() - one.startedAt.getTime() ||
      (one.id < other.id ? 1 : -1),
  )[0];
}

export type SyncOutcome = {
  /** Something was not as the provider has it. */
  hasChanged: boolean;
  facts: CustomerFacts;
};

const queued = new WeakMap<Db, Map<string, Promise<SyncOutcome | undefined>>>();

/**
 * Asks the provider and writes what is true (architecture, rule 11). An event or a person only names the customer: late,
 * doubled and reordered ones end in the same state. Whoever comes while one waits for its turn shares its answer.
 * @returns undefined for a customer of nobody here
 */
export async function syncSubscription(parts: MembershipParts, customerId: string): Promise<SyncOutcome | undefined> {
  const waiting = queued.get(parts.db) ?? new Map<string, Promise<SyncOutcome | undefined>>();
  queued.set(parts.db, waiting);
  const shared = waiting.get(customerId);
  if (shared !== undefined) return shared;
  const sync = findUserOfCustomer(parts.db, customerId).then((userId) =>
    userId === undefined
      ? undefined
      : withPaymentLock(parts.db, userId, async () => {
          // From here on the provider is being asked: what happens later needs an answer of its own.
          if (waiting.get(customerId) === sync) waiting.delete(customerId);
          // The account may have been deleted while this waited.
          const isStill = (await findUserOfCustomer(parts.db, customerId)) === userId;
          return isStill ? syncLocked(parts, userId, customerId) : undefined;
        }),
  );
  waiting.set(customerId, sync);
  try {
    return await sync;
  } finally {
    if (waiting.get(customerId) === sync) waiting.delete(customerId);
  }
}

/** Under the user's lock, so that no older answer is written over a newer one. */
export async function syncLocked(
  { db, payments }: MembershipParts,
  userId: string,
  customerId: string,
): Promise<SyncOutcome> {
  const facts = await readUndisputed(payments, customerId);
  return db.transaction(async (tx) => {
    // Deleted at the provider: nothing is charged any more, and the next subscription makes a new customer.
    if (facts === undefined) {
      const gone = await tx.delete(subscriptions).where(eq(subscriptions.userId, userId)).returning();
      await tx.delete(paymentCustomers).where(eq(paymentCustomers.userId, userId));
      return { hasChanged: gone.length > 0, facts: { subscriptions: [], invoices: [], givenUpId: undefined } };
    }
    const { before, after } = await writeSubscription(tx, userId, facts);
    const invoicesChanged = await writeInvoices(tx, userId, facts.invoices);
    const current = currentOf(facts);
    if (after?.status === 'trialing')
      await tx
        .insert(memberships)
        .values({ userId, trialUsedAt: after.startedAt })
        .onConflictDoUpdate({
          target: memberships.userId,
          set: { trialUsedAt: sql`coalesce(memberships.trial_used_at, ${after.startedAt.toISOString()})` },
        });
    await queueMails(tx, userId, { current, invoices: facts.invoices });
    await tx
      .update(paymentCustomers)
      .set({ syncedAt: sql`now()` })
      .where(and(eq(paymentCustomers.userId, userId), eq(paymentCustomers.customerId, customerId)));
    return { hasChanged: invoicesChanged || !isSame(before, after), facts };
  });
}

/** What was paid for and is not any more ends at once: the bank has taken the money back. */
async function readUndisputed(payments: PaymentProvider, customerId: string): Promise<CustomerFacts | undefined> {
  const facts = await payments.readCustomer(customerId);
  const current = facts && currentOf(facts);
  const isDisputed = facts?.invoices.some((one) => one.isDisputed && one.subscriptionId === current?.id) ?? false;
  if (current === undefined || current.status === 'ended' || !isDisputed) return facts;
  await payments.cancelNow(current.id, { asIfNever: false });
  return payments.readCustomer(customerId);
}

async function writeSubscription(db: Db, userId: string, facts: CustomerFacts) {
  const [before] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  const after = rowOf(userId, facts);
  if (after === undefined) await db.delete(subscriptions).where(eq(subscriptions.userId, userId));
  else if (!isSame(before, after))
    await db.insert(subscriptions).values(after).onConflictDoUpdate({ target: subscriptions.userId, set: after });
  return { before, after };
}

/** What the table holds of those facts: also what tests compare it with. */
export function rowOf(userId: string, facts: CustomerFacts): SubscriptionRow | undefined {
  const current = currentOf(facts);
  if (current === undefined) return undefined;
  const open = facts.invoices.filter(
    ({ subscriptionId, status }) => subscriptionId === current.id && status === 'open',
  );
  const unpaidSince =
    current.status === 'past-due' && open.length > 0
      ? new Date(Math.min(...open.map(({ createdAt }) => createdAt.getTime())))
      : null;
  return {
    userId,
    subscriptionId: current.id,
    status: current.status,
    ...current.plan,
    startedAt: current.startedAt,
    trialEndsAt: current.trialEndsAt ?? null,
    periodEndsAt: current.periodEndsAt,
    endsAt: current.endsAt ?? null,
    unpaidSince,
    nextPeriod: current.nextPeriod ?? null,
    discount: current.discount ?? null,
  };
}

function isSame(one: SubscriptionRow | undefined, other: SubscriptionRow | undefined): boolean {
  return comparable(one) === comparable(other);
}

/** PostgreSQL orders the keys of JSON in its own way. */
function comparable(row: SubscriptionRow | undefined): string {
  if (row === undefined) return '';
  const { discount, ...rest } = row;
  return JSON.stringify([
    Object.entries(rest).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    discount && Object.entries(discount).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}

/** Invoices are added and settled, never taken back; older ones than the provider was asked for stay as they are. */
async function writeInvoices(db: Db, userId: string, facts: InvoiceFacts[]): Promise<boolean> {
  if (facts.length === 0) return false;
  const rows = facts.map(({ id, subscriptionId: _s, hasFailed: _f, promoCodeIds: _p, isDisputed: _d, ...invoice }) => ({
    ...invoice,
    id: newId(),
    userId,
    invoiceId: id,
    number: invoice.number ?? null,
    paidAt: invoice.paidAt ?? null,
  }));
  const changed = await db
    .insert(invoices)
    .values(rows)
    .onConflictDoUpdate({
      target: invoices.invoiceId,
      set: {
        number: sql`excluded.number`,
        status: sql`excluded.status`,
        amountDue: sql`excluded.amount_due`,
        amountPaid: sql`excluded.amount_paid`,
        paidAt: sql`excluded.paid_at`,
      },
      setWhere: sql`(invoices.number, invoices.status, invoices.amount_due, invoices.amount_paid, invoices.paid_at) is distinct from (excluded.number, excluded.status, excluded.amount_due, excluded.amount_paid, excluded.paid_at)`,
    })
    .returning({ id: invoices.id });
  return changed.length > 0;
}
