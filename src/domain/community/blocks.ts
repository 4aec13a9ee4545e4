import { type AnyColumn, type SQL, and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { userColumns, users } from '../identity/tables.ts';
import { type PageQuery, pageIn } from '../kernel/pages.ts';
import { canBlock, maxBlocks } from './rules.ts';
import { userBlocks } from '../catalogue/tables.ts';

export type BlockOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'oneself' | 'full' };

/** Subquery column: ids that the user of that row blocked, newest first. */
export function blockedUsersSql(userId: AnyColumn): SQL<string[]> {
  return sql<string[]>`(select coalesce(json_agg(b.blocked_id order by b.created_at desc, b.blocked_id), '[]'::json)
    from user_blocks b where b.user_id = ${userId})`;
}

/** Idempotent. Unknown users and users without a name answer not-found; unblocking them is a no-op. */
export async function setBlocked(db: Db, viewer: User, userId: string, isBlocked: boolean): Promise<BlockOutcome> {
  if (!isId(userId)) return { ok: false, reason: 'not-found' };
  if (!canBlock(viewer, userId)) return { ok: false, reason: 'oneself' };
  if (!isBlocked) {
    const { rowCount } = await db
      .delete(userBlocks)
      .where(and(eq(userBlocks.userId, viewer.id), eq(userBlocks.blockedId, userId)));
    return rowCount === 1 || (await isThere(db, userId)) ? { ok: true } : { ok: false, reason: 'not-found' };
  }
  if (!(await isThere(db, userId))) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    // The row lock enforces the limit under concurrency; the blocking user may have been deleted.
    await tx.execute(sql`select from users where id = ${viewer.id} for no key update`);
    const [known] = await tx
      .select({
        total: sql<number>`count(*)::int`,
        isBlocked: sql<boolean>`coalesce(bool_or(${userBlocks.blockedId} = ${userId}), false)`,
      })
      .from(userBlocks)
      .where(eq(userBlocks.userId, viewer.id));
    if (known?.isBlocked === true) return { ok: true };
    if ((known?.total ?? 0) >= maxBlocks) return { ok: false, reason: 'full' };
    const { rowCount } = await tx.execute(sql`
      insert into user_blocks (user_id, blocked_id) select one.id, other.id from users one, users other
      where one.id = ${viewer.id} and other.id = ${userId} on conflict do nothing`);
    return rowCount === 1 ? { ok: true } : { ok: false, reason: 'not-found' };
  });
}

async function isThere(db: Db, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.username), isNull(users.suspendedAt)));
  return row !== undefined;
}

export async function hasBlocked(db: Db, viewer: Viewer, userId: string): Promise<boolean> {
  if (viewer.kind === 'visitor' || !isId(userId)) return false;
  const [row] = await db
    .select({ id: userBlocks.blockedId })
    .from(userBlocks)
    .where(and(eq(userBlocks.userId, viewer.id), eq(userBlocks.blockedId, userId)));
  return row !== undefined;
}

/** Newest first. */
export async function listBlockedUsers(db: Db, userId: string, query: PageQuery) {
  const page = pageIn('blocks', query, { direction: 'desc', by: userBlocks.createdAt, id: userBlocks.blockedId });
  const rows = await db
    .select({
      ...userColumns,
      blockedAt: userBlocks.createdAt,
      ...page.columns,
    })
    .from(userBlocks)
    .innerJoin(users, eq(users.id, userBlocks.blockedId))
    .where(and(eq(userBlocks.userId, userId), page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}
