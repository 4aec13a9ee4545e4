import { isDeepStrictEqual } from 'node:util';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { waitOutsideSlot } from '../../kernel/worker-slot.ts';
import { type MembershipParts, findUserOfCustomer } from '../customers.ts';
import type { Capabilities } from '../capabilities.ts';
import { currentOf } from './current.ts';
import { noteRefusedCharge } from '../entitlement.ts';
import { isSameSecond } from '../free-time.ts';
import { withPaymentLock } from '../lock.ts';
import { addMails, queueMails } from '../mail-queue.ts';
import { isUsable, type CustomerFacts, type InvoiceFacts, type SubscriptionFacts } from '../payment-provider.ts';
import { providerFor } from '../payment-providers.ts';
import { recordDoneWishes } from '../subscribing/subscription-wishes.ts';
import { invoiceRefunds, invoices, memberships, paymentCustomers, subscriptions, trialCards } from '../tables.ts';
import { issueDocuments } from '../tax/documents.ts';
import { findWishes } from '../wishes.ts';
import { noteUsedWinBack } from '../keeping/win-back-facts.ts';
import { followPauses } from '../keeping/follow-pauses.ts';
import { settleMoved } from '../moving/settle-moved.ts';

type SubscriptionRow = typeof subscriptions.$inferSelect;

export type SyncOutcome = {
  /** The stored state differed from the provider's. */
  hasChanged: boolean;
  facts: CustomerFacts;
};

/** Syncs that have not asked the provider yet, by customer. */
const waitingSyncs = new WeakMap<Db, Map<string, Promise<SyncOutcome | undefined>>>();

/**
 * Fetches the provider's state and stores it (architecture, rule 11). Events only name the customer, so late,
 * duplicated and reordered ones end in the same state. Callers share a sync that has not started yet.
 * @returns undefined for an unknown customer
 */
export async function syncSubscription(parts: MembershipParts, customerId: string): Promise<SyncOutcome | undefined> {
  const waiting = waitingSyncs.get(parts.db) ?? new Map<string, Promise<SyncOutcome | undefined>>();
  waitingSyncs.set(parts.db, waiting);
  const shared = waiting.get(customerId);
  // Gives up this caller's slot while waiting, because the shared sync may need it.
  if (shared !== undefined) return waitOutsideSlot(() => shared);
  const stopSharing = () => {
    if (waiting.get(customerId) === sync) waiting.delete(customerId);
  };
  // From the moment the provider is asked, later changes need a new sync.
  const sync = syncInTurn(parts, customerId, stopSharing);
  waiting.set(customerId, sync);
  try {
    return await sync;
  } finally {
    stopSharing();
  }
}

/** @param onTurn called when the lock is taken, before the provider is asked */
async function syncInTurn(
  parts: MembershipParts,
  customerId: string,
  onTurn: () => void,
): Promise<SyncOutcome | undefined> {
  const user = await findUserOfCustomer(parts.db, customerId);
  if (user === undefined) return undefined;
  const { userId } = user;
  return withPaymentLock(parts.db, userId, async () => {
    onTurn();
    // The account may have been deleted while this waited, or pays through another provider.
    const now = await findUserOfCustomer(parts.db, customerId);
    if (now?.userId !== userId) return undefined;
    return now.isFormer ? syncFormer(parts, userId, customerId) : syncLocked(parts, userId, customerId);
  });
}

/** A provider that the user paid through before: only its invoices count, and what goes on there is stopped. */
async function syncFormer(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
  customerId: string,
): Promise<SyncOutcome> {
  const facts = await readSettled(payments, customerId);
  if (facts === undefined)
    return { hasChanged: false, facts: { subscriptions: [], invoices: [], givenUpId: undefined } };
  const { capabilities } = providerFor(payments, customerId);
  const hasChanged = await db.transaction((tx) => writeInvoices(tx, userId, facts.invoices, capabilities));
  await issueDocuments(db, { of: userId });
  await settleMoved({ db, payments }, userId, customerId, facts);
  return { hasChanged, facts };
}

/** Requires the user's lock, so that an older answer never overwrites a newer one. */
export async function syncLocked(
  parts: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
  customerId: string,
): Promise<SyncOutcome> {
  const synced = await storeState(parts, userId, customerId);
  // Apart from the transaction above, because all who issue wait for each other.
  await issueDocuments(parts.db, { of: userId });
  if (!(await moveBehindGift(parts, userId, currentOf(synced.facts)))) return synced;
  return { ...(await storeState(parts, userId, customerId)), hasChanged: true };
}

/**
 * Gift time that was given while the subscription was cancelled or unpaid comes before the next charge of the one that
 * goes on again. The provider counts whole seconds. A refusal is asked for again a day later, when the date is nearer.
 */
async function moveBehindGift(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
  current: SubscriptionFacts | undefined,
): Promise<boolean> {
  if (current === undefined || !isUsable(current.status) || current.endsAt !== undefined) return false;
  const [row] = await db
    .select({
      giftUntil: memberships.giftUntil,
      isRefused: sql<boolean>`coalesce(${memberships.chargeRefusedAt} > now() - interval '20 hours', false)`,
    })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  const giftUntil = row?.giftUntil ?? undefined;
  if (giftUntil === undefined || row?.isRefused || !isBehind(giftUntil, current.periodEndsAt)) return false;
  // Wishes that wait for the provider come first: they move the charge or the gift time.
  if ((await findWishes(db, userId)).length > 0) return false;
  const { ok } = await payments.delayCharge(current.id, giftUntil);
  if (!ok) await noteRefusedCharge(db, userId);
  return ok;
}

/** By more than the second that the provider counts. */
function isBehind(giftUntil: Date, charge: Date): boolean {
  return giftUntil.getTime() - charge.getTime() >= 1000;
}

async function storeState(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
  customerId: string,
): Promise<SyncOutcome> {
  const read = await readSettled(payments, customerId);
  const facts = (await resumeChanged({ db, payments }, userId, read)) ? await readSettled(payments, customerId) : read;
  return db.transaction(async (tx) => {
    if (facts === undefined) return deleteCustomer(tx, userId);
    const { before, after } = await writeSubscription(tx, userId, facts);
    const { capabilities } = providerFor(payments, customerId);
    const since = await findAdoption(tx, customerId);
    const invoicesChanged = await writeInvoices(tx, userId, facts.invoices, capabilities, since);
    const current = currentOf(facts);
    await followPauses(tx, userId, current);
    if (before !== undefined && before.subscriptionId === current?.id) {
      if (before.status === 'past-due' && current.status === 'active')
        await moveGiftTime(tx, userId, current.periodEndsAt);
      else if (isUsable(before.status) && isUsable(current.status))
        await keepGiftTimeBehind(tx, userId, before.periodEndsAt, current.periodEndsAt);
    }
    // The first charge could not wait for the end of the gift time.
    const isNew = current?.status === 'active' && before?.subscriptionId !== current.id;
    if (isNew && !capabilities.movesCharge) await moveGiftTime(tx, userId, current.periodEndsAt);
    if (current?.status === 'trialing') await recordTrial(tx, userId, current.startedAt);
    // The bank refused: no trial began, so the card's trial is released.
    const isRefused = current?.status === 'confirming' && current.action === undefined;
    if (isRefused) await releaseTrialCards(tx, userId);
    await recordDoneWishes(tx, userId, after);
    await noteUsedWinBack(tx, userId, facts);
    await queueMails(tx, userId, { current, invoices: facts.invoices, since });
    await tx
      .update(paymentCustomers)
      .set({ syncedAt: sql`now()` })
      .where(and(eq(paymentCustomers.userId, userId), eq(paymentCustomers.customerId, customerId)));
    return { hasChanged: invoicesChanged || !isSameState(before, after), facts };
  });
}

/** A card that its bank has renewed is no difference that anybody has to look at. */
function isSameState(before: SubscriptionRow | undefined, after: SubscriptionRow | undefined): boolean {
  const withoutCard = (row: SubscriptionRow | undefined) => row && { ...row, cardExpires: null };
  return isDeepStrictEqual(withoutCard(before), withoutCard(after));
}

/** A cancelled subscription goes on with a change of period that the bank confirmed later (`changePeriod`). */
async function resumeChanged(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
  facts: CustomerFacts | undefined,
): Promise<boolean> {
  const current = facts && currentOf(facts);
  if (current?.endsAt === undefined || current.status === 'ended') return false;
  const [before] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  const wasCancelled = before?.subscriptionId === current.id && before.endsAt !== null;
  if (!wasCancelled || before.period === current.plan.period) return false;
  await payments.resume(current.id);
  return true;
}

/** Deleted at the provider: nothing is charged any more, and the next subscription creates a new customer. */
async function deleteCustomer(db: Db, userId: string): Promise<SyncOutcome> {
  const deleted = await db.delete(subscriptions).where(eq(subscriptions.userId, userId)).returning();
  await db.delete(paymentCustomers).where(eq(paymentCustomers.userId, userId));
  await recordDoneWishes(db, userId, undefined);
  await followPauses(db, userId, undefined);
  return { hasChanged: deleted.length > 0, facts: { subscriptions: [], invoices: [], givenUpId: undefined } };
}

/** Gift time that was given while the payment was due starts after the period that is paid now. */
async function moveGiftTime(db: Db, userId: string, paidUntil: Date): Promise<void> {
  await db
    .update(memberships)
    .set({
      giftUntil: sql`greatest(now(), ${paidUntil.toISOString()}::timestamptz) + (${memberships.giftUntil} - now())`,
    })
    .where(and(eq(memberships.userId, userId), gt(memberships.giftUntil, sql`now()`)));
}

/**
 * Gift time behind the next charge, which the provider refused to move so far, stays as long when the charge moves. Not
 * when the charge moved to its end.
 */
async function keepGiftTimeBehind(db: Db, userId: string, before: Date, after: Date): Promise<void> {
  const span = after.getTime() - before.getTime();
  if (span === 0) return;
  const isMember = eq(memberships.userId, userId);
  const [row] = await db.select({ giftUntil: memberships.giftUntil }).from(memberships).where(isMember).for('update');
  const giftUntil = row?.giftUntil ?? undefined;
  if (giftUntil === undefined || isSameSecond(giftUntil, after)) return;
  // Months taken back from a charge at the end of the gift time are taken from both.
  const isWaiting = isBehind(giftUntil, before) || (span < 0 && isSameSecond(giftUntil, before));
  if (isWaiting)
    await db
      .update(memberships)
      .set({ giftUntil: new Date(giftUntil.getTime() + span) })
      .where(isMember);
}

/** The first trial stays recorded. */
async function recordTrial(db: Db, userId: string, startedAt: Date): Promise<void> {
  await db
    .insert(memberships)
    .values({ userId, trialUsedAt: startedAt })
    .onConflictDoUpdate({
      target: memberships.userId,
      set: { trialUsedAt: sql`coalesce(memberships.trial_used_at, ${startedAt.toISOString()})` },
    });
}

/** Only while the user has had no trial; afterwards their cards stay recorded. */
async function releaseTrialCards(db: Db, userId: string): Promise<void> {
  await db
    .delete(trialCards)
    .where(
      and(
        eq(trialCards.userId, userId),
        sql`not exists (select from memberships m where m.user_id = ${userId} and m.trial_used_at is not null)`,
      ),
    );
}

/**
 * Reads the customer. A disputed payment ends its subscription first: the bank took the money back. Invoices that a
 * subscription leaves unpaid at its end are voided: the provider keeps them open, and a later payment could settle them.
 */
async function readSettled(
  payments: MembershipParts['payments'],
  customerId: string,
): Promise<CustomerFacts | undefined> {
  const facts = await payments.readCustomer(customerId);
  const current = facts && currentOf(facts);
  if (facts === undefined || current === undefined) return facts;
  const isDisputed = facts.invoices.some((one) => one.isDisputed && one.subscriptionId === current.id);
  const endsNow = isDisputed && current.status !== 'ended';
  if (endsNow) await payments.cancelNow(current.id);
  const ended = new Set(facts.subscriptions.flatMap(({ id, status }) => (status === 'ended' ? [id] : [])));
  if (endsNow) ended.add(current.id);
  const unpaid = facts.invoices.filter(
    ({ status, subscriptionId }) => status === 'open' && subscriptionId !== undefined && ended.has(subscriptionId),
  );
  for (const { id } of unpaid) await payments.voidInvoice(id);
  return endsNow || unpaid.length > 0 ? payments.readCustomer(customerId) : facts;
}

async function writeSubscription(db: Db, userId: string, facts: CustomerFacts) {
  const [before] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  const after = rowOf(userId, facts);
  if (after === undefined) await db.delete(subscriptions).where(eq(subscriptions.userId, userId));
  else if (!isDeepStrictEqual(before, after))
    await db.insert(subscriptions).values(after).onConflictDoUpdate({ target: subscriptions.userId, set: after });
  return { before, after };
}

/** The table row for those facts; tests use it too. */
export function rowOf(userId: string, facts: CustomerFacts): SubscriptionRow | undefined {
  const current = currentOf(facts);
  if (current === undefined) return undefined;
  const open = facts.invoices.filter(
    ({ subscriptionId, status }) => subscriptionId === current.id && status === 'open',
  );
  // Grace days count from the oldest unpaid invoice, not from the sync.
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
    cardExpires: current.cardExpires ?? null,
  };
}

/** Since when a customer of another site is one of this site; undefined: it always was. */
async function findAdoption(db: Db, customerId: string): Promise<Date | undefined> {
  const [row] = await db
    .select({ adoptedAt: paymentCustomers.adoptedAt })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.customerId, customerId));
  return row?.adoptedAt ?? undefined;
}

/**
 * Invoices are added and updated, never deleted; those beyond the provider's page stay as they are.
 * @param since older ones are sales of another site, which has issued its documents and mails
 */
async function writeInvoices(
  db: Db,
  userId: string,
  facts: InvoiceFacts[],
  { sellsInOwnName }: Pick<Capabilities, 'sellsInOwnName'>,
  since = new Date(0),
): Promise<boolean> {
  if (facts.length === 0) return false;
  const rows = facts.map(({ id, subscriptionId: _s, hasFailed: _f, promoCodeIds: _p, ...invoice }) => ({
    ...invoice,
    id: newId(),
    userId,
    invoiceId: id,
    chargedBackAt: (invoice.chargedBack ?? 0) > 0 ? new Date() : null,
    awaitsDocument: !sellsInOwnName && invoice.createdAt >= since,
    awaitsChargeBack: invoice.createdAt >= since,
  }));
  // Its number of this site stays.
  const number = sql`case when invoices.awaits_document then excluded.number else invoices.number end`;
  const changed = await db
    .insert(invoices)
    .values(rows)
    .onConflictDoUpdate({
      target: invoices.invoiceId,
      set: {
        number,
        status: sql`excluded.status`,
        amountDue: sql`excluded.amount_due`,
        amountPaid: sql`excluded.amount_paid`,
        paidAt: sql`excluded.paid_at`,
        refunded: sql`excluded.refunded`,
        isDisputed: sql`excluded.is_disputed`,
        chargedBack: sql`greatest(excluded.charged_back, invoices.charged_back)`,
        chargedBackAt: sql`coalesce(invoices.charged_back_at, excluded.charged_back_at)`,
        paymentId: sql`excluded.payment_id`,
        paidBy: sql`coalesce(excluded.paid_by, invoices.paid_by)`,
        taxes: sql`coalesce(excluded.taxes, invoices.taxes)`,
      },
      setWhere: sql`(invoices.number, invoices.status, invoices.amount_due, invoices.amount_paid, invoices.paid_at, invoices.refunded, invoices.is_disputed, invoices.payment_id, invoices.charged_back) is distinct from (${number}, excluded.status, excluded.amount_due, excluded.amount_paid, excluded.paid_at, excluded.refunded, excluded.is_disputed, excluded.payment_id, greatest(excluded.charged_back, invoices.charged_back))`,
    })
    .returning({ id: invoices.id, refunded: invoices.refunded });
  await noteOutsideRefunds(db, changed, since);
  return changed.length > 0;
}

/** Refunds that the operator made at the provider: the total minus the refunds made here. */
async function noteOutsideRefunds(db: Db, changed: { id: string; refunded: number }[], since: Date): Promise<void> {
  const ids = changed.flatMap(({ id, refunded }) => (refunded > 0 ? [id] : []));
  if (ids.length === 0) return;
  const rows = await db
    .select({
      invoiceId: invoices.id,
      userId: invoices.userId,
      currency: invoices.currency,
      refunded: invoices.refunded,
      createdAt: invoices.createdAt,
      known: sql<number>`(select coalesce(sum(r.amount), 0)::int from invoice_refunds r
        where r.invoice_id = invoices.id and r.state <> 'refused')`,
    })
    .from(invoices)
    .where(inArray(invoices.id, ids));
  const missing = rows.filter(({ refunded, known }) => refunded > known);
  if (missing.length === 0) return;
  const made = missing.map(({ refunded, known, createdAt, ...refund }) => ({
    ...refund,
    id: newId(),
    amount: refunded - known,
    state: 'done' as const,
    awaitsDocument: createdAt >= since,
  }));
  await db.insert(invoiceRefunds).values(made);
  await addMails(
    db,
    made.flatMap(({ id, userId, awaitsDocument }) => (awaitsDocument ? { kind: 'refund', ref: id, userId } : [])),
  );
}
