import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { newId } from '../ids.ts';
import { isSubscribedSql } from '../membership/entitlement.ts';
import type { Viewer } from './rules.ts';
import { sessions, users } from './tables.ts';

/** A session that is used goes on; one that is not ends after this. */
const sessionDays = 90;
/** The last use is written down this often, not with every request. */
const touchAfterMs = 60 * 60 * 1000;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** What holds a session open; `token` is said once, to the one who logged in. */
export type OpenedSession = { id: string; token: string };

export type SessionInfo = { id: string; device: string; createdAt: Date; lastUsedAt: Date; isCurrent: boolean };

/** @returns undefined for a user who was deleted meanwhile */
export async function openSession(db: Db, userId: string, device: string): Promise<OpenedSession | undefined> {
  const token = randomBytes(32).toString('base64url');
  const id = newId();
  // By the user's own row, locked: it waits for a deletion that is under way.
  const { rowCount } = await db.execute(sql`
    insert into sessions (id, user_id, token_hash, device, expires_at)
    select ${id}, u.id, ${hashToken(token)}, ${device}, ${nextEnd().toISOString()}::timestamptz
    from users u where u.id = ${userId} for key share`);
  return rowCount === 0 ? undefined : { id, token };
}

export type FoundSession = { id: string; viewer: Extract<Viewer, { kind: 'user' }> };

/** Every request of a listener asks this: prepared, since planning it takes longer than carrying it out. */
function prepareLookup(db: Db) {
  return db
    .select({
      id: sessions.id,
      tokenHash: sessions.tokenHash,
      lastUsedAt: sessions.lastUsedAt,
      userId: users.id,
      username: users.username,
      isSubscribed: isSubscribedSql(users.id),
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

const lookups = new WeakMap<Db, ReturnType<typeof prepareLookup>>();

/**
 * The ones behind tokens, in their order. A token is looked up by its hash, so that no comparison takes longer for a
 * better guess.
 * @returns undefined for a token that is expired, ended, foreign, or of a suspended user
 */
export async function findSessions(db: Db, tokens: string[]): Promise<(FoundSession | undefined)[]> {
  const hashes = tokens.map((token) => (tokenPattern.test(token) ? hashToken(token) : undefined));
  const known = [...new Set(hashes.filter((hash) => hash !== undefined))];
  if (known.length === 0) return tokens.map(() => undefined);
  const lookup = lookups.get(db) ?? prepareLookup(db);
  lookups.set(db, lookup);
  const rows = await lookup.execute({ hashes: known });
  const unused = rows.filter(({ lastUsedAt }) => Date.now() - lastUsedAt.getTime() > touchAfterMs);
  if (unused.length > 0)
    await touch(
      db,
      unused.map(({ id }) => id),
    );
  const byHash = new Map(
    rows.map(({ id, tokenHash, userId, username, isSubscribed }): [string, FoundSession] => [
      tokenHash,
      { id, viewer: { kind: 'user', id: userId, isSubscribed, isComplete: username !== null } },
    ]),
  );
  return hashes.map((hash) => (hash === undefined ? undefined : byHash.get(hash)));
}

async function touch(db: Db, ids: string[]): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: new Date(), expiresAt: nextEnd() }).where(inArray(sessions.id, ids));
}

/** Newest use first. */
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

/** @returns false where the user has no such session */
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

export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId));
}

export async function forgetEndedSessions(db: Db): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function nextEnd(): Date {
  return new Date(Date.now() + sessionDays * 24 * 60 * 60 * 1000);
}
