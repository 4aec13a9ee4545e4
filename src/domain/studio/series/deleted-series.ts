import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { claimSlug, holdSlugs } from '../../catalogue/editing/slugs.ts';
import { audios, series, seriesItems, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { purgeRows } from '../../kernel/purge.ts';
import { isId, sortKey } from '../../kernel/ids.ts';
import { roleIn } from '../../kernel/rules.ts';
import { canDeleteIn } from '../rules.ts';
import { deletedSeries } from '../tables.ts';
import { readOrder, writeOrder } from './series-order.ts';
import { type NotFound, holdSeries, record } from './series.ts';

/** Its audios stay; the series can be restored for 30 days. Editors may not delete. */
export async function deleteSeries(db: Db, actor: Actor, id: string): Promise<{ ok: true } | NotFound> {
  return db.transaction(async (tx) => {
    // So that no audio joins it between its last reading and its deletion.
    await holdSlugs(tx);
    const held = await holdSeries(tx, actor, id);
    if (held === undefined || !canDeleteIn(actor, held.voiceId)) return { ok: false, reason: 'not-found' };
    const { row, role, voiceId } = held;
    const audioIds = await readOrder(tx, id);
    const linking = await tx.select({ id: voices.id }).from(voices).where(eq(voices.linkedSeriesId, id));
    await tx.insert(deletedSeries).values({
      id,
      voiceId,
      title: row.title,
      imageKey: row.imageKey,
      content: {
        slug: row.slug,
        description: row.description,
        color: row.color,
        createdAt: row.createdAt.toISOString(),
        ...(row.hiddenAt && { hiddenAt: row.hiddenAt.toISOString() }),
        audioIds,
        linkedVoiceIds: linking.map((voice) => voice.id),
      },
    });
    await tx.delete(series).where(eq(series.id, id));
    await record(tx, { actor, role, voiceId, action: 'series.delete', id, title: row.title });
    return { ok: true };
  });
}

/**
 * Restores a series at its address, or at a free one like it. Audios that have joined another series since stay there.
 */
export async function restoreSeries(db: Db, actor: Actor, id: string): Promise<{ ok: true } | NotFound> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    await holdSlugs(tx);
    const [row] = await tx
      .select()
      .from(deletedSeries)
      .where(and(eq(deletedSeries.id, id), gt(deletedSeries.deletedAt, restorableSince)))
      .for('update');
    const role = row && roleIn(actor, row.voiceId);
    if (row === undefined || role === undefined || !canDeleteIn(actor, row.voiceId))
      return { ok: false, reason: 'not-found' };
    const { voiceId, title, imageKey, content } = row;
    const isTaken = (await tx.$count(series, eq(series.slug, content.slug))) > 0;
    const slug = isTaken ? await claimSlug(tx, 'series', title) : content.slug;
    const { description, color, createdAt, hiddenAt } = content;
    await tx.insert(series).values({
      id,
      slug,
      title,
      sortTitle: sortKey(title),
      description,
      voiceId,
      imageKey,
      color,
      createdAt: new Date(createdAt),
      hiddenAt: hiddenAt === undefined ? null : new Date(hiddenAt),
    });
    const free = await tx
      .select({ id: audios.id })
      .from(audios)
      .leftJoin(seriesItems, eq(seriesItems.audioId, audios.id))
      .where(and(sql`${audios.id} = any(${sql.param(content.audioIds)}::uuid[])`, isNull(seriesItems.seriesId)));
    const freeIds = new Set(free.map((audio) => audio.id));
    await writeOrder(
      tx,
      id,
      content.audioIds.filter((audioId) => freeIds.has(audioId)),
    );
    if (content.linkedVoiceIds.length > 0)
      await tx
        .update(voices)
        .set({ linkedSeriesId: id })
        .where(and(inArray(voices.id, content.linkedVoiceIds), isNull(voices.linkedSeriesId)));
    await tx.delete(deletedSeries).where(eq(deletedSeries.id, id));
    await record(tx, { actor, role, voiceId, action: 'series.restore', id, title });
    return { ok: true };
  });
}

export type DeletedSeries = { id: string; title: string; deletedAt: Date; totalAudios: number };

/** Most recently deleted first; the caller checks the right. @param voiceId undefined: the series of all creators */
export async function listDeletedSeries(db: Db, voiceId: string | undefined, limit: number): Promise<DeletedSeries[]> {
  const isOfVoice = voiceId === undefined ? undefined : eq(deletedSeries.voiceId, voiceId);
  return db
    .select({
      id: deletedSeries.id,
      title: deletedSeries.title,
      deletedAt: deletedSeries.deletedAt,
      totalAudios: sql<number>`jsonb_array_length(${deletedSeries.content} -> 'audioIds')`,
    })
    .from(deletedSeries)
    .where(and(isOfVoice, gt(deletedSeries.deletedAt, restorableSince)))
    .orderBy(desc(deletedSeries.deletedAt), desc(deletedSeries.id))
    .limit(limit);
}

/** Purges series that were deleted 30 or more days ago. @returns the number of series */
export async function purgeDeletedSeries(db: Db): Promise<number> {
  return purgeRows(db, deletedSeries, lt(deletedSeries.deletedAt, restorableSince));
}
