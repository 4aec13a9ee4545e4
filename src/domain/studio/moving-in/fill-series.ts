import { and, eq, inArray, sql } from 'drizzle-orm';
import { findFreeSlug, holdSlugs } from '../../catalogue/editing/slugs.ts';
import { maxSeriesAudios } from '../../catalogue/rules.ts';
import { series, seriesItems } from '../../catalogue/tables.ts';
import type { Actor, ActorRole } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { newId, sortKey, toSlug } from '../../kernel/ids.ts';
import { record } from '../series/series.ts';

export type WantedSeries = {
  voiceId: string;
  title: string;
  /** Default: from the title. */
  slug?: string | undefined;
  description?: string;
  color?: string | null;
  imageKey?: string | null;
  isHidden?: boolean;
  /** In their order. */
  audioIds: string[];
};

/**
 * Finds the creator's series of this slug or title, or makes it, and adds the audios that are in no series. Repeated, it
 * changes nothing.
 * @returns its id
 */
export async function fillSeries(
  tx: Db,
  { actor, role }: { actor: Actor; role: ActorRole },
  { voiceId, title, slug, audioIds, description = '', color = null, imageKey = null, isHidden = false }: WantedSeries,
): Promise<string> {
  await holdSlugs(tx);
  const isIt = slug === undefined ? sql`lower(${series.title}) = lower(${title})` : eq(series.slug, slug);
  const [known] = await tx
    .select({ id: series.id })
    .from(series)
    .where(and(eq(series.voiceId, voiceId), isIt))
    .limit(1);
  const id = known?.id ?? newId();
  if (known === undefined) {
    const free = await findFreeSlug(tx, 'series', slug ?? (toSlug(title) || 'series'));
    const texts = { title, sortTitle: sortKey(title), description };
    const hiddenAt = isHidden ? new Date() : null;
    await tx.insert(series).values({ id, slug: free, ...texts, color, imageKey, voiceId, hiddenAt });
    await record(tx, { actor, role, voiceId, action: 'series.create', id, title, after: { title, description } });
  }
  const placed = await tx
    .select({ audioId: seriesItems.audioId })
    .from(seriesItems)
    .where(inArray(seriesItems.audioId, [...audioIds, id]));
  const taken = new Set(placed.map(({ audioId }) => audioId));
  const [end] = await tx
    .select({ audios: sql<number>`count(*)::int`, next: sql<number>`coalesce(max(${seriesItems.position}) + 1, 0)` })
    .from(seriesItems)
    .where(eq(seriesItems.seriesId, id));
  const { audios = 0, next = 0 } = end ?? {};
  const added = audioIds.filter((audioId) => !taken.has(audioId)).slice(0, maxSeriesAudios - audios);
  if (added.length > 0)
    await tx
      .insert(seriesItems)
      .values(added.map((audioId, index) => ({ seriesId: id, audioId, position: next + index })));
  return id;
}
