import { type SQL, and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { type CommentHold, type CommentOrder, type Commenters, holdColumns, voiceHold } from '../catalogue/rules.ts';
import { audios, voices } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';
import type { AudioCommentInput, CommentSettingsInput } from './forms.ts';

/** A creator's choices for comments. `commenters` is for new audios, the others are for all. */
export type CommentSettings = {
  commenters: Commenters;
  hold: CommentHold;
  /** The creator's own, which hold a comment in any case. */
  words: string[];
  /** Shown first. */
  order: CommentOrder;
  /** End of a break from new comments; null: there is none. */
  pausedUntil: Date | null;
};

const voiceColumns = {
  name: voices.name,
  ...pick(voices, 'commenters', 'holdsLinks', 'commentHold'),
  words: voices.heldWords,
  order: voices.commentOrder,
  pausedUntil: stillTo(voices.commentsPausedUntil),
};

/** SQL column: a time that has passed counts as none. */
function stillTo(until: typeof voices.commentsPausedUntil | typeof audios.commentsPausedUntil): SQL<Date | null> {
  return sql<Date | null>`case when ${until} > now() then ${until} end`.mapWith(until);
}

/** SQL column: the end of the break under an audio, its own or its voice's. */
export const pausedUntilSql: SQL<Date | null> =
  sql<Date | null>`case when greatest(${audios.commentsPausedUntil}, ${voices.commentsPausedUntil}) > now()
    then greatest(${audios.commentsPausedUntil}, ${voices.commentsPausedUntil}) end`.mapWith(
    voices.commentsPausedUntil,
  );

/**
 * With the number of audios that accept comments now.
 * @returns undefined for an unknown voice; the caller checks the right
 */
export async function findCommentSettings(db: Db, voiceId: string) {
  const isOfVoice = eq(audios.voiceId, voiceId);
  const isThere = isNull(audios.deletedAt);
  // Each count has an index.
  const [[voice], published, others, silent] = await Promise.all([
    db.select(voiceColumns).from(voices).where(eq(voices.id, voiceId)),
    db.$count(audios, and(isOfVoice, isNotNull(audios.publishedAt))),
    db.$count(audios, and(isOfVoice, isNull(audios.publishedAt), isThere)),
    db.$count(audios, and(isOfVoice, audios.commentsDisabled, isThere)),
  ]);
  if (voice === undefined) return undefined;
  const { name: _name, holdsLinks, commentHold, ...rest } = voice;
  const all = published + others;
  const settings: CommentSettings = { ...rest, hold: voiceHold({ holdsLinks, commentHold }) };
  return { ...settings, audios: all, withComments: all - silent };
}
export type VoiceCommentSettings = NonNullable<Awaited<ReturnType<typeof findCommentSettings>>>;

/** For comments that are written from now on. @returns false when the actor has no right to it */
export async function changeCommentSettings(
  db: Db,
  actor: Actor,
  voiceId: string,
  change: CommentSettingsInput,
): Promise<boolean> {
  const role = roleIn(actor, voiceId);
  if (role === undefined || !isId(voiceId)) return false;
  // Drizzle refuses an update of nothing.
  if (Object.values(change).every((value) => value === undefined)) return true;
  return db.transaction(async (tx) => {
    const [voice] = await tx.select(voiceColumns).from(voices).where(eq(voices.id, voiceId)).for('no key update');
    if (voice === undefined) return false;
    const { commenters, hold, words, order, pausedUntil } = change;
    await tx
      .update(voices)
      .set({
        ...(hold !== undefined && holdColumns(hold)),
        ...(pausedUntil !== undefined && { commentsPausedUntil: pausedUntil }),
        ...(commenters && { commenters }),
        ...(words && { heldWords: words }),
        ...(order && { commentOrder: order }),
      })
      .where(eq(voices.id, voiceId));
    const before = { ...voice, hold: voiceHold(voice) };
    await recordChange(tx, {
      actor,
      role,
      action: Object.keys(change).join() === 'commenters' ? 'voice.choose-commenters' : 'voice.set-comments',
      subject: { type: 'voice', id: voiceId, name: voice.name },
      voiceId,
      before: forLog(before),
      after: forLog({ ...before, ...change }),
    });
    return true;
  });
}

/** Own words may be an address or a name, so the log has only their number. */
const forLog = ({ commenters, hold, words, order, pausedUntil }: Partial<CommentSettings>) => ({
  commenters,
  hold,
  words: words?.length,
  order,
  pausedUntil: pausedUntil?.toISOString() ?? null,
});

/** The choices for one audio. `hold`: null as its creator has it for all. */
export type AudioCommentSettings = { hold: CommentHold | null; pausedUntil: Date | null };

const audioColumns = { hold: audios.commentHold, pausedUntil: stillTo(audios.commentsPausedUntil) };

/** @returns undefined when the actor does not manage the audio */
export async function findAudioCommentSettings(
  db: Db,
  actor: Actor,
  audioId: string,
): Promise<AudioCommentSettings | undefined> {
  if (!isId(audioId)) return undefined;
  const [audio] = await db
    .select({ ...audioColumns, voiceId: audios.voiceId })
    .from(audios)
    .where(and(eq(audios.id, audioId), isNull(audios.deletedAt)));
  if (audio === undefined || roleIn(actor, audio.voiceId) === undefined) return undefined;
  return { hold: audio.hold, pausedUntil: audio.pausedUntil };
}

/** At once, also under a published audio. @returns false when the actor does not manage the audio */
export async function changeAudioCommentSettings(
  db: Db,
  actor: Actor,
  audioId: string,
  { hold, pausedUntil }: AudioCommentInput,
): Promise<boolean> {
  if (!isId(audioId)) return false;
  return db.transaction(async (tx) => {
    const [audio] = await tx
      .select({ ...audioColumns, ...pick(audios, 'voiceId', 'title') })
      .from(audios)
      .where(and(eq(audios.id, audioId), isNull(audios.deletedAt)))
      .for('no key update');
    const role = audio && roleIn(actor, audio.voiceId);
    if (role === undefined || audio === undefined) return false;
    const change = { ...(hold !== undefined && { hold }), ...(pausedUntil !== undefined && { pausedUntil }) };
    if (Object.keys(change).length === 0) return true;
    await tx
      .update(audios)
      .set({
        ...(hold !== undefined && { commentHold: hold }),
        ...(pausedUntil !== undefined && { commentsPausedUntil: pausedUntil }),
      })
      .where(eq(audios.id, audioId));
    const before = { hold: audio.hold, pausedUntil: audio.pausedUntil };
    const iso = (one: AudioCommentSettings) => ({ ...one, pausedUntil: one.pausedUntil?.toISOString() ?? null });
    await recordChange(tx, {
      actor,
      role,
      action: 'audio.set-comments',
      subject: { type: 'audio', id: audioId, name: audio.title },
      voiceId: audio.voiceId,
      before: iso(before),
      after: iso({ ...before, ...change }),
    });
    return true;
  });
}
