import { type SQL, and, eq, isNull, lt, sql } from 'drizzle-orm';
import { users } from '../identity/tables.ts';
import { operator } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { type MembershipParts, findCustomerId } from './customers.ts';
import { addGiftTime, noteRefusedCharge } from './entitlement.ts';
import { addMonths } from '../kernel/calendar/months.ts';
import { withPaymentLock } from './lock.ts';
import { type SubscriptionFacts, isUsable } from './payment-provider.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { syncLocked } from './sync/sync.ts';
import { findPauseOf, phaseOf } from './keeping/find-pause.ts';
import { type PauseWish, beginPause, finishPause, writePauseDone } from './keeping/pause-wishes.ts';
import { giftCards, givenMonths } from './tables.ts';
import {
  type Wish,
  findWishes,
  isCardWaiting,
  isGiftWaiting,
  isPauseWaiting,
  isTakeBackWaiting,
  keyOf,
} from './wishes.ts';
import { currentOf } from './sync/current.ts';

/**
 * Months that move the next charge of a running subscription. Each is stored before the provider is asked, and its
 * outcome afterwards: moved, or refused for good, when the months become gift time. Without an answer it waits, and the
 * provider's key of the last move tells whether it was made (decision 012).
 */

export type PaidTime = {
  /** The subscription that will be charged again, and unlocks something until then. */
  running: SubscriptionFacts | undefined;
  /** It will be charged again, and unlocks nothing until then: gifts count from now on. */
  paused: SubscriptionFacts | undefined;
  /** It was cancelled, and is usable until its end. */
  ending: SubscriptionFacts | undefined;
  /** End of a cancelled subscription. */
  paidUntil: Date | undefined;
  /** Keys of the last moves. */
  movedBy: ReadonlySet<string>;
};

/** The paid time, and whether it renews. Requires the lock; syncs, because acts begin from the stored state. */
export async function findPaidTime(parts: MembershipParts, userId: string): Promise<PaidTime> {
  const customerId = await findCustomerId(parts.db, userId);
  const facts = customerId === undefined ? undefined : (await syncLocked(parts, userId, customerId)).facts;
  const current = facts && currentOf(facts);
  const movedBy = new Set((facts?.subscriptions ?? []).flatMap((one) => one.movedBy ?? []));
  const isPaid = current !== undefined && isUsable(current.status);
  const charged = isPaid && current.endsAt === undefined ? current : undefined;
  const isPaused =
    charged !== undefined && phaseOf(await findPauseOf(parts.db, charged.id), charged, new Date()) === 'running';
  return {
    running: isPaused ? undefined : charged,
    paused: isPaused ? charged : undefined,
    ending: isPaid && charged === undefined ? current : undefined,
    paidUntil: isPaid ? current.endsAt : undefined,
    movedBy,
  };
}

/** The next charge, delayed by that many months. */
export function chargeAfter({ periodEndsAt }: SubscriptionFacts, months: number): Date {
  return addMonths(new Date(Math.max(periodEndsAt.getTime(), Date.now())), months);
}

/** The next charge by these months, behind the wishes that still wait; null when none is ahead. */
export function expectedCharge({ running, movedBy }: PaidTime, waiting: Wish[], months: number): Date | null {
  if (running === undefined) return null;
  const after = waiting
    .filter((wish) => !movedBy.has(keyOf(wish)))
    .reduce((at, wish) => wish.backUntil ?? addMonths(at, wish.months), chargeAfter(running, 0));
  return addMonths(after, months);
}

/**
 * Carries out the wishes of a user that have no outcome yet, the oldest first. Requires the lock.
 * @param known the paid time, if it was just read
 * @throws when the provider gives no answer; the wish and later ones wait
 */
export async function settleWishes(parts: MembershipParts, userId: string, known?: PaidTime): Promise<void> {
  let paid = known;
  for (const wish of await findWishes(parts.db, userId)) {
    await settle(parts, userId, wish, paid ?? (await findPaidTime(parts, userId)));
    paid = undefined;
    const customerId = await findCustomerId(parts.db, userId);
    if (customerId !== undefined) await syncLocked(parts, userId, customerId);
  }
  // Gift time that lasts longer than the pause moves the charge behind it.
  if (known?.paused !== undefined) await findPaidTime(parts, userId);
}

async function settle(parts: MembershipParts, userId: string, wish: Wish, paid: PaidTime): Promise<void> {
  const { db, payments } = parts;
  if (isOfPause(wish)) {
    if (paid.movedBy.has(keyOf(wish))) return writePauseDone(db, userId, wish);
    return wish.kind === 'pause'
      ? beginPause(parts, userId, wish, paid.running)
      : finishPause(parts, userId, wish, paid.running ?? paid.paused ?? paid.ending);
  }
  if (paid.movedBy.has(keyOf(wish))) return writeMoved(db, wish);
  if (wish.kind === 'take-back') return removeMonths(parts, userId, wish, paid.running);
  if (paid.running === undefined) return becomeGiftTime(db, userId, wish, paid.paidUntil);
  const { id, periodEndsAt } = paid.running;
  const chargeUntil = chargeAfter(paid.running, wish.months);
  await writePlan(db, wish, { chargeBefore: periodEndsAt, chargeUntil });
  const { ok } = await payments.delayCharge(id, chargeUntil, keyOf(wish));
  if (ok) return writeMoved(db, wish);
  await db.transaction(async (tx) => {
    await becomeGiftTime(tx, userId, wish, periodEndsAt);
    await noteRefusedCharge(tx, userId);
  });
}

const isOfPause = (wish: Wish): wish is PauseWish => wish.kind === 'pause' || wish.kind === 'end-pause';

async function removeMonths(parts: MembershipParts, userId: string, wish: Wish, running: PaidTime['running']) {
  const { db, payments } = parts;
  const { backUntil } = wish;
  const isAhead = running !== undefined && backUntil !== null && backUntil > new Date();
  if (isAhead && (await payments.delayCharge(running.id, backUntil, keyOf(wish))).ok) return writeMoved(db, wish);
  // Their time has begun meanwhile, or the provider refused: the months stay.
  await db.transaction(async (tx) => {
    const [user] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId));
    await tx.update(givenMonths).set({ takingBackAt: null, backUntil: null }).where(eq(givenMonths.id, wish.id));
    await recordChange(tx, {
      actor: operator,
      role: 'operator',
      action: 'user.take-months-back-failed',
      subject: { type: 'user', id: userId, name: user?.username ?? userId },
      after: { months: wish.months },
    });
  });
}

/** Also shown until the provider has answered. */
async function writePlan(db: Db, { kind, id }: Wish, plan: { chargeBefore: Date; chargeUntil: Date }): Promise<void> {
  if (kind === 'card') await db.update(giftCards).set({ chargeUntil: plan.chargeUntil }).where(eq(giftCards.id, id));
  else await db.update(givenMonths).set(plan).where(eq(givenMonths.id, id));
}

async function writeMoved(db: Db, { kind, id, backUntil }: Wish): Promise<void> {
  const now = new Date();
  if (kind === 'card') await db.update(giftCards).set({ appliedAt: now }).where(eq(giftCards.id, id));
  else if (kind === 'give') await db.update(givenMonths).set({ appliedAt: now }).where(eq(givenMonths.id, id));
  else
    await db
      .update(givenMonths)
      .set({
        takenBackAt: now,
        // The new charge is still the gift's, when months of gift time were not among them.
        chargeUntil: sql`case when ${givenMonths.chargeBefore} is not null then ${backUntil?.toISOString()}::timestamptz end`,
      })
      .where(eq(givenMonths.id, id));
}

/** @param paidUntil end of the paid time, if there is one; the months come after it */
export async function becomeGiftTime(
  db: Db,
  userId: string,
  { kind, id, months }: Pick<Wish, 'kind' | 'id' | 'months'>,
  paidUntil: Date | undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { from, until } = await addGiftTime(tx, userId, months, paidUntil);
    const appliedAt = new Date();
    if (kind === 'card') await tx.update(giftCards).set({ appliedAt, chargeUntil: null }).where(eq(giftCards.id, id));
    else
      await tx
        .update(givenMonths)
        .set({ appliedAt, chargeBefore: null, chargeUntil: null, giftFrom: from, giftUntil: until })
        .where(eq(givenMonths.id, id));
  });
}

/**
 * Carries out wishes without an outcome: the provider gave no answer, or the process died.
 * @throws the first failure, after all other users were tried
 */
export async function settleWaitingWishes(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  const { db } = parts;
  // The request that stored it may still be waiting for its answer.
  const isOld = (at: SQL) => sql`${at} < now() - interval '1 minute'`;
  const { rows } = await db.execute<{ user_id: string | null }>(sql`
    select user_id from (
      select redeemed_by as user_id, redeemed_at as at from gift_cards where ${isCardWaiting}
      union all
      select user_id, coalesce(taking_back_at, created_at) from given_months
      where ${isGiftWaiting} or (${isTakeBackWaiting})
      union all
      select user_id, coalesce(ending_at, created_at) from pauses where ${isPauseWaiting}
    ) wishes where ${isOld(sql`at`)} group by user_id order by min(at) limit 200`);
  const settleUser = async ({ user_id: userId }: { user_id: string | null }) => {
    if (userId !== null) return withPaymentLock(db, userId, () => settleWishes(parts, userId));
    // Redeemed by an account that was deleted since.
    await db
      .update(giftCards)
      .set({ appliedAt: new Date() })
      .where(and(isCardWaiting, isNull(giftCards.redeemedBy), lt(giftCards.redeemedAt, new Date())));
  };
  await settleEach(rows, settleUser, { signal });
}
