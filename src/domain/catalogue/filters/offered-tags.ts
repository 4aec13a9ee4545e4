import { and, asc, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { inWords } from '../../settings/translations.ts';
import type { AudioFilter } from '../forms.ts';
import type { FacetChoice } from '../rules.ts';
import { facets, tags } from '../tables.ts';
import type { Totals } from '../totals.ts';
import { isTagNotHidden } from '../visibility.ts';
import type { KeyCounts } from './count-keys.ts';
import { tagNumberOf } from './keys.ts';

/** Tags of no facet that are offered. */
const mostLoose = 12;
/** The most used of them, of which the viewer may hide some. */
const mostLookedAt = 3 * mostLoose;

export type OfferedTag = { id: string; slug: string; label: string; number: number };
export type OfferedFacet = {
  id: string;
  slug: string;
  label: string;
  explanation: string;
  chooses: FacetChoice;
  tags: OfferedTag[];
};

const offered = { id: tags.id, slug: tags.slug, label: tags.label, number: tags.number };

/** In the language of the request, without tags that the viewer hides. */
export async function listOfferedFacets(db: Db, viewer: Viewer): Promise<OfferedFacet[]> {
  const [groups, found] = await Promise.all([
    db.select().from(facets).orderBy(asc(facets.position), asc(facets.label)),
    db
      .select({ ...offered, facetId: tags.facetId })
      .from(tags)
      .where(and(isNotNull(tags.facetId), isTagNotHidden(viewer, tags.id)))
      .orderBy(asc(tags.position), asc(tags.label)),
  ]);
  return groups.map((group) => {
    const { id, slug, label, explanation, chooses } = inWords(db, 'facet', group, 'label', 'explanation');
    const own = found.filter(({ facetId }) => facetId === id);
    return { id, slug, label, explanation, chooses, tags: own.map((tag) => inWords(db, 'tag', tag, 'label')) };
  });
}

type Uses = { totals: Totals | undefined; counts: KeyCounts; facets: OfferedFacet[]; filter: AudioFilter };

/** The tags of no facet that are used most, by the totals of a place or the counts of its keys, and the chosen ones. */
export async function listLooseTags(
  db: Db,
  viewer: Viewer,
  { totals, counts, facets: others, filter: { tag = [], not = [] } }: Uses,
): Promise<OfferedTag[]> {
  const inFacets = new Set(others.flatMap((facet) => facet.tags.map(({ number }) => number)));
  const used = [...(counts ?? [])]
    .toSorted(([, one], [, other]) => other - one)
    .flatMap(([key]) => tagNumberOf(key) || [])
    .filter((number) => !inFacets.has(number))
    .slice(0, mostLookedAt);
  const mostUsed = totals?.topTags.map(({ tagId }) => tagId);
  const isUsed = mostUsed === undefined ? inArray(tags.number, used) : inArray(tags.id, mostUsed);
  const isChosen = ({ slug }: { slug: string }) => tag.includes(slug) || not.includes(slug);
  const found = await db
    .select(offered)
    .from(tags)
    .where(
      and(isNull(tags.facetId), isTagNotHidden(viewer, tags.id), or(isUsed, inArray(tags.slug, [...tag, ...not]))),
    );
  const place = ({ id, number }: OfferedTag) => (mostUsed === undefined ? used.indexOf(number) : mostUsed.indexOf(id));
  const inOrder = found
    .map((one) => ({ ...one, place: place(one) }))
    .toSorted((a, b) => (a.place < 0 ? 1 : 0) - (b.place < 0 ? 1 : 0) || a.place - b.place);
  return inOrder
    .filter((one, at) => (at < mostLoose && one.place >= 0) || isChosen(one))
    .map(({ place: _place, ...one }) => inWords(db, 'tag', one, 'label'));
}
