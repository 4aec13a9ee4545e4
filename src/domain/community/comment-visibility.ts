import type { AnyColumn, SQL } from 'drizzle-orm';
import { and, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { userBlocks } from '../catalogue/tables.ts';
import { isNotBlockedBy } from '../catalogue/visibility.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { comments } from './tables.ts';

/** The table of comments, or an alias of it. */
type CommentColumns = Record<'text' | 'removedAt' | 'isAuthorSuspended' | 'userId', AnyColumn>;

/**
 * Neither deleted nor removed, and by an author who is not suspended. Must match the expression in the migration, which
 * its index and counts use.
 */
export function isShown(comment: CommentColumns = comments): SQL<boolean> {
  return sql<boolean>`(${comment.text} is not null and ${comment.removedAt} is null and not ${comment.isAuthorSuspended})`;
}

/** The comments that this viewer may read: shown, and not by a user whom the viewer blocked. */
export function visibleComments(viewer: Viewer, comment: CommentColumns = comments): SQL | undefined {
  return and(isShown(comment), isNotBlockedBy(viewer, comment.userId));
}

/** Top-level comments, including hidden ones that have replies: these are shown as placeholders. */
export function answerableThreads(viewer: Viewer): SQL | undefined {
  return and(
    isNull(comments.parentId),
    // Condition of the partial index.
    sql`(${isShown()} or ${comments.replies} > 0)`,
    isNotBlockedBy(viewer, comments.userId),
  );
}

/** Without placeholders whose replies are all hidden from this viewer. */
export function visibleThreads(viewer: Viewer): SQL | undefined {
  const hasContent = sql`(${isShown()} or ${countVisibleReplies(viewer)} > 0)`;
  return and(answerableThreads(viewer), viewer.kind === 'visitor' ? undefined : hasContent);
}

/** Subtracts the few replies by blocked users from the stored count. */
export function countVisibleReplies(viewer: Viewer): SQL<number> {
  if (viewer.kind === 'visitor') return sql<number>`${comments.replies}`;
  const reply = alias(comments, 'reply');
  return sql<number>`${comments.replies} - (select count(*)::int from ${userBlocks} block
    join ${comments} reply on ${reply.userId} = block.blocked_id and ${reply.audioId} = ${comments.audioId}
    where block.user_id = ${viewer.id} and ${reply.parentId} = ${comments.id} and ${isShown(reply)})`;
}

/**
 * Comments that the stored count of an audio includes and this viewer may not read: those by blocked users, with all
 * replies to them.
 */
export function countHiddenComments(viewer: Viewer, audioId: string): SQL<number> {
  if (viewer.kind === 'visitor') return sql<number>`0`;
  const hidden = alias(comments, 'hidden');
  return sql<number>`(select count(distinct ${hidden.id})::int from ${userBlocks} block
    join ${comments} blocked on blocked.user_id = block.blocked_id and blocked.audio_id = ${audioId}
    join ${comments} hidden on ${hidden.id} = blocked.id or ${hidden.parentId} = blocked.id
    where block.user_id = ${viewer.id} and ${isShown(hidden)})`;
}
