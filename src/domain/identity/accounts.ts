import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { blockedUsersSql } from '../community/blocks.ts';
import type { Db } from '../db.ts';
import { DomainError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { isId, newId } from '../ids.ts';
import { isSubscribedSql } from '../membership/entitlement.ts';
import { eraseUser } from '../personal-data.ts';
import type { SignUpForm } from './forms.ts';
import type { IdentityProvider, VerifiedIdentity } from './provider.ts';
import { avatarColors, isUsername, normalizeUsername } from './rules.ts';
import type { OpenedSession } from './sessions.ts';
import { openSession } from './sessions.ts';
import { spentIdTokens, users } from './tables.ts';
import { isUsernameFree } from './usernames.ts';

/** A user as that user sees it (spec §3, "User"). */
export type Me = {
  id: string;
  email: string | null;
  /** Null until a new social account has chosen one. */
  username: string | null;
  icon: string | null;
  /** Index into the avatar colours, 0–5. */
  color: number;
  isSubscribed: boolean;
  /** Whether the subscription was made here and not in an app. */
  subIsWeb: boolean;
  isAdmin: boolean;
  hasBlockedUsers: boolean;
  blockedUsers: string[];
};

export type PublicProfile = { id: string; username: string; icon: string | null; color: number; createdAt: Date };

export type LogInOutcome =
  | { ok: true; session: OpenedSession; user: Me; isNewAccount: boolean }
  | {
      ok: false;
      reason: Extract<
        ErrorCode,
        'auth/invalid-id-token' | 'auth/user-disabled' | 'auth/account-exists-with-different-credential'
      >;
    };

export type RegisterOutcome =
  | { ok: true; user: { id: string; username: string; email: string } }
  | {
      ok: false;
      reason: Extract<
        ErrorCode,
        'auth/email-already-in-use' | 'auth/username-already-in-use' | 'auth/weak-password' | 'auth/invalid-email'
      >;
    };

/** What a profile may change; a new account also brings the two consents. */
export type ProfileChange = {
  username?: string | undefined;
  icon?: string | null | undefined;
  color?: number | undefined;
  tac?: boolean | undefined;
  legal?: boolean | undefined;
};

export type ProfileOutcome =
  | { ok: true; user: Me }
  | {
      ok: false;
      reason: Extract<
        ErrorCode,
        'auth/username-already-in-use' | 'auth/invalid-username' | 'auth/under-age' | 'auth/terms-not-accepted'
      >;
    };

function selectMe(db: Db) {
  return db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      icon: users.icon,
      color: users.color,
      isSubscribed: isSubscribedSql(users.id),
      isAdmin: users.isAdmin,
      blockedUsers: blockedUsersSql(users.id),
    })
    .from(users)
    .$dynamic();
}

export async function findMe(db: Db, userId: string): Promise<Me | undefined> {
  const [row] = await selectMe(db).where(eq(users.id, userId)).limit(1);
  return row && { ...row, subIsWeb: row.isSubscribed, hasBlockedUsers: row.blockedUsers.length > 0 };
}

/** What the account page shows beside. `hasPassword` is null where the identity provider does not tell. */
export async function findProfile(
  db: Db,
  provider: IdentityProvider,
  userId: string,
): Promise<(Me & { createdAt: Date; passwordChangedAt: Date | null; hasPassword: boolean | null }) | undefined> {
  const me = await findMe(db, userId);
  const [row] = await db
    .select({
      subject: users.identitySubject,
      createdAt: users.createdAt,
      passwordChangedAt: users.passwordChangedAt,
    })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);
  if (me === undefined || row === undefined) return undefined;
  const { subject, ...rest } = row;
  const hasPassword = subject !== null && (await provider.hasPassword({ subject, email: me.email ?? '' }));
  return { ...me, ...rest, hasPassword: hasPassword ?? null };
}

/** Accounts without a name, and suspended ones, are not shown. */
export async function findPublicProfile(db: Db, id: string): Promise<PublicProfile | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db
    .select({
      id: users.id,
      username: users.username,
      icon: users.icon,
      color: users.color,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(and(eq(users.id, id), sql`${users.suspendedAt} is null`))
    .limit(1);
  return row?.username ? { ...row, username: row.username } : undefined;
}

/** Stands for the provider's id of the account until there is one. */
const pending = 'pending ';

/**
 * Makes the user, then the provider's account. No transaction spans the two: it would hold a connection while the
 * provider waits for one. What breaks off in between is cleared away with a later registration; should the provider have
 * made its account by then, its log-in asks for a username, as for a new social account.
 */
export async function register(
  db: Db,
  provider: IdentityProvider,
  form: Pick<SignUpForm, 'email' | 'username' | 'password'>,
): Promise<RegisterOutcome> {
  const id = newId();
  const { email, username } = form;
  await db
    .delete(users)
    .where(sql`${users.identitySubject} like 'pending %' and ${users.createdAt} < now() - interval '5 minutes'`);
  try {
    // Under concurrent tries the unique indexes let one through.
    await db.insert(users).values({
      id,
      username,
      email,
      color: colorOf(id),
      identityProvider: provider.name,
      identitySubject: pending + id,
      termsAcceptedAt: new Date(),
      passwordChangedAt: new Date(),
    });
  } catch (error) {
    const taken = takenBy(error);
    if (taken !== undefined) return { ok: false, reason: taken };
    throw error;
  }
  const made = await createAccountOrUndo();
  if (!made.ok)
    return { ok: false, reason: made.reason === 'email-in-use' ? 'auth/email-already-in-use' : `auth/${made.reason}` };
  await db.update(users).set({ identitySubject: made.subject }).where(eq(users.id, id));
  return { ok: true, user: { id, username, email } };

  async function createAccountOrUndo() {
    let outcome: Awaited<ReturnType<IdentityProvider['createAccount']>> | undefined;
    try {
      outcome = await provider.createAccount({ email, password: form.password });
      return outcome;
    } finally {
      if (outcome?.ok !== true) await db.delete(users).where(eq(users.id, id));
    }
  }
}

/** Changes an ID token for a session. Each token is taken once (RFC 7519 has no such rule; replay is the risk). */
export async function logIn(
  db: Db,
  provider: IdentityProvider,
  input: { idToken: string; device: string },
): Promise<LogInOutcome> {
  const identity = await takeIdToken(db, provider, input.idToken);
  if (identity === undefined) return { ok: false, reason: 'auth/invalid-id-token' };
  const account = await findOrCreateUser(db, provider, identity);
  if (account === undefined) return { ok: false, reason: 'auth/account-exists-with-different-credential' };
  if (account.suspendedAt !== null) return { ok: false, reason: 'auth/user-disabled' };
  if (signedInBefore(identity, account.passwordChangedAt)) return { ok: false, reason: 'auth/invalid-id-token' };
  // The account may have been deleted since the token was verified: then it leaves no user behind.
  if (account.isNew && (await provider.verifyIdToken(input.idToken)) === undefined) {
    await eraseUser(db, account.id);
    return { ok: false, reason: 'auth/invalid-id-token' };
  }
  const session = await openSession(db, account.id, input.device);
  const user = await findMe(db, account.id);
  if (session === undefined || user === undefined) return { ok: false, reason: 'auth/invalid-id-token' };
  return { ok: true, session, user, isNewAccount: user.username === null };
}

/** Clocks of the site and of the identity provider may differ by so much. */
const clockToleranceMs = 10_000;

/** Whoever signed in with the old password is out, also with an ID token that was kept back. */
function signedInBefore({ signedInAt }: VerifiedIdentity, passwordChangedAt: Date | null): boolean {
  return passwordChangedAt !== null && signedInAt.getTime() + clockToleranceMs < passwordChangedAt.getTime();
}

/** @returns what the token says, the first time it is shown; undefined for one that is not to be believed, or again */
export async function takeIdToken(
  db: Db,
  provider: IdentityProvider,
  idToken: string,
): Promise<VerifiedIdentity | undefined> {
  const identity = await provider.verifyIdToken(idToken);
  if (identity === undefined) return undefined;
  await db.delete(spentIdTokens).where(lt(spentIdTokens.expiresAt, sql`now() - interval '5 minutes'`));
  // A JWS has several spellings of one signature's base64; what is signed has only one.
  const signed = idToken.split('.').slice(0, 2).join('.');
  const spent = await db
    .insert(spentIdTokens)
    .values({ tokenHash: createHash('sha256').update(signed).digest('hex'), expiresAt: identity.expiresAt })
    .onConflictDoNothing()
    .returning({ tokenHash: spentIdTokens.tokenHash });
  return spent.length === 0 ? undefined : identity;
}

async function findOrCreateUser(
  db: Db,
  provider: IdentityProvider,
  identity: VerifiedIdentity,
): Promise<{ id: string; suspendedAt: Date | null; passwordChangedAt: Date | null; isNew: boolean } | undefined> {
  const { subject } = identity;
  const email = identity.email !== undefined && isKeepable(identity.email) ? identity.email : null;
  const known = await findBySubject(db, provider, subject);
  if (known !== undefined) {
    // The provider is right about the address; the change may have been made there.
    if (email !== null && email !== known.email) await writeEmail(db, known.id, email);
    return { ...known, isNew: false };
  }
  const id = newId();
  try {
    await db.insert(users).values({
      id,
      email,
      color: colorOf(id),
      identityProvider: provider.name,
      identitySubject: subject,
    });
  } catch (error) {
    // Two first log-ins at once; or the address belongs to another account.
    if (violatedIndex(error) === undefined) throw error;
    const first = await findBySubject(db, provider, subject);
    return first && { ...first, isNew: false };
  }
  return { id, suspendedAt: null, passwordChangedAt: null, isNew: true };
}

/** As the table asks for it; of what Google or Facebook says, an odd address is none rather than a failure. */
function isKeepable(email: string): boolean {
  return email.length <= 254 && /^[^@\s\0]+@[^@\s\0]+$/.test(email);
}

async function findBySubject(db: Db, provider: IdentityProvider, subject: string) {
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

/** @returns false where the address belongs to another account */
export async function writeEmail(db: Db, userId: string, email: string): Promise<boolean> {
  try {
    await db.update(users).set({ email }).where(eq(users.id, userId));
    return true;
  } catch (error) {
    if (violatedIndex(error) === 'users_email_key') return false;
    throw error;
  }
}

/** Username, avatar; and for a new account its completion, which needs both consents (spec §5). */
export async function updateProfile(db: Db, userId: string, change: ProfileChange): Promise<ProfileOutcome> {
  const me = await findMe(db, userId);
  if (me === undefined) throw new DomainError('auth/login-required');
  const isCompletion = me.username === null;
  const username = change.username === undefined ? undefined : normalizeUsername(change.username);
  if (isCompletion || username !== undefined) {
    if (username === undefined || username === '' || !isUsername(username))
      return { ok: false, reason: 'auth/invalid-username' };
  }
  if (isCompletion && change.tac !== true) return { ok: false, reason: 'auth/under-age' };
  if (isCompletion && change.legal !== true) return { ok: false, reason: 'auth/terms-not-accepted' };
  if (username !== undefined && username !== me.username && !(await isUsernameFree(db, username, userId)))
    return { ok: false, reason: 'auth/username-already-in-use' };
  const { icon, color } = change;
  // What stays as it is is not written: every change of a user empties caches.
  const written = {
    ...(username === undefined || username === me.username ? {} : { username }),
    ...(icon === undefined || icon === me.icon ? {} : { icon }),
    ...(color === undefined || color === me.color ? {} : { color }),
    ...(isCompletion ? { termsAcceptedAt: new Date() } : {}),
  };
  try {
    if (Object.keys(written).length > 0) await db.update(users).set(written).where(eq(users.id, userId));
  } catch (error) {
    if (takenBy(error) === 'auth/username-already-in-use') return { ok: false, reason: 'auth/username-already-in-use' };
    throw error;
  }
  return { ok: true, user: { ...me, ...written } };
}

/** The avatar's colour until the user picks one; spread over accounts by their id. */
function colorOf(id: string): number {
  return Number.parseInt(id.slice(-4), 16) % avatarColors;
}

function takenBy(error: unknown): 'auth/username-already-in-use' | 'auth/email-already-in-use' | undefined {
  const index = violatedIndex(error);
  if (index === 'users_username_key') return 'auth/username-already-in-use';
  return index === 'users_email_key' ? 'auth/email-already-in-use' : undefined;
}

/** The unique index that a write ran into (SQLSTATE 23505); Drizzle wraps what the driver says. */
function violatedIndex(error: unknown): string | undefined {
  const { cause = error } = error as { cause?: unknown };
  const { code, constraint } = cause as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}
