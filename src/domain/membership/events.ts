import { and, asc, eq, gt, gte, inArray, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { MembershipParts } from './customers.ts';
import { findUserOfCustomer } from './customers.ts';
import { findGiftCardOfPayment, refreshGiftCard } from './gift-cards.ts';
import type { PaymentEvent } from './payment-provider.ts';
import { syncSubscription } from './sync.ts';
import { paymentEvents } from './tables.ts';

type EventRow = typeof paymentEvents.$inferSelect;

/**
 * Records one event, then syncs the customer that it names. An event that was settled before is skipped.
 * @throws the failure, which the ledger stores too, so that the provider retries
 */
export async function receiveEvent(parts: MembershipParts, event: PaymentEvent): Promise<'done' | 'ignored'> {
  const { db } = parts;
  const [row] = await db
    .insert(paymentEvents)
    .values({
      eventId: event.id,
      type: event.type.slice(0, 200),
      customerId: event.customerId ?? null,
      paymentId: event.paymentId ?? null,
      createdAt: event.createdAt,
    })
    .onConflictDoUpdate({
      target: paymentEvents.eventId,
      set: { attempts: sql`${paymentEvents.attempts} + 1` },
    })
    .returning();
  if (row === undefined) throw new Error('the event was not written');
  if (row.status === 'done' || row.status === 'ignored') return row.status;
  return settle(parts, row);
}

async function settle(
  parts: MembershipParts,
  { eventId, customerId, paymentId }: EventRow,
): Promise<'done' | 'ignored'> {
  try {
    const status = await act(parts, customerId, paymentId);
    // Events about unknown customers, such as those of deleted accounts, are stored without their ids.
    const forgotten = status === 'ignored' ? { customerId: null, paymentId: null } : {};
    await write(parts.db, eventId, { status, error: null, settledAt: new Date(), ...forgotten });
    return status;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // If the ledger write fails too, the first error still has to be thrown.
    await write(parts.db, eventId, { status: 'failed', error: reason.slice(0, 500) }).catch(() => undefined);
    throw error;
  }
}

/** The same Stripe account may hold customers, products and payments of other sites; those are ignored. */
async function act(parts: MembershipParts, customerId: string | null, paymentId: string | null) {
  const giftCardId = paymentId === null ? undefined : await findGiftCardOfPayment(parts.db, paymentId);
  if (giftCardId !== undefined) await refreshGiftCard(parts, giftCardId);
  // A dispute names only the payment.
  const named =
    customerId ?? (paymentId === null ? undefined : (await parts.payments.findPayment(paymentId))?.customerId);
  const userId = named === undefined ? undefined : await findUserOfCustomer(parts.db, named);
  const synced = named === undefined || userId === undefined ? undefined : await syncSubscription(parts, named);
  return giftCardId === undefined && synced === undefined ? 'ignored' : 'done';
}

async function write(db: Db, eventId: string, change: Partial<EventRow>): Promise<void> {
  await db.update(paymentEvents).set(change).where(eq(paymentEvents.eventId, eventId));
}

export type ReplayOf = { eventId: string } | { since: Date } | 'unsettled';

/** Settles events of the ledger again, oldest first. @returns counts of all and of failed ones */
export async function replayEvents(
  parts: MembershipParts,
  which: ReplayOf,
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
      await settle(parts, row).catch((error: unknown) => {
        outcome.failed.push({ eventId: row.eventId, reason: error instanceof Error ? error.message : String(error) });
      });
    }
    const last = rows.at(-1);
    if (last === undefined) return outcome;
    after = or(
      gt(paymentEvents.receivedAt, last.receivedAt),
      and(eq(paymentEvents.receivedAt, last.receivedAt), gt(paymentEvents.eventId, last.eventId)),
    );
  }
}

function chosen(which: ReplayOf): SQL | undefined {
  if (which === 'unsettled') return inArray(paymentEvents.status, ['received', 'failed']);
  return 'since' in which ? gte(paymentEvents.receivedAt, which.since) : eq(paymentEvents.eventId, which.eventId);
}

/** Providers retry for days; operators may look into events for weeks. */
export async function purgeOldEvents(db: Db, signal?: AbortSignal): Promise<void> {
  const isOld = sql`${paymentEvents.receivedAt} < now() - interval '180 days' and ${paymentEvents.status} in ('done', 'ignored')`;
  await purgeRows(db, paymentEvents, isOld, signal);
}
