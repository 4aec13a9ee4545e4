import type { SQL } from 'drizzle-orm';
import { and, asc, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { isPublished } from '../catalogue/audios.ts';
import { audioCounts, audios } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import { isId } from '../ids.ts';
import type { Viewer } from '../identity/rules.ts';
import { users } from '../identity/tables.ts';
import type { Page } from '../pages.ts';
import { decodeCursor, encodeCursor, toPage } from '../pages.ts';
import { isNotBlockedBy } from './blocks.ts';
import { comments } from './tables.ts';

/** What somebody said about an audio. One that is not shown any more only holds its replies. */
export type Comment = {
  id: string;
  audioId: string;
  parentId: string | null;
  state: 'shown' | 'deleted' | 'removed';
  /** Plain text; null where the comment is not shown, as is its author. */
  text: string | null;
  user: { id: string; username: string; icon: string | null; color: number } | null;
  /** Its author owns the voice. */
  isCreator: boolean;
  createdAt: Date;
  totalReplies: number;
};

/** With the first replies, oldest first. */
export type Thread = Comment & { replies: Comment[] };

export type ThreadPage = Page<Thread> & {
  /** Of all pages, replies too; without those that the viewer does not see. */
  totalComments: number;
  commentsDisabled: boolean;
};

type Query = { cursor?: string | undefined; limit: number };

const firstReplies = 3;

/** The words of the migration, which has an index and the counts by them. */
export const isShown = sql<boolean>`(${comments.text} is not null and ${comments.removedAt} is null and not ${comments.isAuthorSuspended})`;

const commentColumns = (viewer: Viewer) => ({
  id: comments.id,
  audioId: comments.audioId,
  parentId: comments.parentId,
  isShown,
  text: comments.text,
  userId: users.id,
  username: users.username,
  icon: users.icon,
  color: users.color,
  isCreator: sql<boolean>`exists (select from voice_owners o join audios a on a.voice_id = o.voice_id
    where a.id = ${comments.audioId} and o.user_id = ${comments.userId})`,
  createdAt: comments.createdAt,
  totalReplies: viewer.kind === 'visitor' ? sql<number>`${comments.replies}` : visibleReplies(viewer.id),
});

/** By those whom somebody blocked there are few; the others were counted when they were written. */
function visibleReplies(viewerId: string): SQL<number> {
  const reply = alias(comments, 'reply');
  return sql<number>`${comments.replies} - (select count(*)::int from user_blocks b
    join ${comments} reply on ${reply.userId} = b.blocked_id and ${reply.audioId} = ${comments.audioId}
    where b.user_id = ${viewerId} and ${reply.parentId} = ${comments.id}
      and ${reply.removedAt} is null and not ${reply.isAuthorSuspended})`;
}

export function selectComments(db: Db, viewer: Viewer) {
  return db.select(commentColumns(viewer)).from(comments).leftJoin(users, eq(users.id, comments.userId)).$dynamic();
}

export function toComment(row: Awaited<ReturnType<typeof selectComments>>[number]): Comment {
  const { isShown: shown, userId, username, icon, color, isCreator, text, ...rest } = row;
  const user = userId === null || username === null ? null : { id: userId, username, icon, color: color ?? 0 };
  if (shown) return { ...rest, state: 'shown', text, user, isCreator };
  return { ...rest, state: text === null ? 'deleted' : 'removed', text: null, user: null, isCreator: false };
}

/** Newest first. Where the creator turned comments off there are none. */
export async function listComments(
  db: Db,
  viewer: Viewer,
  audio: { id: string; commentsDisabled: boolean },
  query: Query,
): Promise<ThreadPage> {
  const after = decodeCursor('comments', query.cursor, z.literal(''));
  if (audio.commentsDisabled) return { items: [], nextCursor: undefined, totalComments: 0, commentsDisabled: true };
  const rows = await selectComments(db, viewer)
    .where(
      and(
        eq(comments.audioId, audio.id),
        isNull(comments.parentId),
        // What the index holds.
        sql`(${isShown} or ${comments.replies} > 0)`,
        viewer.kind === 'visitor' ? undefined : sql`(${isShown} or ${visibleReplies(viewer.id)} > 0)`,
        isNotBlockedBy(viewer, comments.userId),
        after && lt(comments.id, after.id),
      ),
    )
    .orderBy(desc(comments.id))
    .limit(query.limit + 1);
  const page = toPage(rows, query.limit, toComment, ({ id }) => encodeCursor('comments', { value: '', id }));
  const answered = page.items.filter(({ totalReplies }) => totalReplies > 0).map(({ id }) => id);
  const replies = await findFirstReplies(db, viewer, answered);
  return {
    items: page.items.map((comment) => ({ ...comment, replies: replies.get(comment.id) ?? [] })),
    nextCursor: page.nextCursor,
    totalComments: await countComments(db, viewer, audio.id),
    commentsDisabled: false,
  };
}

async function findFirstReplies(db: Db, viewer: Viewer, parentIds: string[]): Promise<Map<string, Comment[]>> {
  const byParent = new Map<string, Comment[]>();
  if (parentIds.length === 0) return byParent;
  const reply = alias(comments, 'reply');
  const first = db
    .select({ id: reply.id })
    .from(reply)
    .where(
      and(
        sql`${reply.parentId} = thread.id`,
        sql`${reply.text} is not null and ${reply.removedAt} is null and not ${reply.isAuthorSuspended}`,
        isNotBlockedBy(viewer, reply.userId),
      ),
    )
    .orderBy(asc(reply.id))
    .limit(firstReplies);
  const rows = await selectComments(db, viewer)
    .where(
      sql`${comments.id} in (select first.id from unnest(${sql.param(parentIds)}::uuid[]) as thread (id) cross join lateral ${first} as first)`,
    )
    .orderBy(asc(comments.id));
  for (const row of rows) {
    const { parentId } = row;
    if (parentId !== null) byParent.set(parentId, [...(byParent.get(parentId) ?? []), toComment(row)]);
  }
  return byParent;
}

/** Of an audio, as who asks sees it: without those by users they blocked, and the replies to these. */
async function countComments(db: Db, viewer: Viewer, audioId: string): Promise<number> {
  const [row] = await db
    .select({
      total: sql<number>`(${audioCounts.comments} - ${viewer.kind === 'visitor' ? sql`0` : hiddenFrom(viewer.id, audioId)})::int`,
    })
    .from(audioCounts)
    .where(eq(audioCounts.audioId, audioId));
  return row?.total ?? 0;
}

/** A thread by who is blocked goes with all its replies; of other threads, only their replies go. */
function hiddenFrom(viewerId: string, audioId: string): SQL {
  return sql`(select coalesce(sum(case
      when c.parent_id is null then c.replies + is_shown.one
      when exists (select from comments parent join user_blocks both_of on both_of.blocked_id = parent.user_id
        where parent.id = c.parent_id and both_of.user_id = ${viewerId}) then 0
      else is_shown.one end), 0)
    from user_blocks b join comments c on c.user_id = b.blocked_id and c.audio_id = ${audioId}
    cross join lateral (select (c.text is not null and c.removed_at is null and not c.is_author_suspended)::int as one) is_shown
    where b.user_id = ${viewerId})`;
}

/** Oldest first; undefined where there is no such comment, for who asks. */
export async function listReplies(
  db: Db,
  viewer: Viewer,
  commentId: string,
  query: Query,
): Promise<Page<Comment> | undefined> {
  const after = decodeCursor('replies', query.cursor, z.literal(''));
  if (!isId(commentId)) return undefined;
  const [parent] = await db
    .select({ id: comments.id })
    .from(comments)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .where(
      and(
        eq(comments.id, commentId),
        isNull(comments.parentId),
        sql`(${isShown} or ${comments.replies} > 0)`,
        isNotBlockedBy(viewer, comments.userId),
        isPublished,
        eq(audios.commentsDisabled, false),
      ),
    );
  if (parent === undefined) return undefined;
  const rows = await selectComments(db, viewer)
    .where(
      and(
        eq(comments.parentId, parent.id),
        isShown,
        isNotBlockedBy(viewer, comments.userId),
        after && gt(comments.id, after.id),
      ),
    )
    .orderBy(asc(comments.id))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, toComment, ({ id }) => encodeCursor('replies', { value: '', id }));
}

/** One that who asks can see on the page of its audio. */
export async function findComment(db: Db, viewer: Viewer, id: string): Promise<Comment | undefined> {
  if (!isId(id)) return undefined;
  const parent = alias(comments, 'parent');
  const [row] = await selectComments(db, viewer)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .leftJoin(parent, eq(parent.id, comments.parentId))
    .where(
      and(
        inArray(comments.id, [id]),
        isShown,
        isPublished,
        eq(audios.commentsDisabled, false),
        isNotBlockedBy(viewer, comments.userId),
        isNotBlockedBy(viewer, parent.userId),
      ),
    );
  return row === undefined ? undefined : toComment(row);
}
