import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { toSlug } from '../../kernel/ids.ts';

const slugLock = 7_150_685;
const fallbacks = {
  audios: 'audio',
  voices: 'voice',
  categories: 'category',
  series: 'series',
  playlists: 'playlist',
  tags: 'tag',
  facets: 'facet',
} as const;

/** Addresses that lead to where something has moved; nothing else may take them. */
const formerSlugTables = { audios: 'former_slugs', voices: 'former_voice_slugs', articles: 'former_article_slugs' };

/**
 * A slug that is unused in the table: from the title, with the next free number (`-2`) on a collision.
 * An advisory lock reserves it until the transaction ends.
 */
export async function claimSlug(tx: Db, table: keyof typeof fallbacks, title: string): Promise<string> {
  await holdSlugs(tx);
  return findFreeSlug(tx, table, toSlug(title) || fallbacks[table]);
}

/** The caller holds a lock. */
export async function findFreeSlug(tx: Db, table: keyof typeof fallbacks | 'articles', base: string): Promise<string> {
  const ofTable = (name: string) =>
    sql`select slug from ${sql.identifier(name)} where slug = ${base} or slug like ${`${base}-%`}`;
  const former = table in formerSlugTables ? formerSlugTables[table as keyof typeof formerSlugTables] : undefined;
  const { rows } = await tx.execute<{ slug: string }>(
    former === undefined ? ofTable(table) : sql`${ofTable(table)} union ${ofTable(former)}`,
  );
  const taken = new Set(rows.map(({ slug }) => slug));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

/** Reserves slugs, and parts of series, until the transaction ends. */
export async function holdSlugs(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${slugLock})`);
}
