import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Commenters } from '../catalogue/rules.ts';
import { audios, voices } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';

/**
 * Default commenters for new audios of a voice, and how many of its audios accept comments now. `holdsLinks`: comments
 * with links are hidden until a manager of the voice shows them.
 * @returns undefined for an unknown voice; the caller checks the right
 */
export async function findVoiceCommenters(db: Db, voiceId: string) {
  const isOfVoice = eq(audios.voiceId, voiceId);
  const isThere = isNull(audios.deletedAt);
  // Each count has an index.
  const [[voice], published, others, silent] = await Promise.all([
    db
      .select({ commenters: voices.commenters, holdsLinks: voices.holdsLinks })
      .from(voices)
      .where(eq(voices.id, voiceId)),
    db.$count(audios, and(isOfVoice, isNotNull(audios.publishedAt))),
    db.$count(audios, and(isOfVoice, isNull(audios.publishedAt), isThere)),
    db.$count(audios, and(isOfVoice, audios.commentsDisabled, isThere)),
  ]);
  const all = published + others;
  return voice && { ...voice, audios: all, withComments: all - silent };
}
export type VoiceCommenters = NonNullable<Awaited<ReturnType<typeof findVoiceCommenters>>>;

/** For future audios; existing ones stay as they are. @returns false when the actor has no right to it */
export async function setVoiceCommenters(db: Db, actor: Actor, voiceId: string, commenters: Commenters) {
  return changeVoice(db, actor, voiceId, { action: 'voice.choose-commenters', change: { commenters } });
}

/** For future comments under all audios of the voice. @returns false when the actor has no right to it */
export async function setHoldsLinks(db: Db, actor: Actor, voiceId: string, holdsLinks: boolean): Promise<boolean> {
  return changeVoice(db, actor, voiceId, { action: 'voice.hold-links', change: { holdsLinks } });
}

type Choice = Pick<VoiceCommenters, 'commenters' | 'holdsLinks'>;

async function changeVoice(
  db: Db,
  actor: Actor,
  voiceId: string,
  { action, change }: { action: `voice.${string}`; change: Partial<Choice> },
): Promise<boolean> {
  const role = roleIn(actor, voiceId);
  if (role === undefined || !isId(voiceId)) return false;
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ name: voices.name, commenters: voices.commenters, holdsLinks: voices.holdsLinks })
      .from(voices)
      .where(eq(voices.id, voiceId))
      .for('no key update');
    if (before === undefined) return false;
    const fields = Object.keys(change) as (keyof Choice)[];
    if (fields.every((field) => before[field] === change[field])) return true;
    await tx.update(voices).set(change).where(eq(voices.id, voiceId));
    await recordChange(tx, {
      actor,
      role,
      action,
      subject: { type: 'voice', id: voiceId, name: before.name },
      voiceId,
      before: Object.fromEntries(fields.map((field) => [field, before[field]])),
      after: change,
    });
    return true;
  });
}
