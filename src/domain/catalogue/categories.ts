import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { isId, isSlug } from '../kernel/ids.ts';
import { Color, Id, ImageUrl, Slug } from '../kernel/shapes.ts';
import { imageUrl } from './audios.ts';
import { categories } from './tables.ts';
import { countedAudios } from './totals.ts';

export const Category = z.object({
  id: Id,
  slug: Slug,
  label: z.string(),
  description: z.string(),
  imageUrl: ImageUrl,
  color: Color,
  totalAudios: z.number(),
});
export type Category = z.infer<typeof Category>;

/** Only operators create categories, so there are few enough for one page. */
const max = 200;

function selectCategories(db: Db) {
  return db
    .select({
      id: categories.id,
      slug: categories.slug,
      label: categories.label,
      description: categories.description,
      imageKey: categories.imageKey,
      color: categories.color,
      // Qualified by hand: Drizzle omits the table name in single-table queries, and `id` would be the inner one.
      totalAudios: countedAudios(
        'category',
        sql`categories.id`,
        sql`select count(*)::int from audio_categories ac join audios a on a.id = ac.audio_id
          where ac.category_id = categories.id and a.published_at <= now()`,
      ),
    })
    .from(categories)
    .$dynamic();
}

function toCategory({ imageKey, ...row }: Awaited<ReturnType<typeof selectCategories>>[number]): Category {
  return { ...row, imageUrl: imageUrl(imageKey) };
}

export async function listCategories(db: Db, limit = max): Promise<Category[]> {
  const rows = await selectCategories(db)
    .where(isNull(categories.hiddenAt))
    .orderBy(asc(categories.position), asc(categories.id))
    .limit(limit);
  return rows.map(toCategory);
}

/** Skips unknown ids; in no order. */
export async function findCategoriesByIds(db: Db, ids: string[]): Promise<Category[]> {
  if (ids.length === 0) return [];
  return (await selectCategories(db).where(and(inArray(categories.id, ids), isNull(categories.hiddenAt)))).map(
    toCategory,
  );
}

export async function findCategory(db: Db, idOrSlug: string): Promise<Category | undefined> {
  const match = isId(idOrSlug)
    ? eq(categories.id, idOrSlug)
    : isSlug(idOrSlug)
      ? eq(categories.slug, idOrSlug)
      : undefined;
  if (match === undefined) return undefined;
  const [row] = await selectCategories(db)
    .where(and(match, isNull(categories.hiddenAt)))
    .limit(1);
  return row === undefined ? undefined : toCategory(row);
}
