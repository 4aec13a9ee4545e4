import { type SQL, and, eq, sql } from 'drizzle-orm';
import { isPublished } from '../catalogue/audios.ts';
import { audios, hiddenAudios, hiddenTags, hiddenVoices, tags, voices } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { type HiddenKind, maxHidden, maxHiddenTags } from './rules.ts';

export type LeaveOutOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'full' };

/** `isShown`: query for the id of what can be hidden; drafts cannot, so that nobody learns of them. */
export const hiding = {
  audio: {
    table: hiddenAudios,
    subject: hiddenAudios.audioId,
    column: sql.raw('audio_id'),
    max: maxHidden.audio,
    isShown: (id: string): SQL => sql`select from ${audios} where ${audios.id} = ${id} and ${isPublished}`,
  },
  voice: {
    table: hiddenVoices,
    subject: hiddenVoices.voiceId,
    column: sql.raw('voice_id'),
    max: maxHidden.voice,
    isShown: (id: string): SQL => sql`select from ${voices} where ${voices.id} = ${id} and ${voices.hiddenAt} is null`,
  },
  tag: {
    table: hiddenTags,
    subject: hiddenTags.tagId,
    column: sql.raw('tag_id'),
    max: maxHiddenTags,
    isShown: (id: string): SQL => sql`select from ${tags} where ${tags.id} = ${id}`,
  },
};

/** Idempotent. What was unpublished meanwhile can still be shown again. */
export async function setHidden(
  db: Db,
  userId: string,
  { kind, id, isHidden }: { kind: HiddenKind | 'tag'; id: string; isHidden: boolean },
): Promise<LeaveOutOutcome> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  const { table, subject, column, max, isShown } = hiding[kind];
  const own = and(eq(table.userId, userId), eq(subject, id));
  if (!isHidden) {
    await db.delete(table).where(own);
    return { ok: true };
  }
  return db.transaction(async (tx): Promise<LeaveOutOutcome> => {
    // The user's row, so that two calls at once respect the limit.
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    if ((await tx.$count(table, own)) === 1) return { ok: true };
    const { rows } = await tx.execute(isShown(id));
    if (rows.length === 0) return { ok: false, reason: 'not-found' };
    if ((await tx.$count(table, eq(table.userId, userId))) >= max) return { ok: false, reason: 'full' };
    await tx.execute(sql`
      insert into ${table} (user_id, ${column}) select u.id, ${id} from users u where u.id = ${userId} on conflict do nothing`);
    return { ok: true };
  });
}
