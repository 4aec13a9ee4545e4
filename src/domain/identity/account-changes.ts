import { and, eq } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { DomainError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { eraseUser } from '../personal-data.ts';
import { takeIdToken, writeEmail } from './accounts.ts';
import { countAttempts } from './attempts.ts';
import type { IdentityProvider, PasswordOutcome, ProviderAccount } from './provider.ts';
import type { OpenedSession } from './sessions.ts';
import { endAllSessions, openSession } from './sessions.ts';
import { users } from './tables.ts';

/** What needs the password once more: a session alone, on a phone left lying, may not do it. */

export type ProtectedOutcome =
  | { ok: true }
  | {
      ok: false;
      reason: Extract<
        ErrorCode,
        'auth/wrong-password' | 'auth/weak-password' | 'auth/too-many-requests' | 'auth/invalid-id-token'
      >;
    };

/** The password, or, where the account has none, an ID token from signing in anew. */
export type Proof = { password: string } | { idToken: string };

/** An ID token proves who sits there only shortly after the sign-in. */
const freshForMs = 5 * 60 * 1000;

export type OwnAccount = ProviderAccount & { userId: string };

/** @throws DomainError `auth/login-required` for a user without an account at this provider */
export async function findOwnAccount(db: Db, provider: IdentityProvider, userId: string): Promise<OwnAccount> {
  const [row] = await db
    .select({ subject: users.identitySubject, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.identityProvider, provider.name)))
    .limit(1);
  if (!row?.subject) throw new DomainError('auth/login-required');
  return { userId, subject: row.subject, email: row.email ?? '' };
}

/** Ends every session, and opens a new one for the device that asked. */
export async function changePassword(
  db: Db,
  provider: IdentityProvider,
  account: OwnAccount,
  change: { currentPassword: string; newPassword: string; device: string },
): Promise<{ ok: true; session: OpenedSession } | Extract<ProtectedOutcome, { ok: false }>> {
  const { device, ...passwords } = change;
  const outcome = refusalOf(await provider.changePassword(account, passwords));
  if (!outcome.ok) return outcome;
  await passwordChanged(db, account.userId);
  const session = await openSession(db, account.userId, device);
  if (session === undefined) throw new DomainError('auth/login-required');
  return { ok: true, session };
}

/** After a change or a reset: whoever was logged in with the old one is not any more. */
async function passwordChanged(db: Db, userId: string): Promise<void> {
  await db.update(users).set({ passwordChangedAt: new Date() }).where(eq(users.id, userId));
  await endAllSessions(db, userId);
}

/** What the provider says after a reset by mail: it also lifts the limit on log-in (spec §8: "immediately restore it"). */
export async function passwordWasReset(
  db: Db,
  provider: Pick<IdentityProvider, 'name'>,
  { subject, email }: ProviderAccount,
): Promise<void> {
  const userId = await findUserIdBySubject(db, provider, subject);
  if (userId !== undefined) await passwordChanged(db, userId);
  await countAttempts(db).succeeded('log-in', { account: email });
}

async function findUserIdBySubject(
  db: Db,
  provider: Pick<IdentityProvider, 'name'>,
  subject: string,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.identityProvider, provider.name), eq(users.identitySubject, subject)))
    .limit(1);
  return row?.id;
}

/** The new address gets a link; until it is followed nothing changes. A stranger's gets no more than a few, whoever asks. */
export async function requestEmailChange(
  db: Db,
  provider: IdentityProvider,
  account: OwnAccount,
  change: { password: string; newEmail: string },
): Promise<ProtectedOutcome> {
  const isOver = (await countAttempts(db).take('mail-to-stranger', { account: change.newEmail })) !== undefined;
  // Nobody can tell: the password is asked all the same.
  return refusalOf(
    isOver
      ? await provider.checkPassword(account, change.password)
      : await provider.requestEmailChange(account, change),
  );
}

/** @returns the new address; undefined for a link that is spent, too old, or whose address was taken meanwhile */
export async function confirmEmailChange(
  db: Db,
  provider: IdentityProvider,
  token: string,
): Promise<string | undefined> {
  const account = await provider.confirmEmailChange(token);
  if (account === undefined) return undefined;
  const userId = await findUserIdBySubject(db, provider, account.subject);
  if (userId === undefined || !(await writeEmail(db, userId, account.email))) return undefined;
  return account.email;
}

/**
 * Erases the user here, then the account at the provider. Should the provider fail at that moment, logging in there
 * makes a new, empty user, who can be deleted again.
 * @param around what has to be ended first, and to be kept ended until the user is erased
 */
export async function deleteAccount(
  db: Db,
  provider: IdentityProvider,
  account: OwnAccount,
  proof: Proof,
  around: (erase: () => Promise<void>) => Promise<void>,
): Promise<ProtectedOutcome> {
  const proven = await checkProof(db, provider, account, proof);
  if (!proven.ok) return proven;
  await around(() => eraseUser(db, account.userId));
  await provider.deleteAccount(account, proof);
  // Somebody logged in in between, and so made a new user of an account that is no more.
  const again = await findUserIdBySubject(db, provider, account.subject);
  if (again !== undefined) await eraseUser(db, again);
  return { ok: true };
}

async function checkProof(
  db: Db,
  provider: IdentityProvider,
  account: OwnAccount,
  proof: Proof,
): Promise<ProtectedOutcome> {
  if ('password' in proof) return refusalOf(await provider.checkPassword(account, proof.password));
  // Where there is a password, it is asked for: whoever holds an open social window has not shown it.
  if ((await provider.hasPassword(account)) === true) return { ok: false, reason: 'auth/wrong-password' };
  const identity = await takeIdToken(db, provider, proof.idToken);
  const isFresh = identity !== undefined && Date.now() - identity.signedInAt.getTime() < freshForMs;
  return isFresh && identity.subject === account.subject
    ? { ok: true }
    : { ok: false, reason: 'auth/invalid-id-token' };
}

function refusalOf(outcome: PasswordOutcome): ProtectedOutcome {
  if (outcome.ok) return outcome;
  return { ok: false, reason: outcome.reason === 'too-many' ? 'auth/too-many-requests' : `auth/${outcome.reason}` };
}
