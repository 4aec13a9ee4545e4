import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { type subscriptions, subscriptionWishes } from '../tables.ts';

/**
 * Operators' acts on a subscription. Each is stored before the provider is asked, and recorded in the transaction in
 * which a sync stores that it is done: after a lost answer, the sync of the provider's event or of a job.
 */

type WishRow = typeof subscriptionWishes.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

export type SubscriptionWish = Pick<WishRow, 'userId' | 'subscriptionId' | 'act' | 'reason'> & {
  before: Pick<SubscriptionRow, 'status' | 'endsAt'>;
};

/** A repeated one is the first one. */
export async function storeSubscriptionWish(
  db: Db,
  actor: Actor,
  { before, ...wish }: SubscriptionWish,
): Promise<void> {
  await db
    .insert(subscriptionWishes)
    .values({
      id: newId(),
      ...wish,
      actorId: actor.kind === 'user' ? actor.id : null,
      actorRole: actor.kind === 'operator' ? 'operator' : 'admin',
      statusBefore: before.status,
      endsAtBefore: before.endsAt,
    })
    .onConflictDoNothing();
}

/** Refused, or without effect. No effect on those that were recorded. */
export async function dropSubscriptionWish(
  db: Db,
  { subscriptionId, act }: Pick<SubscriptionWish, 'subscriptionId' | 'act'>,
): Promise<void> {
  await db
    .delete(subscriptionWishes)
    .where(and(eq(subscriptionWishes.subscriptionId, subscriptionId), eq(subscriptionWishes.act, act)));
}

/** In the transaction that stores the subscription. @param current undefined: there is none any more */
export async function recordDoneWishes(tx: Db, userId: string, current: SubscriptionRow | undefined): Promise<void> {
  const waiting = await tx.select().from(subscriptionWishes).where(eq(subscriptionWishes.userId, userId));
  for (const wish of waiting) {
    const own = current?.subscriptionId === wish.subscriptionId ? current : undefined;
    if (!isDone(wish.act, own)) continue;
    await tx.delete(subscriptionWishes).where(eq(subscriptionWishes.id, wish.id));
    const [user] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId));
    const { actorId, actorRole: role, act, reason, statusBefore: status, endsAtBefore: endsAt } = wish;
    const after = { status: own?.status ?? 'ended', endsAt: own?.endsAt ?? null };
    if (after.status === status && after.endsAt?.getTime() === endsAt?.getTime()) continue;
    await recordChange(tx, {
      actor: actorId === null ? operator : { kind: 'user', id: actorId, isSubscribed: false, isComplete: true },
      role,
      action: `subscription.${act}`,
      subject: { type: 'subscription', id: userId, name: user?.username ?? userId },
      before: { status, endsAt },
      after: { ...after, ...(reason !== null && { reason }) },
    });
  }
}

function isDone(act: WishRow['act'], current: SubscriptionRow | undefined): boolean {
  const isOver = current === undefined || current.status === 'ended';
  if (act === 'resume') return !isOver && current.endsAt === null;
  return isOver || (act === 'cancel-end' && current.endsAt !== null);
}

/** Users whose wishes no sync has found done for a minute. Those of more than an hour never reached the provider. */
export async function findWaitingUsers(db: Db): Promise<string[]> {
  await db.delete(subscriptionWishes).where(lt(subscriptionWishes.createdAt, sql`now() - interval '1 hour'`));
  const rows = await db
    .selectDistinct({ userId: subscriptionWishes.userId })
    .from(subscriptionWishes)
    .where(lt(subscriptionWishes.createdAt, sql`now() - interval '1 minute'`))
    .orderBy(asc(subscriptionWishes.userId))
    .limit(200);
  return rows.map(({ userId }) => userId);
}
