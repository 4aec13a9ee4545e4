import { and, desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Audio, findAudiosByIds, isPublished } from '../../catalogue/audios.ts';
import { audios } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { Id, Instant } from '../../kernel/shapes.ts';
import { moments } from '../tables.ts';
import type { MomentForm } from './forms.ts';
import { maxMoments } from './rules.ts';

/** A private bookmark in an audio. */
export const Moment = z.object({
  id: Id,
  audioId: Id,
  position: z.number().describe('Milliseconds'),
  note: z.string().describe('Empty for none'),
  createdAt: Instant,
});
export type Moment = z.infer<typeof Moment>;

export type MomentOutcome = { ok: true; moment: Moment } | { ok: false; reason: 'not-found' | 'full' };

const columns = {
  id: moments.id,
  audioId: moments.audioId,
  position: moments.positionMs,
  note: moments.note,
  createdAt: moments.createdAt,
};

/**
 * The user's moments, newest first, and their audios. Those of unpublished audios are left out until they are published
 * again. @param audioId only of this audio
 */
export async function listMoments(
  db: Db,
  userId: string,
  audioId?: string,
): Promise<{ items: Moment[]; audios: Audio[] }> {
  if (audioId !== undefined && !isId(audioId)) return { items: [], audios: [] };
  const items = await db
    .select(columns)
    .from(moments)
    .innerJoin(audios, and(eq(audios.id, moments.audioId), isPublished))
    .where(and(eq(moments.userId, userId), audioId === undefined ? undefined : eq(moments.audioId, audioId)))
    .orderBy(desc(moments.createdAt), desc(moments.id))
    .limit(maxMoments);
  return { items, audios: await findAudiosByIds(db, [...new Set(items.map((moment) => moment.audioId))]) };
}

/** Keeps a moment under the id that the browser has given it, or changes its place and note; twice is the same as once. */
export async function keepMoment(db: Db, userId: string, id: string, form: MomentForm): Promise<MomentOutcome> {
  const notFound = { ok: false, reason: 'not-found' } as const;
  if (!isId(id)) return notFound;
  return db.transaction(async (tx): Promise<MomentOutcome> => {
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    const [existing] = await tx.select({ userId: moments.userId }).from(moments).where(eq(moments.id, id));
    if (existing && existing.userId !== userId) return notFound;
    if (!existing) {
      if ((await tx.$count(audios, and(eq(audios.id, form.audioId), isPublished))) === 0) return notFound;
      if ((await tx.$count(moments, eq(moments.userId, userId))) >= maxMoments) return { ok: false, reason: 'full' };
    }
    const place = { positionMs: form.position, note: form.note };
    const [moment] = await tx
      .insert(moments)
      .values({ id, userId, audioId: form.audioId, ...place })
      // Another user may have taken the id meanwhile.
      .onConflictDoUpdate({ target: moments.id, set: place, setWhere: eq(moments.userId, userId) })
      .returning(columns);
    return moment ? { ok: true, moment } : notFound;
  });
}

/** @returns false for a moment that is not the user's */
export async function deleteMoment(db: Db, userId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const { rowCount } = await db.delete(moments).where(and(eq(moments.id, id), eq(moments.userId, userId)));
  return rowCount === 1;
}
