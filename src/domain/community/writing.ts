import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { isAudio, isPublished } from '../catalogue/audios.ts';
import { commentersOf, voiceHold } from '../catalogue/rules.ts';
import { audios, voices } from '../catalogue/tables.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId, newId } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';
import type { User } from '../kernel/viewer.ts';
import type { Limits } from '../settings/limits.ts';
import { findListed, findWordLists, refuseWords } from '../settings/word-lists.ts';
import { pausedUntilSql } from './comment-settings.ts';
import { isKept, isShown, isWaiting } from './comment-visibility.ts';
import { type Comment, findComment, selectComments, toComment } from './comments.ts';
import { findHold } from './holding.ts';
import { lockComment } from './lock-comment.ts';
import type { CommentForm, ReportForm } from './forms.ts';
import {
  canDeleteComment,
  canReportComment,
  canWriteComment,
  commentLength,
  countCharacters,
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
        | 'paused'
        | 'blocked'
        | 'empty'
        | 'too-long'
        | 'too-many';
    };

export type EditOutcome =
  | { ok: true; comment: Comment }
  | {
      ok: false;
      reason: Exclude<Extract<WriteOutcome, { ok: false }>['reason'], 'no-username' | 'too-many'> | 'under-review';
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
  const fault = faultOf(text);
  if (fault !== undefined) return { ok: false, reason: fault };
  return db.transaction(async (tx): Promise<WriteOutcome> => {
    // The row lock serializes a user's comments, so that a retry is written once; a deleted user writes nothing.
    const { rowCount } = await tx.execute(
      sql`select from users where id = ${viewer.id} and suspended_at is null for no key update`,
    );
    const audio = await holdAudio(tx, audioIdOrSlug);
    if (rowCount === 0 || audio === undefined) return { ok: false, reason: 'not-found' };
    const refusal = await findRefusal(tx, viewer, audio);
    if (refusal !== undefined) return { ok: false, reason: refusal };
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
    const { forDesk, forCreator, columns } = await check(tx, viewer, audio, text);
    const { language } = form;
    const place = { id, audioId: audio.id, parentId, userId: viewer.id };
    await tx.insert(comments).values({ ...place, text, language, ...columns });
    if (forDesk) await tx.insert(heldComments).values({ commentId: id, forCreator });
    const [row] = await selectComments(tx, viewer).where(eq(comments.id, id));
    if (row === undefined) throw new Error('a comment that was written is gone');
    return { ok: true, comment: toComment(row), isNew: true };
  });
}

function faultOf(text: string): 'empty' | 'too-long' | undefined {
  if (isBlankComment(text)) return 'empty';
  return countCharacters(text) > commentLength ? 'too-long' : undefined;
}

type HeldAudio = NonNullable<Awaited<ReturnType<typeof holdAudio>>>;

async function findRefusal(tx: Db, viewer: User, audio: HeldAudio) {
  if (!canWriteComment(viewer, audio)) {
    if (audio.commenters === 'nobody') return 'disabled';
    return audio.pausedUntil === null ? 'subscribers-only' : 'paused';
  }
  return (await isBlockedFrom(tx, audio.voiceId, viewer.id)) ? 'blocked' : undefined;
}

/**
 * Whether this text waits, for the creator, for the desk, or for both. Comments by managers of the voice wait for the
 * desk alone.
 */
async function check(tx: Db, viewer: User, audio: HeldAudio, text: string) {
  await refuseWords(tx, [text]);
  const { watched } = await findWordLists(tx);
  const isOfVoice = roleIn(viewer, audio.voiceId) !== undefined;
  const { hold, heldWords: words } = audio;
  const held = isOfVoice ? undefined : findHold(text, { hold, words });
  const forDesk = findListed(text, watched).length > 0;
  const waitsForCreator = held !== undefined || forDesk;
  const { heldFor = null, heldWord = null } = held ?? {};
  return {
    forDesk,
    forCreator: held !== undefined,
    columns: { heldFor, heldWord, waitsForCreator, hiddenAt: waitsForCreator ? sql`now()` : null },
  };
}

/**
 * Changes the text of the viewer's own comment, which is then checked like a new one: it may wait again, or wait no
 * longer; one that the creator has hidden stays hidden. Heart and pin were for the other text, and go.
 */
export async function editComment(
  db: Db,
  viewer: User,
  id: string,
  form: { text: string; language?: string | undefined },
): Promise<EditOutcome> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  const text = normalizeComment(form.text);
  const fault = faultOf(text);
  if (fault !== undefined) return { ok: false, reason: fault };
  return db.transaction(async (tx): Promise<EditOutcome> => {
    const [found] = await tx
      .select(pick(comments, 'audioId', 'parentId'))
      .from(comments)
      .where(eq(comments.id, id));
    const audio = found && (await holdAudio(tx, found.audioId));
    if (found === undefined || audio === undefined) return { ok: false, reason: 'not-found' };
    await lockComment(tx, { id, parentId: found.parentId }, 'no key update');
    const [own] = await tx
      .select({
        ...pick(comments, 'text', 'hiddenAt', 'reportedAt'),
        waits: isWaiting(),
        isUnderNotice: sql<boolean>`exists (
          select from notices n where n.subject_id = comments.id and n.subject_type = 'comment' and n.settled_at is null)`,
      })
      .from(comments)
      .where(and(eq(comments.id, id), eq(comments.userId, viewer.id), isKept()));
    if (own === undefined) return { ok: false, reason: 'not-found' };
    if (own.text !== text) {
      const refusal = await findRefusal(tx, viewer, audio);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      // The desk decides on the text that was reported.
      if (own.reportedAt !== null || own.isUnderNotice) return { ok: false, reason: 'under-review' };
      const { forDesk, forCreator, columns } = await check(tx, viewer, audio, text);
      await tx.delete(heldComments).where(eq(heldComments.commentId, id));
      const stays = own.hiddenAt !== null && !own.waits;
      await tx
        .update(comments)
        .set({
          text,
          language: form.language ?? null,
          editedAt: sql`now()`,
          pinnedAt: null,
          heartedAt: null,
          ...(!stays && columns),
        })
        .where(eq(comments.id, id));
      if (forDesk) await tx.insert(heldComments).values({ commentId: id, forCreator: forCreator || stays });
    }
    const [row] = await selectComments(tx, viewer).where(eq(comments.id, id));
    if (row === undefined) throw new Error('a comment that was changed is gone');
    return { ok: true, comment: toComment(row) };
  });
}

/** Locks the audio until the comment is written. */
async function holdAudio(tx: Db, idOrSlug: string) {
  const match = isAudio(idOrSlug);
  if (match === undefined) return undefined;
  const [audio] = await tx
    .select({
      ...pick(audios, 'id', 'voiceId', 'commentsDisabled', 'commentsForSubscribers'),
      ownHold: audios.commentHold,
      ...pick(voices, 'holdsLinks', 'commentHold', 'heldWords'),
      pausedUntil: pausedUntilSql,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(match, isPublished))
    .for('key share', { of: audios });
  return audio && { ...audio, commenters: commentersOf(audio), hold: audio.ownHold ?? voiceHold(audio) };
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
    await lockComment(tx, { id, parentId: found.parentId });
    const [own] = await tx.select({ userId: comments.userId }).from(comments).where(eq(comments.id, id));
    const user = own?.userId ? { id: own.userId } : null;
    if (!canDeleteComment(viewer, { user })) return false;
    const replies = await tx.$count(comments, eq(comments.parentId, id));
    if (replies === 0) await tx.delete(comments).where(eq(comments.id, id));
    else {
      await tx.delete(commentReports).where(eq(commentReports.commentId, id));
      await tx.delete(heldComments).where(eq(heldComments.commentId, id));
      await tx.update(comments).set(erased).where(eq(comments.id, id));
    }
    if (found.parentId !== null) await dropEmptyThreads(tx, [found.parentId]);
    return true;
  });
}

/** Columns of a placeholder: it has no longer what its author made. */
export const erased = {
  userId: null,
  text: null,
  language: null,
  removedAt: null,
  isHeld: false,
  waitsForCreator: false,
  heldFor: null,
  heldWord: null,
  editedAt: null,
  pinnedAt: null,
  heartedAt: null,
} satisfies Partial<typeof comments.$inferInsert>;

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
    // As decisions do: holding the comment also counts in its thread.
    await lockComment(tx, comment, 'no key update');
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
