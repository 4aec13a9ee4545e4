import { eq, inArray } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { users } from '../identity/tables.ts';
import { analyticsConsents, analyticsEvents } from './tables.ts';

export async function findConsent(db: Db, userId: string): Promise<boolean> {
  return (await db.$count(analyticsConsents, eq(analyticsConsents.userId, userId))) > 0;
}

/** Withdrawing consent also anonymizes: the events stay, without the user. */
export async function setConsent(db: Db, userId: string, consent: boolean): Promise<void> {
  if (consent) {
    await db.insert(analyticsConsents).values({ userId }).onConflictDoNothing();
    return;
  }
  await db.transaction(async (tx) => {
    await tx.delete(analyticsConsents).where(eq(analyticsConsents.userId, userId));
    await tx.update(analyticsEvents).set({ userId: null }).where(eq(analyticsEvents.userId, userId));
  });
}

/** The consenting ones among these users, with their email addresses. */
export async function findConsenting(
  db: Db,
  userIds: string[],
): Promise<Map<string, { id: string; email: string | null }>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(analyticsConsents)
    .innerJoin(users, eq(users.id, analyticsConsents.userId))
    .where(inArray(analyticsConsents.userId, userIds));
  return new Map(rows.map((row) => [row.id, row]));
}
