import { eq, or, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { newId, toSlug } from '../../kernel/ids.ts';
import { claimSlug, holdSlugs } from './slugs.ts';
import { tags } from '../tables.ts';

/** Equal for labels of the same tag: only case, width and spaces differ. */
export function tagKey(label: string): string {
  return label.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

type Tag = { id: string; slug: string; label: string };

export async function findTag(db: Db, label: string): Promise<Tag | undefined> {
  return (await findTags(db, [label]))[0];
}

/**
 * Different labels may have the same letters in their addresses: `ano` and `ano-2` for `año`.
 * @returns one for each label, in their order
 */
export async function findTags(db: Db, labels: string[]): Promise<(Tag | undefined)[]> {
  if (labels.length === 0) return [];
  const alike = await db
    .select()
    .from(tags)
    .where(
      or(
        ...labels.map((label) => {
          const base = toSlug(label) || 'tag';
          return or(
            eq(tags.slug, base),
            sql`${tags.slug} ~ ${`^${base}-[0-9]+$`} and ${tags.slug} like ${`${base}-%`}`,
          );
        }),
      ),
    );
  return labels.map((label) => alike.find((tag) => tagKey(tag.label) === tagKey(label)));
}

/** @returns the tag’s id, which stays until the transaction ends */
export async function findOrCreateTag(tx: Db, label: string): Promise<string> {
  const known = await findTag(tx, label);
  if (known === undefined) {
    await holdSlugs(tx);
    const id = newId();
    // Another transaction may have made it before the lock.
    if ((await findTag(tx, label)) === undefined)
      await tx.insert(tags).values({ id, slug: await claimSlug(tx, 'tags', label), label });
    return findOrCreateTag(tx, label);
  }
  const [held] = await tx.select({ id: tags.id }).from(tags).where(eq(tags.id, known.id)).for('key share');
  // An operator deleted it meanwhile.
  return held?.id ?? findOrCreateTag(tx, label);
}
