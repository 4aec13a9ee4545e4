import { setTimeout as wait } from 'node:timers/promises';
import { type SQL, and, asc, desc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { atOnce, comparePaying, comparePayments, noted } from './compare-totals.ts';
import type { MembershipParts } from '../customers.ts';
import { refreshGiftCard } from '../gift-cards/gift-cards.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import { withPaymentLock } from '../lock.ts';
import { catchUp } from '../payment-providers.ts';
import { finishRefunds } from '../refunds.ts';
import { syncLocked, syncSubscription } from './sync.ts';
import { tips } from '../tips/tables.ts';
import { purgeUnpaidTip, refreshTip } from '../tips/tips.ts';
import {
  type ReconciliationPosition,
  giftCards,
  invoices,
  paymentCustomers,
  paymentLocks,
  reconciliationRuns,
  reconciliationSteps,
  subscriptions,
} from '../tables.ts';

type Run = typeof reconciliationRuns.$inferSelect;
/** A report while it is made: with all failures, of which the row keeps some and their number. */
export type Reconciliation = Omit<Run, 'startedAt' | 'endedAt' | 'position' | 'failures' | 'failed'> & {
  failed: Run['failures'];
};

/** Each customer costs the provider four requests; Stripe allows 25 per second with test keys, 100 with live ones. */
const perSecond = 8;
const pageSize = 40;

export type ReconcileOptions = {
  /** Keeps the position, and begins at that of a run that was interrupted. */
  resume?: boolean;
  /** Stops between two pages. */
  signal?: AbortSignal | undefined;
};

/** Compares as one that the clock begins, once an operator asks for it. */
export const reconcileJob = 'reconcile-now';

/** Key of the lock that keeps a second run out. */
const lockName = 'reconciliation';
/** Entries of a report's lists; the counts are of all. */
const maxListed = 200;

/**
 * Compares everything with the provider, a page after another, and repairs the effects of lost events: what is known here
 * first, then what the provider lists. A run that was interrupted goes on where it was, however long it takes.
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

type Position = Omit<ReconciliationPosition, 'step'>;
/** @returns `next` undefined: nothing is left of this step; `asked`: how many were asked about one by one */
type Step = (
  parts: MembershipParts,
  outcome: Reconciliation,
  at: Position,
) => Promise<{ next: Position | undefined; asked: number }>;

const steps: Record<ReconciliationPosition['step'], Step> = {
  customers: byId(findCustomers, (parts, outcome, customer) =>
    noted(outcome, customer.customerId, () => compare(parts, customer, outcome)),
  ),
  'gift-cards': byId(findUnsettledGiftCards, (parts, outcome, { id }) =>
    noted(outcome, 'gift cards', () => refreshGiftCard(parts, id)),
  ),
  'unpaid-gift-cards': byId(findForgottenGiftCards, (parts, outcome, card) =>
    noted(outcome, 'gift cards', () => purgeUnpaid(parts, card)),
  ),
  tips: byId(findUnsettledTips, (parts, outcome, tip) =>
    noted(outcome, 'tips', () => (tip.isForgotten ? purgeUnpaidTip(parts, tip) : refreshTip(parts, tip.id))),
  ),
  refunds: byId(findRefunds, (parts, outcome, { paymentId }) =>
    noted(outcome, 'gift cards', async () => paymentId !== null && parts.payments.refundPayment(paymentId)),
  ),
  paying: comparePaying,
  payments: comparePayments,
};

async function run(parts: MembershipParts, { resume = false, signal }: ReconcileOptions): Promise<Reconciliation> {
  const { db } = parts;
  const { outcome, position } = await openRun(db, resume);
  for (const step of reconciliationSteps.slice(reconciliationSteps.indexOf(position.step))) {
    if (step === 'refunds') await noted(outcome, 'refunds', () => finishRefunds(parts, signal));
    let at: Position | undefined = step === position.step ? position : {};
    while (at !== undefined) {
      signal?.throwIfAborted();
      const began = Date.now();
      const { next, asked } = await steps[step](parts, outcome, at);
      at = next;
      if (at === undefined) break;
      await keepRun(db, outcome, { step, ...at });
      const early = began + (asked / perSecond) * 1000 - Date.now();
      // An abort ends the pause, and the loop throws its reason.
      if (early > 0) await wait(early, undefined, signal && { signal }).catch(() => undefined);
    }
    const following = reconciliationSteps[reconciliationSteps.indexOf(step) + 1];
    await keepRun(db, outcome, following === undefined ? undefined : { step: following });
  }
  return outcome;
}

/** Visits rows in the order of their ids. */
function byId<Row extends { id: string }>(
  find: (db: Db, after: string) => Promise<Row[]>,
  act: (parts: MembershipParts, outcome: Reconciliation, row: Row) => Promise<unknown>,
): Step {
  return async (parts, outcome, { after = '00000000-0000-0000-0000-000000000000' }) => {
    const rows = await find(parts.db, after);
    await settleEach(rows, (row) => act(parts, outcome, row), { atOnce });
    const last = rows.length < pageSize ? undefined : rows.at(-1);
    return { next: last && { after: last.id }, asked: rows.length };
  };
}

/** Syncs one customer, and compares what was paid less what was refunded, to the cent. */
async function compare(
  parts: MembershipParts,
  { id: userId, customerId }: { id: string; customerId: string },
  outcome: Reconciliation,
): Promise<void> {
  outcome.customers += 1;
  const before = await readAmounts(parts.db, userId);
  await catchUp(parts.payments, customerId);
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
}

async function readAmounts(db: Db, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: invoices.invoiceId, paid: invoices.amountPaid, refunded: invoices.refunded })
    .from(invoices)
    .where(eq(invoices.userId, userId));
  return new Map(rows.map(({ id, paid, refunded }) => [id, paid - refunded]));
}

/** @param resume continues the newest run if it was interrupted, and its report */
async function openRun(
  db: Db,
  resume: boolean,
): Promise<{ outcome: Reconciliation; position: ReconciliationPosition }> {
  const [newest] = resume
    ? await db.select().from(reconciliationRuns).orderBy(desc(reconciliationRuns.id)).limit(1)
    : [];
  if (newest !== undefined && newest.endedAt === null && newest.position !== null) {
    const { failures, endedAt: _ended, startedAt: _started, failed: _failed, position, ...counts } = newest;
    return { outcome: { ...counts, failed: failures }, position };
  }
  const id = newId();
  const position = { step: 'customers' } as const;
  await db.insert(reconciliationRuns).values({ id, position });
  const counts = { customers: 0, mended: 0, abandoned: 0, atProvider: 0, hereBefore: 0, hereAfter: 0 };
  return { outcome: { id, ...counts, corrections: [], failed: [], totals: [] }, position };
}

/** @param position undefined: the run has ended */
async function keepRun(
  db: Db,
  { id, failed, ...counts }: Reconciliation,
  position: ReconciliationPosition | undefined,
): Promise<void> {
  await db
    .update(reconciliationRuns)
    .set({
      ...counts,
      corrections: counts.corrections.slice(0, maxListed),
      failures: failed.slice(0, maxListed),
      failed: failed.length,
      position: position ?? null,
      ...(position === undefined && { endedAt: new Date() }),
    })
    .where(eq(reconciliationRuns.id, id));
}

async function findCustomers(db: Db, after: string) {
  return db
    .select({ id: paymentCustomers.userId, customerId: paymentCustomers.customerId })
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

/**
 * Unpaid ones, and those that can be redeemed: a bank takes a payment back within 120 days. Disputed ones too, until they
 * are lost.
 */
async function findUnsettledGiftCards(db: Db, after: string) {
  const isUnsettled = or(
    and(isNull(giftCards.paidAt), gt(giftCards.createdAt, sql`now() - interval '3 days'`)),
    and(
      gt(giftCards.paidAt, sql`now() - interval '120 days'`),
      isNull(giftCards.redeemedAt),
      isNull(giftCards.refundedAt),
    ),
    and(
      gt(sql`coalesce(${giftCards.refundedAt}, ${giftCards.paidBackAt})`, sql`now() - interval '180 days'`),
      giftCards.awaitsRefundDocument,
      isNull(giftCards.refundState),
    ),
  );
  return findGiftCards(db, after, isUnsettled);
}

/** Unpaid ones, and those that a bank may take back; one that is not paid after a week is forgotten. */
async function findUnsettledTips(db: Db, after: string) {
  return db
    .select({
      id: tips.id,
      paymentId: tips.paymentId,
      isForgotten: sql<boolean>`${tips.paidAt} is null and ${tips.createdAt} < now() - interval '7 days'`,
    })
    .from(tips)
    .where(
      and(
        gt(tips.id, after),
        or(
          isNull(tips.paidAt),
          and(gt(tips.paidAt, sql`now() - interval '180 days'`), sql`${tips.refundState} is distinct from 'done'`),
        ),
      ),
    )
    .orderBy(asc(tips.id))
    .limit(pageSize);
}

async function findForgottenGiftCards(db: Db, after: string) {
  return findGiftCards(
    db,
    after,
    and(isNull(giftCards.paidAt), lt(giftCards.createdAt, sql`now() - interval '7 days'`)),
  );
}

/** A process may have died between marking a card and refunding it; refunding again changes nothing. */
async function findRefunds(db: Db, after: string) {
  return findGiftCards(
    db,
    after,
    // A dispute that is not decided has no state, and one that is won must not be paid back.
    sql`${giftCards.refundState} is not null
      and greatest(${giftCards.refundedAt}, ${giftCards.paidBackAt}) > now() - interval '3 days'`,
  );
}

async function findGiftCards(db: Db, after: string, which: SQL | undefined) {
  return db
    .select({ id: giftCards.id, paymentId: giftCards.paymentId })
    .from(giftCards)
    .where(and(gt(giftCards.id, after), which))
    .orderBy(asc(giftCards.id))
    .limit(pageSize);
}

/** The payment first, then the card: a page that stayed open for days could still pay it. */
async function purgeUnpaid(parts: MembershipParts, { id, paymentId }: { id: string; paymentId: string | null }) {
  const isGone = paymentId === null || (await parts.payments.cancelPayment(paymentId));
  if (isGone) await parts.db.delete(giftCards).where(and(eq(giftCards.id, id), isNull(giftCards.paidAt)));
  else await refreshGiftCard(parts, id);
}
