import { and, asc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { MembershipParts } from './customers.ts';
import { forgetOldEvents } from './events.ts';
import { applyRedeemedGiftCards } from './gift-redemption.ts';
import { refreshGiftCard } from './gift-cards.ts';
import { claimFor, forgetOldLocks, withPaymentLock } from './lock.ts';
import { sendDueMails } from './mail-queue.ts';
import { syncLocked, syncSubscription } from './sync.ts';
import { giftCards, paymentCustomers, subscriptions } from './tables.ts';

export type Reconciliation = {
  customers: number;
  /** Customers of whom something was not as the provider has it. */
  mended: number;
  /** Given up, since the bank's step was never done. */
  abandoned: number;
  failed: { customerId: string; reason: string }[];
};

/**
 * Asks the provider about every customer who has a subscription, or had one lately, and mends what events that were lost
 * left behind.
 */
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
            // A first subscription of which nothing was heard.
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
  for (const card of await findForgottenGiftCards(parts)) await noted(forgetUnpaid(parts, card));
  for (const paymentId of await findRefunds(parts)) await noted(parts.payments.refundPayment(paymentId));
  return outcome;
}

/** A first payment or a card that the bank never confirmed: after a day nobody comes back for it. */
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
    await parts.payments.cancelNow(row.id, { asIfNever: true });
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

/** A process may have died between marking a card and giving its money back; a second time changes nothing. */
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
 * The area's work that nobody waits for, to be called each minute in every process: mails that are due, what a provider
 * that was away left undone; and once a night, in one of them, the reconciliation.
 */
export async function doDueWork(parts: MembershipParts): Promise<{ mails: number; reconciliation?: Reconciliation }> {
  // What goes wrong in one keeps the others from nothing, and is said afterwards.
  const [late] = await Promise.allSettled([applyRedeemedGiftCards(parts)]);
  const [mails] = await Promise.allSettled([sendDueMails(parts)]);
  const reconciliation = await reconcileByNight(parts);
  if (late.status === 'rejected') throw late.reason;
  if (mails.status === 'rejected') throw mails.reason;
  return { mails: mails.value, ...(reconciliation && { reconciliation }) };
}

async function reconcileByNight(parts: MembershipParts): Promise<Reconciliation | undefined> {
  if (!(await claimFor(parts.db, 'nightly reconciliation', 20 * 60 * 60))) return undefined;
  await forgetOldEvents(parts.db);
  await forgetOldLocks(parts.db);
  return reconcile(parts);
}

/** A page that was left open for days could still be paid on: the payment goes first, then the card. */
async function forgetUnpaid(parts: MembershipParts, { id, paymentId }: { id: string; paymentId: string | null }) {
  const isGone = paymentId === null || (await parts.payments.cancelPayment(paymentId));
  if (isGone) await parts.db.delete(giftCards).where(and(eq(giftCards.id, id), isNull(giftCards.paidAt)));
  else await refreshGiftCard(parts, id);
}
