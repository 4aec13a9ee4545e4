import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { operatorRole, recordChange } from '../../kernel/audit.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { Refusal } from '../../kernel/errors.ts';
import { isFresh } from '../../kernel/rules.ts';
import type { User } from '../../kernel/viewer.ts';
import { findAccountAt, findOwnAccount } from '../account-changes.ts';
import { findHasPassword } from '../accounts.ts';
import { maxSecondFactorTries } from '../attempts.ts';
import type { IdentityParts } from '../parts.ts';
import type { Passkey } from './passkeys.ts';
import * as keys from './passkeys.ts';
import { isAppCode } from '../rules.ts';
import { countRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { seal, unseal } from './sealed-text.ts';
import { passkeys, recoveryCodes, secondFactors, sessions, users } from '../tables.ts';
import { findTotpStep, newTotpSecret, totpKey, totpUri } from './totp.ts';

/**
 * The second factor of operators (decision 029). It belongs to the site's own sessions, so it is asked after every way
 * of logging in: with a password, Google, Facebook or Firebase.
 */

type Parts = Pick<IdentityParts, 'db' | 'secret' | 'provider' | 'siteName' | 'siteUrl' | 'adminSecondFactor'>;

/** An operator's session, whether it has passed the second factor or not. */
export type AdminSession = { viewer: User; sessionId: string };

export type SecondFactorState = {
  /** Since when an authenticator app is set up. */
  appSince: Date | null;
  passkeys: Passkey[];
  recoveryCodesLeft: number;
  isRequired: boolean;
  /** The host name for which passkeys are valid. */
  passkeyHost: string;
  /** Whether a password can confirm the identity; null with a second factor, or when it is not known. */
  hasPassword: boolean | null;
};

const purpose = 'second factor';
const wrongCode = { ok: false, reason: 'auth/wrong-code' } as const;
const notFresh = { ok: false, reason: 'auth/fresh-login-required' } as const;

export async function findSecondFactor(parts: Parts, userId: string): Promise<SecondFactorState> {
  const { db, provider } = parts;
  const [app] = await db
    .select({ since: secondFactors.confirmedAt })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId));
  const appSince = app?.since ?? null;
  const passkeysKept = await keys.listPasskeys(db, userId);
  const isWithout = appSince === null && passkeysKept.length === 0;
  const account = isWithout ? await findAccountAt(db, provider, userId) : undefined;
  return {
    appSince,
    passkeys: passkeysKept,
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    isRequired: parts.adminSecondFactor === 'required',
    passkeyHost: keys.relyingParty(parts.siteUrl).id,
    hasPassword: account === undefined ? null : await findHasPassword(provider, account),
  };
}

/**
 * Adding, changing and removing a factor requires a session that has just passed it, or has just logged in if the
 * account has none yet.
 */
function mayChange({ viewer }: AdminSession): boolean {
  return isFresh(viewer) && (viewer.isAdmin === true || viewer.isModerator === true || viewer.adminStep === 'set-up');
}

/**
 * A new secret, in use once `confirmApp` received a code of it.
 * @returns the secret for the app, as text and as an address
 */
export async function startApp(
  parts: Parts,
  session: AdminSession,
): Promise<
  { ok: true; key: string; uri: string } | Refusal<'auth/fresh-login-required' | 'auth/second-factor-exists'>
> {
  if (!mayChange(session)) return notFresh;
  const { db, secret, siteName } = parts;
  const totpSecret = newTotpSecret();
  const sealed = seal(secret, purpose, totpSecret);
  const started = await db
    .insert(secondFactors)
    .values({ userId: session.viewer.id, secret: sealed })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { secret: sealed, createdAt: new Date(), lastStep: 0 },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ userId: secondFactors.userId });
  if (started.length === 0) return { ok: false, reason: 'auth/second-factor-exists' };
  const name = await nameOf(db, session.viewer.id);
  return { ok: true, key: totpKey(totpSecret), uri: totpUri(totpSecret, siteName, name) };
}

export type FactorAdded =
  /** `recoveryCodes`: only with the first factor; shown once. */
  { ok: true; recoveryCodes: string[] } | Refusal<'auth/fresh-login-required' | 'auth/wrong-code'>;

export async function confirmApp(parts: Parts, session: AdminSession, code: string): Promise<FactorAdded> {
  if (!mayChange(session)) return notFresh;
  const { db, secret } = parts;
  const userId = session.viewer.id;
  return db.transaction(async (tx) => {
    const isFirst = !(await hasFactor(tx, userId));
    if (!(await takeTotp(tx, secret, userId, code, false))) return wrongCode;
    await tx.update(secondFactors).set({ confirmedAt: new Date() }).where(eq(secondFactors.userId, userId));
    return added(tx, parts, session, isFirst, 'user.set-up-app');
  });
}

export async function startPasskey(parts: Parts, session: AdminSession) {
  if (!mayChange(session)) return notFresh;
  const user = { id: session.viewer.id, name: await nameOf(parts.db, session.viewer.id) };
  return { ok: true as const, options: await keys.startPasskey(parts.db, parts, user, session.sessionId) };
}

export async function addPasskey(
  parts: Parts,
  session: AdminSession,
  given: { name: string; response: RegistrationResponseJSON },
): Promise<FactorAdded> {
  if (!mayChange(session)) return notFresh;
  const userId = session.viewer.id;
  return parts.db.transaction(async (tx) => {
    const isFirst = !(await hasFactor(tx, userId));
    const id = await keys.addPasskey(tx, parts, userId, session.sessionId, given);
    if (id === undefined) return wrongCode;
    return added(tx, parts, session, isFirst, 'user.add-passkey');
  });
}

async function added(
  tx: Db,
  parts: Parts,
  session: AdminSession,
  isFirst: boolean,
  action: 'user.set-up-app' | 'user.add-passkey',
): Promise<FactorAdded> {
  const { viewer, sessionId } = session;
  // Other sessions have not shown this factor.
  if (isFirst) await tx.update(sessions).set({ secondFactorAt: null }).where(eq(sessions.userId, viewer.id));
  await tx.update(sessions).set({ secondFactorAt: new Date(), provenAt: new Date() }).where(eq(sessions.id, sessionId));
  await record(tx, viewer, viewer.id, action);
  return { ok: true, recoveryCodes: isFirst ? await replaceRecoveryCodes(tx, parts.secret, viewer.id) : [] };
}

/** @param what `app`, or the id of a passkey */
export async function removeFactor(
  parts: Parts,
  session: AdminSession,
  what: string,
): Promise<{ ok: true } | Refusal<'auth/fresh-login-required' | 'auth/last-second-factor' | 'request/not-found'>> {
  if (!mayChange(session)) return notFresh;
  const userId = session.viewer.id;
  return parts.db.transaction(async (tx) => {
    // Two concurrent removals would each leave the other's factor.
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    const factors = await listFactors(tx, userId);
    const isLast = factors.length === 1;
    if (!factors.includes(what)) return { ok: false, reason: 'request/not-found' };
    if (isLast && parts.adminSecondFactor === 'required') return { ok: false, reason: 'auth/last-second-factor' };
    await (what === 'app'
      ? tx.delete(secondFactors).where(eq(secondFactors.userId, userId))
      : tx.delete(passkeys).where(and(eq(passkeys.userId, userId), eq(passkeys.id, what))));
    if (isLast) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await record(tx, session.viewer, userId, what === 'app' ? 'user.remove-app' : 'user.remove-passkey');
    return { ok: true };
  });
}

export async function renewRecoveryCodes(
  parts: Parts,
  session: AdminSession,
): Promise<{ ok: true; recoveryCodes: string[] } | Refusal<'auth/fresh-login-required' | 'request/not-found'>> {
  if (!mayChange(session)) return notFresh;
  const userId = session.viewer.id;
  return parts.db.transaction(async (tx) => {
    if (!(await hasFactor(tx, userId))) return { ok: false, reason: 'request/not-found' };
    await record(tx, session.viewer, userId, 'user.renew-recovery-codes');
    return { ok: true, recoveryCodes: await replaceRecoveryCodes(tx, parts.secret, userId) };
  });
}

/**
 * A code of the app or a recovery code (the site tells them apart), a passkey, or, without a second factor, the
 * password.
 */
export type SessionProof = { code: string } | { passkey: AuthenticationResponseJSON } | { password: string };

export type ProofOutcome =
  | { ok: true; recoveryCodesLeft: number }
  | Refusal<'auth/wrong-code' | 'auth/wrong-password' | 'auth/second-factor-required' | 'auth/too-many-requests'>;

/** Proves again who uses this session; with the second factor it may then act as an operator. */
export async function proveSession(
  parts: Parts,
  { viewer, sessionId }: AdminSession,
  proof: SessionProof,
): Promise<ProofOutcome> {
  const { db, secret, provider } = parts;
  if ('password' in proof) {
    if (await hasFactor(db, viewer.id)) return { ok: false, reason: 'auth/second-factor-required' };
    const account = await findOwnAccount(db, provider, viewer.id);
    const outcome = await provider.checkPassword(account, proof.password);
    if (!outcome.ok)
      return { ok: false, reason: outcome.reason === 'too-many' ? 'auth/too-many-requests' : 'auth/wrong-password' };
    await db.update(sessions).set({ provenAt: new Date() }).where(eq(sessions.id, sessionId));
    return { ok: true, recoveryCodesLeft: 0 };
  }
  return db.transaction(async (tx): Promise<ProofOutcome> => {
    const isRight =
      'passkey' in proof
        ? await keys.checkPasskey(tx, parts, viewer.id, sessionId, proof.passkey)
        : await takeCode(tx, secret, viewer, proof.code);
    if (!isRight) return wrongCode;
    const now = new Date();
    await tx.update(sessions).set({ secondFactorAt: now, provenAt: now }).where(eq(sessions.id, sessionId));
    return { ok: true, recoveryCodesLeft: await countRecoveryCodes(tx, viewer.id) };
  });
}

/**
 * Logs failed tries at the second factor: the first of a period, a lock-out, and how many came before a success. Not
 * each one, because guessing would flood the log.
 * @param tried.atAccount from `AttemptLimits.takeCounted`
 */
export async function recordTry(
  { db }: Pick<Parts, 'db'>,
  { viewer }: AdminSession,
  { outcome, atAccount }: { outcome: 'right' | 'wrong' | 'locked'; atAccount: number | undefined },
): Promise<void> {
  if (atAccount === undefined) return;
  const failedTries = atAccount - 1;
  if (outcome === 'wrong' && failedTries === 0) await record(db, viewer, viewer.id, 'user.fail-second-factor');
  if (outcome === 'right' && failedTries > 1)
    await record(db, viewer, viewer.id, 'user.pass-second-factor', { failedTries });
  if (outcome === 'locked' && failedTries === maxSecondFactorTries)
    await record(db, viewer, viewer.id, 'user.lock-second-factor', { failedTries });
}

export function askForPasskey(parts: Parts, { viewer, sessionId }: AdminSession) {
  return keys.askForPasskey(parts.db, parts, viewer.id, sessionId);
}

/** For an operator who lost all factors: the next visit to Admin sets up a new one. @returns whether there was one */
export async function resetSecondFactor(db: Db, actor: Actor, userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const had = await hasFactor(tx, userId);
    await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
    await tx.delete(passkeys).where(eq(passkeys.userId, userId));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await tx.update(sessions).set({ secondFactorAt: null }).where(eq(sessions.userId, userId));
    if (had) await record(tx, actor, userId, 'user.reset-second-factor');
    return had;
  });
}

async function takeCode(tx: Db, secret: string, viewer: User, code: string): Promise<boolean> {
  if (isAppCode(code)) return takeTotp(tx, secret, viewer.id, code.replaceAll(/\s/g, ''), true);
  if (!(await useRecoveryCode(tx, secret, viewer.id, code))) return false;
  await record(tx, viewer, viewer.id, 'user.use-recovery-code');
  return true;
}

/** A code works once, also within its 30 s: codes of the accepted step and earlier ones are rejected. */
async function takeTotp(tx: Db, secret: string, userId: string, code: string, isConfirmed: boolean): Promise<boolean> {
  const [row] = await tx
    .select({ secret: secondFactors.secret, confirmedAt: secondFactors.confirmedAt })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId));
  if (row === undefined || (row.confirmedAt !== null) !== isConfirmed) return false;
  const totpSecret = unseal(secret, purpose, row.secret);
  const step = totpSecret === undefined ? undefined : await findTotpStep(totpSecret, code, Date.now());
  if (step === undefined) return false;
  const taken = await tx
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
    .returning({ userId: secondFactors.userId });
  return taken.length > 0;
}

/** `app`, and the ids of passkeys. */
async function listFactors(db: Db, userId: string): Promise<string[]> {
  const apps = await db
    .select({ id: sql<string>`'app'` })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
  const own = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId));
  return [...apps, ...own].map(({ id }) => id);
}

async function hasFactor(db: Db, userId: string): Promise<boolean> {
  return (await listFactors(db, userId)).length > 0;
}

async function nameOf(db: Db, userId: string): Promise<string> {
  const [row] = await db
    .select({ email: users.email, username: users.username })
    .from(users)
    .where(eq(users.id, userId));
  return row?.username ?? row?.email ?? userId;
}

async function record(
  tx: Db,
  actor: Actor,
  userId: string,
  action: `user.${string}`,
  after?: Record<string, unknown>,
): Promise<void> {
  await recordChange(tx, {
    actor,
    role: operatorRole(actor),
    action,
    subject: { type: 'user', id: userId, name: await nameOf(tx, userId) },
    after,
  });
}
