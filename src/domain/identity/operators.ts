import { randomInt } from 'node:crypto';
import { eq, or, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { countAttempts } from './attempts.ts';
import { register } from './accounts.ts';
import type { RegisterOutcome } from './accounts.ts';
import { endAllSessions } from './sessions.ts';
import type { IdentityProvider } from './provider.ts';
import { normalizeEmail, normalizeUsername } from './rules.ts';
import { users } from './tables.ts';

/** What operators do to accounts by the command line. */

export type AccountState = {
  id: string;
  email: string | null;
  username: string | null;
  isAdmin: boolean;
  suspendedAt: Date | null;
};

/** @param name e-mail or username, in whatever case */
export async function findAccount(db: Db, name: string): Promise<AccountState | undefined> {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      isAdmin: users.isAdmin,
      suspendedAt: users.suspendedAt,
    })
    .from(users)
    .where(or(eq(users.email, normalizeEmail(name)), sql`lower(${users.username}) = lower(${normalizeUsername(name)})`))
    .limit(1);
  return row;
}

/** Makes an account that is an admin from the start. @returns the password too: nobody else knows it */
export async function createAdmin(
  db: Db,
  provider: IdentityProvider,
  { email, username }: { email: string; username: string },
): Promise<Exclude<RegisterOutcome, { ok: true }> | { ok: true; password: string }> {
  const password = makePassword();
  const outcome = await register(db, provider, { email, username, password });
  if (!outcome.ok) return outcome;
  await setAdmin(db, outcome.user.id, true);
  return { ok: true, password };
}

export async function setAdmin(db: Db, userId: string, isAdmin: boolean): Promise<void> {
  await db.update(users).set({ isAdmin }).where(eq(users.id, userId));
}

/** Ends every session and keeps new ones from being opened, until it is lifted; nothing is deleted. */
export async function setSuspended(db: Db, userId: string, isSuspended: boolean): Promise<void> {
  await db
    .update(users)
    .set({ suspendedAt: isSuspended ? new Date() : null })
    .where(eq(users.id, userId));
  if (isSuspended) await endAllSessions(db, userId);
}

/** @returns the new password; undefined where the provider has no such account, or keeps this to itself */
export async function resetPassword(
  db: Db,
  provider: IdentityProvider,
  account: { id: string; email: string },
): Promise<string | undefined> {
  const password = makePassword();
  if (!(await provider.setPassword(account.email, password))) return undefined;
  await db.update(users).set({ passwordChangedAt: new Date() }).where(eq(users.id, account.id));
  await endAllSessions(db, account.id);
  await countAttempts(db).succeeded('log-in', { account: account.email });
  return password;
}

/** Twenty letters and digits without those that look alike: to be read aloud, typed once, and changed. */
function makePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const groups = Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join(''),
  );
  return groups.join('-');
}
