import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isPublished } from './audios.ts';
import { audioCategories, audios, audioTags, tags } from './tables.ts';
import { isTagNotHidden } from './visibility.ts';

/** Tags most used in a category, for the chips above its list. */
export async function listTags(
  db: Db,
  viewer: Viewer,
  options: { categoryId?: string; limit: number },
): Promise<{ slug: string; label: string; audios: number }[]> {
  const count = sql<number>`count(*)::int`;
  return db
    .select({ slug: tags.slug, label: tags.label, audios: count })
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
}
