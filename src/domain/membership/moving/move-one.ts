import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type MembershipParts, keepFormer } from '../customers.ts';
import { closePauses } from '../keeping/follow-pauses.ts';
import { withPaymentLock } from '../lock.ts';
import { addMails } from '../mail-queue.ts';
import { findProviderOf } from '../payment-providers.ts';
import { syncLocked } from '../sync/sync.ts';
import { memberships, paymentCustomers, subscriptions } from '../tables.ts';
import { type MovedRow, note, reasonOf } from './moved-rows.ts';
import { isMovable, keptUntilSql } from './plan-move.ts';

/** `unanswered`: the provider cannot be asked, or gives no answer. */
type Stop =
  | { outcome: 'stopped' | 'left' }
  | { outcome: 'unanswered'; error: string | null }
  | { outcome: 'asked'; cancelUrl: string | undefined };

/**
 * Moves one subscription: the provider is asked to stop its renewal, and in one transaction its time becomes the site's
 * own and its customer a former one. Nothing of what it unlocks ends in between. Safe to repeat at any point.
 * @param isAsking false: the provider does not answer these minutes
 * @returns whether it answered; undefined: it was not asked
 */
export async function moveOne(
  parts: MembershipParts,
  row: MovedRow,
  { isAsking }: { isAsking: boolean },
): Promise<boolean | undefined> {
  const { db } = parts;
  const { userId } = row;
  // The account was deleted, with its subscription.
  if (userId === null) return void (await note(db, row, { state: 'left' }));
  return withPaymentLock(db, userId, async () => {
    const stop: Stop = isAsking ? await stopRenewal(parts, userId, row) : { outcome: 'unanswered', error: null };
    if (stop.outcome === 'asked') await askSubscriber(db, userId, row, stop.cancelUrl ?? null);
    else if (stop.outcome === 'left') await note(db, row, { state: 'left' });
    else await db.transaction((tx) => keepAsOwnTime(tx, userId, row, stop));
    return isAsking ? stop.outcome !== 'unanswered' : undefined;
  });
}

/** Requires the lock. */
async function stopRenewal(parts: MembershipParts, userId: string, row: MovedRow): Promise<Stop> {
  const { db, payments } = parts;
  const provider = findProviderOf(payments, row.customerId);
  if (provider === undefined) return { outcome: 'unanswered', error: null };
  try {
    // Unknown there, as after an account was closed: a sync would end what was paid for.
    if ((await payments.readCustomer(row.customerId)) === undefined) return { outcome: 'stopped' };
    await syncLocked(parts, userId, row.customerId);
    const [now] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    if (now === undefined || now.subscriptionId !== row.subscriptionId || now.status === 'ended')
      return { outcome: 'left' };
    if (now.endsAt !== null) return { outcome: 'stopped' };
    if (now.status === 'past-due') await stopUnpaid(parts, now.subscriptionId, row.customerId);
    else await payments.cancelAtPeriodEnd(now.subscriptionId, 'moved to another provider');
    return { outcome: 'stopped' };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'payment/cancel-at-provider'))
      return { outcome: 'unanswered', error: reasonOf(error) };
    const pages = await provider.checkouts?.pagesOf(row.subscriptionId);
    return { outcome: 'asked', cancelUrl: pages?.cancel };
  }
}

/** Its open invoice could still be paid by a later try. */
async function stopUnpaid({ payments }: MembershipParts, subscriptionId: string, customerId: string): Promise<void> {
  await payments.cancelNow(subscriptionId);
  const facts = await payments.readCustomer(customerId);
  for (const invoice of facts?.invoices ?? [])
    if (invoice.status === 'open' && invoice.subscriptionId === subscriptionId) await payments.voidInvoice(invoice.id);
}

async function askSubscriber(db: Db, userId: string, row: MovedRow, cancelUrl: string | null): Promise<void> {
  await db.transaction(async (tx) => {
    await note(tx, row, { state: 'asked', cancelUrl, error: null });
    await addMails(tx, [{ kind: 'cancel-there', ref: row.id, userId }]);
  });
}

/** Never shorter than what is there; gift time behind the paid time begins later anyway. */
async function keepAsOwnTime(tx: Db, userId: string, row: MovedRow, stop: Stop): Promise<void> {
  await tx.insert(memberships).values({ userId }).onConflictDoNothing();
  await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .for('no key update');
  const { rows } = await tx.execute<{ kept: string | null }>(sql`
    select ${keptUntilSql} as kept from subscriptions s
    where s.user_id = ${userId} and s.subscription_id = ${row.subscriptionId} and ${isMovable}`);
  const [found] = rows;
  // It ended meanwhile.
  if (found === undefined) return note(tx, row, { state: 'left' });
  const paidUntil = found.kept === null ? null : new Date(found.kept);
  if (paidUntil !== null)
    await tx
      .update(memberships)
      .set({ giftUntil: sql`greatest(${memberships.giftUntil}, ${paidUntil.toISOString()}::timestamptz)` })
      .where(eq(memberships.userId, userId));
  await keepFormer(tx, userId);
  await tx
    .delete(paymentCustomers)
    .where(and(eq(paymentCustomers.userId, userId), eq(paymentCustomers.customerId, row.customerId)));
  await tx.delete(subscriptions).where(eq(subscriptions.userId, userId));
  await closePauses(tx, userId);
  const movedAt = new Date();
  const stopped =
    stop.outcome === 'unanswered' ? { stoppedAt: null, error: stop.error } : { stoppedAt: movedAt, error: null };
  await note(tx, row, { state: 'moved', paidUntil, movedAt, ...stopped });
  if (paidUntil !== null) await addMails(tx, [{ kind: 'provider-moved', ref: row.id, userId }]);
}
