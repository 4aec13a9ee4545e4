import { and, eq, isNull } from 'drizzle-orm';
import { categories } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isId } from '../../kernel/ids.ts';
import type { PictureTools } from '../../studio/editing.ts';
import type { PictureChange } from './change-picture.ts';
import { changePicture } from './change-picture.ts';

/** @returns the slug of the category, given by slug or id */
export async function setCategoryPicture(tools: PictureTools, actor: Actor, idOrSlug: string, change: PictureChange) {
  const outcome = await changePicture(tools, actor, change, {
    type: 'category',
    async find(tx) {
      const [category] = await tx
        .select({
          id: categories.id,
          slug: categories.slug,
          name: categories.label,
          imageKey: categories.imageKey,
        })
        .from(categories)
        .where(
          and(
            isNull(categories.deletedAt),
            isId(idOrSlug) ? eq(categories.id, idOrSlug) : eq(categories.slug, idOrSlug),
          ),
        )
        .for('no key update');
      return category;
    },
    save: (tx, id, kept) => tx.update(categories).set(kept).where(eq(categories.id, id)),
  });
  return outcome.ok ? { ok: true as const, slug: outcome.thing.slug } : outcome;
}
