import { type SQL, and, asc, eq, gt, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { type Actor, operator } from '../kernel/actor.ts';
import { findLastChange, recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import type { LastChange } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { type MembershipParts, findCustomerId } from './customers.ts';
import { withPaymentLock } from './lock.ts';
import { addMails } from './mail-queue.ts';
import type { CustomerFacts } from './payment-provider.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { syncLocked } from './sync/sync.ts';
import { invoiceRefunds, invoices } from './tables.ts';
import { currentOf } from './sync/current.ts';

const { endsSubscription } = invoiceRefunds;

/**
 * Ends the subscription at once and refunds the paid days that remain; each invoice once. After a lost answer, calling it
 * again or `finishRefunds` completes it.
 * @returns cents; undefined when no future time was paid
 */
export async function refundUnused(
  parts: MembershipParts,
  userId: string,
  {
    now = new Date(),
    record = async () => {},
  }: {
    now?: Date;
    /** Runs in the transaction that stores what is refunded. */
    record?: (tx: Db, paid: { amount: number; currency: string }) => Promise<void>;
  } = {},
): Promise<{ amount: number; currency: string } | undefined> {
  const { db, payments } = parts;
  return withPaymentLock(db, userId, async () => {
    const customerId = await findCustomerId(db, userId);
    if (customerId === undefined) return undefined;
    // Refunds belong to stored invoices.
    const { facts } = await syncLocked(parts, userId, customerId);
    const current = currentOf(facts);
    const isLive = current !== undefined && current.status !== 'ended';
    if (isLive) {
      const unused = unusedOf(facts, current.id, now);
      await writeUnused(db, { userId, subscription: current.id, unused }, record);
      await payments.cancelNow(current.id);
    }
    const refunds = await findWaiting(db, and(eq(invoiceRefunds.userId, userId), isNotNull(endsSubscription)));
    let paid: { amount: number; currency: string } | undefined;
    for (const row of refunds) {
      const { ok } = await askProvider(parts, operator, row);
      if (ok) paid = { amount: (paid?.amount ?? 0) + row.refund.amount, currency: row.refund.currency };
    }
    if (isLive || paid !== undefined)
      await syncLocked(parts, userId, customerId).catch((error: unknown) => {
        // The provider's events tell the rest, but only this call knows the amount.
        if (paid === undefined || (error as { code?: unknown }).code !== 'payment/unavailable') throw error;
      });
    return paid;
  });
}

type Unused = { invoiceId: string; amount: number };

/**
 * The unused part of what the current period cost, less what was refunded before. A change of period was partly paid by
 * the unused time of the one before: that part is refunded from the payments before.
 */
function unusedOf({ invoices: all }: CustomerFacts, subscription: string, now: Date): Unused[] {
  const paid = all
    .filter((one) => one.status === 'paid' && one.subscriptionId === subscription && !one.isDisputed)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const current = paid.find((one) => one.amountPaid > 0 && one.periodStart <= now && one.periodEnd > now);
  if (current === undefined) return [];
  const unused: Unused[] = [];
  const part = (price: number) => unusedPart({ ...current, price }, now);
  const { amountPaid: price, refunded: before } = current;
  let owed = Math.min(part(price), price - before) + part(price + creditOf(current)) - part(price);
  for (const { id, amountPaid, refunded } of paid.slice(paid.indexOf(current))) {
    const amount = Math.min(owed, amountPaid - refunded);
    if (amount <= 0) continue;
    unused.push({ invoiceId: id, amount });
    owed -= amount;
  }
  return unused;
}

/** Cents of an invoice that unused time, paid before, has settled. */
function creditOf({ lines, credit }: CustomerFacts['invoices'][number]): number {
  return Math.max(0, credit) - lines.reduce((sum, { amount }) => sum + Math.min(amount, 0), 0);
}

/**
 * Stored before the subscription is ended: after a lost answer, only these rows tell what is owed. Rows of an earlier
 * try stay, with their amounts.
 */
async function writeUnused(
  db: Db,
  { userId, subscription, unused }: { userId: string; subscription: string; unused: Unused[] },
  record: (tx: Db, paid: { amount: number; currency: string }) => Promise<void>,
): Promise<void> {
  if (unused.length === 0) return;
  await db.transaction(async (tx) => {
    const isSame = and(eq(endsSubscription, subscription), eq(invoiceRefunds.state, 'asked'));
    if ((await tx.$count(invoiceRefunds, and(eq(invoiceRefunds.userId, userId), isSame))) > 0) return;
    const rows = await tx
      .select()
      .from(invoices)
      .where(
        inArray(
          invoices.invoiceId,
          unused.map(({ invoiceId }) => invoiceId),
        ),
      );
    const made = unused.map(({ invoiceId, amount }) => {
      const row = rows.find((one) => one.invoiceId === invoiceId);
      if (row === undefined) throw new Error('the invoice is not stored');
      const { id, currency } = row;
      const refund = { id: newId(), invoiceId: id, userId, amount, currency, state: 'asked' as const };
      return { ...refund, reason: 'Unused days', endsSubscription: subscription };
    });
    await tx.insert(invoiceRefunds).values(made);
    const [{ currency } = { currency: '' }] = made;
    await record(tx, { amount: made.reduce((sum, { amount }) => sum + amount, 0), currency });
  });
}

/** In whole cents, rounded down. */
function unusedPart(
  { price, periodStart, periodEnd }: { price: number; periodStart: Date; periodEnd: Date },
  now: Date,
): number {
  const [start, end] = [periodStart.getTime(), periodEnd.getTime()];
  return Math.floor((price * (end - now.getTime())) / (end - start));
}

export type RefundOrder = {
  /** Chosen by the client, so that a repeated refund is made once. */
  key: string;
  invoiceId: string;
  amount: number;
  /** Cents refunded before, as the operator saw it: of two concurrent refunds, one is a conflict. */
  seen: number;
  reason: string;
};

export type InvoiceRow = typeof invoices.$inferSelect;
type RefundRow = typeof invoiceRefunds.$inferSelect;

export type RefundOutcome =
  | { ok: true; refunded: number }
  | {
      ok: false;
      reason: 'request/not-found' | 'refund/changed' | 'refund/too-much' | 'refund/not-possible';
      /** The last refund by an operator, as the log says. */
      change?: LastChange | undefined;
    };

/** @param invoice in its earlier state */
async function record(
  tx: Db,
  actor: Actor,
  action: `payment.${'refund' | 'refuse-refund'}`,
  { invoice, amount, reason }: { invoice: InvoiceRow; amount: number; reason: string | null },
): Promise<void> {
  const { id, number, invoiceId, currency, refunded } = invoice;
  await recordChange(tx, {
    actor,
    role: actor.kind === 'operator' ? 'operator' : 'admin',
    action,
    subject: { type: 'payment', id, name: number ?? invoiceId },
    before: { refunded },
    after: { refunded: action === 'payment.refund' ? refunded + amount : refunded, amount, currency, reason },
  });
}

/**
 * Refunds an invoice, whole or in part. The refund and its key are stored before the provider is called: after a lost
 * answer, the same key or `finishRefunds` completes it without paying twice.
 * @throws DomainError `payment/unavailable`; the refund then waits for the provider
 */
export async function refundInvoice(parts: MembershipParts, actor: Actor, order: RefundOrder): Promise<RefundOutcome> {
  const { db } = parts;
  const [known] = await db.select().from(invoices).where(eq(invoices.id, order.invoiceId));
  if (known === undefined) return { ok: false, reason: 'request/not-found' };
  return withPaymentLock(db, known.userId, async () => {
    const asked = await db.transaction((tx) => writeAsked(tx, actor, order));
    if ('ok' in asked) return asked;
    return askProvider(parts, actor, asked);
  });
}

async function writeAsked(
  tx: Db,
  actor: Actor,
  { key, invoiceId, amount, seen, reason }: RefundOrder,
): Promise<RefundOutcome | { refund: RefundRow; invoice: InvoiceRow }> {
  const [invoice] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for('no key update');
  if (invoice === undefined) return { ok: false, reason: 'request/not-found' };
  const [before] = await tx.select().from(invoiceRefunds).where(eq(invoiceRefunds.id, key));
  if (before !== undefined) {
    const isSame = before.invoiceId === invoiceId && before.amount === amount;
    if (!isSame) return { ok: false, reason: 'refund/changed' };
    if (before.state === 'refused') return { ok: false, reason: 'refund/not-possible' };
    return before.state === 'done' ? { ok: true, refunded: invoice.refunded } : { refund: before, invoice };
  }
  const [waiting] = await tx
    .select({ sum: sql<number>`coalesce(sum(${invoiceRefunds.amount}), 0)::int` })
    .from(invoiceRefunds)
    .where(and(eq(invoiceRefunds.invoiceId, invoiceId), eq(invoiceRefunds.state, 'asked')));
  const refunded = invoice.refunded + (waiting?.sum ?? 0);
  if (refunded !== seen)
    return {
      ok: false,
      reason: 'refund/changed',
      change: await findLastChange(tx, { type: 'payment', id: invoiceId }),
    };
  if (invoice.status !== 'paid' || invoice.amountPaid === 0 || invoice.isDisputed)
    return { ok: false, reason: 'refund/not-possible' };
  if (amount > invoice.amountPaid - refunded) return { ok: false, reason: 'refund/too-much' };
  const { userId, currency } = invoice;
  const [refund] = await tx
    .insert(invoiceRefunds)
    .values({ id: key, invoiceId, userId, amount, currency, state: 'asked', reason })
    .returning();
  if (refund === undefined) throw new Error('the refund was not written');
  await record(tx, actor, 'payment.refund', { invoice, amount, reason });
  return { refund, invoice };
}

/** Requires the user's lock. */
async function askProvider(
  { db, payments }: MembershipParts,
  actor: Actor,
  { refund, invoice }: { refund: RefundRow; invoice: InvoiceRow },
): Promise<RefundOutcome> {
  const outcome = await payments.refundInvoice({
    invoiceId: invoice.invoiceId,
    amount: refund.amount,
    key: refund.id,
  });
  return db.transaction(async (tx) => {
    const isRefund = eq(invoiceRefunds.id, refund.id);
    if (!outcome.ok) {
      await tx.update(invoiceRefunds).set({ state: 'refused' }).where(isRefund);
      await record(tx, actor, 'payment.refuse-refund', { invoice, ...refund });
      return { ok: false, reason: 'refund/not-possible' };
    }
    await tx.update(invoiceRefunds).set({ state: 'done' }).where(isRefund);
    await tx.update(invoices).set({ refunded: outcome.refunded }).where(eq(invoices.id, invoice.id));
    await addMails(tx, [{ kind: 'refund', ref: refund.id, userId: refund.userId }]);
    return { ok: true, refunded: outcome.refunded };
  });
}

/** Refunds without an answer yet, with their invoices. */
async function findWaiting(db: Db, which: SQL | undefined): Promise<{ refund: RefundRow; invoice: InvoiceRow }[]> {
  return db
    .select({ refund: invoiceRefunds, invoice: invoices })
    .from(invoiceRefunds)
    .innerJoin(invoices, eq(invoices.id, invoiceRefunds.invoiceId))
    .where(and(which, eq(invoiceRefunds.state, 'asked')));
}

/**
 * Withdraws the refund of a subscription that goes on: the provider never got the order to end it. The order may still
 * be on its way for a while.
 * @returns whether the refund is owed
 */
async function isOwed({ db, payments }: MembershipParts, { id, userId, endsSubscription: ends, createdAt }: RefundRow) {
  if (ends === null) return true;
  const customerId = await findCustomerId(db, userId);
  const facts = customerId === undefined ? undefined : await payments.readCustomer(customerId);
  const subscription = facts?.subscriptions.find((one) => one.id === ends);
  if (subscription === undefined || subscription.status === 'ended') return true;
  if (createdAt.getTime() < Date.now() - 60 * 60 * 1000)
    await db.delete(invoiceRefunds).where(eq(invoiceRefunds.id, id));
  return false;
}

/** Retries refunds whose answer was lost. @throws the first failure */
export async function finishRefunds(parts: MembershipParts, signal?: AbortSignal): Promise<number> {
  const { db } = parts;
  const waiting = await db
    .select({ id: invoiceRefunds.id, userId: invoiceRefunds.userId })
    .from(invoiceRefunds)
    .where(
      and(
        eq(invoiceRefunds.state, 'asked'),
        // The request that stored it may still be waiting for its answer.
        lt(invoiceRefunds.createdAt, sql`now() - interval '1 minute'`),
        gt(invoiceRefunds.createdAt, sql`now() - interval '30 days'`),
      ),
    )
    .orderBy(asc(invoiceRefunds.createdAt))
    .limit(200);
  const finish = ({ id, userId }: (typeof waiting)[number]) =>
    withPaymentLock(db, userId, async () => {
      const [row] = await findWaiting(db, eq(invoiceRefunds.id, id));
      if (row !== undefined && (await isOwed(parts, row.refund))) await askProvider(parts, operator, row);
    });
  await settleEach(waiting, finish, { signal });
  return waiting.length;
}
