import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { MembershipParts } from '../customers.ts';
import { findGiftUntil } from '../entitlement.ts';
import type { SubscriptionFacts } from '../payment-provider.ts';
import { keyOf } from '../wishes.ts';
import type { PauseRow } from './find-pause.ts';
import { finishPause } from './pause-wishes.ts';
import { pauses } from './tables.ts';

export type Recording = (tx: Db, pause: PauseRow) => Promise<void>;

/** When the charge is due once a pause ends now: at the end of the paid time, or now, or behind gift time. */
export async function findBackUntil(
  db: Db,
  { userId, fromAt }: Pick<PauseRow, 'userId' | 'fromAt'>,
  now: Date,
): Promise<Date> {
  if (fromAt > now) return fromAt;
  const giftUntil = await findGiftUntil(db, userId);
  return giftUntil !== null && giftUntil > now ? giftUntil : now;
}

/** Requires the lock. */
export async function askForEnd(
  db: Db,
  pause: PauseRow,
  record: Recording = async () => {},
): Promise<{ endingAt: Date; backUntil: Date }> {
  const { id } = pause;
  const endingAt = new Date();
  const backUntil = await findBackUntil(db, pause, endingAt);
  await db.transaction(async (tx) => {
    await tx.update(pauses).set({ endingAt, backUntil }).where(eq(pauses.id, id));
    await record(tx, pause);
  });
  return { endingAt, backUntil };
}

/** Behind the cancellation of its subscription, so that the paid time is what is left. Requires the lock. */
export async function takePauseBack(
  parts: MembershipParts,
  pause: PauseRow,
  current: SubscriptionFacts,
): Promise<void> {
  if (pause.endedAt !== null) return;
  const { db } = parts;
  const { id, userId, months, appliedAt } = pause;
  // The provider has not got it, or its answer was lost.
  const isMoved = appliedAt !== null || current.movedBy === keyOf({ kind: 'pause', id });
  if (!isMoved) return void (await db.delete(pauses).where(eq(pauses.id, id)));
  if (appliedAt === null)
    await db
      .update(pauses)
      .set({ appliedAt: sql`now()` })
      .where(eq(pauses.id, id));
  // It has begun, and ends with its subscription.
  if (pause.fromAt <= new Date()) return;
  const { endingAt: wishedAt, backUntil } = await askForEnd(db, pause);
  await finishPause(parts, userId, { kind: 'end-pause', id, months, wishedAt, backUntil }, current);
}
