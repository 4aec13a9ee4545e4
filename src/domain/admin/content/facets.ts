import { and, asc, eq, max, ne, sql } from 'drizzle-orm';
import { claimSlug, holdSlugs } from '../../catalogue/editing/slugs.ts';
import { facets, tags } from '../../catalogue/tables.ts';
import { countedAudios } from '../../catalogue/totals.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, allowLongStatements, pick } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { orRefusal, Refused } from '../../kernel/refused.ts';
import { isChangedSince } from '../../kernel/seen.ts';
import { refuseWords } from '../../settings/word-lists.ts';
import { type FacetEdit, type FacetForm, maxOrdered } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';
import { type FacetOutcome, type FacetRefusal, holdFacet, holdTags, notFound, refuseCrowd } from './hold-facets.ts';

/** Groups of tags (decision 089). */

/** In the operators' order, with their tags in theirs. */
export async function listFacets(db: Db, actor: Actor) {
  if (!canAdminister(actor)) return [];
  const [rows, ofFacets] = await Promise.all([
    db
      .select(pick(facets, 'id', 'slug', 'label', 'explanation', 'chooses', 'isRequired', 'hasContentNotes'))
      .from(facets)
      .orderBy(asc(facets.position), asc(facets.id))
      .limit(maxOrdered),
    db
      .select({
        ...pick(tags, 'id', 'slug', 'label', 'facetId'),
        audios: countedAudios(
          'tag',
          sql`tags.id`,
          sql`select count(*)::int from audio_tags t where t.tag_id = tags.id`,
        ),
      })
      .from(tags)
      .where(sql`${tags.facetId} is not null`)
      .orderBy(asc(tags.position), asc(tags.label)),
  ]);
  const byFacet = Map.groupBy(ofFacets, ({ facetId }) => facetId);
  return rows.map((facet) => ({
    ...facet,
    tags: (byFacet.get(facet.id) ?? []).map(({ id, slug, label, audios }) => ({ id, slug, label, audios })),
  }));
}
export type AdminFacet = Awaited<ReturnType<typeof listFacets>>[number];

/** Added at the end of the list. */
export async function createFacet(
  db: Db,
  actor: Actor,
  form: FacetForm,
): Promise<{ ok: true; id: string } | FacetRefusal> {
  if (!canAdminister(actor)) return notFound;
  return orRefusal<{ ok: true; id: string } | FacetRefusal>(db, async (tx) => {
    await refuseWords(tx, [form.label]);
    const slug = await claimSlug(tx, 'facets', form.label);
    if (form.hasContentNotes) await refuseSecondNotes(tx);
    return { ok: true, id: await insertFacet(tx, actor, { ...form, slug }) };
  });
}

/** The caller holds the slugs. @returns its id */
export async function insertFacet(tx: Db, actor: Actor, facet: FacetForm & { slug: string }): Promise<string> {
  const id = newId();
  const [last] = await tx.select({ position: max(facets.position) }).from(facets);
  await tx.insert(facets).values({ ...facet, id, position: (last?.position ?? -1) + 1 });
  await recordByOperator(tx, actor, {
    action: 'facet.create',
    subject: { type: 'facet', id, name: facet.label },
    after: facet,
  });
  return id;
}

export async function editFacet(
  db: Db,
  actor: Actor,
  id: string,
  { before: seen, ...change }: FacetEdit,
): Promise<FacetOutcome> {
  if (!canAdminister(actor) || !isId(id)) return notFound;
  return orRefusal<FacetOutcome>(db, async (tx) => {
    await allowLongStatements(tx);
    await holdSlugs(tx);
    const row = await holdFacet(tx, id);
    const before = fieldsOf(row);
    if (isChangedSince(seen, before)) throw await changedMeanwhile(tx, { type: 'facet', id });
    await refuseWords(tx, [change.label]);
    const after = { ...before, ...definedOf(change) };
    if (after.hasContentNotes && !before.hasContentNotes) await refuseSecondNotes(tx);
    if (
      after.slug !== before.slug &&
      (await tx.$count(facets, and(eq(facets.slug, after.slug), ne(facets.id, id)))) > 0
    )
      return { ok: false, reason: 'address-taken' };
    if (after.chooses === 'one' && before.chooses !== 'one') {
      const held = await holdTags(tx, eq(tags.facetId, id));
      await refuseCrowd(tx, after.chooses, held);
    }
    await tx.update(facets).set(after).where(eq(facets.id, id));
    await recordByOperator(tx, actor, {
      action: 'facet.edit',
      subject: { type: 'facet', id, name: row.label },
      before,
      after,
    });
    return { ok: true };
  });
}

/** Its tags stay, with their audios, in no facet. */
export async function deleteFacet(db: Db, actor: Actor, id: string): Promise<boolean> {
  if (!canAdminister(actor) || !isId(id)) return false;
  return db.transaction(async (tx) => {
    const held = await tx.select().from(tags).where(eq(tags.facetId, id)).orderBy(asc(tags.id)).for('update');
    const [gone] = await tx.delete(facets).where(eq(facets.id, id)).returning();
    if (gone === undefined) return false;
    await recordByOperator(tx, actor, {
      action: 'facet.delete',
      subject: { type: 'facet', id, name: gone.label },
      before: { ...fieldsOf(gone), tags: held.map(({ label }) => label) },
    });
    return true;
  });
}

const fieldsOf = ({ slug, label, explanation, chooses, isRequired, hasContentNotes }: typeof facets.$inferSelect) => ({
  slug,
  label,
  explanation,
  chooses,
  isRequired,
  hasContentNotes,
});

function definedOf<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };
}

/** The unique index has the last word. */
async function refuseSecondNotes(tx: Db): Promise<void> {
  if ((await tx.$count(facets, eq(facets.hasContentNotes, true))) > 0)
    throw new Refused<FacetRefusal>({ ok: false, reason: 'notes-elsewhere' });
}
