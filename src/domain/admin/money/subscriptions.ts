import { type SQL, and, asc, desc, eq, or, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import { isPausedSql } from '../../membership/entitlement.ts';
import { changeByOperator } from '../../membership/changes.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import { type RefundOrder, type RefundOutcome, refundInvoice } from '../../membership/refunds.ts';
import type { SubscriptionWish } from '../../membership/subscribing/subscription-wishes.ts';
import { endPause as endPauseOf } from '../../membership/keeping/pause.ts';
import { findSubscription, findSubscriptionState } from '../../membership/subscription.ts';
import { invoiceRefunds, invoices, paymentCustomers, subscriptions } from '../../membership/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { listPayments as listMoments } from '../people/users.ts';
import type { CancelForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import type { SubscriptionFilter } from '../rules.ts';

/** Subscriptions as operators see them: payments, but never what was heard. Amounts in cents. */

/**
 * Newest first.
 * @param of.q the start of an email or username, an id of the user, or of the subscription, customer or invoice at the
 *   provider, or the number of an invoice
 */
export async function listSubscriptions(
  db: Db,
  actor: Actor,
  filter: { q?: string | undefined; state?: SubscriptionFilter | undefined },
  query: PageQuery,
) {
  administratorsOnly(actor);
  const page = pageIn('subscriptions', query, {
    direction: 'desc',
    by: subscriptions.startedAt,
    id: subscriptions.userId,
  });
  const rows = await db
    .select({
      ...pick(users, 'username', 'email'),
      ...pick(subscriptions, 'userId', 'status', 'period', 'amount', 'currency', 'startedAt', 'periodEndsAt', 'endsAt'),
      isPaused: isPausedSql(subscriptions.userId),
      ...page.columns,
    })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(and(matches(filter.q), filter.state && isIn[filter.state], page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}

const isIn: Record<SubscriptionFilter, SQL | undefined> = {
  active: eq(subscriptions.status, 'active'),
  trialing: sql`${subscriptions.status} = 'trialing' and not ${isPausedSql(subscriptions.userId)}`,
  paused: isPausedSql(subscriptions.userId),
  'past-due': eq(subscriptions.status, 'past-due'),
  confirming: eq(subscriptions.status, 'confirming'),
  ending: sql`${subscriptions.status} in ('active', 'trialing') and ${subscriptions.endsAt} is not null`,
  ended: eq(subscriptions.status, 'ended'),
};

/** Users that match the words; materialized, so that PostgreSQL starts with the search and not with the order. */
function matches(q: string | undefined): SQL | undefined {
  const text = q?.trim() ?? '';
  if (text === '') return undefined;
  if (isId(text.toLowerCase())) return eq(subscriptions.userId, text.toLowerCase());
  const start = startingWith(text.toLowerCase().replace(/^@/, ''));
  return sql`${subscriptions.userId} = any(array(
    select id from ${users} where ${users.email} like ${start} or lower(${users.username}) like ${start}
    union select user_id from ${subscriptions} where subscription_id = ${text}
    union select user_id from ${paymentCustomers} where customer_id = ${text}
    union select user_id from ${invoices} where invoice_id = ${text} or number = ${text}
    limit 2000))`;
}

/** @returns undefined for an unknown user, and for one who never subscribed */
export async function findSubscriptionDetail(parts: MembershipParts, actor: Actor, userId: string) {
  administratorsOnly(actor);
  if (!isId(userId)) return undefined;
  const { db } = parts;
  const [row] = await db
    .select({
      ...pick(users, 'id', 'username', 'email', 'suspendedAt'),
      /** At the provider; null without a subscription. */
      subscriptionId: subscriptions.subscriptionId,
      customerId: paymentCustomers.customerId,
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .leftJoin(paymentCustomers, eq(paymentCustomers.userId, users.id))
    .where(eq(users.id, userId));
  if (row === undefined || (row.subscriptionId === null && row.customerId === null)) return undefined;
  const [subscription, payments, moments] = await Promise.all([
    findSubscription(parts, userId),
    listPayments(db, userId),
    listMoments(db, userId),
  ]);
  const { suspendedAt, subscriptionId, customerId, ...user } = row;
  return {
    user: { ...user, isSuspended: suspendedAt !== null },
    subscriptionId,
    customerId,
    subscription,
    payments,
    /** Payments, refunds and gifts, newest first. */
    moments,
  };
}

export type AdminPayment = Awaited<ReturnType<typeof listPayments>>[number];

/** Newest first, at most 100. */
async function listPayments(db: Db, userId: string) {
  const [billed, refunds] = await Promise.all([
    db
      .select({
        ...pick(invoices, 'id', 'invoiceId', 'number', 'status', 'currency', 'total', 'amountPaid', 'refunded'),
        /** By the cardholder; it cannot be refunded. */
        ...pick(invoices, 'isDisputed', 'createdAt', 'paidAt'),
        period: { start: invoices.periodStart, end: invoices.periodEnd },
      })
      .from(invoices)
      .where(and(eq(invoices.userId, userId), or(sql`${invoices.total} > 0`, sql`${invoices.amountPaid} > 0`)))
      .orderBy(desc(invoices.createdAt), desc(invoices.id))
      .limit(100),
    db
      .select({
        ...pick(invoiceRefunds, 'id', 'invoiceId', 'amount', 'state', 'reason'),
        at: invoiceRefunds.createdAt,
      })
      .from(invoiceRefunds)
      .where(eq(invoiceRefunds.userId, userId))
      .orderBy(asc(invoiceRefunds.createdAt)),
  ]);
  return billed.map((invoice) => {
    const own = refunds.filter(({ invoiceId }) => invoiceId === invoice.id);
    // Cents of refunds that the provider has not confirmed yet.
    const waiting = own.reduce((sum, { state, amount }) => (state === 'asked' ? sum + amount : sum), 0);
    return { ...invoice, waiting, refunds: own.map(({ invoiceId: _invoice, ...refund }) => refund) };
  });
}

export async function refundPayment(parts: MembershipParts, actor: Actor, refund: RefundOrder): Promise<RefundOutcome> {
  administratorsOnly(actor);
  if (!isId(refund.invoiceId)) return { ok: false, reason: 'request/not-found' };
  return refundInvoice(parts, actor, refund);
}

export type CancelOutcome =
  | { ok: true; endsAt: Date | null }
  | { ok: false; reason: 'request/not-found' | 'subscription/changed' };

/** At once, or at the end of the paid time. Refunds nothing. */
export async function cancelSubscription(
  parts: MembershipParts,
  actor: Actor,
  userId: string,
  { when, subscriptionId, reason }: CancelForm,
): Promise<CancelOutcome> {
  return change(parts, actor, { userId, subscriptionId, act: `cancel-${when}`, reason });
}

/** Undoes a cancellation before it takes effect. */
export async function resumeSubscription(
  parts: MembershipParts,
  actor: Actor,
  userId: string,
  { subscriptionId }: { subscriptionId: string },
): Promise<CancelOutcome> {
  return change(parts, actor, { userId, subscriptionId, act: 'resume', reason: null });
}

/** Before its time; a running one is charged at once. */
export async function endPause(
  parts: MembershipParts,
  actor: Actor,
  userId: string,
  { subscriptionId, chargesNow }: { subscriptionId: string; chargesNow: boolean },
): Promise<{ ok: true; renewsAt: Date | null } | { ok: false; reason: ErrorCode }> {
  administratorsOnly(actor);
  const before = await findStored(parts.db, userId);
  if (before === undefined) return { ok: false, reason: 'request/not-found' };
  if (before.subscriptionId !== subscriptionId || before.status === 'ended')
    return { ok: false, reason: 'subscription/changed' };
  const ended = await endPauseOf(parts, userId, { chargesNow }, async (tx, pause) => {
    const [user] = await tx.select(pick(users, 'username')).from(users).where(eq(users.id, userId));
    await recordByOperator(tx, actor, {
      action: 'subscription.end-pause',
      subject: { type: 'subscription', id: userId, name: user?.username ?? userId },
      before: { from: pause.fromAt, until: pause.untilAt },
    });
  });
  if (!ended.ok) return ended;
  return { ok: true, renewsAt: (await findSubscriptionState(parts.db, userId)).renewsAt };
}

async function change(
  parts: MembershipParts,
  actor: Actor,
  wish: Omit<SubscriptionWish, 'before'>,
): Promise<CancelOutcome> {
  administratorsOnly(actor);
  const { userId, subscriptionId } = wish;
  const before = await findStored(parts.db, userId);
  if (before === undefined) return { ok: false, reason: 'request/not-found' };
  const isSeen = before.subscriptionId === subscriptionId && before.status !== 'ended';
  if (!isSeen || !(await changeByOperator(parts, actor, { ...wish, before })).ok)
    return { ok: false, reason: 'subscription/changed' };
  const after = await findStored(parts.db, userId);
  return { ok: true, endsAt: after?.endsAt ?? null };
}

async function findStored(db: Db, userId: string) {
  if (!isId(userId)) return undefined;
  const [row] = await db
    .select(pick(subscriptions, 'subscriptionId', 'status', 'endsAt'))
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId));
  return row;
}
