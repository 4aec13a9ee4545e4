import { asc, eq, type SQL } from 'drizzle-orm';
import { countCrowdedAudios } from '../../catalogue/facets/tags-of-audios.ts';
import type { FacetChoice } from '../../catalogue/rules.ts';
import { facets, tags } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { Refused } from '../../kernel/refused.ts';

export type FacetRefusal = { ok: false; reason: 'not-found' | 'address-taken' | 'notes-elsewhere' } | Crowded;
/** So many audios have several tags of a facet that takes one. */
export type Crowded = { ok: false; reason: 'crowded'; audios: number };
export type FacetOutcome = { ok: true } | FacetRefusal;
export const notFound: FacetRefusal = { ok: false, reason: 'not-found' };

export async function holdFacet(tx: Db, id: string) {
  const [row] = await tx.select().from(facets).where(eq(facets.id, id)).for('no key update');
  if (row === undefined) throw new Refused<FacetRefusal>({ ok: false, reason: 'not-found' });
  return row;
}

/** No edit adds one of these to an audio meanwhile: it would wait, and then see the facet. @returns their ids */
export async function holdTags(tx: Db, which: SQL): Promise<string[]> {
  const rows = await tx.select({ id: tags.id }).from(tags).where(which).orderBy(asc(tags.id)).for('update');
  return rows.map(({ id }) => id);
}

/** @throws Refused with `Crowded`. @param ids all tags of the facet, which the caller holds. @param added new ones of them */
export async function refuseCrowd(tx: Db, chooses: FacetChoice, ids: string[], added = ids): Promise<void> {
  const audios = chooses === 'one' ? await countCrowdedAudios(tx, ids, added) : 0;
  if (audios > 0) throw new Refused<Crowded>({ ok: false, reason: 'crowded', audios });
}

type Held = Pick<typeof tags.$inferSelect, 'id' | 'facetId'>;

/** The same for audios that get a tag, which the caller holds too, instead of one from elsewhere. */
export async function refuseCrowdIn(tx: Db, to: Held, from: Held): Promise<void> {
  if (to.facetId === null || to.facetId === from.facetId) return;
  const [facet] = await tx.select({ chooses: facets.chooses }).from(facets).where(eq(facets.id, to.facetId));
  if (facet?.chooses !== 'one') return;
  const others = (await holdTags(tx, eq(tags.facetId, to.facetId))).filter((id) => id !== to.id);
  await refuseCrowd(tx, facet.chooses, [from.id, ...others], [from.id]);
}
