import type { SQL } from 'drizzle-orm';
import { and, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { MembershipParts } from './customers.ts';
import { findCustomerId } from './customers.ts';
import { giveMonths } from './entitlement.ts';
import { isSameSecond } from './free-time.ts';
import { hashCode } from './gift-codes.ts';
import type { GiftCardRow } from './gift-cards.ts';
import { withPaymentLock } from './lock.ts';
import type { SubscriptionFacts } from './payment-provider.ts';
import { currentOf, syncLocked } from './sync.ts';
import { giftCards } from './tables.ts';

export type Redemption =
  | { ok: true; months: number; giftUntil: Date | null; nextChargeAt: Date | null }
  | { ok: false; reason: Extract<ErrorCode, `gift-card/${string}`> };

type Running = { customerId: string; subscription: SubscriptionFacts };

/**
 * Adds the months (product.md, "Paying"): to the gift time, or before the next charge of a running subscription. Of any
 * number of concurrent redemptions of a code one succeeds.
 */
export async function redeemGiftCard(parts: MembershipParts, userId: string, code: string): Promise<Redemption> {
  return withPaymentLock(parts.db, userId, async () => {
    const known = await findByCode(parts.db, code);
    if (known === undefined || known.paidAt === null) return { ok: false, reason: 'gift-card/unknown' };
    const refused = refusalOf(known);
    if (refused !== undefined) return { ok: false, reason: refused };
    const paid = await findPaidTime(parts, userId);
    const chargeUntil = paid.running === undefined ? null : chargeAfter(paid.running.subscription, known.months);
    const redeemed = await parts.db.transaction(async (tx) => {
      const [card] = await tx
        .update(giftCards)
        .set({
          redeemedBy: userId,
          redeemedAt: new Date(),
          chargeUntil,
          appliedAt: chargeUntil === null ? new Date() : null,
        })
        .where(and(eq(giftCards.id, known.id), isNull(giftCards.redeemedAt), isNull(giftCards.refundedAt)))
        .returning();
      if (card === undefined) return undefined;
      return {
        card,
        giftUntil: chargeUntil === null ? await giveMonths(tx, userId, card.months, paid.paidUntil) : null,
      };
    });
    if (redeemed === undefined) {
      const now = await findByCode(parts.db, code);
      return { ok: false, reason: (now && refusalOf(now)) ?? 'gift-card/unknown' };
    }
    if (chargeUntil === null)
      return { ok: true, months: known.months, giftUntil: redeemed.giftUntil, nextChargeAt: null };
    // The card is redeemed at this point. If the provider is unreachable, `applyRedeemedGiftCards` moves the charge
    // later.
    await applyPending(parts, userId, paid).catch(() => undefined);
    const [card] = await parts.db.select().from(giftCards).where(eq(giftCards.id, known.id));
    return { ok: true, months: known.months, giftUntil: null, nextChargeAt: card?.chargeUntil ?? chargeUntil };
  });
}

const isPending = and(isNotNull(giftCards.redeemedAt), isNull(giftCards.appliedAt));

/** Applies cards redeemed while the provider was unreachable. @throws the first failure */
export async function applyRedeemedGiftCards(parts: MembershipParts): Promise<void> {
  const rows = await parts.db
    .select({ userId: giftCards.redeemedBy })
    .from(giftCards)
    .where(and(isPending, lt(giftCards.redeemedAt, sql`now() - interval '1 minute'`)))
    .groupBy(giftCards.redeemedBy)
    .orderBy(sql`min(${giftCards.redeemedAt})`)
    .limit(200);
  const failures: unknown[] = [];
  for (const { userId } of rows) {
    const applied =
      userId === null
        ? writeApplied(parts.db, and(isPending, isNull(giftCards.redeemedBy)))
        : withPaymentLock(parts.db, userId, () => applyPending(parts, userId));
    await applied.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Moves the next charge by the user's cards that did not move it yet. Requires the lock. The oldest first: the provider
 * only knows the last date, so whether an earlier card moved it must be settled before another act does.
 * @param known the paid time, if it was just read
 */
export async function applyPending(parts: MembershipParts, userId: string, known?: PaidTime): Promise<void> {
  const cards = await parts.db
    .select()
    .from(giftCards)
    .where(and(isPending, eq(giftCards.redeemedBy, userId)))
    .orderBy(giftCards.redeemedAt);
  let paid = known;
  for (const card of cards) {
    await applyCard(parts, userId, card, paid ?? (await findPaidTime(parts, userId)));
    paid = undefined;
  }
}

async function applyCard(
  parts: MembershipParts,
  userId: string,
  card: GiftCardRow,
  { running, paidUntil, trialEndsAt }: PaidTime,
): Promise<void> {
  const { db, payments } = parts;
  const isCard = eq(giftCards.id, card.id);
  const isMoved = isSameSecond(trialEndsAt, card.chargeUntil) && !(await isAppliedByOther(db, userId, card));
  if (!isMoved && running === undefined)
    // The subscription has ended meanwhile or is about to: the months start at its end.
    return db.transaction(async (tx) => {
      await giveMonths(tx, userId, card.months, paidUntil);
      await writeApplied(tx, isCard);
    });
  if (!isMoved && running !== undefined) {
    const { subscription } = running;
    const chargeUntil = chargeAfter(subscription, card.months);
    // Stored first: after a lost answer, only this date tells that the charge was moved.
    await db.update(giftCards).set({ chargeUntil }).where(isCard);
    await payments.delayCharge(subscription.id, chargeUntil);
  }
  await writeApplied(db, isCard);
  if (running !== undefined) await syncLocked(parts, userId, running.customerId);
}

/** Cards that were redeemed while the charge could not be moved were given the same date. */
async function isAppliedByOther(db: Db, userId: string, { id, chargeUntil }: GiftCardRow): Promise<boolean> {
  const others = await db
    .select({ chargeUntil: giftCards.chargeUntil })
    .from(giftCards)
    .where(and(eq(giftCards.redeemedBy, userId), isNotNull(giftCards.appliedAt), ne(giftCards.id, id)));
  return others.some((other) => isSameSecond(other.chargeUntil, chargeUntil));
}

async function writeApplied(db: Db, which: SQL | undefined): Promise<void> {
  await db.update(giftCards).set({ appliedAt: new Date() }).where(which);
}

type PaidTime = {
  /** The subscription that will be charged again. */
  running: Running | undefined;
  /** End of a cancelled subscription. */
  paidUntil: Date | undefined;
  /** The date that its charge was moved to last, or the end of its trial. */
  trialEndsAt: Date | undefined;
};

/** The paid time, and whether it renews. */
export async function findPaidTime({ db, payments }: MembershipParts, userId: string): Promise<PaidTime> {
  const customerId = await findCustomerId(db, userId);
  const facts = customerId === undefined ? undefined : await payments.readCustomer(customerId);
  const subscription = facts && currentOf(facts);
  const isUsable = subscription?.status === 'active' || subscription?.status === 'trialing';
  if (customerId === undefined || !isUsable)
    return { running: undefined, paidUntil: undefined, trialEndsAt: undefined };
  const { endsAt, trialEndsAt } = subscription;
  return endsAt === undefined
    ? { running: { customerId, subscription }, paidUntil: undefined, trialEndsAt }
    : { running: undefined, paidUntil: endsAt, trialEndsAt };
}

async function findByCode(db: Db, code: string): Promise<GiftCardRow | undefined> {
  const [row] = await db
    .select()
    .from(giftCards)
    .where(eq(giftCards.codeHash, hashCode(code)));
  return row;
}

function refusalOf({ redeemedAt, refundedAt }: GiftCardRow) {
  if (redeemedAt !== null) return 'gift-card/already-redeemed';
  return refundedAt === null ? undefined : 'gift-card/refunded';
}

/** The next charge, delayed by that many months. */
export function chargeAfter({ periodEndsAt }: SubscriptionFacts, months: number): Date {
  return addMonths(new Date(Math.max(periodEndsAt.getTime(), Date.now())), months);
}

/** Calendar months: a month after 31 January is the last day of February. */
export function addMonths(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + months);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end;
}
