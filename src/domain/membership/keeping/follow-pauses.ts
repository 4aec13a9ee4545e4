import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { type SubscriptionFacts, isUsable } from '../payment-provider.ts';
import { findOpenPause } from './find-pause.ts';
import { pauses } from './tables.ts';

/**
 * In the transaction that stores the provider's state: a pause that has not begun stays right before the charge, also
 * when gifts move it; one whose subscription was charged or has ended is over.
 */
export async function followPauses(tx: Db, userId: string, current: SubscriptionFacts | undefined): Promise<void> {
  const open = await findOpenPause(tx, userId);
  if (open === undefined) return;
  const now = new Date();
  const { id, fromAt, untilAt, appliedAt, endingAt, subscriptionId } = open;
  const write = (change: Partial<typeof open>) => tx.update(pauses).set(change).where(eq(pauses.id, id));
  if (current === undefined || current.id !== subscriptionId || current.status === 'ended')
    return void (await write({ endedAt: now }));
  if (appliedAt === null) return;
  if (current.status === 'active' || current.status === 'past-due')
    return void (await write({ endedAt: now < untilAt ? now : untilAt }));
  const span = current.periodEndsAt.getTime() - untilAt.getTime();
  const isMoved = Math.abs(span) >= 1000 && isUsable(current.status) && current.endsAt === undefined;
  // Its end moves the charge too.
  if (isMoved && fromAt > now && endingAt === null)
    await write({ fromAt: new Date(fromAt.getTime() + span), untilAt: new Date(untilAt.getTime() + span) });
}

/** The subscription is gone, at once. */
export async function closePauses(tx: Db, userId: string): Promise<void> {
  await tx
    .update(pauses)
    .set({ endedAt: new Date() })
    .where(and(eq(pauses.userId, userId), isNull(pauses.endedAt)));
}
