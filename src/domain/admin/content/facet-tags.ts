import { asc, eq, inArray, sql } from 'drizzle-orm';
import { findOrCreateTag } from '../../catalogue/editing/tag-names.ts';
import type { FacetChoice } from '../../catalogue/rules.ts';
import { tags } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, allowLongStatements, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { orRefusal, Refused } from '../../kernel/refused.ts';
import { refuseWords } from '../../settings/word-lists.ts';
import type { FacetTagsForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';
import { type FacetOutcome, type FacetRefusal, holdFacet, holdTags, notFound, refuseCrowd } from './hold-facets.ts';

/** The tags of each facet. */

/**
 * The tags of a facet, in order: those from elsewhere move here, and those left out are in no facet then.
 * @throws DomainError `list/changed` when it has others, or in another order, than the operator saw
 */
export async function setFacetTags(
  db: Db,
  actor: Actor,
  id: string,
  { tagIds: ids, before }: FacetTagsForm,
): Promise<FacetOutcome> {
  if (!canAdminister(actor) || !isId(id)) return notFound;
  return orRefusal<FacetOutcome>(db, async (tx) => {
    const facet = await holdFacet(tx, id);
    const now = await tagsOf(tx, id);
    if (before !== undefined && before.join() !== now.map((tag) => tag.id).join())
      throw await changedMeanwhile(tx, { type: 'facet', id }, 'list/changed');
    const after = await putTags(tx, facet, ids);
    await tx
      .update(tags)
      .set({ facetId: null, position: 0 })
      .where(
        inArray(
          tags.id,
          now.flatMap((tag) => (ids.includes(tag.id) ? [] : [tag.id])),
        ),
      );
    await recordTags(
      tx,
      actor,
      facet,
      now.map(({ label }) => label),
      after,
    );
    return { ok: true };
  });
}

/** The tag with this name, which is made if there is none, comes last in the facet. */
export async function addFacetTag(
  db: Db,
  actor: Actor,
  id: string,
  { label }: { label: string },
): Promise<{ ok: true; id: string } | FacetRefusal> {
  if (!canAdminister(actor) || !isId(id)) return notFound;
  return orRefusal<{ ok: true; id: string } | FacetRefusal>(db, async (tx) => {
    await refuseWords(tx, [label]);
    const facet = await holdFacet(tx, id);
    const tagId = await findOrCreateTag(tx, label);
    const now = await tagsOf(tx, id);
    if (now.some((tag) => tag.id === tagId)) return { ok: true, id: tagId };
    const after = await putTags(tx, facet, [...now.map((tag) => tag.id), tagId]);
    await recordTags(
      tx,
      actor,
      facet,
      now.map((tag) => tag.label),
      after,
    );
    return { ok: true, id: tagId };
  });
}

export const tagsOf = (tx: Db, facetId: string) =>
  tx
    .select(pick(tags, 'id', 'label'))
    .from(tags)
    .where(eq(tags.facetId, facetId))
    .orderBy(asc(tags.position), asc(tags.label));

/** @returns labels of these tags, which are those of the facet now */
export async function putTags(tx: Db, { id, chooses }: { id: string; chooses: FacetChoice }, ids: string[]) {
  await allowLongStatements(tx);
  const held = await holdTags(tx, inArray(tags.id, ids));
  if (held.length < ids.length) throw new Refused<FacetRefusal>({ ok: false, reason: 'not-found' });
  const before = (await tagsOf(tx, id)).map((tag) => tag.id);
  const added = ids.filter((one) => !before.includes(one));
  await refuseCrowd(tx, chooses, held, added);
  await tx.execute(sql`
    update tags t set facet_id = ${id}, position = n.place - 1
    from unnest(${sql.param(ids)}::uuid[]) with ordinality n (id, place)
    where n.id = t.id and (t.facet_id, t.position) is distinct from (${id}::uuid, (n.place - 1)::int)`);
  return (await tagsOf(tx, id)).flatMap((tag) => (ids.includes(tag.id) ? [tag.label] : []));
}

export async function recordTags(
  tx: Db,
  actor: Actor,
  { id, label }: { id: string; label: string },
  before: string[],
  after: string[],
): Promise<void> {
  await recordByOperator(tx, actor, {
    action: 'facet.tags',
    subject: { type: 'facet', id, name: label },
    before: { tags: before },
    after: { tags: after },
  });
}
