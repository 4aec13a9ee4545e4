import { and, eq, isNull, max } from 'drizzle-orm';
import { holdSlugs } from '../../catalogue/editing/slugs.ts';
import { findOrCreateTag } from '../../catalogue/editing/tag-names.ts';
import { categories, facets, tags } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import type { ArchivedCatalogue } from './archive-shapes.ts';

/**
 * Adds the categories and facets that this site does not have. What is here stays as it is, and a tag that belongs to a
 * facet here stays in it.
 */
export async function enterCatalogue(tx: Db, former: ArchivedCatalogue): Promise<void> {
  await holdSlugs(tx);
  const places = await Promise.all([
    tx.select({ last: max(categories.position) }).from(categories),
    tx.select({ last: max(facets.position) }).from(facets),
  ]);
  let [category, facet] = places.map(([row]) => (row?.last ?? -1) + 1) as [number, number];
  for (const one of former.categories)
    if ((await tx.$count(categories, eq(categories.slug, one.slug))) === 0)
      await tx.insert(categories).values({ ...one, id: newId(), position: category++ });
  const hasNotes = (await tx.$count(facets, eq(facets.hasContentNotes, true))) > 0;
  for (const { tags: labels, ...one } of former.facets) {
    if ((await tx.$count(facets, eq(facets.slug, one.slug))) > 0) continue;
    const id = newId();
    const hasContentNotes = one.hasContentNotes && !hasNotes;
    await tx.insert(facets).values({ ...one, id, hasContentNotes, position: facet++ });
    for (const [position, label] of labels.entries()) {
      const tagId = await findOrCreateTag(tx, label);
      await tx
        .update(tags)
        .set({ facetId: id, position })
        .where(and(eq(tags.id, tagId), isNull(tags.facetId)));
    }
  }
}
