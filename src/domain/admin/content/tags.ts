import { and, asc, eq, or, sql } from 'drizzle-orm';
import { tags } from '../../catalogue/tables.ts';
import { countedAudios } from '../../catalogue/totals.ts';
import { claimSlug, holdSlugs } from '../../catalogue/editing/slugs.ts';
import { findTag as findTagByName } from '../../catalogue/editing/tag-names.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, allowLongStatements, pick } from '../../kernel/db.ts';
import { isId, toSlug } from '../../kernel/ids.ts';
import { orRefusal } from '../../kernel/refused.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import type { TagForm } from '../forms.ts';
import { refuseWords } from '../../settings/word-lists.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';
import { isChangedSince } from '../../kernel/seen.ts';
import { matchingWords } from '../word-search.ts';
import { type Crowded, refuseCrowdIn } from './hold-facets.ts';

export type TagOutcome =
  | { ok: true }
  | { ok: false; reason: 'not-found' }
  /** Another tag has this name: merge them instead. */
  | { ok: false; reason: 'exists'; other: { id: string; label: string } }
  | Crowded;

const columns = {
  ...pick(tags, 'id', 'slug', 'label'),
  audios: countedAudios('tag', sql`tags.id`, sql`select count(*)::int from audio_tags t where t.tag_id = tags.id`),
  /** Name of its facet. */
  facet: sql<string | null>`(select f.label from facets f where f.id = tags.facet_id)`,
  /** Listeners who hide it. */
  hidden: sql<number>`(select count(*)::int from hidden_tags h where h.tag_id = tags.id)`,
};

/** By address, A–Z. @param query.q beginnings of words of the name */
export async function listTags(db: Db, actor: Actor, query: PageQuery & { q?: string | undefined }) {
  if (!canAdminister(actor)) return { items: [], nextCursor: undefined };
  const page = pageIn('admin-tags', query, { direction: 'asc', by: tags.slug, id: tags.id });
  const words = sql`replace(tags.slug, '-', ' ')`;
  const q = query.q?.trim() ?? '';
  const isAbout =
    q === '' ? undefined : ((await matchingWords(db, tags.id, words, toSlug(q).replaceAll('-', ' '))) ?? sql`false`);
  const rows = await db
    .select({ ...columns, ...page.columns })
    .from(tags)
    .where(and(isAbout, page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}
export type AdminTag = Awaited<ReturnType<typeof listTags>>['items'][number];

/** For a field that finds one: the tag with exactly this name first, so that no number of longer names hides it. */
export async function findTagChoices(db: Db, actor: Actor, q: string, limit: number) {
  if (q.trim() === '' || !canAdminister(actor)) return [];
  const [named, { items }] = await Promise.all([findTagByName(db, q), listTags(db, actor, { q, limit })]);
  const exact = named === undefined ? [] : await db.select(columns).from(tags).where(eq(tags.id, named.id));
  return [...exact, ...items.filter(({ id }) => id !== named?.id)]
    .slice(0, limit)
    .map(({ id, slug, label, audios }) => ({ id, slug, label, audios }));
}

/** Also finds a tag whose new name has moved it to another page of the list. */
export async function findTag(db: Db, actor: Actor, id: string): Promise<AdminTag | undefined> {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const [tag] = await db.select(columns).from(tags).where(eq(tags.id, id));
  return tag;
}

/**
 * Locks the audios that have this tag or category. Before the tag or category itself, which is the order of edits:
 * otherwise an edit of one of them and an act of an operator can wait for each other.
 */
export async function lockAudiosOf(tx: Db, tagOrCategoryId: string): Promise<void> {
  await tx.execute(sql`
    select from audios where id in (
      select audio_id from audio_tags where tag_id = ${tagOrCategoryId}
      union all select audio_id from audio_categories where category_id = ${tagOrCategoryId})
    order by id for share`);
}

/** Name and address change together, because creators' tags are found by what both have in common. */
export async function renameTag(
  db: Db,
  actor: Actor,
  id: string,
  { label, before: seen }: TagForm,
): Promise<TagOutcome> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<TagOutcome> => {
    const [before] = await tx.select().from(tags).where(eq(tags.id, id)).for('no key update');
    if (before === undefined) return { ok: false, reason: 'not-found' };
    if (isChangedSince({ label: seen }, before)) throw await changedMeanwhile(tx, { type: 'tag', id });
    await refuseWords(tx, [label]);
    await holdSlugs(tx);
    const other = await findTagByName(tx, label);
    if (other !== undefined && other.id !== id)
      return { ok: false, reason: 'exists', other: { id: other.id, label: other.label } };
    // Only case or spaces changed: the address stays.
    const slug = other?.slug ?? (await claimSlug(tx, 'tags', label));
    await tx.update(tags).set({ slug, label }).where(eq(tags.id, id));
    await recordByOperator(tx, actor, {
      action: 'tag.rename',
      subject: { type: 'tag', id, name: before.label },
      before: { label: before.label, slug: before.slug },
      after: { label, slug },
    });
    return { ok: true };
  });
}

/** Audios and mixes get the other tag, which stays in its facet, and listeners who hide this one hide the other. */
export async function mergeTag(db: Db, actor: Actor, id: string, into: string): Promise<TagOutcome> {
  if (!canAdminister(actor) || !isId(id) || !isId(into) || id === into) return { ok: false, reason: 'not-found' };
  return orRefusal<TagOutcome>(db, async (tx) => {
    await allowLongStatements(tx);
    await lockAudiosOf(tx, id);
    const both = await tx
      .select()
      .from(tags)
      .where(or(eq(tags.id, id), eq(tags.id, into)))
      .orderBy(asc(tags.id))
      .for('update');
    const [from, to] = [both.find((tag) => tag.id === id), both.find((tag) => tag.id === into)];
    if (from === undefined || to === undefined) return { ok: false, reason: 'not-found' };
    await refuseCrowdIn(tx, to, from);
    await tx.execute(sql`
      insert into audio_tags (audio_id, tag_id) select audio_id, ${into} from audio_tags where tag_id = ${id}
      on conflict do nothing`);
    await tx.execute(sql`
      insert into hidden_tags (user_id, tag_id, created_at) select user_id, ${into}, created_at from hidden_tags
      where tag_id = ${id} on conflict do nothing`);
    await tx.execute(sql`
      update mixes set tag_ids = array_replace(tag_ids, ${id}::uuid, ${into}::uuid),
        not_tag_ids = array_replace(not_tag_ids, ${id}::uuid, ${into}::uuid)
      where ${id}::uuid = any(tag_ids || not_tag_ids)`);
    await tx.delete(tags).where(eq(tags.id, id));
    await recordByOperator(tx, actor, {
      action: 'tag.merge',
      subject: { type: 'tag', id, name: from.label },
      before: { label: from.label, slug: from.slug },
      after: { into: to.label },
    });
    return { ok: true };
  });
}

export async function deleteTag(db: Db, actor: Actor, id: string): Promise<boolean> {
  if (!canAdminister(actor) || !isId(id)) return false;
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    await lockAudiosOf(tx, id);
    const [gone] = await tx.delete(tags).where(eq(tags.id, id)).returning();
    if (gone === undefined) return false;
    await recordByOperator(tx, actor, {
      action: 'tag.delete',
      subject: { type: 'tag', id, name: gone.label },
      before: { label: gone.label, slug: gone.slug },
    });
    return true;
  });
}
