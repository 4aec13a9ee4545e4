import { randomInt } from 'node:crypto';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import { operator } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import { type Db, allowLongStatements } from '../kernel/db.ts';
import type { AttemptLimits } from './attempts.ts';
import { type RegisterOutcome, register } from './registration.ts';
import { endAllSessions } from './sessions.ts';
import type { IdentityProvider } from './provider.ts';
import { normalizeEmail, normalizeUsername } from './rules.ts';
import { accountDeletions, users } from './tables.ts';

/** Account commands of the command line. */

export type AccountState = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** @param name email or username, case-insensitive */
export async function findAccount(db: Db, name: string) {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      isAdmin: users.isAdmin,
      isModerator: users.isModerator,
      suspendedAt: users.suspendedAt,
    })
    .from(users)
    .where(or(eq(users.email, normalizeEmail(name)), sql`lower(${users.username}) = lower(${normalizeUsername(name)})`))
    .limit(1);
  return row;
}

/** Creates an admin account. @returns the password too, which is shown only once */
export async function createAdmin(
  db: Db,
  provider: IdentityProvider,
  { email, username }: { email: string; username: string },
): Promise<Exclude<RegisterOutcome, { ok: true }> | { ok: true; password: string }> {
  const password = makePassword();
  const outcome = await register(db, provider, { email, username, password });
  if (!outcome.ok) return outcome;
  const { id, username: name } = outcome.user;
  await db.transaction(async (tx) => {
    await setAdmin(tx, id, true);
    await recordChange(tx, {
      actor: operator,
      role: 'operator',
      action: 'user.make-admin',
      subject: { type: 'user', id, name },
      before: { admin: false },
      after: { admin: true },
    });
  });
  return { ok: true, password };
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1);
  return row !== undefined;
}

/** In the order of ids, so that two operators who change each other wait instead of deadlocking. */
export async function lockAdmins(tx: Db): Promise<void> {
  await tx.execute(sql`select from users where is_admin order by id for no key update`);
}

/**
 * Whether no admin would be left without this one: nobody loses the role, is suspended or deleted then, on the command
 * line neither. Requires `lockAdmins`.
 */
export async function isOnlyAdmin(tx: Db, userId: string): Promise<boolean> {
  const isAdmin = (await tx.$count(users, and(eq(users.id, userId), eq(users.isAdmin, true)))) === 1;
  return isAdmin && !(await hasOtherAdmin(tx, userId));
}

/** An admin whose deletion is planned does not count. */
async function hasOtherAdmin(tx: Db, userId: string): Promise<boolean> {
  const isDeleted = sql`exists (select from ${accountDeletions} d where d.user_id = ${users.id})`;
  const others = and(
    eq(users.isAdmin, true),
    sql`${users.suspendedAt} is null`,
    ne(users.id, userId),
    sql`not ${isDeleted}`,
  );
  return (await tx.$count(users, others)) > 0;
}

/** An admin has the rights of a moderator anyway. */
export async function setModerator(db: Db, userId: string, isModerator: boolean): Promise<void> {
  await db.update(users).set({ isModerator }).where(eq(users.id, userId));
}

export async function setAdmin(db: Db, userId: string, isAdmin: boolean): Promise<void> {
  await db.update(users).set({ isAdmin }).where(eq(users.id, userId));
}

/** Ends every session and blocks new ones until lifted; deletes nothing. Hides each of the user's comments, too. */
export async function setSuspended(tx: Db, userId: string, isSuspended: boolean): Promise<void> {
  await allowLongStatements(tx);
  await tx
    .update(users)
    .set({ suspendedAt: isSuspended ? new Date() : null })
    .where(eq(users.id, userId));
  if (isSuspended) await endAllSessions(tx, userId);
}

/** @returns the new password; undefined when the provider has no such account or does not let the site set passwords */
export async function resetPassword(
  db: Db,
  attempts: AttemptLimits,
  provider: IdentityProvider,
  account: { id: string; email: string },
): Promise<string | undefined> {
  const password = makePassword();
  if (!(await provider.setPassword(account.email, password))) return undefined;
  await db.update(users).set({ passwordChangedAt: new Date() }).where(eq(users.id, account.id));
  await endAllSessions(db, account.id);
  await attempts.lift('log-in', account.email);
  return password;
}

/** Twenty letters and digits without look-alikes, easy to dictate and type. */
function makePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const groups = Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join(''),
  );
  return groups.join('-');
}
