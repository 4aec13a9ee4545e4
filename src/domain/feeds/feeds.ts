import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { hidesNothingSql } from '../catalogue/visibility.ts';
import { listeningIn } from '../identity/listening-rules.ts';
import { users } from '../identity/tables.ts';
import { operator } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { isId, newId } from '../kernel/ids.ts';
import { isLanguage } from '#formats/languages.ts';
import type { User } from '../kernel/viewer.ts';
import { holdSinceSql, holdSql, isSubscribedSql } from '../membership/entitlement.ts';
import { isEntitled } from '../membership/rules.ts';
import type { NewFeedForm } from './forms.ts';
import { type FeedKind, feedToken, hasSubject, maxFeeds } from './rules.ts';
import { findSubject, findTitles } from './subjects.ts';
import { feedUses, privateFeeds } from './tables.ts';

/** A feed, looked up by its address. */
export type OpenedFeed = {
  id: string;
  kind: FeedKind;
  subjectId: string | null;
  createdAt: Date;
  isStopped: boolean;
  /** The feed's user with their current rights, except those of a creator or an operator. */
  viewer: User;
  /** When the user's subscription ended; null: unknown. */
  endedAt: Date | null;
  /** Since when a payment is due, or the subscription is paused. */
  hold: { state: 'past-due' | 'paused'; since: Date } | null;
};

/** The last use is recorded at most this often, not with every request. */
const touchAfterMs = 60 * 60 * 1000;

/** As their owner sees them. */
export async function listFeeds(db: Db, userId: string) {
  const rows = await db
    .select()
    .from(privateFeeds)
    .where(eq(privateFeeds.userId, userId))
    .orderBy(desc(privateFeeds.id))
    .limit(maxFeeds);
  const titles = await findTitles(db, rows);
  return rows.map(({ id, kind, subjectId, createdAt, lastUsedAt, stoppedAt }) => ({
    id,
    kind,
    /** Null for `all` and `library`, and when the subject no longer exists. */
    title: subjectId === null ? null : (titles.get(subjectId) ?? null),
    createdAt,
    lastUsedAt,
    isStopped: stoppedAt !== null,
  }));
}

export type MadeFeed<More = never> =
  | { ok: true; id: string; token: string }
  | { ok: false; reason: 'not-found' | 'subscription-required' | More };

/** @returns the token, only here */
export async function makeFeed(db: Db, viewer: User, { kind, subject }: NewFeedForm): Promise<MadeFeed<'full'>> {
  if (!isEntitled(viewer)) return { ok: false, reason: 'subscription-required' };
  const feedSubject = hasSubject(kind) ? await findSubject(db, viewer, kind, subject ?? '') : undefined;
  if (hasSubject(kind) && feedSubject === undefined) return { ok: false, reason: 'not-found' };
  const id = newId();
  const token = newToken();
  const isMade = await db.transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${viewer.id} for no key update`);
    if ((await tx.$count(privateFeeds, eq(privateFeeds.userId, viewer.id))) >= maxFeeds) return false;
    await tx
      .insert(privateFeeds)
      .values({ id, userId: viewer.id, kind, subjectId: feedSubject?.id ?? null, tokenHash: hashToken(token) });
    return true;
  });
  return isMade ? { ok: true, id, token } : { ok: false, reason: 'full' };
}

/** Replaces the address, which revokes the old one, and restarts a stopped feed. @returns the token, only here */
export async function renewFeed(db: Db, viewer: User, id: string): Promise<MadeFeed> {
  const isOwn = and(eq(privateFeeds.id, id), eq(privateFeeds.userId, viewer.id));
  if (!isId(id) || (await db.$count(privateFeeds, isOwn)) === 0) return { ok: false, reason: 'not-found' };
  if (!isEntitled(viewer)) return { ok: false, reason: 'subscription-required' };
  const token = newToken();
  const isRenewed = await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(privateFeeds)
      .set({ tokenHash: hashToken(token), stoppedAt: null, notifiedAt: null, lastUsedAt: null })
      .where(isOwn);
    // Clears the networks of the old address; they would stop the new one at once.
    if (rowCount === 1) await tx.delete(feedUses).where(and(eq(feedUses.feedId, id), eq(feedUses.kind, 'network')));
    return rowCount === 1;
  });
  return isRenewed ? { ok: true, id, token } : { ok: false, reason: 'not-found' };
}

/** Revokes the address: it answers like an unknown one. @returns false when the user has no such feed */
export async function revokeFeed(db: Db, userId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const { rowCount } = await db
    .delete(privateFeeds)
    .where(and(eq(privateFeeds.id, id), eq(privateFeeds.userId, userId)));
  return rowCount === 1;
}

/** The same by the operator on the command line. @returns false when the user has no such feed */
export async function revokeAsOperator(db: Db, userId: string, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await revokeFeed(tx, userId, id))) return false;
    const [user] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId));
    // Without its subject: what a user listens to is not recorded.
    await recordChange(tx, {
      actor: operator,
      role: 'operator',
      action: 'user.revoke-feed',
      subject: { type: 'user', id: userId, name: user?.username ?? userId },
      before: { feed: id },
    });
    return true;
  });
}

/** When the last paid or given time ended, as a query column. */
const endedAtSql = sql<string | null>`(select greatest(max(s.ends_at), max(m.gift_until)) from users x
  left join subscriptions s on s.user_id = x.id and s.ends_at <= now()
  left join memberships m on m.user_id = x.id and m.gift_until <= now() where x.id = ${users.id})`;

function prepareLookup(db: Db) {
  return db
    .select({
      id: privateFeeds.id,
      kind: privateFeeds.kind,
      subjectId: privateFeeds.subjectId,
      tokenHash: privateFeeds.tokenHash,
      createdAt: privateFeeds.createdAt,
      lastUsedAt: privateFeeds.lastUsedAt,
      stoppedAt: privateFeeds.stoppedAt,
      userId: users.id,
      username: users.username,
      isSubscribed: isSubscribedSql(users.id),
      hidesNothing: hidesNothingSql(users.id),
      preferences: users.preferences,
      endedAt: endedAtSql,
      hold: holdSql(users.id),
      holdSince: holdSinceSql(users.id),
    })
    .from(privateFeeds)
    .innerJoin(users, eq(users.id, privateFeeds.userId))
    .where(and(sql`${privateFeeds.tokenHash} = any(${sql.placeholder('hashes')}::text[])`, isNull(users.suspendedAt)))
    .prepare('find_private_feeds');
}

/** Runs with every request of a podcast app: prepared, and in batches. */
export function prepareFindFeeds(db: Db) {
  const lookup = prepareLookup(db);
  /** Lookup is by hash, so that timing does not help to guess tokens. */
  return async (tokens: string[]): Promise<(OpenedFeed | undefined)[]> => {
    const hashes = tokens.map((token) => (feedToken.test(token) ? hashToken(token) : undefined));
    const unique = [...new Set(hashes.filter((hash) => hash !== undefined))];
    if (unique.length === 0) return tokens.map(() => undefined);
    const rows = await lookup.execute({ hashes: unique });
    const unused = rows.filter(({ lastUsedAt }) => Date.now() - (lastUsedAt?.getTime() ?? 0) > touchAfterMs);
    const ids = unused.map(({ id }) => id);
    if (ids.length > 0)
      await db
        .update(privateFeeds)
        .set({ lastUsedAt: sql`now()` })
        .where(inArray(privateFeeds.id, ids));
    const byHash = new Map(rows.map((row) => [row.tokenHash, toOpened(row)]));
    return hashes.map((hash) => (hash === undefined ? undefined : byHash.get(hash)));
  };
}

type FeedRow = Awaited<ReturnType<ReturnType<typeof prepareLookup>['execute']>>[number];

function toOpened({ id, kind, subjectId, createdAt, stoppedAt, ...user }: FeedRow): OpenedFeed {
  return {
    id,
    kind,
    subjectId,
    createdAt,
    isStopped: stoppedAt !== null,
    viewer: {
      kind: 'user',
      id: user.userId,
      isSubscribed: user.isSubscribed,
      isComplete: user.username !== null,
      ...(user.hidesNothing && { hidesNothing: true as const }),
      ...(isLanguage(user.preferences.language) && { language: user.preferences.language }),
      ...listeningIn(user.preferences),
    },
    endedAt: user.endedAt === null ? null : new Date(user.endedAt),
    hold: user.hold === null ? null : { state: user.hold, since: new Date(user.holdSince ?? createdAt) },
  };
}

/** 192 bits: not to be guessed, however many feeds there are. */
function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
