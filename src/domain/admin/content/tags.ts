import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import { tags } from '../../catalogue/tables.ts';
import { countedAudios } from '../../catalogue/totals.ts';
import { claimSlug, holdSlugs } from '../../catalogue/editing/slugs.ts';
import { findTag as findTagByName } from '../../catalogue/editing/tag-names.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { allowLongStatements } from '../../kernel/db.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, toSlug } from '../../kernel/ids.ts';
import type { Page } from '../../kernel/pages.ts';
import { decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import type { TagForm } from '../forms.ts';
import { lockAudiosOf } from './lock-audios.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';
import { isChangedSince } from '../../kernel/seen.ts';
import { PlainText } from '../../kernel/forms.ts';
import { findFewByWords, readWordSearch } from '../word-search.ts';

export type AdminTag = {
  id: string;
  slug: string;
  label: string;
  audios: number;
  /** Listeners who hide it. */
  hidden: number;
};

export type TagChoice = Pick<AdminTag, 'id' | 'slug' | 'label' | 'audios'>;

export type TagOutcome =
  | { ok: true }
  | { ok: false; reason: 'not-found' }
  /** Another tag has this name: merge them instead. */
  | { ok: false; reason: 'exists'; other: { id: string; label: string } };

function selectTags(db: Db) {
  return db
    .select({
      id: tags.id,
      slug: tags.slug,
      label: tags.label,
      audios: countedAudios('tag', sql`tags.id`, sql`select count(*)::int from audio_tags t where t.tag_id = tags.id`),
      hidden: sql<number>`(select count(*)::int from hidden_tags h where h.tag_id = tags.id)`,
    })
    .from(tags)
    .$dynamic();
}

/** By address, A–Z. @param query.q beginnings of words of the name */
export async function listTags(
  db: Db,
  actor: Actor,
  query: { q?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<AdminTag>> {
  if (!canAdminister(actor)) return { items: [], nextCursor: undefined };
  const after = decodeCursor('admin-tags', query.cursor, PlainText);
  const isAbout = query.q === undefined || query.q.trim() === '' ? undefined : await matching(db, query.q);
  const rows = await selectTags(db)
    .where(and(isAbout, after === undefined ? undefined : gt(tags.slug, String(after.value))))
    .orderBy(asc(tags.slug))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    (row) => row,
    ({ slug, id }) => encodeCursor('admin-tags', { value: slug, id }),
  );
}

/** For a field that finds one: the tag with exactly this name first, so that no number of longer names hides it. */
export async function findTagChoices(db: Db, actor: Actor, q: string, limit: number): Promise<TagChoice[]> {
  if (q.trim() === '' || !canAdminister(actor)) return [];
  const [named, { items }] = await Promise.all([findTagByName(db, q), listTags(db, actor, { q, limit })]);
  const exact = named === undefined ? [] : await selectTags(db).where(eq(tags.id, named.id));
  return [...exact, ...items.filter(({ id }) => id !== named?.id)]
    .slice(0, limit)
    .map(({ id, slug, label, audios }) => ({ id, slug, label, audios }));
}

/** Also finds a tag whose new name has moved it to another page of the list. */
export async function findTag(db: Db, actor: Actor, id: string): Promise<AdminTag | undefined> {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const [tag] = await selectTags(db).where(eq(tags.id, id));
  return tag;
}

const words = sql`replace(tags.slug, '-', ' ')`;

async function matching(db: Db, q: string) {
  const search = await readWordSearch(db, { table: sql`tags`, column: words }, toSlug(q).replaceAll('-', ' '));
  if (search === undefined) return sql`false`;
  const matchingIds = await findFewByWords(db, { table: sql`tags`, id: sql`tags.id` }, search);
  return matchingIds === undefined ? search.condition : inArray(tags.id, matchingIds);
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

/** Audios get the other tag, and listeners who hide this one hide the other. */
export async function mergeTag(db: Db, actor: Actor, id: string, into: string): Promise<TagOutcome> {
  if (!canAdminister(actor) || !isId(id) || !isId(into) || id === into) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<TagOutcome> => {
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
    await tx.execute(sql`
      insert into audio_tags (audio_id, tag_id) select audio_id, ${into} from audio_tags where tag_id = ${id}
      on conflict do nothing`);
    await tx.execute(sql`
      insert into hidden_tags (user_id, tag_id, created_at) select user_id, ${into}, created_at from hidden_tags
      where tag_id = ${id} on conflict do nothing`);
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
