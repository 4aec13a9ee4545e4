import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { toSlug } from '../ids.ts';

const slugLock = 7_150_685;
const fallbacks = { audios: 'audio', voices: 'voice', categories: 'category', series: 'series' } as const;

/**
 * A slug that nothing else in the table has: of the title, or the title with the next free number (`-2`). It stays free
 * until the transaction ends, since whoever asks for one waits for all who asked before.
 */
export async function claimSlug(tx: Db, table: keyof typeof fallbacks, title: string): Promise<string> {
  await tx.execute(sql`select pg_advisory_xact_lock(${slugLock})`);
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
