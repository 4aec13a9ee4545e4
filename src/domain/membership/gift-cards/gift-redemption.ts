import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { becomeGiftTime, expectedCharge, findPaidTime, settleWishes } from '../charge-wishes.ts';
import type { MembershipParts } from '../customers.ts';
import { findGiftUntil } from '../entitlement.ts';
import { hashCode } from './gift-codes.ts';
import type { GiftCardRow } from './gift-cards.ts';
import { withPaymentLock } from '../lock.ts';
import { giftCards } from '../tables.ts';
import { findWishes } from '../wishes.ts';

export type Redemption =
  | { ok: true; months: number; giftUntil: Date | null; nextChargeAt: Date | null }
  | { ok: false; reason: Extract<ErrorCode, `gift-card/${string}`> };

/**
 * Adds the months (product.md, "Paying"): to the gift time, or before the next charge of a running subscription. Of any
 * number of concurrent redemptions of a code one succeeds.
 */
export async function redeemGiftCard(parts: MembershipParts, userId: string, code: string): Promise<Redemption> {
  const { db } = parts;
  return withPaymentLock(db, userId, async () => {
    const known = await findByCode(db, code);
    if (known === undefined || known.paidAt === null) return { ok: false, reason: 'gift-card/unknown' };
    const refused = refusalOf(known);
    if (refused !== undefined) return { ok: false, reason: refused };
    const paid = await findPaidTime(parts, userId);
    const earlier = await findWishes(db, userId);
    const { id, months } = known;
    const isRedeemed = await db.transaction(async (tx) => {
      const redeemed = await tx
        .update(giftCards)
        .set({
          redeemedBy: userId,
          redeemedAt: new Date(),
          chargeUntil: expectedCharge(paid, earlier, months),
        })
        .where(and(eq(giftCards.id, id), isNull(giftCards.redeemedAt), isNull(giftCards.refundedAt)))
        .returning({ id: giftCards.id });
      if (redeemed.length === 0) return false;
      // Nothing to ask the provider for.
      if (paid.running === undefined && earlier.length === 0)
        await becomeGiftTime(tx, userId, { kind: 'card', id, months }, paid.paidUntil);
      return true;
    });
    if (!isRedeemed) {
      const now = await findByCode(db, code);
      return { ok: false, reason: (now && refusalOf(now)) ?? 'gift-card/unknown' };
    }
    // The card is redeemed at this point; without an answer of the provider, a job carries it out.
    await settleWishes(parts, userId, paid).catch(() => undefined);
    const [card] = await db.select().from(giftCards).where(eq(giftCards.id, id));
    const nextChargeAt = card?.chargeUntil ?? null;
    return {
      ok: true,
      months,
      giftUntil: nextChargeAt === null ? await findGiftUntil(db, userId) : null,
      nextChargeAt,
    };
  });
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
