import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import type { MembershipParts } from './customers.ts';
import { giveMonths } from './entitlement.ts';
import { isSameSecond } from './free-time.ts';
import { applyPending, chargeAfter, findPaidTime } from './gift-redemption.ts';
import { withPaymentLock } from './lock.ts';
import { syncLocked } from './sync.ts';
import { givenMonths, memberships } from './tables.ts';

/** Effect of a gift: gift time, or a later next charge of a running subscription. */
export type GivenTime = { giftUntil: Date } | { nextChargeAt: Date };

/**
 * Gives free months. With a running subscription they move its next charge (product.md).
 * @param record runs in the transaction that gives them
 */
export async function giveTime(
  parts: MembershipParts,
  userId: string,
  months: number,
  record: (tx: Db) => Promise<void> = async () => {},
): Promise<GivenTime> {
  return withPaymentLock(parts.db, userId, async () => {
    await applyPending(parts, userId);
    const { running, paidUntil } = await findPaidTime(parts, userId);
    if (running === undefined)
      return parts.db.transaction(async (tx) => {
        await record(tx);
        await tx.insert(givenMonths).values({ id: newId(), userId, months });
        return { giftUntil: await giveMonths(tx, userId, months, paidUntil) };
      });
    const { customerId, subscription } = running;
    const chargeBefore = subscription.periodEndsAt;
    const chargeUntil = chargeAfter(subscription, months);
    await parts.db.transaction(async (tx) => {
      await record(tx);
      await tx.insert(givenMonths).values({ id: newId(), userId, months, chargeBefore, chargeUntil });
      // Last, so that nothing is given without a record.
      await parts.payments.delayCharge(subscription.id, chargeUntil);
    });
    await syncLocked(parts, userId, customerId);
    return { nextChargeAt: chargeUntil };
  });
}

export type TakenBack =
  | ({ ok: true; months: number } & GivenTime)
  | { ok: false; reason: 'nothing-given' | 'already-used' };

/** Takes back the last given months, if their time has not begun. */
export async function takeTimeBack(
  parts: MembershipParts,
  userId: string,
  record: (tx: Db, months: number) => Promise<void> = async () => {},
): Promise<TakenBack> {
  return withPaymentLock(parts.db, userId, async () => {
    const [given] = await parts.db
      .select()
      .from(givenMonths)
      .where(and(eq(givenMonths.userId, userId), isNull(givenMonths.takenBackAt)))
      .orderBy(desc(givenMonths.createdAt), desc(givenMonths.id))
      .limit(1);
    if (given === undefined) return { ok: false, reason: 'nothing-given' };
    const { id, months, chargeBefore, chargeUntil } = given;
    await applyPending(parts, userId);
    const { running } = await findPaidTime(parts, userId);
    // The transaction's time, as in its entry of the audit log.
    const mark = { takenBackAt: sql`now()` };
    const isGiven = eq(givenMonths.id, id);
    if (chargeBefore === null || chargeUntil === null) {
      const gift = await findGiftTime(parts.db, userId, months);
      if (gift === undefined) return { ok: false, reason: 'already-used' };
      // A subscription that began in the gift time is charged at its end.
      const charged = isSameSecond(running?.subscription.periodEndsAt, gift.until) ? running : undefined;
      const now = new Date();
      if (charged !== undefined && gift.untilWithout <= now) return { ok: false, reason: 'already-used' };
      const giftUntil = gift.untilWithout > now ? gift.untilWithout : now;
      await parts.db.transaction(async (tx) => {
        await tx.update(memberships).set({ giftUntil }).where(eq(memberships.userId, userId));
        await tx.update(givenMonths).set(mark).where(isGiven);
        await record(tx, months);
        if (charged !== undefined) await parts.payments.delayCharge(charged.subscription.id, giftUntil);
      });
      if (charged !== undefined) await syncLocked(parts, userId, charged.customerId);
      return { ok: true, months, giftUntil };
    }
    const charge = running?.subscription.periodEndsAt.getTime() ?? 0;
    // A later gift card moved the charge further; only these months are removed.
    const nextChargeAt = new Date(charge - (chargeUntil.getTime() - chargeBefore.getTime()));
    if (running === undefined || nextChargeAt <= new Date()) return { ok: false, reason: 'already-used' };
    await parts.db.transaction(async (tx) => {
      await tx
        .update(givenMonths)
        .set({ ...mark, chargeUntil: nextChargeAt })
        .where(isGiven);
      await record(tx, months);
      await parts.payments.delayCharge(running.subscription.id, nextChargeAt);
    });
    await syncLocked(parts, userId, running.customerId);
    return { ok: true, months, nextChargeAt };
  });
}

/** @returns the end of gift time that has not passed, and the end without that many of its months */
async function findGiftTime(
  db: Db,
  userId: string,
  months: number,
): Promise<{ until: Date; untilWithout: Date } | undefined> {
  const { giftUntil } = memberships;
  const [row] = await db
    .select({
      until: giftUntil,
      untilWithout: sql<Date>`${giftUntil} - make_interval(months => ${months})`.mapWith(giftUntil),
    })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), gt(giftUntil, sql`now()`)));
  return row?.until ? { until: row.until, untilWithout: row.untilWithout } : undefined;
}
