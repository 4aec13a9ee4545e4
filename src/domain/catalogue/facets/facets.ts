import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, pick } from '../../kernel/db.ts';
import { Slug } from '../../kernel/shapes.ts';
import { inWords } from '../../settings/translations.ts';
import { facetChoices } from '../rules.ts';
import { facets, tags } from '../tables.ts';
import { toTag } from '../tags.ts';

/** Groups of tags (decision 089). */

export const Facet = z.object({
  slug: Slug,
  label: z.string(),
  explanation: z.string().describe('A sentence; may be empty'),
  chooses: z.enum(facetChoices).describe('How many of its tags an audio has at most'),
  isRequired: z.boolean().describe('An audio needs one of its tags before it is published'),
  hasContentNotes: z.boolean().describe('Its tags are content notes'),
  tags: z.array(z.object({ slug: Slug, label: z.string() })),
});
export type Facet = z.infer<typeof Facet>;

const facetColumns = pick(facets, 'id', 'slug', 'label', 'explanation', 'chooses', 'isRequired', 'hasContentNotes');

/**
 * All facets with all of their tags, both in the operators' order and in the language of the request. For forms, where a tag
 * goes by its slug, or by its own name, which is in no other language than it was written in.
 */
export async function listFacetFields(db: Db) {
  const rows = await db
    .select({ facet: facetColumns, tag: { id: tags.id, slug: tags.slug, label: tags.label } })
    .from(facets)
    .leftJoin(tags, eq(tags.facetId, facets.id))
    .orderBy(asc(facets.position), asc(facets.id), asc(tags.position), asc(tags.label));
  return [...Map.groupBy(rows, ({ facet }) => facet.id).values()].flatMap((of) =>
    of.slice(0, 1).map(({ facet }) => {
      const { id: _id, ...shown } = inWords(db, 'facet', facet, 'label', 'explanation');
      return {
        ...shown,
        tags: of.flatMap(({ tag }) => (tag === null ? [] : [{ ...toTag(db, tag), name: tag.label }])),
      };
    }),
  );
}
export type FacetField = Awaited<ReturnType<typeof listFacetFields>>[number];

export async function listFacets(db: Db): Promise<Facet[]> {
  const found = await listFacetFields(db);
  return found.map((facet) => ({ ...facet, tags: facet.tags.map(({ slug, label }) => ({ slug, label })) }));
}
