import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { toSlug } from '../kernel/ids.ts';

const slugLock = 7_150_685;
const fallbacks = {
  audios: 'audio',
  voices: 'voice',
  categories: 'category',
  series: 'series',
  playlists: 'playlist',
  tags: 'tag',
} as const;

/**
 * A slug that is unused in the table: from the title, with the next free number (`-2`) on a collision.
 * An advisory lock reserves it until the transaction ends.
 */
export async function claimSlug(tx: Db, table: keyof typeof fallbacks, title: string): Promise<string> {
  await holdSlugs(tx);
  const base = toSlug(title) || fallbacks[table];
  const { rows } = await tx.execute<{ slug: string }>(
    sql`select slug from ${sql.identifier(table)} where slug = ${base} or slug like ${`${base}-%`}`,
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
