import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { FreeTime } from './payment-provider.ts';
import type { Period } from './rules.ts';
import { memberships, trialCards } from './tables.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The trial or the gift time, whichever is longer; they do not add up. @param trialDays 0 for no trial */
export function longerFreeTime(trialDays: number, giftUntil: Date | undefined, now: Date): FreeTime | undefined {
  const trialEnd = now.getTime() + trialDays * dayMs;
  if (giftUntil !== undefined && giftUntil.getTime() > trialEnd) return { until: giftUntil };
  return trialDays > 0 ? { days: trialDays } : undefined;
}

export function endOfFreeTime(free: FreeTime, now: Date): Date {
  return 'until' in free ? free.until : new Date(now.getTime() + free.days * dayMs);
}

/** Months that one charge pays. */
export const monthsIn = (period: Period) => (period === 'year' ? 12 : 1);

/** The provider counts whole seconds. */
export function isSameSecond(one: Date | null | undefined, other: Date | null | undefined): boolean {
  const second = (at: Date) => Math.floor(at.getTime() / 1000);
  return !!one && !!other && second(one) === second(other);
}

export type FreeTimeRecord = {
  isTrialUsed: boolean;
  /** Undefined when there is none or it has ended. */
  giftUntil: Date | undefined;
};

/** For visitors, who have neither used a trial nor received a gift. */
export const noFreeTimeRecord: FreeTimeRecord = { isTrialUsed: false, giftUntil: undefined };

export async function findFreeTimeRecord(db: Db, userId: string): Promise<FreeTimeRecord> {
  const [row] = await db
    .select({ trialUsedAt: memberships.trialUsedAt, giftUntil: memberships.giftUntil })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  if (row === undefined) return noFreeTimeRecord;
  const giftUntil = row.giftUntil ?? undefined;
  const hasGiftTime = giftUntil !== undefined && giftUntil > new Date();
  return { isTrialUsed: row.trialUsedAt !== null, giftUntil: hasGiftTime ? giftUntil : undefined };
}

/** One trial per card across all accounts. */
export type TrialClaim = 'claimed-now' | 'claimed-before' | 'used-by-another';

/** Only a hash of the card is stored. @param fingerprint the card's, at the provider */
export function hashTrialCard(fingerprint: string): string {
  return createHash('sha256').update(`trial ${fingerprint}`).digest('hex');
}

/** Records the card for this user, unless it is recorded already. */
export async function claimTrial(db: Db, userId: string, cardHash: string): Promise<TrialClaim> {
  const added = await db.insert(trialCards).values({ cardHash, userId }).onConflictDoNothing().returning();
  if (added.length > 0) return 'claimed-now';
  const [row] = await db
    .select({ userId: trialCards.userId })
    .from(trialCards)
    .where(eq(trialCards.cardHash, cardHash));
  return row?.userId === userId ? 'claimed-before' : 'used-by-another';
}

export async function undoTrialClaim(db: Db, cardHash: string): Promise<void> {
  await db.delete(trialCards).where(eq(trialCards.cardHash, cardHash));
}
