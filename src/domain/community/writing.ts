import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { isAudio, isPublished } from '../catalogue/audios.ts';
import { commentersOf } from '../catalogue/rules.ts';
import { audios, voices } from '../catalogue/tables.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId, newId } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';
import type { User } from '../kernel/viewer.ts';
import type { Limits } from '../settings/limits.ts';
import { findListed, findWordLists, refuseWords } from '../settings/word-lists.ts';
import { isShown, isWaiting } from './comment-visibility.ts';
import { type Comment, findComment, selectComments, toComment } from './comments.ts';
import type { CommentForm, ReportForm } from './forms.ts';
import {
  canDeleteComment,
  canReportComment,
  canWriteComment,
  commentLength,
  countCharacters,
  hasLink,
  isBlankComment,
  normalizeComment,
  reportingAccountDays,
} from './rules.ts';
import { commentReports, comments, heldComments } from './tables.ts';
import { isBlockedFrom } from './voice-blocks.ts';

export type WriteOutcome =
  | { ok: true; comment: Comment; isNew: boolean }
  | {
      ok: false;
      reason:
        | 'not-found'
        | 'no-username'
        | 'disabled'
        | 'subscribers-only'
        | 'blocked'
        | 'empty'
        | 'too-long'
        | 'too-many';
    };

/** The same text within this time is a retry of the same comment. */
const sameWithinSeconds = 60;

/**
 * @param form `parentId`: the answered comment; an answer to a reply joins the same thread. `language`: of the page;
 * undefined: not known
 */
export async function writeComment(
  db: Db,
  viewer: User,
  audioIdOrSlug: string,
  form: CommentForm & { language?: string | undefined },
  { commentsPerHour }: Pick<Limits, 'commentsPerHour'>,
): Promise<WriteOutcome> {
  if (!viewer.isComplete) return { ok: false, reason: 'no-username' };
  const text = normalizeComment(form.text);
  if (isBlankComment(text)) return { ok: false, reason: 'empty' };
  if (countCharacters(text) > commentLength) return { ok: false, reason: 'too-long' };
  return db.transaction(async (tx): Promise<WriteOutcome> => {
    // The row lock serializes a user's comments, so that a retry is written once; a deleted user writes nothing.
    const { rowCount } = await tx.execute(
      sql`select from users where id = ${viewer.id} and suspended_at is null for no key update`,
    );
    const audio = await holdAudio(tx, audioIdOrSlug);
    if (rowCount === 0 || audio === undefined) return { ok: false, reason: 'not-found' };
    if (!canWriteComment(viewer, audio))
      return { ok: false, reason: audio.commenters === 'nobody' ? 'disabled' : 'subscribers-only' };
    if (await isBlockedFrom(tx, audio.voiceId, viewer.id)) return { ok: false, reason: 'blocked' };
    const parentId = form.parentId === undefined ? null : await holdThread(tx, viewer, audio.id, form.parentId);
    if (parentId === undefined) return { ok: false, reason: 'not-found' };

    const [same] = await selectComments(tx, viewer)
      .where(
        and(
          eq(comments.userId, viewer.id),
          eq(comments.audioId, audio.id),
          parentId === null ? isNull(comments.parentId) : eq(comments.parentId, parentId),
          eq(comments.text, text),
          or(isShown(), isWaiting()),
          sql`${comments.createdAt} > now() - make_interval(secs => ${sameWithinSeconds})`,
        ),
      )
      .limit(1);
    if (same !== undefined) return { ok: true, comment: toComment(same), isNew: false };
    const isRecent = sql`${comments.createdAt} > now() - interval '1 hour'`;
    if ((await tx.$count(comments, and(eq(comments.userId, viewer.id), isRecent))) >= commentsPerHour)
      return { ok: false, reason: 'too-many' };
    const id = newId();
    await refuseWords(tx, [text]);
    const { watched } = await findWordLists(tx);
    const forCreator = hasLink(text) && audio.holdsLinks && roleIn(viewer, audio.voiceId) === undefined;
    const forDesk = findListed(text, watched).length > 0;
    const waitsForCreator = forCreator || forDesk;
    const hiddenAt = waitsForCreator ? sql`now()` : null;
    const { language } = form;
    const place = { id, audioId: audio.id, parentId, userId: viewer.id };
    await tx.insert(comments).values({ ...place, text, language, hiddenAt, waitsForCreator });
    if (forDesk) await tx.insert(heldComments).values({ commentId: id, forCreator });
    const [row] = await selectComments(tx, viewer).where(eq(comments.id, id));
    if (row === undefined) throw new Error('a comment that was written is gone');
    return { ok: true, comment: toComment(row), isNew: true };
  });
}

/** Locks the audio until the comment is written. */
async function holdAudio(tx: Db, idOrSlug: string) {
  const match = isAudio(idOrSlug);
  if (match === undefined) return undefined;
  const [audio] = await tx
    .select({
      ...pick(audios, 'id', 'voiceId', 'commentsDisabled', 'commentsForSubscribers'),
      holdsLinks: voices.holdsLinks,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(match, isPublished))
    .for('key share', { of: audios });
  return audio && { ...audio, commenters: commentersOf(audio) };
}

/** @returns the locked thread that the reply joins; undefined when the answered comment does not exist */
async function holdThread(tx: Db, viewer: User, audioId: string, answeredId: string): Promise<string | undefined> {
  const answered = await findComment(tx, viewer, answeredId);
  if (answered === undefined || answered.audioId !== audioId) return undefined;
  const threadId = answered.parentId ?? answered.id;
  await tx.execute(sql`select from comments where id = ${threadId} for no key update`);
  // It may have been deleted while this waited for the row lock.
  return (await findComment(tx, viewer, answeredId)) === undefined ? undefined : threadId;
}

/**
 * Deletes the viewer's own comment: text and name are erased at once. Replies of others stay under a placeholder that
 * is deleted with the last of them (decision 015). @returns false when the user has no such comment
 */
export async function deleteComment(db: Db, viewer: User, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return db.transaction(async (tx) => {
    const [found] = await tx.select({ parentId: comments.parentId }).from(comments).where(eq(comments.id, id));
    if (found === undefined) return false;
    // Locks in id order, the thread first since it is older, against deadlocks.
    await tx.execute(sql`
      select from comments where id = any(${sql.param([found.parentId ?? id, id])}::uuid[]) order by id for update`);
    const [own] = await tx.select({ userId: comments.userId }).from(comments).where(eq(comments.id, id));
    const user = own?.userId ? { id: own.userId } : null;
    if (!canDeleteComment(viewer, { user })) return false;
    const replies = await tx.$count(comments, eq(comments.parentId, id));
    if (replies === 0) await tx.delete(comments).where(eq(comments.id, id));
    else {
      await tx.delete(commentReports).where(eq(commentReports.commentId, id));
      await tx.delete(heldComments).where(eq(heldComments.commentId, id));
      await tx
        .update(comments)
        .set({ userId: null, text: null, language: null, removedAt: null, isHeld: false, waitsForCreator: false })
        .where(eq(comments.id, id));
    }
    if (found.parentId !== null) await dropEmptyThreads(tx, [found.parentId]);
    return true;
  });
}

/** Deletes placeholders without replies. */
export async function dropEmptyThreads(tx: Db, ids: string[]): Promise<void> {
  await tx.execute(sql`
    delete from comments thread where thread.id = any(${sql.param(ids)}::uuid[]) and thread.text is null
      and not exists (select from comments reply where reply.parent_id = thread.id)`);
}

/**
 * Once per listener; repeats change nothing. Hides the comment until it is decided, when the voice's owner or enough
 * listeners reported it. @returns false when there is nothing to report
 */
export async function reportComment(
  db: Db,
  viewer: User,
  id: string,
  report: ReportForm,
  { reportsToHide }: Pick<Limits, 'reportsToHide'>,
): Promise<boolean> {
  const comment = await findComment(db, viewer, id);
  if (comment === undefined || !canReportComment(viewer, comment)) return false;
  await db.transaction(async (tx) => {
    // Locks in id order, as decisions do: holding the comment also counts in its thread.
    await tx.execute(sql`
      select from comments where id = any(${sql.param([comment.parentId ?? comment.id, comment.id])}::uuid[])
      order by id for no key update`);
    await tx.execute(sql`
      insert into comment_reports (comment_id, user_id, reason, details)
      select c.id, u.id, ${report.reason}, ${report.details ?? null} from comments c, users u
      where c.id = ${comment.id} and u.id = ${viewer.id} for key share
      on conflict do nothing`);
    await tx.execute(sql`
      update comments c set removed_at = now(), is_held = true
      where c.id = ${comment.id} and c.text is not null and c.removed_at is null and (
        exists (select from comment_reports r join audios a on a.id = c.audio_id
          join voice_owners o on o.voice_id = a.voice_id and o.user_id = r.user_id
          where r.comment_id = c.id and r.settled_at is null)
        or (select count(*) from comment_reports r join users u on u.id = r.user_id
          where r.comment_id = c.id and r.settled_at is null
            and u.created_at < now() - make_interval(days => ${reportingAccountDays})) >= ${reportsToHide})`);
  });
  return true;
}
