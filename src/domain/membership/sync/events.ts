import { type SQL, and, asc, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isBeyond } from '../../kernel/pages.ts';
import { type MembershipParts, findUserOfCustomer } from '../customers.ts';
import type { PaymentEvent } from '../payment-provider.ts';
import { refreshSinglePayment } from './single-payments.ts';
import { syncSubscription } from './sync.ts';
import { paymentEvents } from '../tables.ts';

type EventRow = typeof paymentEvents.$inferSelect;

/**
 * Stores events, each id once, in one statement; from then on they cannot be lost.
 * @returns for each event whether it was settled before
 */
export async function storeEvents(db: Db, events: PaymentEvent[]): Promise<{ isSettled: boolean }[]> {
  const times = Map.groupBy(events, ({ id }) => id);
  const rows = await db
    .insert(paymentEvents)
    .values(
      // In one order everywhere, so that two processes cannot wait for each other.
      [...new Map(events.map((event) => [event.id, event])).values()]
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ id, type, ...event }) => ({
          ...event,
          eventId: id,
          type: type.slice(0, 200),
          attempts: times.get(id)?.length ?? 1,
        })),
    )
    .onConflictDoUpdate({
      target: paymentEvents.eventId,
      set: { attempts: sql`${paymentEvents.attempts} + excluded.attempts` },
    })
    .returning({ eventId: paymentEvents.eventId, status: paymentEvents.status });
  const settled = new Set(rows.flatMap(({ eventId, status }) => (openStatuses.includes(status) ? [] : [eventId])));
  return events.map(({ id }) => ({ isSettled: settled.has(id) }));
}

const openStatuses: EventRow['status'][] = ['received', 'failed'];
const isOpen = inArray(paymentEvents.status, openStatuses);

/**
 * Settles a recorded event and all others that wait about the same customer, by one sync. Safe in any number of
 * processes, and to repeat.
 * @throws the failure, which the ledger stores too, so that a job tries again
 */
export async function settleEvent(parts: MembershipParts, eventId: string): Promise<void> {
  const { db } = parts;
  const [row] = await db.select().from(paymentEvents).where(eq(paymentEvents.eventId, eventId));
  if (row === undefined || !openStatuses.includes(row.status)) return;
  const { customerId, paymentId } = row;
  const isAboutTheSame =
    customerId !== null
      ? eq(paymentEvents.customerId, customerId)
      : paymentId !== null
        ? and(isNull(paymentEvents.customerId), eq(paymentEvents.paymentId, paymentId))
        : eq(paymentEvents.eventId, eventId);
  const rows = await db.select().from(paymentEvents).where(and(isAboutTheSame, isOpen)).limit(1000);
  await settle(parts, rows, isOpen);
}

/**
 * The oldest waiting event of each customer, of the last week. The process that received an event settles it at once,
 * so younger ones are left to it.
 */
export async function findWaitingEvents(db: Db, { seconds = 15 } = {}): Promise<string[]> {
  const { rows } = await db.execute<{ event_id: string }>(sql`
    select distinct on (coalesce(customer_id, payment_id, event_id)) event_id from payment_events
    where status in ('received', 'failed') and received_at > now() - interval '7 days'
      and received_at <= now() - make_interval(secs => ${seconds})
    order by coalesce(customer_id, payment_id, event_id), received_at, event_id
    limit 10000`);
  return rows.map((row) => row.event_id);
}

/** @param rows events about one customer. @param isStill condition on a row to be changed */
async function settle(parts: MembershipParts, rows: EventRow[], isStill?: SQL): Promise<void> {
  const update = (ids: string[], change: Partial<EventRow>) =>
    ids.length === 0
      ? undefined
      : parts.db
          .update(paymentEvents)
          .set(change)
          .where(and(inArray(paymentEvents.eventId, ids), isStill));
  const ids = rows.map(({ eventId }) => eventId);
  try {
    const done = await act(parts, rows);
    const ignored = ids.filter((id) => !done.has(id));
    const settled = { error: null, settledAt: new Date() };
    await update([...done], { status: 'done', ...settled });
    // Events about unknown customers, such as those of deleted accounts, are stored without their ids.
    await update(ignored, { status: 'ignored', ...settled, customerId: null, paymentId: null });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // If the ledger write fails too, the first error still has to be thrown.
    await update(ids, { status: 'failed', error: reason.slice(0, 500) })?.catch(() => undefined);
    throw error;
  }
}

/**
 * The same Stripe account may hold customers, products and payments of other sites; those are ignored.
 * @param rows events about one customer. @returns the ids of those that concern this site
 */
async function act(parts: MembershipParts, rows: EventRow[]): Promise<Set<string>> {
  const single = new Set<string>();
  for (const paymentId of new Set(rows.map((row) => row.paymentId)))
    if (paymentId !== null && (await refreshSinglePayment(parts, paymentId))) single.add(paymentId);
  const { customerId = null, paymentId = null } = rows[0] ?? {};
  // A dispute names only the payment.
  const named =
    customerId ?? (paymentId === null ? undefined : (await parts.payments.findPayment(paymentId))?.customerId);
  const userId = named === undefined ? undefined : await findUserOfCustomer(parts.db, named);
  const synced = named === undefined || userId === undefined ? undefined : await syncSubscription(parts, named);
  const isOurs = (row: EventRow) => synced !== undefined || (row.paymentId !== null && single.has(row.paymentId));
  return new Set(rows.filter(isOurs).map(({ eventId }) => eventId));
}

export type ReplayOf = { eventId: string } | { since: Date } | 'unsettled';

/** Columns of an event that its replay logs. */
export type ReplayedEvent = Pick<EventRow, 'eventId' | 'type' | 'status'>;

/**
 * Settles stored events again, oldest first.
 * @param onSettled gets each one in its earlier state
 * @returns the number of all and of failed ones
 */
export async function replayEvents(
  parts: MembershipParts,
  which: ReplayOf,
  onSettled?: (before: ReplayedEvent) => Promise<void>,
): Promise<{ replayed: number; failed: { eventId: string; reason: string }[] }> {
  const outcome = { replayed: 0, failed: [] as { eventId: string; reason: string }[] };
  let after: SQL | undefined;
  for (;;) {
    const rows = await parts.db
      .select()
      .from(paymentEvents)
      .where(and(chosen(which), after))
      .orderBy(asc(paymentEvents.receivedAt), asc(paymentEvents.eventId))
      .limit(200);
    for (const row of rows) {
      outcome.replayed += 1;
      await settle(parts, [row]).catch((error: unknown) => {
        outcome.failed.push({ eventId: row.eventId, reason: error instanceof Error ? error.message : String(error) });
      });
      await onSettled?.(row);
    }
    const last = rows.at(-1);
    if (last === undefined) return outcome;
    after = isBeyond('asc', [paymentEvents.receivedAt, paymentEvents.eventId], {
      value: last.receivedAt,
      id: last.eventId,
    });
  }
}

function chosen(which: ReplayOf): SQL | undefined {
  if (which === 'unsettled') return isOpen;
  return 'since' in which ? gte(paymentEvents.receivedAt, which.since) : eq(paymentEvents.eventId, which.eventId);
}
