import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { recentSearches } from './tables.ts';
import { fold } from '../settings/folded-words.ts';

/** Limit per user (product.md, "Content"). */
const maxTerms = 10;

/** Terms with the same key are duplicates. */
function keyOf(term: string): string {
  return fold(term).slice(0, 400);
}

/** Newest first. */
export async function listRecentTerms(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ term: recentSearches.term })
    .from(recentSearches)
    .where(eq(recentSearches.userId, userId))
    .orderBy(desc(recentSearches.searchedAt), desc(recentSearches.key))
    .limit(maxTerms);
  return rows.map(({ term }) => term);
}

/** @param term from `SearchTerm`; not empty */
export async function rememberTerm(db: Db, userId: string, term: string): Promise<void> {
  await db.transaction(async (tx) => {
    // The row lock keeps concurrent inserts within the limit; a deleted user has no row.
    const { rows } = await tx.execute(sql`select from users where id = ${userId} for no key update`);
    if (rows.length === 0) return;
    const searchedAt = sql`clock_timestamp()`;
    await tx
      .insert(recentSearches)
      .values({ userId, key: keyOf(term), term, searchedAt })
      .onConflictDoUpdate({ target: [recentSearches.userId, recentSearches.key], set: { term, searchedAt } });
    await tx.execute(sql`
      delete from recent_searches where user_id = ${userId} and key in (
        select key from recent_searches where user_id = ${userId} order by searched_at desc, key desc offset ${maxTerms})`);
  });
}

/** @param term default: all of them */
export async function purgeTerms(db: Db, userId: string, term?: string): Promise<void> {
  await db
    .delete(recentSearches)
    .where(
      and(eq(recentSearches.userId, userId), term === undefined ? undefined : eq(recentSearches.key, keyOf(term))),
    );
}
