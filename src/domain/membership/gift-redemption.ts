import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { MembershipParts } from './customers.ts';
import { findCustomerId } from './customers.ts';
import { giveMonths } from './entitlement.ts';
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
    const { running, paidUntil } = await findPaidTime(parts, userId);
    const chargeUntil =
      running === undefined ? null : addMonths(laterOf(running.subscription.periodEndsAt, new Date()), known.months);
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
      return { card, giftUntil: chargeUntil === null ? await giveMonths(tx, userId, card.months, paidUntil) : null };
    });
    if (redeemed === undefined) {
      const now = await findByCode(parts.db, code);
      return { ok: false, reason: (now && refusalOf(now)) ?? 'gift-card/unknown' };
    }
    // The card is redeemed at this point. If the provider is unreachable, `applyRedeemedGiftCards` moves the charge
    // later.
    if (running !== undefined && chargeUntil !== null)
      await moveCharge(parts, userId, redeemed.card, running, chargeUntil).catch(() => undefined);
    return { ok: true, months: known.months, giftUntil: redeemed.giftUntil, nextChargeAt: chargeUntil };
  });
}

/** Applies cards redeemed while the provider was unreachable. @returns how many. @throws the first failure */
export async function applyRedeemedGiftCards(parts: MembershipParts): Promise<number> {
  const rows = await parts.db
    .select()
    .from(giftCards)
    .where(
      and(
        isNotNull(giftCards.redeemedAt),
        isNull(giftCards.appliedAt),
        lt(giftCards.redeemedAt, sql`now() - interval '1 minute'`),
      ),
    )
    .orderBy(giftCards.redeemedAt)
    .limit(200);
  const failures: unknown[] = [];
  for (const { id, redeemedBy: userId } of rows) {
    const applied =
      userId === null
        ? writeApplied(parts.db, id)
        : withPaymentLock(parts.db, userId, () => applyLate(parts, userId, id));
    await applied.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

async function applyLate(parts: MembershipParts, userId: string, giftCardId: string): Promise<void> {
  const [card] = await parts.db.select().from(giftCards).where(eq(giftCards.id, giftCardId));
  if (card === undefined || card.appliedAt !== null || card.chargeUntil === null) return;
  const { running, paidUntil } = await findPaidTime(parts, userId);
  if (running !== undefined) return moveCharge(parts, userId, card, running, card.chargeUntil);
  // The subscription has ended meanwhile or is about to: the months start at its end.
  await parts.db.transaction(async (tx) => {
    await giveMonths(tx, userId, card.months, paidUntil);
    await writeApplied(tx, card.id);
  });
}

async function moveCharge(
  parts: MembershipParts,
  userId: string,
  card: GiftCardRow,
  { customerId, subscription }: Running,
  until: Date,
): Promise<void> {
  // The charge was already moved when the answer to an earlier try was lost.
  if (subscription.periodEndsAt < until) await parts.payments.delayCharge(subscription.id, until);
  await writeApplied(parts.db, card.id);
  await syncLocked(parts, userId, customerId);
}

async function writeApplied(db: Db, id: string): Promise<void> {
  await db.update(giftCards).set({ appliedAt: new Date() }).where(eq(giftCards.id, id));
}

type PaidTime = {
  /** The subscription that will be charged again. */
  running: Running | undefined;
  /** End of a cancelled subscription. */
  paidUntil: Date | undefined;
};

/** The paid time, and whether it renews. */
export async function findPaidTime({ db, payments }: MembershipParts, userId: string): Promise<PaidTime> {
  const customerId = await findCustomerId(db, userId);
  const facts = customerId === undefined ? undefined : await payments.readCustomer(customerId);
  const subscription = facts && currentOf(facts);
  const isUsable = subscription?.status === 'active' || subscription?.status === 'trialing';
  if (customerId === undefined || !isUsable) return { running: undefined, paidUntil: undefined };
  const { endsAt } = subscription;
  return endsAt === undefined
    ? { running: { customerId, subscription }, paidUntil: undefined }
    : { running: undefined, paidUntil: endsAt };
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

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** Calendar months: a month after 31 January is the last day of February. */
export function addMonths(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + months);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end;
}
