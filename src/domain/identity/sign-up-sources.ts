import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { SignUpSource } from './rules.ts';
import { signUpDays } from './tables.ts';

/** Counts a new user of today (UTC). An unknown source is not counted. */
export async function countSignUp(db: Db, source: SignUpSource | undefined): Promise<void> {
  if (source === undefined) return;
  await db
    .insert(signUpDays)
    .values({ day: sql`(now() at time zone 'UTC')::date`, source, users: 1 })
    .onConflictDoUpdate({ target: [signUpDays.day, signUpDays.source], set: { users: sql`${signUpDays.users} + 1` } });
}

/** @param from ISO date. @returns new users by source, the most first */
export async function listSignUpSources(db: Db, from: string): Promise<{ source: SignUpSource; users: number }[]> {
  return db
    .select({ source: signUpDays.source, users: sql<number>`sum(${signUpDays.users})::int` })
    .from(signUpDays)
    .where(sql`${signUpDays.day} >= ${from}::date`)
    .groupBy(signUpDays.source)
    .orderBy(sql`2 desc`, signUpDays.source);
}
