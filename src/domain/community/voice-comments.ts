import {
  type AnyColumn,
  type SQL,
  and,
  asc,
  desc,
  eq,
  exists,
  ilike,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { imageUrlSql, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import { userColumns, users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import { type Db, pick } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type PageQuery, decodeCursor, encodeCursor, toPage } from '../kernel/pages.ts';
import { roleIn } from '../kernel/rules.ts';
import { isKept, isShown, isWaiting } from './comment-visibility.ts';
import { markHeld } from './holding.ts';
import { expectSameText, lockComment } from './lock-comment.ts';
import type { VoiceCommentList } from './rules.ts';
import { commentReports, comments, heldComments, voiceBlocks, voiceOwners } from './tables.ts';
import { containing } from '../kernel/like-patterns.ts';

type Query = PageQuery & { filter: VoiceCommentList; q?: string | undefined };

/** Replies under each comment of the list. */
const maxReplies = 20;

/** Needs a join with `audios`. */
export const isOfVoice = (voiceId: string) => and(eq(comments.voiceId, voiceId), isNull(audios.deletedAt));

function isMember(voiceId: string, userId: AnyColumn): SQL {
  return sql`exists (select from ${voiceOwners} member where member.voice_id = ${voiceId} and member.user_id = ${userId})`;
}

/** Reports by listeners are not disclosed to creators. */
function isReportedBy(voiceId: string, comment: { id: AnyColumn } = comments): SQL {
  return sql`exists (select from ${commentReports} report
    join ${voiceOwners} member on member.user_id = report.user_id and member.voice_id = ${voiceId}
    where report.comment_id = ${comment.id} and report.settled_at is null)`;
}

/** No manager of the voice began the thread or replied in it. Held comments are included. */
export function isUnanswered(voiceId: string): SQL | undefined {
  return and(
    isNull(comments.parentId),
    or(isShown(), and(isKept(), isWaiting())),
    sql`not ${isMember(voiceId, comments.userId)}`,
    sql`not exists (select from ${comments} reply join ${voiceOwners} member
      on member.user_id = reply.user_id and member.voice_id = ${voiceId} where reply.parent_id = ${comments.id})`,
  );
}

/** Needs no join. */
export function filterOf(filter: VoiceCommentList, voiceId: string): SQL | undefined {
  const isThere = and(
    isNotNull(comments.text),
    eq(comments.isAuthorSuspended, false),
    or(isNull(comments.removedAt), isReportedBy(voiceId)),
  );
  const parent = alias(comments, 'parent');
  switch (filter) {
    case 'unanswered':
      return isUnanswered(voiceId);
    case 'all':
      // A reply stands alone once the comment above it was deleted.
      return and(
        isThere,
        sql`(${comments.parentId} is null or exists (select from ${comments} parent
          where ${parent.id} = ${comments.parentId} and ${parent.text} is null))`,
      );
    case 'waiting':
      return and(isThere, isWaiting());
    case 'hidden':
      return and(isThere, isNotNull(comments.hiddenAt), not(isWaiting()));
    case 'pinned':
      return and(isShown(), isNotNull(comments.pinnedAt));
    case 'reported':
      return and(isThere, isNotNull(comments.reportedAt), isReportedBy(voiceId));
  }
}

/** Words in the text or the author's name; needs a join with `users`. */
export function isAbout(q: string | undefined): SQL | undefined {
  if (q === undefined || q.trim() === '') return undefined;
  const pattern = containing(q.trim());
  return or(ilike(comments.text, pattern), ilike(users.username, pattern));
}

export const isForDesk = () => sql<boolean>`exists (select from held_comments h where h.comment_id = ${comments.id})`;

function selectVoiceComments(db: Db, voiceId: string) {
  const answered = alias(comments, 'answered');
  const answeredUser = alias(users, 'answered_user');
  return db
    .select({
      ...pick(comments, 'id', 'parentId', 'createdAt', 'hiddenAt', 'editedAt', 'heldFor', 'heldWord'),
      isPinned: sql<boolean>`${isNotNull(comments.pinnedAt)}`,
      isHearted: sql<boolean>`${isNotNull(comments.heartedAt)}`,
      isWaiting: isWaiting(),
      isForDesk: isForDesk(),
      isReported: sql<boolean>`${isReportedBy(voiceId)}`,
      takesComments: sql<boolean>`${and(isPublished, eq(audios.commentsDisabled, false))}`,
      audio: { ...pick(audios, 'id', 'slug', 'title'), imageUrl: imageUrlSql(audios.imageKey) },
      user: userColumns,
      text: sql<string>`coalesce(${comments.text}, '')`,
      /** Hidden from everybody until the report is decided. */
      isHeld: sql<boolean>`${comments.removedAt} is not null`,
      /** Its author owns or edits the voice. */
      isCreator: sql<boolean>`${isMember(voiceId, comments.userId)}`,
      isBlocked: sql<boolean>`${exists(
        db
          .select({ one: sql`1` })
          .from(voiceBlocks)
          .where(and(eq(voiceBlocks.voiceId, voiceId), eq(voiceBlocks.userId, comments.userId))),
      )}`,
      totalReplies: comments.replies,
      answeredText: answered.text,
      answeredUsername: answeredUser.username,
    })
    .from(comments)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .innerJoin(users, eq(users.id, comments.userId))
    .leftJoin(answered, eq(answered.id, comments.parentId))
    .leftJoin(answeredUser, eq(answeredUser.id, answered.userId))
    .$dynamic();
}

/** A comment under a voice's audio, for the managers of the voice. */
function toVoiceComment(row: Awaited<ReturnType<typeof selectVoiceComments>>[number]) {
  const {
    parentId: _parentId,
    hiddenAt,
    isWaiting: waits,
    isForDesk: isAtDesk,
    isReported,
    takesComments,
    heldFor,
    heldWord,
    ...rest
  } = row;
  const { answeredText: text, answeredUsername: username, ...comment } = rest;
  // `reported`: by a manager of the voice, and undecided. `waiting`: held because of a link or a watched word.
  const hidden = hiddenAt === null ? 'shown' : 'hidden';
  const state: 'reported' | 'waiting' | 'shown' | 'hidden' = isReported ? 'reported' : waits ? 'waiting' : hidden;
  const isHeldByVoice = waits && (heldFor !== null || !isAtDesk);
  return {
    ...comment,
    state,
    /** Waits for the desk, so its creator can hide it, and not show it. */
    isForDesk: state === 'waiting' && isAtDesk,
    /** Why it waits for its creator; null: it does not. */
    heldFor: isHeldByVoice ? (heldFor ?? 'link') : null,
    heldWord: isHeldByVoice ? heldWord : null,
    /** Parts that held it, in UTF-16 units of the text. */
    marks: isHeldByVoice ? markHeld(row.text, { heldFor, heldWord }) : [],
    /** The audio is published and accepts comments, and the comment is visible. */
    canReply: hiddenAt === null && !row.isHeld && takesComments,
    /** The comment that this one replies to; null for a comment on the audio itself, or once that comment is deleted. */
    answers: text === null || username === null ? null : { username, text },
  };
}
export type VoiceComment = ReturnType<typeof toVoiceComment>;

/** With its last replies, oldest first. */
export type VoiceThread = VoiceComment & { replies: VoiceComment[] };

/** Newest first; undefined when the actor does not manage the voice. */
export async function listVoiceComments(db: Db, actor: Actor, voiceId: string, query: Query) {
  const order = `voice-comments.${query.filter}`;
  const after = decodeCursor(order, query.cursor, z.literal(''));
  if (roleIn(actor, voiceId) === undefined || !isId(voiceId)) return undefined;
  const rows = await selectVoiceComments(db, voiceId)
    .where(
      and(isOfVoice(voiceId), filterOf(query.filter, voiceId), isAbout(query.q), after && lt(comments.id, after.id)),
    )
    .orderBy(desc(comments.id))
    .limit(query.limit + 1);
  const page = toPage(rows, query.limit, toVoiceComment, ({ id }) => encodeCursor(order, { value: '', id }));
  const replies = await findReplies(db, voiceId, page.items);
  return { ...page, items: page.items.map((item) => ({ ...item, replies: replies.get(item.id) ?? [] })) };
}

/** @returns the last replies of each thread, oldest first, by the thread's id */
async function findReplies(db: Db, voiceId: string, threads: VoiceComment[]): Promise<Map<string, VoiceComment[]>> {
  if (threads.length === 0) return new Map();
  const ids = threads.map(({ id }) => id);
  const reply = alias(comments, 'reply');
  const last = db
    .select({ id: reply.id })
    .from(reply)
    .where(and(sql`${reply.parentId} = thread.id`, or(isKept(reply), isReportedBy(voiceId, reply))))
    .orderBy(desc(reply.id))
    .limit(maxReplies);
  const rows = await selectVoiceComments(db, voiceId)
    .where(
      and(
        isNotNull(comments.text),
        sql`${comments.id} in (select last.id from unnest(${sql.param(ids)}::uuid[]) as thread (id) cross join lateral ${last} as last)`,
      ),
    )
    .orderBy(asc(comments.id));
  const byThread = Map.groupBy(rows, ({ parentId }) => parentId ?? '');
  return new Map(
    Array.from(byThread, ([id, replies]) => [id, replies.map((row) => ({ ...toVoiceComment(row), answers: null }))]),
  );
}

/**
 * Hides a comment from everybody but its author and the managers of the voice, or shows it again. One at the desk is not
 * shown before the desk has decided, whether it waits or is hidden.
 * @param options `waits`: a hidden one that was held is put back among those that wait, as Undo does; `read`: `editedAt`
 * of the text that is shown, undefined for any text
 * @returns undefined when there is no such comment under an audio of the actor's; else whether it changed
 */
export async function setCommentHidden(
  db: Db,
  actor: Actor,
  id: string,
  isHidden: boolean,
  { waits = false, read }: { waits?: boolean | undefined; read?: Date | null | undefined } = {},
) {
  if (!isId(id)) return undefined;
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ parentId: comments.parentId, title: audios.title, voiceId: audios.voiceId })
      .from(comments)
      .innerJoin(audios, eq(audios.id, comments.audioId))
      .where(and(eq(comments.id, id), isNull(audios.deletedAt)));
    const role = found && roleIn(actor, found.voiceId);
    if (role === undefined || found === undefined) return undefined;
    await lockComment(tx, { id, parentId: found.parentId });
    const [held] = await tx
      .select({ ...pick(comments, 'hiddenAt', 'heldFor', 'editedAt'), waits: isWaiting(), isForDesk: isForDesk() })
      .from(comments)
      .where(and(eq(comments.id, id), isNotNull(comments.text)));
    if (held === undefined) return undefined;
    if (!isHidden) {
      if (held.isForDesk) throw new DomainError('comment/at-desk');
      expectSameText(held, read);
    }
    const waitsNow = isHidden && waits && (held.heldFor !== null || held.isForDesk);
    // Hiding a held comment settles it.
    if ((held.hiddenAt !== null) === isHidden && held.waits === waitsNow) return { changed: false };
    await tx
      .update(comments)
      .set({ hiddenAt: isHidden ? sql`now()` : null, waitsForCreator: waitsNow })
      .where(eq(comments.id, id));
    // The desk decides on the text all the same, and leaves it hidden.
    if (!waitsNow) await tx.update(heldComments).set({ forCreator: true }).where(eq(heldComments.commentId, id));
    await recordChange(tx, {
      actor,
      role,
      action: isHidden ? 'comment.hide' : 'comment.show',
      subject: { type: 'comment', id, name: found.title },
      voiceId: found.voiceId,
    });
    return { changed: true };
  });
}
