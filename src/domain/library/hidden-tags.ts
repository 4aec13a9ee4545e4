import { asc, eq } from 'drizzle-orm';
import { tags, hiddenTags } from '../catalogue/tables.ts';
import { toTag } from '../catalogue/tags.ts';
import type { Db } from '../kernel/db.ts';
import { isSlug } from '../kernel/ids.ts';
import { maxHiddenTags } from './rules.ts';
import { type LeaveOutOutcome, setHidden } from './set-hidden.ts';

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
  return setHidden(db, userId, { kind: 'tag', id: tag.id, isHidden });
}
