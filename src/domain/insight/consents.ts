import { eq, inArray } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { users } from '../identity/tables.ts';
import { insightConsents, insightEvents } from './tables.ts';

export async function findConsent(db: Db, userId: string): Promise<boolean> {
  return (await db.$count(insightConsents, eq(insightConsents.userId, userId))) > 0;
}

/** Taken back, it is as if it had never been given: the events stay, and nothing says whose they were. */
export async function setConsent(db: Db, userId: string, consent: boolean): Promise<void> {
  if (consent) {
    await db.insert(insightConsents).values({ userId }).onConflictDoNothing();
    return;
  }
  await db.transaction(async (tx) => {
    await tx.delete(insightConsents).where(eq(insightConsents.userId, userId));
    await tx.update(insightEvents).set({ userId: null }).where(eq(insightEvents.userId, userId));
  });
}

/** Of these users, those who consented, with their e-mail addresses. */
export async function findConsenting(
  db: Db,
  userIds: string[],
): Promise<Map<string, { id: string; email: string | null }>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(insightConsents)
    .innerJoin(users, eq(users.id, insightConsents.userId))
    .where(inArray(insightConsents.userId, userIds));
  return new Map(rows.map((row) => [row.id, row]));
}
