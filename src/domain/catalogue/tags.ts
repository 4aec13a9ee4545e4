import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { inWords } from '../settings/translations.ts';
import { isPublished } from './audios.ts';
import { audioCategories, audios, audioTags, tags } from './tables.ts';
import { type Totals, findTotals } from './totals.ts';
import { isTagNotHidden } from './visibility.ts';

export type TagCount = { slug: string; label: string; audios: number };

/** In the language of the request; without its id. */
export function toTag<Tag extends { id: string; label: string }>(db: Db, tag: Tag): Omit<Tag, 'id'> {
  const { id: _id, ...shown } = inWords(db, 'tag', tag, 'label');
  return shown;
}

/** Tags most used in a category, for the chips above its list. */
export async function listTags(
  db: Db,
  viewer: Viewer,
  options: { categoryId?: string; limit: number },
): Promise<TagCount[]> {
  const totals = await findTotals(db, options);
  if (totals !== undefined) return listTopTags(db, viewer, totals, options.limit);
  const count = sql<number>`count(*)::int`;
  const rows = await db
    .select({ id: tags.id, slug: tags.slug, label: tags.label, audios: count })
    .from(tags)
    .innerJoin(audioTags, eq(audioTags.tagId, tags.id))
    .innerJoin(audios, eq(audios.id, audioTags.audioId))
    .where(
      and(
        isPublished,
        isTagNotHidden(viewer, tags.id),
        options.categoryId === undefined
          ? undefined
          : inArray(
              audios.id,
              db
                .select({ id: audioCategories.audioId })
                .from(audioCategories)
                .where(eq(audioCategories.categoryId, options.categoryId)),
            ),
      ),
    )
    .groupBy(tags.id)
    .orderBy(desc(count), asc(tags.label))
    .limit(options.limit);
  return rows.map((row) => toTag(db, row));
}

/** Tags for the chips above a list: the most used ones, and those that filter it. */
export async function listTagChoices(
  db: Db,
  viewer: Viewer,
  { chosen = [], ...options }: Parameters<typeof listTags>[2] & { chosen: string[] | undefined },
): Promise<Pick<TagCount, 'slug' | 'label'>[]> {
  const top = (await listTags(db, viewer, options)).map(({ slug, label }) => ({ slug, label }));
  const missing = chosen.filter((one) => !top.some(({ slug }) => slug === one));
  if (missing.length === 0) return top;
  const named = await db
    .select({ id: tags.id, slug: tags.slug, label: tags.label })
    .from(tags)
    .where(inArray(tags.slug, missing));
  return [...top, ...named.map((row) => toTag(db, row))];
}

async function listTopTags(db: Db, viewer: Viewer, { topTags }: Totals, limit: number): Promise<TagCount[]> {
  const counts = new Map(topTags.map(({ tagId, audios: count }) => [tagId, count]));
  const rows = await db
    .select({ id: tags.id, slug: tags.slug, label: tags.label })
    .from(tags)
    .where(and(inArray(tags.id, [...counts.keys()]), isTagNotHidden(viewer, tags.id)));
  return rows
    .map((row) => ({ ...row, audios: counts.get(row.id) ?? 0 }))
    .toSorted((a, b) => b.audios - a.audios || (a.label < b.label ? -1 : 1))
    .slice(0, limit)
    .map((row) => toTag(db, row));
}
