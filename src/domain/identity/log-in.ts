import { chosenLanguage } from './account-language.ts';
import { createHash } from 'node:crypto';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { Refusal } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { type Me, findMe } from './accounts.ts';
import { clockToleranceMs, isOfDeleted } from './deleted-identities.ts';
import type { IdentityParts } from './parts.ts';
import type { IdentityProvider, VerifiedIdentity } from './provider.ts';
import { type OpenedSession, openSession } from './sessions.ts';
import { sessions, spentIdTokens, users } from './tables.ts';
import { violatedIndex, writeEmail } from './unique-fields.ts';

export type LogInOutcome =
  | { ok: true; session: OpenedSession; user: Me; isNewAccount: boolean }
  | Refusal<
      | 'auth/invalid-id-token'
      | 'auth/user-disabled'
      | 'auth/account-exists-with-different-credential'
      | 'site/sign-up-closed'
    >;

/** Exchanges an ID token for a session. Each token works once, against replay (not required by RFC 7519). */
export async function logIn(parts: IdentityParts, input: { idToken: string; device: string }): Promise<LogInOutcome> {
  const { db, provider, privacy } = parts;
  const identity = await takeIdToken(db, provider, input.idToken);
  if (identity === undefined) return { ok: false, reason: 'auth/invalid-id-token' };
  const account = await findOrCreateUser(parts, identity);
  if (account === 'closed') {
    await discardAccount(db, provider, identity);
    return { ok: false, reason: 'site/sign-up-closed' };
  }
  if (account === 'deleted') return { ok: false, reason: 'auth/invalid-id-token' };
  if (account === undefined) return { ok: false, reason: 'auth/account-exists-with-different-credential' };
  if (account.suspendedAt !== null) return { ok: false, reason: 'auth/user-disabled' };
  const changedAt = account.isNew ? undefined : await noticePasswordChange(parts, account.id, input.idToken);
  if (signedInBefore(identity, changedAt ?? account.passwordChangedAt))
    return { ok: false, reason: 'auth/invalid-id-token' };
  // The account may have been deleted after the token was verified; erase the new user then.
  if (account.isNew && (await provider.verifyIdToken(input.idToken)) === undefined) {
    await privacy.erase(account.id);
    return { ok: false, reason: 'auth/invalid-id-token' };
  }
  const session = await openSession(db, account.id, input.device, identity.signedInAt);
  const user = await findMe(parts, account.id);
  if (session === undefined || user === undefined) return { ok: false, reason: 'auth/invalid-id-token' };
  return { ok: true, session, user, isNewAccount: user.username === null };
}

/**
 * Ends the sessions from before a password that was set at the provider alone, as by Firebase’s own reset mail.
 * @returns when it was set, if the site did not know it
 */
async function noticePasswordChange(
  { db, provider }: IdentityParts,
  userId: string,
  idToken: string,
): Promise<Date | undefined> {
  // Only a later log-in learns of it when the provider is unavailable.
  const changedAt = await provider.findPasswordChange(idToken).catch(() => undefined);
  if (changedAt === undefined) return undefined;
  const before = new Date(changedAt.getTime() - clockToleranceMs);
  const isNews = or(isNull(users.passwordChangedAt), lt(users.passwordChangedAt, before));
  const noticed = await db
    .update(users)
    .set({ passwordChangedAt: changedAt })
    .where(and(eq(users.id, userId), isNews))
    .returning({ id: users.id });
  if (noticed.length === 0) return undefined;
  await db.delete(sessions).where(and(eq(sessions.userId, userId), lt(sessions.createdAt, before)));
  return changedAt;
}

/** Sign-ins from before the password change are refused, including unused ID tokens. */
function signedInBefore({ signedInAt }: VerifiedIdentity, passwordChangedAt: Date | null): boolean {
  return passwordChangedAt !== null && signedInAt.getTime() + clockToleranceMs < passwordChangedAt.getTime();
}

/** @returns the claims, the first time only; undefined for an invalid or used token */
export async function takeIdToken(
  db: Db,
  provider: IdentityProvider,
  idToken: string,
): Promise<VerifiedIdentity | undefined> {
  const identity = await provider.verifyIdToken(idToken);
  if (identity === undefined) return undefined;
  await db.delete(spentIdTokens).where(lt(spentIdTokens.expiresAt, sql`now() - interval '5 minutes'`));
  // Hash the signed part: one signature has several base64 spellings, the signed part only one.
  const signed = idToken.split('.').slice(0, 2).join('.');
  const spent = await db
    .insert(spentIdTokens)
    .values({ tokenHash: createHash('sha256').update(signed).digest('hex'), expiresAt: identity.expiresAt })
    .onConflictDoNothing()
    .returning({ tokenHash: spentIdTokens.tokenHash });
  return spent.length === 0 ? undefined : identity;
}

/**
 * Deletes a provider account on this site’s machines that belongs to no user, as signing in with Google creates one:
 * nobody could export or delete it.
 */
export async function discardAccount(
  db: Db,
  provider: IdentityProvider,
  { subject, email = '' }: VerifiedIdentity,
): Promise<void> {
  if ((await findBySubject(db, provider, subject)) === undefined) await provider.deleteAccount({ subject, email }, {});
}

async function findOrCreateUser(
  { db, provider, secret, isSignUpOpen }: IdentityParts,
  identity: VerifiedIdentity,
): Promise<
  | { id: string; suspendedAt: Date | null; passwordChangedAt: Date | null; isNew: boolean }
  | 'deleted'
  | 'closed'
  | undefined
> {
  const { subject } = identity;
  const email = identity.email !== undefined && isKeepable(identity.email) ? identity.email : null;
  const user = await findBySubject(db, provider, subject);
  if (user !== undefined) {
    // The provider's address wins: the change may have been made there.
    if (email !== null && email !== user.email) await writeEmail(db, user.id, email);
    return { ...user, isNew: false };
  }
  if (await isOfDeleted(db, secret, provider.name, identity)) return 'deleted';
  // A first social log-in is a sign-up.
  if (isSignUpOpen?.() === false) return 'closed';
  const id = newId();
  try {
    await db.insert(users).values({
      id,
      email,
      identityProvider: provider.name,
      identitySubject: subject,
      preferences: await chosenLanguage(db),
    });
  } catch (error) {
    // Two concurrent first log-ins, or the address belongs to another account.
    if (violatedIndex(error) === undefined) throw error;
    const first = await findBySubject(db, provider, subject);
    return first && { ...first, isNew: false };
  }
  return { id, suspendedAt: null, passwordChangedAt: null, isNew: true };
}

/** Matches the table's check. An odd address from a social provider is dropped instead of failing the log-in. */
function isKeepable(email: string): boolean {
  return email.length <= 254 && /^[^@\s\0]+@[^@\s\0]+$/.test(email);
}

export async function findBySubject(db: Db, provider: Pick<IdentityProvider, 'name'>, subject: string) {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      suspendedAt: users.suspendedAt,
      passwordChangedAt: users.passwordChangedAt,
    })
    .from(users)
    .where(and(eq(users.identityProvider, provider.name), eq(users.identitySubject, subject)))
    .limit(1);
  return row;
}
