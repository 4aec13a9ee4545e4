import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { audios } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { isVoiceRole, roleIn } from '../kernel/rules.ts';
import { isShown } from './comment-visibility.ts';
import { expectSameText } from './lock-comment.ts';
import { comments } from './tables.ts';

/** Locks the audio, so that two pins at once follow each other. */
async function findMarked(tx: Db, actor: Actor, id: string) {
  const [found] = await tx
    .select({ audioId: audios.id, voiceId: audios.voiceId, title: audios.title })
    .from(comments)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .where(and(eq(comments.id, id), isNull(audios.deletedAt)))
    .for('no key update', { of: audios });
  const role = found && roleIn(actor, found.voiceId);
  return role === undefined || found === undefined ? undefined : { ...found, role };
}

/**
 * Pins a comment above the others, or takes it down. The one that was pinned before makes place.
 * @param read `editedAt` of the text that is pinned; undefined: any text
 * @returns `replaced`: its id, for undo; undefined when there is no such comment for everybody, on an audio of the actor's
 */
export async function setCommentPinned(
  db: Db,
  actor: Actor,
  id: string,
  isPinned: boolean,
  read?: Date | null,
): Promise<{ replaced: string | null } | undefined> {
  if (!isId(id)) return undefined;
  return db.transaction(async (tx) => {
    const found = await findMarked(tx, actor, id);
    if (found === undefined) return undefined;
    const { audioId } = found;
    // Locks in id order, against deadlocks.
    await tx.execute(sql`select from comments where id = ${id} or (audio_id = ${audioId} and pinned_at is not null)
      order by id for no key update`);
    // Taking down is for hidden ones too.
    const [comment] = await tx
      .select(pick(comments, 'pinnedAt', 'editedAt'))
      .from(comments)
      .where(and(eq(comments.id, id), isNull(comments.parentId), isPinned ? isShown() : undefined));
    if (comment === undefined) return undefined;
    if (isPinned) expectSameText(comment, read);
    if ((comment.pinnedAt !== null) === isPinned) return { replaced: null };
    const [replaced] = isPinned
      ? await tx
          .update(comments)
          .set({ pinnedAt: null })
          .where(and(eq(comments.audioId, audioId), isNotNull(comments.pinnedAt), ne(comments.id, id)))
          .returning({ id: comments.id })
      : [];
    await tx
      .update(comments)
      .set({ pinnedAt: isPinned ? sql`now()` : null })
      .where(eq(comments.id, id));
    await record(tx, actor, found, id, isPinned ? 'comment.pin' : 'comment.unpin');
    return { replaced: replaced?.id ?? null };
  });
}

/**
 * The creator likes a comment, or no longer. Its author is told the first time, by a trigger. For the people of the voice
 * alone: an operator does not like in a creator's name.
 * @param read `editedAt` of the text that is liked; undefined: any text
 * @returns undefined when there is no such comment for everybody, on an audio of a voice of the actor's
 */
export async function setCommentHearted(
  db: Db,
  actor: Actor,
  id: string,
  isHearted: boolean,
  read?: Date | null,
): Promise<{ changed: boolean } | undefined> {
  if (!isId(id)) return undefined;
  return db.transaction(async (tx) => {
    const found = await findMarked(tx, actor, id);
    if (found === undefined || !isVoiceRole(found.role)) return undefined;
    const [comment] = await tx
      .select(pick(comments, 'heartedAt', 'editedAt'))
      .from(comments)
      .where(and(eq(comments.id, id), isHearted ? isShown() : undefined))
      .for('no key update');
    if (comment === undefined) return undefined;
    if (isHearted) expectSameText(comment, read);
    if ((comment.heartedAt !== null) === isHearted) return { changed: false };
    await tx
      .update(comments)
      .set({ heartedAt: isHearted ? sql`now()` : null })
      .where(eq(comments.id, id));
    await record(tx, actor, found, id, isHearted ? 'comment.heart' : 'comment.unheart');
    return { changed: true };
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof findMarked>>>;

async function record(tx: Db, actor: Actor, { role, title, voiceId }: Found, id: string, action: `comment.${string}`) {
  await recordChange(tx, { actor, role, action, subject: { type: 'comment', id, name: title }, voiceId });
}
