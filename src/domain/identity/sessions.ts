import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { isLanguage } from '#formats/languages.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { User } from '../kernel/viewer.ts';
import type { IdentityParts } from './parts.ts';
import { listeningIn } from './listening-rules.ts';
import { hasSecondFactorSql } from './second-factor/second-factor-sql.ts';
import { sessions, users } from './tables.ts';

/** Sliding expiry: a session ends after this long without use. */
export const sessionSeconds = 90 * 24 * 60 * 60;
/** The last use is recorded this often, not with every request. */
const touchAfterMs = 60 * 60 * 1000;
/** After this long, a session asks for the second factor again. */
const secondFactorMs = 12 * 60 * 60 * 1000;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** A new session; `token` is returned only here, to the client that logged in. */
export type OpenedSession = { id: string; token: string };

export type SessionInfo = { id: string; device: string; createdAt: Date; lastUsedAt: Date; isCurrent: boolean };

/**
 * @param signedInAt at the identity provider; absent when this same request proved the user's identity
 * @returns undefined for a user who was deleted, or logged out everywhere, after signing in
 */
export async function openSession(
  db: Db,
  userId: string,
  device: string,
  signedInAt?: Date,
): Promise<OpenedSession | undefined> {
  const token = randomBytes(32).toString('base64url');
  const id = newId();
  // The lock on the user's row waits for a running deletion or log-out everywhere.
  const { rowCount } = await db.execute(sql`
    insert into sessions (id, user_id, token_hash, device, expires_at, proven_at)
    select ${id}, u.id, ${hashToken(token)}, ${device}, ${nextEnd().toISOString()}::timestamptz,
      ${new Date().toISOString()}::timestamptz
    from users u
    where u.id = ${userId} and (${signedInAt?.toISOString() ?? null}::timestamptz is null
      or u.signed_out_at is null or u.signed_out_at <= ${signedInAt?.toISOString() ?? null}::timestamptz)
    for share`);
  return rowCount === 0 ? undefined : { id, token };
}

export type FoundSession = {
  id: string;
  viewer: User;
  /** This use extended the session, so extend the cookie too. */
  isExtended: boolean;
};

type SessionParts = Pick<IdentityParts, 'db' | 'userSql' | 'adminSecondFactor'>;

/** Runs with every request of a user: prepared, because planning takes longer than execution. */
function prepareLookup({ db, userSql }: SessionParts) {
  return db
    .select({
      id: sessions.id,
      tokenHash: sessions.tokenHash,
      lastUsedAt: sessions.lastUsedAt,
      userId: users.id,
      username: users.username,
      isSubscribed: userSql.isSubscribed(users.id),
      isAdmin: users.isAdmin,
      isModerator: users.isModerator,
      hasSecondFactor: sql<boolean>`(${users.isAdmin} or ${users.isModerator}) and ${hasSecondFactorSql(users.id)}`,
      provenAt: sessions.provenAt,
      secondFactorAt: sessions.secondFactorAt,
      voiceRoles: userSql.voiceRoles(users.id),
      hidesNothing: userSql.hidesNothing(users.id),
      preferences: users.preferences,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        sql`${sessions.tokenHash} = any(${sql.placeholder('hashes')}::text[])`,
        gt(sessions.expiresAt, sql`now()`),
        isNull(users.suspendedAt),
      ),
    )
    .prepare('find_sessions');
}

/**
 * Looks up sessions by token, in order. Lookup is by hash, so that timing does not help to guess tokens.
 * @returns undefined for a token that is unknown, expired or ended, or of a suspended user
 */
export function prepareFindSessions(parts: SessionParts) {
  const lookup = prepareLookup(parts);
  return async (tokens: string[]): Promise<(FoundSession | undefined)[]> => {
    const hashes = tokens.map((token) => (tokenPattern.test(token) ? hashToken(token) : undefined));
    const valid = [...new Set(hashes.filter((hash) => hash !== undefined))];
    if (valid.length === 0) return tokens.map(() => undefined);
    const rows = await lookup.execute({ hashes: valid });
    const unused = rows.filter(({ lastUsedAt }) => Date.now() - lastUsedAt.getTime() > touchAfterMs);
    if (unused.length > 0)
      await touch(
        parts.db,
        unused.map(({ id }) => id),
      );
    const byHash = new Map(
      rows.map((row): [string, FoundSession] => {
        const { id, userId, username, isSubscribed, voiceRoles, hidesNothing, preferences } = row;
        const viewer = {
          kind: 'user' as const,
          id: userId,
          isSubscribed,
          isComplete: username !== null,
          ...adminPart(row, parts.adminSecondFactor),
          ...(voiceRoles !== null && { voiceRoles }),
          ...(hidesNothing && { hidesNothing: true as const }),
          ...(isLanguage(preferences.language) && { language: preferences.language }),
          ...listeningIn(preferences),
        };
        return [row.tokenHash, { id, viewer, isExtended: unused.includes(row) }];
      }),
    );
    return hashes.map((hash) => (hash === undefined ? undefined : byHash.get(hash)));
  };
}

type AdminFacts = Record<'isAdmin' | 'isModerator' | 'hasSecondFactor', boolean> &
  Record<'provenAt' | 'secondFactorAt', Date | null>;

/** The rights of an operator or a moderator require a second factor, passed less than a working day ago. */
function adminPart(
  { isAdmin, isModerator, hasSecondFactor, provenAt, secondFactorAt }: AdminFacts,
  need: IdentityParts['adminSecondFactor'],
): Pick<User, 'isAdmin' | 'isModerator' | 'adminStep' | 'provenAt'> {
  if (!isAdmin && !isModerator) return {};
  const role = isAdmin ? { isAdmin: true as const } : { isModerator: true as const };
  const proof = { provenAt: provenAt?.getTime() ?? 0 };
  if (!hasSecondFactor) return need === 'optional' ? { ...proof, ...role } : { ...proof, adminStep: 'set-up' };
  const isPassed = secondFactorAt !== null && Date.now() - secondFactorAt.getTime() < secondFactorMs;
  return isPassed ? { ...proof, ...role } : { ...proof, adminStep: 'prove' };
}

async function touch(db: Db, ids: string[]): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: new Date(), expiresAt: nextEnd() }).where(inArray(sessions.id, ids));
}

/** Most recently used first. */
export async function listSessions(db: Db, userId: string, currentId: string): Promise<SessionInfo[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .limit(100);
  return rows.map(({ id, device, createdAt, lastUsedAt }) => ({
    id,
    device,
    createdAt,
    lastUsedAt,
    isCurrent: id === currentId,
  }));
}

/** @returns false when the user has no such session */
export async function endSession(db: Db, userId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

export async function endSessionOf(db: Db, token: string): Promise<void> {
  if (tokenPattern.test(token)) await db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
}

/** Also refuses unused ID tokens that were issued before. */
export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(users).set({ signedOutAt: new Date() }).where(eq(users.id, userId));
    await tx.delete(sessions).where(eq(sessions.userId, userId));
  });
}

export async function purgeEndedSessions(db: Db, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, sessions, lt(sessions.expiresAt, sql`now()`), signal, sessions.expiresAt);
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function nextEnd(): Date {
  return new Date(Date.now() + sessionSeconds * 1000);
}
