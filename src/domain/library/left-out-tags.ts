import type { AnyColumn, SQL } from 'drizzle-orm';
import { and, asc, eq, sql } from 'drizzle-orm';
import { tags } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import { isSlug } from '../ids.ts';
import type { Viewer } from '../identity/rules.ts';
import { mostLeftOutTags } from './rules.ts';
import { leftOutTags } from './tables.ts';

export type LeaveOutOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'full' };

/**
 * The audio of that row has no tag that this listener never wants to meet; for every list that they did not make
 * themselves. Undefined for visitors, whose pages are the same for all.
 */
export function isNotLeftOut(viewer: Viewer, audioId: AnyColumn | SQL): SQL | undefined {
  if (viewer.kind === 'visitor') return undefined;
  return sql`not exists (select from left_out_tags left_out join audio_tags tagged on tagged.tag_id = left_out.tag_id
    where left_out.user_id = ${viewer.id} and tagged.audio_id = ${audioId})`;
}

/** The tag of that row is not one that this listener leaves out. */
export function isTagNotLeftOut(viewer: Viewer, tagId: AnyColumn): SQL | undefined {
  if (viewer.kind === 'visitor') return undefined;
  return sql`not exists (select from left_out_tags left_out where left_out.user_id = ${viewer.id} and left_out.tag_id = ${tagId})`;
}

/** A–Z by their slugs, which have one case in every database. */
export async function listLeftOutTags(db: Db, userId: string): Promise<{ slug: string; label: string }[]> {
  return db
    .select({ slug: tags.slug, label: tags.label })
    .from(leftOutTags)
    .innerJoin(tags, eq(tags.id, leftOutTags.tagId))
    .where(eq(leftOutTags.userId, userId))
    .orderBy(asc(tags.slug))
    .limit(mostLeftOutTags);
}

/** Doing it twice is the same as once. */
export async function setTagLeftOut(
  db: Db,
  userId: string,
  slug: string,
  isLeftOut: boolean,
): Promise<LeaveOutOutcome> {
  if (!isSlug(slug)) return { ok: false, reason: 'not-found' };
  const [tag] = await db.select({ id: tags.id }).from(tags).where(eq(tags.slug, slug));
  if (tag === undefined) return { ok: false, reason: 'not-found' };
  if (!isLeftOut) {
    await db.delete(leftOutTags).where(and(eq(leftOutTags.userId, userId), eq(leftOutTags.tagId, tag.id)));
    return { ok: true };
  }
  return db.transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    const total = await tx.$count(leftOutTags, eq(leftOutTags.userId, userId));
    const isKnown =
      (await tx.$count(leftOutTags, and(eq(leftOutTags.userId, userId), eq(leftOutTags.tagId, tag.id)))) === 1;
    if (!isKnown && total >= mostLeftOutTags) return { ok: false, reason: 'full' };
    await tx.execute(sql`
      insert into left_out_tags (user_id, tag_id) select u.id, t.id from users u, tags t
      where u.id = ${userId} and t.id = ${tag.id} on conflict do nothing`);
    return { ok: true };
  });
}
