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
    await putTags(tx, actor, facet, { now, ids });
    const out = now.flatMap((tag) => (ids.includes(tag.id) ? [] : [tag.id]));
    await tx.update(tags).set({ facetId: null, position: 0 }).where(inArray(tags.id, out));
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
    await putTags(tx, actor, facet, { now, ids: [...now.map((tag) => tag.id), tagId] });
    return { ok: true, id: tagId };
  });
}

export const tagsOf = (tx: Db, facetId: string) =>
  tx
    .select(pick(tags, 'id', 'label'))
    .from(tags)
    .where(eq(tags.facetId, facetId))
    .orderBy(asc(tags.position), asc(tags.label));

type Put = { now: { id: string; label: string }[]; ids: string[] };

/** Those that the facet has `now` and that are not among the new ones stay in it; the entry in the log names the new ones. */
export async function putTags(
  tx: Db,
  actor: Actor,
  { id, label: name, chooses }: { id: string; label: string; chooses: FacetChoice },
  { now, ids }: Put,
): Promise<void> {
  await allowLongStatements(tx);
  const held = await holdTags(tx, inArray(tags.id, ids));
  if (held.length < ids.length) throw new Refused<FacetRefusal>({ ok: false, reason: 'not-found' });
  const added = ids.filter((one) => !now.some((tag) => tag.id === one));
  await refuseCrowd(tx, chooses, held, added);
  await tx.execute(sql`
    update tags t set facet_id = ${id}, position = n.place - 1
    from unnest(${sql.param(ids)}::uuid[]) with ordinality n (id, place)
    where n.id = t.id and (t.facet_id, t.position) is distinct from (${id}::uuid, (n.place - 1)::int)`);
  const after = (await tagsOf(tx, id)).filter((tag) => ids.includes(tag.id));
  await recordByOperator(tx, actor, {
    action: 'facet.tags',
    subject: { type: 'facet', id, name },
    before: { tags: now.map(({ label }) => label) },
    after: { tags: after.map(({ label }) => label) },
  });
}
