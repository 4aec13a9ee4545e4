import { type SQL, and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { audios } from '../../catalogue/tables.ts';
import { isKept } from '../../community/comment-visibility.ts';
import { expectSameText, lockComment } from '../../community/lock-comment.ts';
import { comments, heldComments } from '../../community/tables.ts';
import { mailTo } from '../../identity/account-language.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { Id, Instant } from '../../kernel/shapes.ts';
import { findWordLists, markListed } from '../../settings/word-lists.ts';
import { recordByOperator } from '../record.ts';
import { mayUse } from '../rules.ts';
import { type ReviewParts, notPublishedMail } from './review-mails.ts';

/** A comment that waits for the desk because of a watched word. */
export const HeldComment = z.object({
  id: Id,
  text: z.string(),
  language: z.string().nullable().describe('BCP 47; null: not known'),
  marks: z.array(z.tuple([z.number(), z.number()])).describe('Watched words in it, in UTF-16 units'),
  username: z.string().nullable(),
  audio: z.object({ slug: z.string(), title: z.string() }),
  createdAt: Instant,
  editedAt: Instant.nullable(),
  waitsNext: z.boolean().describe('Once it is shown here, it waits for its creator'),
  isYours: z.boolean().describe('Written by the viewer, whose decision is refused'),
});
export type HeldComment = z.output<typeof HeldComment>;

const columns = {
  id: comments.id,
  parentId: comments.parentId,
  text: sql<string>`${comments.text}`,
  language: comments.language,
  userId: comments.userId,
  username: users.username,
  email: users.email,
  audio: { slug: audios.slug, title: audios.title },
  voiceId: audios.voiceId,
  createdAt: comments.createdAt,
  editedAt: comments.editedAt,
  forCreator: heldComments.forCreator,
};

function selectHeld(db: Db, condition?: SQL) {
  return db
    .select(columns)
    .from(heldComments)
    .innerJoin(comments, eq(comments.id, heldComments.commentId))
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .innerJoin(users, eq(users.id, comments.userId))
    .where(and(isKept(), isNotNull(comments.hiddenAt), condition))
    .orderBy(asc(comments.id))
    .$dynamic();
}

/** Oldest first. */
export async function listHeldComments(db: Db, actor: Actor, query: PageQuery): Promise<Page<HeldComment>> {
  if (!mayUse(actor, 'desk')) return { items: [], nextCursor: undefined };
  const after = decodeCursor('held-comments', query.cursor, z.literal(''));
  const [rows, { watched }] = await Promise.all([
    selectHeld(db, after && gt(comments.id, after.id)).limit(query.limit + 1),
    findWordLists(db),
  ]);
  return toPage(
    rows,
    query.limit,
    ({ parentId: _thread, userId, email: _email, voiceId: _voice, forCreator: waitsNext, ...row }) => ({
      ...row,
      waitsNext,
      marks: markListed(row.text, watched),
      isYours: isOwn(actor, userId),
    }),
    ({ id }) => encodeCursor('held-comments', { value: '', id }),
  );
}

const isOwn = (actor: Actor, userId: string | null) => actor.kind === 'user' && actor.id === userId;

export async function countHeldComments(db: Db): Promise<number> {
  return db.$count(selectHeld(db).as('held'));
}

/**
 * Shows a comment with a watched word, or removes it, of which its author is told. A shown one with a link may wait for
 * its creator then.
 * @param read `editedAt` of the text that was read; undefined: any text
 */
export async function decideHeldComment(
  { db, site, mail }: ReviewParts,
  actor: Actor,
  id: string,
  isShown: boolean,
  read?: Date | null,
): Promise<{ ok: true } | { ok: false; reason: 'not-found' | 'yours' }> {
  if (!mayUse(actor, 'desk') || !isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const [seen] = await tx.select({ parentId: comments.parentId }).from(comments).where(eq(comments.id, id));
    await lockComment(tx, { id, parentId: seen?.parentId ?? null });
    const [held] = await selectHeld(tx, eq(comments.id, id));
    if (held === undefined) return { ok: false, reason: 'not-found' };
    if (isOwn(actor, held.userId)) return { ok: false, reason: 'yours' };
    expectSameText(held, read);
    await tx.delete(heldComments).where(eq(heldComments.commentId, id));
    const { title } = held.audio;
    if (!isShown)
      await tx
        .update(comments)
        .set({ removedAt: sql`now()` })
        .where(eq(comments.id, id));
    else
      await tx
        .update(comments)
        // The creator's time to answer begins now.
        .set(held.forCreator ? { hiddenAt: sql`now()` } : { hiddenAt: null, waitsForCreator: false })
        .where(eq(comments.id, id));
    await recordByOperator(tx, actor, {
      action: isShown ? 'comment.show' : 'comment.remove',
      subject: { type: 'comment', id, name: isShown ? title : `Comment under ${title}` },
      voiceId: held.voiceId,
      before: { waits: true },
      after: { waits: false, removed: !isShown },
    });
    if (!isShown && held.email !== null)
      await mail.queue(tx, await mailTo(tx, held.email, () => notPublishedMail(site, { title, text: held.text })));
    return { ok: true };
  });
}
