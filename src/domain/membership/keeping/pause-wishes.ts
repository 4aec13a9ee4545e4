import { and, eq, isNull } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { MembershipParts } from '../customers.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
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
  // The charge was made meanwhile.
  if (charged?.status === 'active') return writePauseDone(db, userId, wish);
  // A cancelled one is never charged.
  const canMove = charged !== undefined && (charged.endsAt === undefined || until !== 'now');
  if (canMove && (await payments.delayCharge(charged.id, until, keyOf(wish))).ok)
    return writePauseDone(db, userId, wish);
  // Refused: the pause goes on as agreed.
  await db.transaction(async (tx) => {
    const [kept] = await tx
      .update(pauses)
      .set({ endingAt: null, backUntil: null })
      .where(and(eq(pauses.id, wish.id), isNull(pauses.endedAt)))
      .returning();
    if (kept === undefined) return;
    const [user] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId));
    await recordChange(tx, {
      actor: operator,
      role: 'operator',
      action: 'subscription.end-pause-failed',
      subject: { type: 'subscription', id: userId, name: user?.username ?? userId },
      before: { from: kept.fromAt, until: kept.untilAt },
    });
  });
}

export async function writePauseDone(db: Db, userId: string, { kind, id, wishedAt }: PauseWish): Promise<void> {
  await db.transaction(async (tx) => {
    const change = kind === 'pause' ? { appliedAt: new Date() } : { endedAt: wishedAt };
    await tx.update(pauses).set(change).where(eq(pauses.id, id));
    if (kind === 'pause') await addMails(tx, [{ kind: 'pause-agreed', ref: id, userId }]);
  });
}
