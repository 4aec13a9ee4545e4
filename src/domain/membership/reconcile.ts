import { setTimeout as wait } from 'node:timers/promises';
import { and, asc, desc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { purgeRows } from '../kernel/purge.ts';
import { settleSubscriptionWishes } from './changes.ts';
import { settleWaitingWishes } from './charge-wishes.ts';
import { changeEmails } from './customers.ts';
import type { MembershipParts } from './customers.ts';
import { finishGiftCardRefunds, refreshGiftCard } from './gift-cards.ts';
import { withPaymentLock } from './lock.ts';
import { sendDueMails } from './mail-queue.ts';
import { settleWaitingPromoCodes } from './promo-code-wishes.ts';
import { finishRefunds } from './refunds.ts';
import { syncLocked, syncSubscription } from './sync.ts';
import type { Correction, ReconciliationFailure } from './tables.ts';
import {
  giftCards,
  invoices,
  paymentCustomers,
  paymentLocks,
  reconciliationRuns,
  reconciliations,
  subscriptions,
} from './tables.ts';

export type Reconciliation = {
  /** Id of its report. */
  id: string;
  customers: number;
  /** Customers whose stored state differed from the provider's. */
  mended: number;
  /** Abandoned, because the bank's step was never completed. */
  abandoned: number;
  /** Cents paid less cents refunded of all compared invoices: at the provider, and here before and after. */
  atProvider: number;
  hereBefore: number;
  hereAfter: number;
  corrections: Correction[];
  failed: ReconciliationFailure[];
};

/** Customers whose state is asked for at the same time. */
const atOnce = 4;
/** Each customer costs the provider two or three requests; Stripe allows 25 per second with test keys, 100 with live ones. */
const perSecond = 8;
const pageSize = 40;
/** An older unfinished run starts over. */
const resumedForHours = 20;
const progressName = 'customers';

export type ReconcileOptions = {
  /** Keeps the position, and begins at that of a run that was interrupted. */
  resume?: boolean;
  /** Stops between two pages. */
  signal?: AbortSignal | undefined;
};

/** Key of the lock that keeps a second run out. */
const lockName = 'reconciliation';
/** Entries of a report's lists; the counts are of all. */
const mostListed = 200;

/**
 * Syncs every customer with a current or recent subscription, or an open invoice, to repair the effects of lost events.
 * Each run leaves a report in `reconciliation_runs`.
 * @throws the reason of `signal`; DomainError `payment/in-progress` during another run
 */
export async function reconcile(parts: MembershipParts, options: ReconcileOptions = {}): Promise<Reconciliation> {
  return withPaymentLock(parts.db, lockName, () => run(parts, options), 500);
}

/** A run is in progress, in this process or another one. */
export async function isReconciling(db: Db): Promise<boolean> {
  const held = and(eq(paymentLocks.key, `user ${lockName}`), gt(paymentLocks.until, sql`now()`));
  return (await db.$count(paymentLocks, held)) > 0;
}

async function run(parts: MembershipParts, { resume = false, signal }: ReconcileOptions): Promise<Reconciliation> {
  const { db } = parts;
  const begun = resume ? await findProgress(db) : undefined;
  let after = begun ?? '00000000-0000-0000-0000-000000000000';
  const outcome = await openRun(db, begun !== undefined);
  for (;;) {
    signal?.throwIfAborted();
    const began = Date.now();
    const rows = await findCustomers(db, after);
    await inParallel(rows, (customer) => compare(parts, customer, outcome));
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.userId;
    await keepRun(db, outcome);
    if (resume) await keepProgress(db, after);
    if (rows.length < pageSize) break;
    const early = began + (rows.length / perSecond) * 1000 - Date.now();
    // An abort ends the pause, and the loop throws its reason.
    if (early > 0) await wait(early, undefined, signal && { signal }).catch(() => undefined);
  }
  const noted = (act: Promise<unknown>) =>
    act.catch((error: unknown) => {
      outcome.failed.push({ customerId: 'gift cards', reason: reasonOf(error) });
    });
  signal?.throwIfAborted();
  await inParallel(await findUnsettledGiftCards(parts), ({ id }) => noted(refreshGiftCard(parts, id)));
  await inParallel(await findForgottenGiftCards(parts), (card) => noted(purgeUnpaid(parts, card)));
  await finishRefunds(parts).catch((error: unknown) => {
    outcome.failed.push({ customerId: 'refunds', reason: reasonOf(error) });
  });
  await inParallel(await findRefunds(parts), (paymentId) => noted(parts.payments.refundPayment(paymentId)));
  await keepRun(db, outcome, new Date());
  if (resume) await db.delete(reconciliations).where(eq(reconciliations.name, progressName));
  return outcome;
}

/** Syncs one customer, and compares what was paid less what was refunded, to the cent. */
async function compare(
  parts: MembershipParts,
  { userId, customerId }: { userId: string; customerId: string },
  outcome: Reconciliation,
): Promise<void> {
  outcome.customers += 1;
  try {
    const before = await readAmounts(parts.db, userId);
    const synced = await syncSubscription(parts, customerId);
    if (synced?.hasChanged) outcome.mended += 1;
    if (await abandonUnconfirmed(parts, userId, customerId)) outcome.abandoned += 1;
    const listed = synced?.facts.invoices ?? [];
    const after = await readAmounts(parts.db, userId);
    // Invoices beyond the provider's page are not compared.
    const sumHere = (amounts: Map<string, number>) => listed.reduce((sum, { id }) => sum + (amounts.get(id) ?? 0), 0);
    const atProvider = listed.reduce((sum, { amountPaid, refunded }) => sum + amountPaid - refunded, 0);
    const [hereBefore, hereAfter] = [sumHere(before), sumHere(after)];
    outcome.atProvider += atProvider;
    outcome.hereBefore += hereBefore;
    outcome.hereAfter += hereAfter;
    if (hereBefore !== atProvider) outcome.corrections.push({ customerId, before: hereBefore, after: hereAfter });
    if (hereAfter !== atProvider)
      outcome.failed.push({
        customerId,
        reason: `The amounts still differ by ${Math.abs(hereAfter - atProvider)} cents`,
      });
  } catch (error) {
    outcome.failed.push({ customerId, reason: reasonOf(error) });
  }
}

async function readAmounts(db: Db, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: invoices.invoiceId, paid: invoices.amountPaid, refunded: invoices.refunded })
    .from(invoices)
    .where(eq(invoices.userId, userId));
  return new Map(rows.map(({ id, paid, refunded }) => [id, paid - refunded]));
}

/** @param continues an interrupted run, whose report is continued */
async function openRun(db: Db, continues: boolean): Promise<Reconciliation> {
  const [open] = continues
    ? await db
        .select()
        .from(reconciliationRuns)
        .where(isNull(reconciliationRuns.endedAt))
        .orderBy(desc(reconciliationRuns.id))
        .limit(1)
    : [];
  if (open !== undefined) {
    const { failures, endedAt: _ended, startedAt: _started, failed: _failed, ...counts } = open;
    return { ...counts, failed: failures };
  }
  const id = newId();
  await db.insert(reconciliationRuns).values({ id });
  return {
    id,
    customers: 0,
    mended: 0,
    abandoned: 0,
    atProvider: 0,
    hereBefore: 0,
    hereAfter: 0,
    corrections: [],
    failed: [],
  };
}

async function keepRun(db: Db, { id, failed, ...counts }: Reconciliation, endedAt: Date | null = null): Promise<void> {
  await db
    .update(reconciliationRuns)
    .set({
      ...counts,
      corrections: counts.corrections.slice(0, mostListed),
      failures: failed.slice(0, mostListed),
      failed: failed.length,
      endedAt,
    })
    .where(eq(reconciliationRuns.id, id));
}

/** Reports are kept for a year. */
export async function purgeOldRuns(db: Db, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, reconciliationRuns, sql`${reconciliationRuns.startedAt} < now() - interval '1 year'`, signal);
}

async function findCustomers(db: Db, after: string) {
  return db
    .select({ userId: paymentCustomers.userId, customerId: paymentCustomers.customerId })
    .from(paymentCustomers)
    .leftJoin(subscriptions, eq(subscriptions.userId, paymentCustomers.userId))
    .where(
      and(
        gt(paymentCustomers.userId, after),
        or(
          ne(subscriptions.status, 'ended'),
          gt(subscriptions.endsAt, sql`now() - interval '30 days'`),
          // The next sync voids it, or sees that it was paid.
          sql`exists (select from invoices i where i.user_id = ${paymentCustomers.userId} and i.status = 'open')`,
          // Customers whose first subscription was never synced.
          and(isNull(subscriptions.userId), gt(paymentCustomers.createdAt, sql`now() - interval '30 days'`)),
        ),
      ),
    )
    .orderBy(asc(paymentCustomers.userId))
    .limit(pageSize);
}

async function findProgress(db: Db): Promise<string | undefined> {
  const [row] = await db
    .select({ after: reconciliations.afterUserId })
    .from(reconciliations)
    .where(
      and(
        eq(reconciliations.name, progressName),
        gt(reconciliations.startedAt, sql`now() - make_interval(hours => ${resumedForHours})`),
      ),
    );
  return row?.after;
}

async function keepProgress(db: Db, afterUserId: string): Promise<void> {
  await db
    .insert(reconciliations)
    .values({ name: progressName, afterUserId })
    .onConflictDoUpdate({
      target: reconciliations.name,
      set: {
        afterUserId,
        startedAt: sql`case when reconciliations.started_at > now() - make_interval(hours => ${resumedForHours}) then reconciliations.started_at else now() end`,
      },
    });
}

async function inParallel<Item>(items: Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
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

/** Unpaid ones, and those that can be redeemed: a bank takes a payment back within 120 days. */
async function findUnsettledGiftCards({ db }: MembershipParts) {
  return db
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(
      or(
        and(isNull(giftCards.paidAt), gt(giftCards.createdAt, sql`now() - interval '3 days'`)),
        and(
          gt(giftCards.paidAt, sql`now() - interval '120 days'`),
          isNull(giftCards.redeemedAt),
          isNull(giftCards.refundedAt),
        ),
      ),
    )
    .orderBy(desc(giftCards.createdAt))
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
    .where(sql`greatest(${giftCards.refundedAt}, ${giftCards.paidBackAt}) > now() - interval '3 days'`)
    .limit(1000);
  return rows.flatMap(({ paymentId }) => paymentId ?? []);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Work that may be due at any minute: mails, and acts that wait for the provider. */
export async function doDueWork(parts: MembershipParts): Promise<{ mails: number }> {
  // Tasks fail independently; failures are reported at the end.
  const [late] = await Promise.allSettled([settleWaitingWishes(parts)]);
  const [promoCodes] = await Promise.allSettled([settleWaitingPromoCodes(parts)]);
  const [refunds] = await Promise.allSettled([finishRefunds(parts)]);
  const [cards] = await Promise.allSettled([finishGiftCardRefunds(parts)]);
  const [acts] = await Promise.allSettled([settleSubscriptionWishes(parts)]);
  const [emails] = await Promise.allSettled([changeEmails(parts)]);
  const [mails] = await Promise.allSettled([sendDueMails(parts)]);
  if (refunds.status === 'rejected') throw refunds.reason;
  if (late.status === 'rejected') throw late.reason;
  if (promoCodes.status === 'rejected') throw promoCodes.reason;
  for (const one of [cards, acts, emails]) if (one.status === 'rejected') throw one.reason;
  if (mails.status === 'rejected') throw mails.reason;
  return { mails: mails.value };
}

/** The payment first, then the card: a page that stayed open for days could still pay it. */
async function purgeUnpaid(parts: MembershipParts, { id, paymentId }: { id: string; paymentId: string | null }) {
  const isGone = paymentId === null || (await parts.payments.cancelPayment(paymentId));
  if (isGone) await parts.db.delete(giftCards).where(and(eq(giftCards.id, id), isNull(giftCards.paidAt)));
  else await refreshGiftCard(parts, id);
}
