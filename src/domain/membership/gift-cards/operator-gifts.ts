import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { becomeGiftTime, expectedCharge, findPaidTime, settleWishes } from '../charge-wishes.ts';
import type { MembershipParts } from '../customers.ts';
import { findGiftUntil } from '../entitlement.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import { isSameSecond } from '../free-time.ts';
import { findOpenPause } from '../keeping/find-pause.ts';
import { withPaymentLock } from '../lock.ts';
import { givenMonths, memberships } from '../tables.ts';
import { findWishes } from '../wishes.ts';

/** Effect of a gift: gift time, or a later next charge of a running subscription. */
export type GivenTime = { giftUntil: Date } | { nextChargeAt: Date };

type GivenRow = typeof givenMonths.$inferSelect;

/**
 * Gives free months. With a running subscription they move its next charge (product.md); without an answer of the
 * provider, a job carries it out.
 * @param gift.key chosen by the client: repeated, it is the same gift
 * @param record runs in the transaction that gives them
 */
export async function giveTime(
  parts: MembershipParts,
  userId: string,
  { months, key = newId() }: { months: number; key?: string | undefined },
  record: (tx: Db) => Promise<void> = async () => {},
): Promise<GivenTime> {
  const { db } = parts;
  return withPaymentLock(db, userId, async () => {
    const known = await findGiven(db, key);
    if (known !== undefined) {
      if (known.userId !== userId || known.months !== months) throw new DomainError('request/invalid', 'key');
      await settleWishes(parts, userId).catch(() => undefined);
      return effectOf(db, (await findGiven(db, key)) ?? known);
    }
    const paid = await findPaidTime(parts, userId);
    const earlier = await findWishes(db, userId);
    const chargeUntil = expectedCharge(paid, earlier, months);
    await db.transaction(async (tx) => {
      await record(tx);
      await tx.insert(givenMonths).values({
        id: key,
        userId,
        months,
        appliedAt: null,
        chargeBefore: chargeUntil && (paid.running?.periodEndsAt ?? null),
        chargeUntil,
      });
      if (chargeUntil === null && earlier.length === 0)
        await becomeGiftTime(tx, userId, { kind: 'give', id: key, months }, paid.paidUntil);
    });
    await settleWishes(parts, userId, paid).catch(() => undefined);
    const given = await findGiven(db, key);
    if (given === undefined) throw new DomainError('auth/login-required');
    return effectOf(db, given);
  });
}

async function findGiven(db: Db, id: string): Promise<GivenRow | undefined> {
  const [row] = await db.select().from(givenMonths).where(eq(givenMonths.id, id));
  return row;
}

async function effectOf(db: Db, { userId, chargeUntil, giftUntil }: GivenRow): Promise<GivenTime> {
  if (chargeUntil !== null) return { nextChargeAt: chargeUntil };
  return { giftUntil: (await findGiftUntil(db, userId)) ?? giftUntil ?? new Date() };
}

export type TakenBack =
  | ({ ok: true; months: number } & GivenTime)
  | { ok: false; reason: 'nothing-given' | 'already-used' };

/**
 * Takes back the last given months, if their time has not begun: exactly the time that they added.
 * @throws DomainError `payment/unavailable` before anything changes
 */
export async function takeTimeBack(
  parts: MembershipParts,
  userId: string,
  record: (tx: Db, months: number) => Promise<void> = async () => {},
): Promise<TakenBack> {
  const { db } = parts;
  return withPaymentLock(db, userId, async () => {
    // Earlier wishes move the charge that this one starts from.
    await settleWishes(parts, userId);
    const paid = await findPaidTime(parts, userId);
    const [given] = await db
      .select()
      .from(givenMonths)
      .where(and(eq(givenMonths.userId, userId), isNull(givenMonths.takenBackAt)))
      .orderBy(desc(givenMonths.createdAt), desc(givenMonths.id))
      .limit(1);
    if (given === undefined) return { ok: false, reason: 'nothing-given' };
    const now = new Date();
    const { id, months } = given;
    const isGiven = eq(givenMonths.id, id);
    // The transaction's time, as in its entry of the audit log.
    const takingBackAt = sql`now()`;
    const charge = paid.running?.periodEndsAt;
    const giftUntil = given.chargeUntil === null ? await findGiftUntil(db, userId) : null;
    const isGiftTime = giftUntil !== null && giftUntil > now;
    if (given.chargeUntil === null && !isGiftTime) return { ok: false, reason: 'already-used' };
    if (isGiftTime && !isSameSecond(charge, giftUntil)) {
      const until = new Date(Math.max(shortened(given, giftUntil).getTime(), now.getTime()));
      await db.transaction(async (tx) => {
        await tx.update(memberships).set({ giftUntil: until }).where(eq(memberships.userId, userId));
        await tx.update(givenMonths).set({ takingBackAt, takenBackAt: takingBackAt }).where(isGiven);
        await record(tx, months);
      });
      return { ok: true, months, giftUntil: until };
    }
    // A subscription that began in the gift time is charged at its end; a later gift card moved the charge further.
    const backUntil = charge && shortened(given, charge);
    // A pause is the last of the time before the charge.
    const paused = await findOpenPause(db, userId);
    const unusedUntil = (backUntil?.getTime() ?? 0) - (paused ? paused.untilAt.getTime() - paused.fromAt.getTime() : 0);
    if (backUntil === undefined || unusedUntil <= now.getTime()) return { ok: false, reason: 'already-used' };
    await db.transaction(async (tx) => {
      await tx.update(givenMonths).set({ takingBackAt, backUntil }).where(isGiven);
      await record(tx, months);
    });
    await settleWishes(parts, userId, paid).catch(() => undefined);
    const after = await findGiven(db, id);
    if (after?.takingBackAt === null) return { ok: false, reason: 'already-used' };
    return { ok: true, months, ...(isGiftTime ? { giftUntil: backUntil } : { nextChargeAt: backUntil }) };
  });
}

/** Without the time that these months added. Rows of earlier versions do not know it for gift time. */
function shortened({ months, chargeBefore, chargeUntil, giftFrom, giftUntil }: GivenRow, at: Date): Date {
  const [from, until] = [chargeBefore ?? giftFrom, chargeUntil ?? giftUntil];
  if (from === null || until === null) return addMonths(at, -months);
  return new Date(at.getTime() - (until.getTime() - from.getTime()));
}
