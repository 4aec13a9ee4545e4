import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { type Refusal, DomainError } from '../kernel/errors.ts';
import { discardAccount, findBySubject, takeIdToken } from './log-in.ts';
import { writeEmail } from './unique-fields.ts';
import { type AttemptLimits, countAttempts } from './attempts.ts';
import { isCommonPassword } from './common-passwords.ts';
import { markDeleted } from './deleted-identities.ts';
import { isOnlyAdmin, lockAdmins } from './operators.ts';
import type { IdentityParts } from './parts.ts';
import type { IdentityProvider, PasswordOutcome, ProviderAccount } from './provider.ts';
import { type OpenedSession, endAllSessions, openSession } from './sessions.ts';
import { accountDeletions, users } from './tables.ts';

/** Changes that need the password again: a session on an unattended phone is not enough. */

export type ProtectedOutcome =
  | { ok: true }
  | Refusal<
      | 'auth/wrong-password'
      | 'auth/weak-password'
      | 'auth/common-password'
      | 'auth/too-many-requests'
      | 'auth/invalid-id-token'
    >;

/** The password or, for an account without one, an ID token from a new sign-in. */
export type Proof = { password: string } | { idToken: string };

/** An ID token proves identity only shortly after the sign-in. */
const freshForMs = 5 * 60 * 1000;

export type OwnAccount = ProviderAccount & { userId: string };

/** @throws DomainError `auth/login-required` for a user without an account at this provider */
export async function findOwnAccount(db: Db, provider: IdentityProvider, userId: string): Promise<OwnAccount> {
  const account = await findAccountAt(db, provider, userId);
  if (account === undefined) throw new DomainError('auth/login-required');
  return account;
}

/** @returns undefined for a user without an account at this provider */
export async function findAccountAt(
  db: Db,
  provider: IdentityProvider,
  userId: string,
): Promise<OwnAccount | undefined> {
  const [row] = await db
    .select({ subject: users.identitySubject, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.identityProvider, provider.name)))
    .limit(1);
  return row?.subject ? { userId, subject: row.subject, email: row.email ?? '' } : undefined;
}

/** Ends every session, and opens a new one for the requesting device. */
export async function changePassword(
  { db, provider }: Pick<IdentityParts, 'db' | 'provider'>,
  userId: string,
  change: { currentPassword: string; newPassword: string; device: string },
): Promise<{ ok: true; session: OpenedSession } | Extract<ProtectedOutcome, { ok: false }>> {
  const account = await findOwnAccount(db, provider, userId);
  const { device, ...passwords } = change;
  if (await isCommonPassword(change.newPassword)) return { ok: false, reason: 'auth/common-password' };
  const outcome = refusalOf(await provider.changePassword(account, passwords));
  if (!outcome.ok) return outcome;
  await passwordChanged(db, userId);
  const session = await openSession(db, userId, device);
  if (session === undefined) throw new DomainError('auth/login-required');
  return { ok: true, session };
}

/** Ends the site's sessions and the provider's, and refuses ID tokens issued before. */
export async function logOutEverywhere(
  { db, provider }: Pick<IdentityParts, 'db' | 'provider'>,
  userId: string,
): Promise<void> {
  await endAllSessions(db, userId);
  const account = await findAccountAt(db, provider, userId);
  if (account !== undefined) await provider.endSessions(account.subject);
}

/** After a change or reset: ends all sessions and refuses sign-ins from before. */
async function passwordChanged(db: Db, userId: string): Promise<void> {
  await db.update(users).set({ passwordChangedAt: new Date() }).where(eq(users.id, userId));
  await endAllSessions(db, userId);
}

/** Called after a reset by mail; also lifts the log-in limit (spec §8: "immediately restore it"). */
export async function passwordWasReset(
  db: Db,
  attempts: AttemptLimits,
  provider: Pick<IdentityProvider, 'name'>,
  { subject, email }: ProviderAccount,
): Promise<void> {
  const user = await findBySubject(db, provider, subject);
  if (user !== undefined) await passwordChanged(db, user.id);
  await attempts.lift('log-in', email);
}

/**
 * Mails a link to the new address; the link makes the change. Limits the mails that one address gets.
 * @param limit runs before a mail, once the password is right; may throw
 */
export async function requestEmailChange(
  { db, secret, provider }: Pick<IdentityParts, 'db' | 'secret' | 'provider'>,
  userId: string,
  change: { password: string; newEmail: string },
  limit: () => Promise<void> = async () => {},
): Promise<ProtectedOutcome> {
  const account = await findOwnAccount(db, provider, userId);
  const proven = await provider.checkPassword(account, change.password);
  if (!proven.ok) return refusalOf(proven);
  await limit();
  const attempts = countAttempts(db, secret);
  const isOver = (await attempts.take('mail-to-stranger', { account: change.newEmail })) !== undefined;
  // The answer does not reveal the limit.
  return isOver ? { ok: true } : refusalOf(await provider.requestEmailChange(account, change));
}

/** @returns the new address; undefined for a used or expired link, or when the address was taken meanwhile */
export async function confirmEmailChange(
  { db, provider }: Pick<IdentityParts, 'db' | 'provider'>,
  token: string,
): Promise<string | undefined> {
  const account = await provider.confirmEmailChange(token);
  if (account === undefined) return undefined;
  const user = await findBySubject(db, provider, account.subject);
  if (user === undefined || !(await writeEmail(db, user.id, account.email))) return undefined;
  return account.email;
}

/**
 * Erases the user here, then the account at the provider. If the provider fails, signing in again creates a new, empty
 * user, who can be deleted again.
 */
export async function deleteAccount(
  parts: IdentityParts,
  userId: string,
  proof: Proof,
): Promise<ProtectedOutcome | { ok: false; reason: 'admin/last-admin' }> {
  const account = await findOwnAccount(parts.db, parts.provider, userId);
  if (await isOnlyAdmin(parts.db, userId)) return { ok: false, reason: 'admin/last-admin' };
  const proven = await checkProof(parts.db, parts.provider, account, proof);
  if (!proven.ok) return proven;
  const plan = await planOwnDeletion(parts.db, userId);
  if (plan === 'refused') return { ok: false, reason: 'admin/last-admin' };
  try {
    await eraseAccount(parts, account, proof);
  } catch (error) {
    if (plan === 'planned') await parts.db.delete(accountDeletions).where(eq(accountDeletions.userId, userId));
    throw error;
  }
  return { ok: true };
}

/**
 * Plans the deletion of an admin, which takes several steps, so that others count them as gone: of two who leave at once
 * the second is refused. When the process dies between the steps, the job for planned deletions ends it a day later.
 */
async function planOwnDeletion(db: Db, userId: string): Promise<'refused' | 'planned' | 'unchanged'> {
  return db.transaction(async (tx) => {
    await lockAdmins(tx);
    if (await isOnlyAdmin(tx, userId)) return 'refused';
    const { rowCount } = await tx.execute(sql`
      insert into account_deletions (user_id, requested_by, reason, due_at)
      select id, id, 'deleted by its owner', now() + interval '1 day' from users where id = ${userId} and is_admin
      on conflict do nothing`);
    return rowCount === 1 ? 'planned' : 'unchanged';
  });
}

async function eraseAccount(parts: IdentityParts, account: OwnAccount, proof: Proof): Promise<void> {
  const { db, provider, secret, privacy, withoutCharges } = parts;
  await markDeleted(db, secret, { provider: provider.name, subject: account.subject });
  await withoutCharges(account.userId, () => privacy.erase(account.userId));
  await provider.deleteAccount(account, proof);
  await eraseAgain(parts, account.subject);
}

/** Someone logged in during the deletion, which created a new user for the deleted account. */
async function eraseAgain({ db, provider, privacy }: IdentityParts, subject: string): Promise<void> {
  const user = await findBySubject(db, provider, subject);
  if (user !== undefined) await privacy.erase(user.id);
}

/**
 * Deletes the account at the provider first: the erasure also drops the plan, which repeats a run that failed halfway.
 * @param plan.isDue asked before anything ends @param plan.record runs in the erasure's transaction
 * @returns false when it is no longer due
 */
export async function eraseByPlan(
  parts: IdentityParts,
  userId: string,
  { isDue, record }: { isDue: () => Promise<boolean>; record: (tx: Db) => Promise<void> },
): Promise<boolean> {
  const { db, provider, secret, privacy, withoutCharges } = parts;
  // Undefined: the account belongs to an identity provider that is no longer configured.
  let subject: string | undefined;
  let isErased = false;
  await withoutCharges(
    userId,
    async () => {
      const account = await findAccountAt(db, provider, userId);
      if (account !== undefined) {
        await markDeleted(db, secret, { provider: provider.name, subject: account.subject });
        await provider.deleteAccount(account, {});
      }
      await privacy.erase(userId, record);
      subject = account?.subject;
      isErased = true;
    },
    isDue,
  );
  if (subject !== undefined) await eraseAgain(parts, subject);
  return isErased;
}

async function checkProof(
  db: Db,
  provider: IdentityProvider,
  account: OwnAccount,
  proof: Proof,
): Promise<ProtectedOutcome> {
  if ('password' in proof) return refusalOf(await provider.checkPassword(account, proof.password));
  // An account with a password must show it: an open Google or Facebook session does not prove who is asking.
  if ((await provider.hasPassword(account)) === true) return { ok: false, reason: 'auth/wrong-password' };
  const identity = await takeIdToken(db, provider, proof.idToken);
  const isFresh = identity !== undefined && Date.now() - identity.signedInAt.getTime() < freshForMs;
  if (isFresh && identity.subject === account.subject) return { ok: true };
  // Signed in with another account of Google or Facebook by mistake.
  if (identity !== undefined) await discardAccount(db, provider, identity);
  return { ok: false, reason: 'auth/invalid-id-token' };
}

function refusalOf(outcome: PasswordOutcome): ProtectedOutcome {
  if (outcome.ok) return outcome;
  return { ok: false, reason: outcome.reason === 'too-many' ? 'auth/too-many-requests' : `auth/${outcome.reason}` };
}
