import { and, asc, eq, sql } from 'drizzle-orm';
import { tags, hiddenTags } from '../catalogue/tables.ts';
import { toTag } from '../catalogue/tags.ts';
import type { Db } from '../kernel/db.ts';
import { isSlug } from '../kernel/ids.ts';

import { maxHiddenTags } from './rules.ts';

export type LeaveOutOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'full' };

/** A–Z by slug, so that the order does not depend on the database's collation. */
export async function listHiddenTags(db: Db, userId: string): Promise<{ slug: string; label: string }[]> {
  const rows = await db
    .select({ id: tags.id, slug: tags.slug, label: tags.label })
    .from(hiddenTags)
    .innerJoin(tags, eq(tags.id, hiddenTags.tagId))
    .where(eq(hiddenTags.userId, userId))
    .orderBy(asc(tags.slug))
    .limit(maxHiddenTags);
  return rows.map((row) => toTag(db, row));
}

/** Idempotent. */
export async function setTagHidden(db: Db, userId: string, slug: string, isHidden: boolean): Promise<LeaveOutOutcome> {
  if (!isSlug(slug)) return { ok: false, reason: 'not-found' };
  const [tag] = await db.select({ id: tags.id }).from(tags).where(eq(tags.slug, slug));
  if (tag === undefined) return { ok: false, reason: 'not-found' };
  if (!isHidden) {
    await db.delete(hiddenTags).where(and(eq(hiddenTags.userId, userId), eq(hiddenTags.tagId, tag.id)));
    return { ok: true };
  }
  return db.transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    const total = await tx.$count(hiddenTags, eq(hiddenTags.userId, userId));
    const isKnown =
      (await tx.$count(hiddenTags, and(eq(hiddenTags.userId, userId), eq(hiddenTags.tagId, tag.id)))) === 1;
    if (!isKnown && total >= maxHiddenTags) return { ok: false, reason: 'full' };
    await tx.execute(sql`
      insert into hidden_tags (user_id, tag_id) select u.id, t.id from users u, tags t
      where u.id = ${userId} and t.id = ${tag.id} on conflict do nothing`);
    return { ok: true };
  });
}
