import { eq } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { MembershipParts } from '../customers.ts';
import { addMonths } from '../free-time.ts';
import { addMails } from '../mail-queue.ts';
import type { SubscriptionFacts } from '../payment-provider.ts';
import { type Wish, keyOf } from '../wishes.ts';
import { pauses } from './tables.ts';

/** How a pause, and its end, reach the provider: after they are stored, and before their outcome is (decision 012). */

export type PauseWish = Wish & { kind: 'pause' | 'end-pause' };

/** From the end of the paid time, which is now when the provider charges late. */
export function spanOf({ periodEndsAt }: Pick<SubscriptionFacts, 'periodEndsAt'>, months: number) {
  const fromAt = new Date(Math.max(periodEndsAt.getTime(), Date.now()));
  return { fromAt, untilAt: addMonths(fromAt, months) };
}

/** Refused, or not charged any more: there is no pause. */
export async function beginPause(
  { db, payments }: MembershipParts,
  userId: string,
  wish: PauseWish,
  running: SubscriptionFacts | undefined,
): Promise<void> {
  const isWish = eq(pauses.id, wish.id);
  if (running !== undefined) {
    const span = spanOf(running, wish.months);
    await db
      .update(pauses)
      .set({ ...span, subscriptionId: running.id })
      .where(isWish);
    if ((await payments.delayCharge(running.id, span.untilAt, keyOf(wish))).ok) return writePauseDone(db, userId, wish);
  }
  await db.delete(pauses).where(isWish);
}

export async function finishPause(
  { db, payments }: MembershipParts,
  userId: string,
  wish: PauseWish,
  charged: SubscriptionFacts | undefined,
): Promise<void> {
  const { backUntil } = wish;
  const until = backUntil !== null && backUntil > new Date() ? backUntil : ('now' as const);
  if (charged !== undefined && (await payments.delayCharge(charged.id, until, keyOf(wish))).ok)
    return writePauseDone(db, userId, wish);
  // Refused: the pause goes on as agreed.
  await db.update(pauses).set({ endingAt: null, backUntil: null }).where(eq(pauses.id, wish.id));
}

export async function writePauseDone(db: Db, userId: string, { kind, id, wishedAt }: PauseWish): Promise<void> {
  await db.transaction(async (tx) => {
    const change = kind === 'pause' ? { appliedAt: new Date() } : { endedAt: wishedAt };
    await tx.update(pauses).set(change).where(eq(pauses.id, id));
    if (kind === 'pause') await addMails(tx, [{ kind: 'pause-agreed', ref: id, userId }]);
  });
}
