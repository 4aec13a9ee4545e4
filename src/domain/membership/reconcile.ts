import { and, asc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { MembershipParts } from './customers.ts';
import { purgeOldEvents } from './events.ts';
import { applyRedeemedGiftCards } from './gift-redemption.ts';
import { refreshGiftCard } from './gift-cards.ts';
import { claimFor, purgeOldLocks, withPaymentLock } from './lock.ts';
import { sendDueMails } from './mail-queue.ts';
import { syncLocked, syncSubscription } from './sync.ts';
import { giftCards, paymentCustomers, subscriptions } from './tables.ts';

export type Reconciliation = {
  customers: number;
  /** Customers whose stored state differed from the provider's. */
  mended: number;
  /** Abandoned, because the bank's step was never completed. */
  abandoned: number;
  failed: { customerId: string; reason: string }[];
};

/** Syncs every customer with a current or recent subscription, to repair what lost events left behind. */
export async function reconcile(parts: MembershipParts): Promise<Reconciliation> {
  const { db } = parts;
  const outcome: Reconciliation = { customers: 0, mended: 0, abandoned: 0, failed: [] };
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db
      .select({ userId: paymentCustomers.userId, customerId: paymentCustomers.customerId })
      .from(paymentCustomers)
      .leftJoin(subscriptions, eq(subscriptions.userId, paymentCustomers.userId))
      .where(
        and(
          gt(paymentCustomers.userId, after),
          or(
            ne(subscriptions.status, 'ended'),
            gt(subscriptions.endsAt, sql`now() - interval '30 days'`),
            // Customers whose first subscription was never synced.
            and(isNull(subscriptions.userId), gt(paymentCustomers.createdAt, sql`now() - interval '30 days'`)),
          ),
        ),
      )
      .orderBy(asc(paymentCustomers.userId))
      .limit(100);
    for (const { userId, customerId } of rows) {
      outcome.customers += 1;
      try {
        const synced = await syncSubscription(parts, customerId);
        if (synced?.hasChanged) outcome.mended += 1;
        if (await abandonUnconfirmed(parts, userId, customerId)) outcome.abandoned += 1;
      } catch (error) {
        outcome.failed.push({ customerId, reason: reasonOf(error) });
      }
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.userId;
  }
  const noted = (act: Promise<unknown>) =>
    act.catch((error: unknown) => {
      outcome.failed.push({ customerId: 'gift cards', reason: reasonOf(error) });
    });
  for (const { id } of await findUnpaidGiftCards(parts)) await noted(refreshGiftCard(parts, id));
  for (const card of await findForgottenGiftCards(parts)) await noted(purgeUnpaid(parts, card));
  for (const paymentId of await findRefunds(parts)) await noted(parts.payments.refundPayment(paymentId));
  return outcome;
}

/** A first payment or card that the bank did not confirm within a day is cancelled. */
async function abandonUnconfirmed(parts: MembershipParts, userId: string, customerId: string): Promise<boolean> {
  const isStale = and(
    eq(subscriptions.userId, userId),
    eq(subscriptions.status, 'confirming'),
    lt(subscriptions.startedAt, sql`now() - interval '23 hours'`),
  );
  const find = () => parts.db.select({ id: subscriptions.subscriptionId }).from(subscriptions).where(isStale);
  if ((await find()).length === 0) return false;
  return withPaymentLock(parts.db, userId, async () => {
    await syncLocked(parts, userId, customerId);
    const [row] = await find();
    if (row === undefined) return false;
    await parts.payments.cancelUnconfirmed(row.id);
    await syncLocked(parts, userId, customerId);
    return true;
  });
}

async function findUnpaidGiftCards({ db }: MembershipParts) {
  return db
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(isNull(giftCards.paidAt), gt(giftCards.createdAt, sql`now() - interval '3 days'`)))
    .limit(1000);
}

async function findForgottenGiftCards({ db }: MembershipParts) {
  return db
    .select({ id: giftCards.id, paymentId: giftCards.paymentId })
    .from(giftCards)
    .where(and(isNull(giftCards.paidAt), lt(giftCards.createdAt, sql`now() - interval '7 days'`)))
    .limit(1000);
}

/** A process may have died between marking a card and refunding it; refunding again changes nothing. */
async function findRefunds({ db }: MembershipParts): Promise<string[]> {
  const rows = await db
    .select({ paymentId: giftCards.paymentId })
    .from(giftCards)
    .where(gt(giftCards.refundedAt, sql`now() - interval '3 days'`))
    .limit(1000);
  return rows.flatMap(({ paymentId }) => paymentId ?? []);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Background work, called each minute in every process: due mails, and gifts that wait for the provider. Once a night
 * one process also reconciles.
 */
export async function doDueWork(parts: MembershipParts): Promise<{ mails: number; reconciliation?: Reconciliation }> {
  // Tasks fail independently; failures are reported at the end.
  const [late] = await Promise.allSettled([applyRedeemedGiftCards(parts)]);
  const [mails] = await Promise.allSettled([sendDueMails(parts)]);
  const reconciliation = await reconcileByNight(parts);
  if (late.status === 'rejected') throw late.reason;
  if (mails.status === 'rejected') throw mails.reason;
  return { mails: mails.value, ...(reconciliation && { reconciliation }) };
}

async function reconcileByNight(parts: MembershipParts): Promise<Reconciliation | undefined> {
  if (!(await claimFor(parts.db, 'nightly reconciliation', 20 * 60 * 60))) return undefined;
  await purgeOldEvents(parts.db);
  await purgeOldLocks(parts.db);
  return reconcile(parts);
}

/** The payment first, then the card: a page that stayed open for days could still pay it. */
async function purgeUnpaid(parts: MembershipParts, { id, paymentId }: { id: string; paymentId: string | null }) {
  const isGone = paymentId === null || (await parts.payments.cancelPayment(paymentId));
  if (isGone) await parts.db.delete(giftCards).where(and(eq(giftCards.id, id), isNull(giftCards.paidAt)));
  else await refreshGiftCard(parts, id);
}
