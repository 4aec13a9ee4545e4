import { type SQL, and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { type CommentOrder, commentOrders } from '../catalogue/rules.ts';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { decodeCursor, encodeCursor } from '../kernel/pages.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isShown, visibleThreads } from './comment-visibility.ts';
import { comments } from './tables.ts';

/**
 * The last thread of a page. `pinnedId` came first on the first one, so all leave it out, whatever is pinned meanwhile.
 * `newestId`: replies after this comment do not count, as threads would change places between two pages.
 */
export type Place = {
  order: CommentOrder;
  id: string;
  pinnedId: string | undefined;
  replies: number;
  newestId: string | undefined;
};

const list = 'comments';
const none = '-';

/** The cursors of the version before are of the newest first, and have no value. */
export function decodePlace(cursor: string | undefined, order: CommentOrder | undefined): Place | undefined {
  const given = decodeCursor(list, cursor, z.string());
  if (given === undefined) return undefined;
  const [name = '', replies, pinnedId, newestId] = String(given.value || 'newest').split(' ');
  const known = commentOrders.find((one) => one === name);
  const count = Number(replies ?? 0);
  const isWhole =
    known !== undefined &&
    (order ?? known) === known &&
    isCount(count) &&
    [pinnedId, newestId].every((one) => one === undefined || one === none || isId(one));
  if (!isWhole) throw new DomainError('request/bad-cursor');
  return { order: known, id: given.id, replies: count, pinnedId: idOf(pinnedId), newestId: idOf(newestId) };
}

const idOf = (text: string | undefined) => (text === none ? undefined : text);
const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count < 2 ** 31;

export function encodePlace({ order, id, pinnedId = none, replies, newestId = none }: Place): string {
  return encodeCursor(list, { value: [order, replies, pinnedId, newestId].join(' '), id });
}

/** SQL condition and order of the threads after a place, under each order but `answered`. */
export function threadsAfter(order: 'newest' | 'oldest', place: Place | undefined) {
  return {
    condition: place && (order === 'newest' ? lt : gt)(comments.id, place.id),
    orderBy: order === 'newest' ? desc(comments.id) : asc(comments.id),
  };
}

/** A page of the threads with the most replies, the newest of those with equally many first. */
export async function findMostAnswered(
  db: Db,
  viewer: Viewer,
  audioId: string,
  { place, limit }: { place: Place | undefined; limit: number },
) {
  const reply = alias(comments, 'reply');
  const last = alias(comments, 'last');
  const newestId = place?.newestId;
  const since: SQL = sql`(select count(*)::int from ${comments} reply
    where ${and(eq(reply.parentId, comments.id), gt(reply.id, newestId ?? ''), isShown(reply))})`;
  const replies: SQL<number> =
    newestId === undefined ? sql<number>`${comments.replies}` : sql<number>`(${comments.replies} - ${since})`;
  return db
    .select({
      id: comments.id,
      replies,
      newestId:
        newestId === undefined
          ? // Anyone can read a cursor, so it names no comment that waits.
            sql<string>`(select last.id from ${comments} last where ${and(eq(last.audioId, audioId), isShown(last))} order by last.id desc limit 1)`
          : sql<string>`${newestId}::text`,
    })
    .from(comments)
    .where(
      and(
        eq(comments.audioId, audioId),
        visibleThreads(viewer),
        place && sql`(${replies}, ${comments.id}) < (${place.replies}, ${place.id}::uuid)`,
      ),
    )
    .orderBy(desc(replies), desc(comments.id))
    .limit(limit);
}
