import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { isId, isSlug } from '../ids.ts';
import { imageUrl } from './audios.ts';
import { categories } from './tables.ts';

export type Category = {
  id: string;
  slug: string;
  label: string;
  description: string;
  imageUrl: string | null;
  color: string | null;
  totalAudios: number;
};

/** Categories are the house's own and few; a list of them is one page. */
const most = 200;

function selectCategories(db: Db) {
  return db
    .select({
      id: categories.id,
      slug: categories.slug,
      label: categories.label,
      description: categories.description,
      imageKey: categories.imageKey,
      color: categories.color,
      // Named by hand: of a query of one table Drizzle leaves the table's name out, and `id` would be the inner one's.
      totalAudios: sql<number>`(
        select count(*)::int from audio_categories ac join audios a on a.id = ac.audio_id
        where ac.category_id = categories.id and a.published_at <= now())`,
    })
    .from(categories)
    .$dynamic();
}

function toCategory({ imageKey, ...row }: Awaited<ReturnType<typeof selectCategories>>[number]): Category {
  return { ...row, imageUrl: imageUrl(imageKey) };
}

export async function listCategories(db: Db): Promise<Category[]> {
  const rows = await selectCategories(db).orderBy(asc(categories.position), asc(categories.id)).limit(most);
  return rows.map(toCategory);
}

/** Those that are there, in no order. */
export async function findCategoriesByIds(db: Db, ids: string[]): Promise<Category[]> {
  if (ids.length === 0) return [];
  return (await selectCategories(db).where(inArray(categories.id, ids))).map(toCategory);
}

export async function findCategory(db: Db, idOrSlug: string): Promise<Category | undefined> {
  const match = isId(idOrSlug)
    ? eq(categories.id, idOrSlug)
    : isSlug(idOrSlug)
      ? eq(categories.slug, idOrSlug)
      : undefined;
  if (match === undefined) return undefined;
  const [row] = await selectCategories(db).where(match).limit(1);
  return row === undefined ? undefined : toCategory(row);
}
