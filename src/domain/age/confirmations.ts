import { eq, sql } from 'drizzle-orm';
import { users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import type { AccountConfirmation, Confirmation } from './rules.ts';
import { ageConfirmations } from './tables.ts';

/** A complete account has stated its age when it was made. */
export async function findConfirmation(db: Db, userId: string): Promise<AccountConfirmation | undefined> {
  const [row] = await db
    .select({
      username: users.username,
      acceptedAt: users.termsAcceptedAt,
      createdAt: users.createdAt,
      method: ageConfirmations.method,
      at: ageConfirmations.confirmedAt,
    })
    .from(users)
    .leftJoin(ageConfirmations, eq(ageConfirmations.userId, users.id))
    .where(eq(users.id, userId));
  if (row === undefined) return undefined;
  const { username, acceptedAt, createdAt, method, at } = row;
  const stated = username === null ? undefined : (acceptedAt ?? createdAt);
  if (method !== null && at !== null && (method !== 'statement' || stated === undefined || stated < at))
    return { method, at };
  return stated && { method: 'statement', at: stated };
}

/** Replaces the last one; a statement does not replace a proof that still counts. */
export async function keepConfirmation(db: Db, userId: string, { until, ...given }: Confirmation): Promise<void> {
  const values = { ...given, confirmedAt: new Date(), until: until ?? null };
  await db
    .insert(ageConfirmations)
    .values({ userId, ...values })
    .onConflictDoUpdate({
      target: ageConfirmations.userId,
      set: values,
      ...(given.method === 'statement' && {
        setWhere: sql`${ageConfirmations.method} = 'statement' or ${ageConfirmations.until} <= now()`,
      }),
    });
}
