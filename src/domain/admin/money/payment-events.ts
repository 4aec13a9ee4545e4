import { type SQL, and, desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { type PageQuery, decodeCursor, encodeCursor, isBeyond, toPage } from '../../kernel/pages.ts';
import { Instant, isPlain } from '../../kernel/forms.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import { type ReplayOf, replayEvents } from '../../membership/sync/events.ts';
import { paymentCustomers, paymentEvents } from '../../membership/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';
import type { EventState } from '../rules.ts';

/** Events of the payment provider, with the user that the customer belongs to now. */
function selectEvents(db: Db) {
  return db
    .select({
      id: paymentEvents.eventId,
      ...pick(paymentEvents, 'type', 'status', 'attempts', 'error', 'customerId', 'paymentId'),
      userId: paymentCustomers.userId,
      ...pick(paymentEvents, 'createdAt', 'receivedAt', 'settledAt'),
    })
    .from(paymentEvents)
    .leftJoin(paymentCustomers, eq(paymentCustomers.customerId, paymentEvents.customerId))
    .$dynamic();
}

const order = 'payment-events';
/** Event ids come from the provider, so cursors combine them with the time. */
const Position = z
  .string()
  .regex(/^\S+ .{1,200}$/)
  .refine(isPlain)
  .refine((text) => Instant.safeParse(text.split(' ', 1)[0]).success);
const noId = '00000000-0000-4000-8000-000000000000';

/** Newest first. @param of.q the start of a type, or the id of an event, a customer or a payment */
export async function listPaymentEvents(
  db: Db,
  actor: Actor,
  filter: { q?: string | undefined; state?: EventState | undefined },
  page: PageQuery,
) {
  administratorsOnly(actor);
  const cursor = decodeCursor(order, page.cursor, Position);
  const [at = '', ...id] = cursor === undefined ? [] : String(cursor.value).split(' ');
  const rows = await selectEvents(db)
    .where(
      and(
        matches(filter.q),
        filter.state && eq(paymentEvents.status, filter.state),
        cursor &&
          isBeyond('desc', [paymentEvents.receivedAt, paymentEvents.eventId], {
            value: new Date(at),
            id: id.join(' '),
          }),
      ),
    )
    .orderBy(desc(paymentEvents.receivedAt), desc(paymentEvents.eventId))
    .limit(page.limit + 1);
  return toPage(
    rows,
    page.limit,
    (row) => row,
    ({ receivedAt, id: eventId }) => encodeCursor(order, { value: `${receivedAt.toISOString()} ${eventId}`, id: noId }),
  );
}

function matches(q: string | undefined): SQL | undefined {
  const text = q?.trim() ?? '';
  if (text === '') return undefined;
  return /^[a-z]+_\w{6,}$/i.test(text)
    ? sql`(${paymentEvents.eventId} = ${text} or ${paymentEvents.customerId} = ${text} or ${paymentEvents.paymentId} = ${text})`
    : sql`${paymentEvents.type} like ${startingWith(text.toLowerCase())}`;
}

export async function findPaymentEvent(db: Db, actor: Actor, id: string) {
  administratorsOnly(actor);
  if (!isPlain(id)) return undefined;
  const [row] = await selectEvents(db).where(eq(paymentEvents.eventId, id));
  return row;
}

/** Processes an event again: fetches its customer from the provider again, so that repeating is harmless. */
export async function replayPaymentEvent(parts: MembershipParts, actor: Actor, id: string) {
  const before = await findPaymentEvent(parts.db, actor, id);
  if (before === undefined) return { ok: false, reason: 'request/not-found' } as const;
  await replayPaymentEvents(parts, actor, { eventId: id });
  return { ok: true, event: (await findPaymentEvent(parts.db, actor, id)) ?? before } as const;
}

/** Processes several events again, with a log entry for each. @returns the number of all and of failed events */
export async function replayPaymentEvents(parts: MembershipParts, actor: Actor, which: ReplayOf) {
  administratorsOnly(actor);
  return replayEvents(parts, which, async ({ eventId, type, status }) => {
    const event = await findPaymentEvent(parts.db, actor, eventId);
    await recordByOperator(parts.db, actor, {
      action: 'payment-event.replay',
      subject: { type: 'payment-event', id: eventId, name: type },
      before: { status },
      // Includes the time, so that repeated processing is logged too.
      after: { status: event?.status ?? status, settledAt: event?.settledAt ?? null },
    });
  });
}
