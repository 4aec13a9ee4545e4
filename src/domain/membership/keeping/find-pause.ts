import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isSameSecond } from '../free-time.ts';
import type { SubscriptionStatus } from '../tables.ts';
import { pauses } from './tables.ts';

export type PauseRow = typeof pauses.$inferSelect;

/** The newest pause of a subscription, ended or not. */
export async function findPauseOf(db: Db, subscriptionId: string): Promise<PauseRow | undefined> {
  const [row] = await db
    .select()
    .from(pauses)
    .where(eq(pauses.subscriptionId, subscriptionId))
    .orderBy(desc(pauses.createdAt), desc(pauses.id))
    .limit(1);
  return row;
}

export async function findOpenPause(db: Db, userId: string): Promise<PauseRow | undefined> {
  const [row] = await db
    .select()
    .from(pauses)
    .where(and(eq(pauses.userId, userId), isNull(pauses.endedAt)));
  return row;
}

/** A subscription at the provider, or as it is stored. */
type Charged = { status: SubscriptionStatus; periodEndsAt: Date };

/**
 * The provider only knows that the charge was moved. `none`: the free time has another reason.
 * @param pause the newest of that subscription
 */
export function phaseOf(
  pause: PauseRow | undefined,
  { status, periodEndsAt }: Charged,
  now: Date,
): 'none' | 'ahead' | 'running' | 'taken-back' {
  if (pause === undefined || pause.appliedAt === null || status !== 'trialing') return 'none';
  const { fromAt, untilAt, endedAt } = pause;
  if (endedAt !== null) return endedAt < fromAt && isSameSecond(fromAt, periodEndsAt) ? 'taken-back' : 'none';
  if (fromAt > now) return 'ahead';
  // A gift during the pause has moved the charge behind it.
  const isLonger = periodEndsAt.getTime() - untilAt.getTime() >= 1000;
  return untilAt > now && !isLonger ? 'running' : 'none';
}
