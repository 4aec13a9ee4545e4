import { and, asc, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, isNamed, pick } from '../kernel/db.ts';
import { Color, Id, ImageUrl, Slug } from '../kernel/shapes.ts';
import { inWords } from '../settings/translations.ts';
import { imageUrlSql } from './audios.ts';
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

/** In the language of the request. */
const inLabels = (db: Db, category: Category) => inWords(db, 'category', category, 'label', 'description');

/** Only operators create categories, so there are few enough for one page. */
const max = 200;

function selectCategories(db: Db) {
  return db
    .select({
      ...pick(categories, 'id', 'slug', 'label', 'description', 'color'),
      imageUrl: imageUrlSql(categories.imageKey),
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

export async function listCategories(db: Db, limit = max): Promise<Category[]> {
  const rows = await selectCategories(db)
    .where(isNull(categories.hiddenAt))
    .orderBy(asc(categories.position), asc(categories.id))
    .limit(limit);
  return rows.map((row) => inLabels(db, row));
}

/** Skips unknown ids; in no order. */
export async function findCategoriesByIds(db: Db, ids: string[]): Promise<Category[]> {
  if (ids.length === 0) return [];
  const rows = await selectCategories(db).where(and(inArray(categories.id, ids), isNull(categories.hiddenAt)));
  return rows.map((row) => inLabels(db, row));
}

export async function findCategory(db: Db, idOrSlug: string): Promise<Category | undefined> {
  const match = isNamed(categories, idOrSlug);
  if (match === undefined) return undefined;
  const [category] = await selectCategories(db)
    .where(and(match, isNull(categories.hiddenAt)))
    .limit(1);
  return category && inLabels(db, category);
}
