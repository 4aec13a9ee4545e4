import { and, count, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { MembershipParts } from '../customers.ts';
import { isAtProvider } from '../hosted/hosted-id.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import type { CustomerFacts, MadePayment, PayingSubscription } from '../payment-provider.ts';
import { refreshSinglePayment } from './single-payments.ts';
import { syncSubscription } from './sync.ts';
import type { ReconciliationFailure, Total } from '../shapes.ts';
import { type ReconciliationPosition, formerPaymentCustomers, paymentCustomers, subscriptions } from '../tables.ts';

/**
 * Compares what the provider lists with the rows here. What differs on a page is asked for anew at once, so that changes
 * during the comparison make no difference. Providers with a page of their own list nothing: `customers` asks them.
 */

type Outcome = { mended: number; failed: ReconciliationFailure[]; totals: Total[] };
type At = Omit<ReconciliationPosition, 'step'>;
type Done = { next: At | undefined; asked: number };

/** Reports an act of the reconciliation that failed, which goes on with the next. @param about a customer, or a kind of thing */
export async function noted(
  { failed }: { failed: ReconciliationFailure[] },
  about: string,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    failed.push({ customerId: about, reason: error instanceof Error ? error.message : String(error) });
  }
}

/** Things that the provider is asked about at the same time. */
export const atOnce = 4;

/** Whole months, besides the present one. */
const comparedMonths = 12;
/** Between a charge at the provider and the time at which it is known to be paid. */
const maxDelayMs = 8 * 24 * 60 * 60 * 1000;

/** One page of the subscriptions that are paid for. Each one here lies within the time of one page. */
export async function comparePaying(parts: MembershipParts, outcome: Outcome, at: At): Promise<Done> {
  const { db, payments } = parts;
  const until = untilOf(at);
  const { items: listedItems, after } = await payments.listPaying({ until, after: at.after });
  const stopped = await findStopped(db, listedItems);
  const items = listedItems.filter(({ id }) => !stopped.has(id));
  const before = at.before === undefined ? until : new Date(at.before);
  const from =
    after === undefined
      ? new Date(0)
      : new Date(Math.min(before.getTime(), ...listedItems.map((one) => +one.startedAt)));
  const isActive = and(eq(subscriptions.status, 'active'), isAtProvider(subscriptions.subscriptionId, 'stripe'));
  const isOfPage = and(isActive, gte(subscriptions.startedAt, from), lt(subscriptions.startedAt, before));
  const here = await db
    .select({ id: subscriptions.subscriptionId, customerId: paymentCustomers.customerId })
    .from(subscriptions)
    .innerJoin(paymentCustomers, eq(paymentCustomers.userId, subscriptions.userId))
    .where(isOfPage);
  const known = await findActive(db, items);
  const listed = new Set(items.map(({ id }) => id));
  const off = new Set([
    ...items.flatMap((one) => (known.has(one.id) ? [] : [one.customerId])),
    ...here.flatMap((one) => (listed.has(one.id) ? [] : [one.customerId])),
  ]);
  const synced = await syncEach(parts, outcome, off);
  const knownNow = off.size === 0 ? known : await findActive(db, items);
  const total = paying(outcome);
  for (const { id, customerId } of items) {
    const facts = synced.get(customerId);
    // It has ended since it was listed.
    if (facts?.subscriptions.every((one) => one.id !== id || one.status !== 'active')) continue;
    total.atProvider += 1;
    if (knownNow.has(id)) continue;
    const reason = facts === undefined ? 'Pays, but is not known here' : 'Pays for more than one subscription';
    outcome.failed.push({ customerId, reason });
  }
  const [now] = await db.select({ number: count() }).from(subscriptions).where(isOfPage);
  total.here += now?.number ?? 0;
  const next = after === undefined ? undefined : { after, until: until.toISOString(), before: from.toISOString() };
  return { next, asked: off.size };
}

/** Subscriptions of users who have moved to another provider, and that do not renew: their paid time is free time here. */
async function findStopped(db: Db, items: PayingSubscription[]): Promise<ReadonlySet<string>> {
  const ending = items.filter(({ renews }) => !renews);
  if (ending.length === 0) return new Set();
  const ids = ending.map(({ customerId }) => customerId);
  const rows = await db
    .select({ customerId: formerPaymentCustomers.customerId })
    .from(formerPaymentCustomers)
    .where(inArray(formerPaymentCustomers.customerId, ids));
  const former = new Set(rows.map(({ customerId }) => customerId));
  return new Set(ending.flatMap(({ id, customerId }) => (former.has(customerId) ? [id] : [])));
}

/** At a whole second, as the provider counts: both sides have the present one or not. */
function untilOf({ until }: At): Date {
  return until === undefined ? new Date(Math.ceil(Date.now() / 1000) * 1000) : new Date(until);
}

async function findActive(db: Db, items: PayingSubscription[]): Promise<ReadonlySet<string>> {
  if (items.length === 0) return new Set();
  const ids = items.map(({ id }) => id);
  const rows = await db
    .select({ id: subscriptions.subscriptionId })
    .from(subscriptions)
    .where(and(inArray(subscriptions.subscriptionId, ids), eq(subscriptions.status, 'active')));
  return new Set(rows.map(({ id }) => id));
}

/** @returns what the provider has of those that are known here */
async function syncEach(
  parts: MembershipParts,
  outcome: Outcome,
  customerIds: Iterable<string>,
): Promise<ReadonlyMap<string, CustomerFacts>> {
  const facts = new Map<string, CustomerFacts>();
  const sync = async (customerId: string) => {
    const synced = await syncSubscription(parts, customerId);
    if (synced === undefined) return;
    facts.set(customerId, synced.facts);
    if (synced.hasChanged) outcome.mended += 1;
  };
  await settleEach([...customerIds], (customerId) => noted(outcome, customerId, () => sync(customerId)), { atOnce });
  return facts;
}

/** A payment as its row here has it. */
type Known = { paid: number; refunded: number; paidAt: Date };

/** One page of the payments. Those that this site neither made nor knows belong to something else. */
export async function comparePayments(parts: MembershipParts, outcome: Outcome, at: At): Promise<Done> {
  const { db, payments } = parts;
  const until = untilOf(at);
  const since = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - comparedMonths));
  const from = new Date(since.getTime() - maxDelayMs);
  const { items, after } = await payments.listPayments({ from, until, after: at.after });
  const before = await findKnown(db, items);
  const off = items.filter((one) => !agrees(one, before.get(one.paymentId)));
  const refresh = ({ paymentId }: MadePayment) =>
    noted(outcome, 'single payments', () => refreshSinglePayment(parts, paymentId));
  await settleEach(off, refresh, { atOnce });
  const synced = await syncEach(parts, outcome, new Set(off.flatMap(({ customerId }) => customerId ?? [])));
  const known = off.length === 0 ? before : await findKnown(db, items);
  for (const item of items) {
    const row = known.get(item.paymentId);
    if (row === undefined && !item.isOwn) continue;
    const paidAt = row?.paidAt ?? item.createdAt;
    if (paidAt < since || paidAt >= until) continue;
    const invoice = synced.get(item.customerId ?? '')?.invoices.find(({ paymentId }) => paymentId === item.paymentId);
    const key = { month: paidAt.toISOString().slice(0, 7), currency: item.currency };
    totalOf(outcome, { of: 'paid', ...key }).atProvider += item.amount;
    const refunded = totalOf(outcome, { of: 'refunded', ...key });
    refunded.atProvider += invoice?.refunded ?? refundedOf(item);
    refunded.here += row?.refunded ?? 0;
    if (row === undefined)
      outcome.failed.push({
        customerId: item.customerId ?? item.paymentId,
        reason: `${item.paymentId} is not known here`,
      });
  }
  const asked = off.length;
  if (after !== undefined) return { next: { after, until: until.toISOString() }, asked };
  for (const { month, currency, paid } of await sumPaid(db, since, until))
    totalOf(outcome, { of: 'paid', month, currency }).here += paid;
  outcome.totals = outcome.totals.filter((one) => one.of === 'paying' || one.atProvider !== 0 || one.here !== 0);
  return { next: undefined, asked };
}

/** Gift cards and tips have no row for a part of their price. */
function refundedOf({ customerId, amount, refunded, isTakenBack }: MadePayment): number {
  if (customerId !== undefined) return refunded;
  return isTakenBack ? amount : 0;
}

function agrees(item: MadePayment, row: Known | undefined): boolean {
  return row !== undefined && row.paid === item.amount && row.refunded === refundedOf(item);
}

async function findKnown(db: Db, items: MadePayment[]): Promise<ReadonlyMap<string, Known>> {
  if (items.length === 0) return new Map();
  const ids = sql`${sql.param(items.map(({ paymentId }) => paymentId))}::text[]`;
  const { rows } = await db.execute<{ id: string; paid: number; refunded: number; paid_at: string }>(sql`
    select payment_id as id, amount_paid as paid, refunded, paid_at from invoices
    where payment_id = any(${ids}) and status = 'paid'
    union all
    select payment_id, amount, case when coalesce(refunded_at, paid_back_at) is null then 0 else amount end, paid_at
    from gift_cards where payment_id = any(${ids}) and paid_at is not null
    union all
    select payment_id, amount, case when refunded_at is null then 0 else amount end, paid_at
    from tips where payment_id = any(${ids}) and paid_at is not null`);
  return new Map(rows.map(({ id, paid_at, ...row }) => [id, { ...row, paidAt: new Date(paid_at) }]));
}

/** The money paid here, by month and currency. */
async function sumPaid(db: Db, since: Date, until: Date) {
  const [from, to] = [since.toISOString(), until.toISOString()];
  const { rows } = await db.execute<{ month: string; currency: string; paid: number }>(sql`
    select to_char(paid_at at time zone 'UTC', 'YYYY-MM') as month, currency, sum(paid)::float8 as paid from (
      select paid_at, currency, amount_paid as paid from invoices
      where status = 'paid' and amount_paid > 0 and ${isAtProvider(sql`invoice_id`, 'stripe')}
      union all
      select paid_at, currency, amount from gift_cards
      where payment_id is not null and ${isAtProvider(sql`payment_id`, 'stripe')}
      union all
      select paid_at, currency, amount from tips where ${isAtProvider(sql`payment_id`, 'stripe')}
    ) payments where paid_at >= ${from} and paid_at < ${to} group by 1, 2`);
  return rows;
}

function paying({ totals }: Outcome): Total {
  return added(totals, totals.find((one) => one.of === 'paying') ?? { of: 'paying', atProvider: 0, here: 0 });
}

function totalOf({ totals }: Outcome, key: { of: 'paid' | 'refunded'; month: string; currency: string }): Total {
  const isSame = (one: Total) =>
    one.of !== 'paying' && one.of === key.of && one.month === key.month && one.currency === key.currency;
  return added(totals, totals.find(isSame) ?? { ...key, atProvider: 0, here: 0 });
}

function added(totals: Total[], one: Total): Total {
  if (!totals.includes(one)) totals.push(one);
  return one;
}
