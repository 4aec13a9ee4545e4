import { type AnyColumn, type Placeholder, type SQL, and, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { userBlocks } from '../catalogue/tables.ts';
import { isNotBlockedBy, tagPattern } from '../catalogue/visibility.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { comments } from './tables.ts';

/** The table of comments, or an alias of it. */
type CommentColumns = Record<
  'text' | 'removedAt' | 'isAuthorSuspended' | 'hiddenAt' | 'userId' | 'language',
  AnyColumn
>;

/**
 * Neither deleted nor removed, and by an author who is not suspended. Must match the expression in the migration, which
 * its index uses.
 */
export function isKept(comment: CommentColumns = comments): SQL<boolean> {
  return sql<boolean>`(${comment.text} is not null and ${comment.removedAt} is null and not ${comment.isAuthorSuspended})`;
}

/** Held because of a link or a watched word. Processes of the previous version show it again without clearing this mark. */
export function isWaiting(comment: Record<'waitsForCreator' | 'hiddenAt', AnyColumn> = comments): SQL<boolean> {
  return sql<boolean>`(${comment.waitsForCreator} and ${comment.hiddenAt} is not null)`;
}

/**
 * Visible to everybody: not removed, and not hidden by the creator. The counts of the triggers use the same expression.
 */
export function isShown(comment: CommentColumns = comments): SQL<boolean> {
  return sql<boolean>`(${isKept(comment)} and ${comment.hiddenAt} is null)`;
}

/** Authors see their own hidden comments as if nothing had happened. */
export function isShownTo(viewer: Viewer, comment: CommentColumns = comments): SQL<boolean> {
  if (viewer.kind === 'visitor') return isShown(comment);
  return sql<boolean>`(${isKept(comment)} and (${comment.hiddenAt} is null or ${comment.userId} = ${viewer.id}))`;
}

/** The stored counts hold for this viewer, who reads what is visible to everybody. */
export function readsAsVisitor(viewer: Viewer): boolean {
  return viewer.kind === 'visitor' && viewer.readsOnly === undefined;
}

/** The same viewer, who reads comments in all languages. */
export function readsAll({ readsOnly: _readsOnly, ...viewer }: Viewer): Viewer {
  return viewer;
}

/** In a language that this viewer wants to read, in an unknown one, or the viewer's own. Undefined for those who read all. */
function isInReadLanguage(viewer: Viewer, comment: CommentColumns = comments): SQL | undefined {
  if (viewer.readsOnly === undefined) return undefined;
  const own = viewer.kind === 'user' ? sql` or ${comment.userId} = ${viewer.id}` : sql``;
  return sql`(${comment.language} is null or ${comment.language} ~ ${tagPattern(viewer.readsOnly)}${own})`;
}

/** The comments that this viewer may read: shown, not by a user whom the viewer blocked, and in their languages. */
export function visibleComments(viewer: Viewer, comment: CommentColumns = comments): SQL | undefined {
  return and(isShownTo(viewer, comment), isNotBlockedBy(viewer, comment.userId), isInReadLanguage(viewer, comment));
}

/** Top-level comments, including hidden ones that have replies: these are shown as placeholders. */
export function answerableThreads(viewer: Viewer): SQL | undefined {
  return and(
    isNull(comments.parentId),
    // Condition of the partial index.
    sql`(${isKept()} or ${comments.replies} > 0)`,
    sql`(${isShownTo(viewer)} or ${comments.replies} > 0)`,
    isNotBlockedBy(viewer, comments.userId),
    isInReadLanguage(viewer),
  );
}

/** Without placeholders whose replies are all hidden from this viewer. */
export function visibleThreads(viewer: Viewer): SQL | undefined {
  const hasContent = sql`(${isShownTo(viewer)} or ${countVisibleReplies(viewer)} > 0)`;
  return and(answerableThreads(viewer), readsAsVisitor(viewer) ? undefined : hasContent);
}

/** Subtracts the few replies by blocked users from the stored count, and adds the viewer's own that are hidden. */
export function countVisibleReplies(viewer: Viewer): SQL<number> {
  const reply = alias(comments, 'reply');
  // No stored count knows languages.
  if (viewer.readsOnly !== undefined)
    return sql<number>`(select count(*)::int from ${comments} reply
      where ${and(sql`${reply.parentId} = ${comments.id}`, visibleComments(viewer, reply))})`;
  if (viewer.kind === 'visitor') return sql<number>`${comments.replies}`;
  return sql<number>`(${comments.replies} - (select count(*)::int from ${userBlocks} block
    join ${comments} reply on ${reply.userId} = block.blocked_id and ${reply.audioId} = ${comments.audioId}
    where block.user_id = ${viewer.id} and ${reply.parentId} = ${comments.id} and ${isShown(reply)})
    + (select count(*)::int from ${comments} reply
      where ${reply.parentId} = ${comments.id} and ${reply.userId} = ${viewer.id}
        and ${reply.hiddenAt} is not null and ${isKept(reply)}))`;
}

/**
 * Comments that the stored count of an audio includes and this viewer may not read: those by blocked users, with all
 * replies to them; less the viewer's own hidden ones, which the stored count leaves out.
 */
export function countHiddenComments(viewer: Viewer, audioId: string | Placeholder): SQL<number> {
  const hidden = alias(comments, 'hidden');
  if (viewer.readsOnly !== undefined) {
    const thread = alias(comments, 'thread');
    const isThreadRead = and(isNotBlockedBy(viewer, thread.userId), isInReadLanguage(viewer, thread));
    return sql<number>`((select count(*) filter (where ${isShown(hidden)}) - count(*) filter (where ${and(visibleComments(viewer, hidden), sql`(thread.id is null or ${isThreadRead})`)})
      from ${comments} hidden left join ${comments} thread on ${thread.id} = ${hidden.parentId} where ${hidden.audioId} = ${audioId})::int)`;
  }
  if (viewer.kind === 'visitor') return sql<number>`0`;
  return sql<number>`((select count(distinct ${hidden.id})::int from ${userBlocks} block
    join ${comments} blocked on blocked.user_id = block.blocked_id and blocked.audio_id = ${audioId}
    join ${comments} hidden on ${hidden.id} = blocked.id or ${hidden.parentId} = blocked.id
    where block.user_id = ${viewer.id} and ${isShown(hidden)})
    - (select count(*)::int from ${comments} hidden where ${hidden.audioId} = ${audioId}
      and ${hidden.userId} = ${viewer.id} and ${hidden.hiddenAt} is not null and ${isKept(hidden)}))`;
}
