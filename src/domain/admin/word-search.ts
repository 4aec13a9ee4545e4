import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { sortKey } from '../kernel/ids.ts';

/** Searches by beginnings of words, in tables of any size (decision 027). */

/** The index gives all rows of a word at once, so it is read only for words that fewer rows are thought to have. */
const mostRead = 50_000;
/** More candidates are not named by id: the page is found by walking along its order. */
const fewRows = 5000;

export type WordSearch = {
  /** Each word is the beginning of one of the column's words. */
  condition: SQL;
  /** Condition by the index of words; undefined where every word is common. */
  indexed: SQL | undefined;
};

/** Letters and digits of a sort key need no escaping in a pattern. */
function wordsOf(text: string): string[] {
  return [...new Set(sortKey(text.replaceAll('\0', '')).split(/\s+/))].filter((word) => word !== '').slice(0, 8);
}

/** @param column without an index: of a table that is joined. @returns undefined for a text without words */
export function wordsBegin(column: SQL, text: string): SQL | undefined {
  const words = wordsOf(text);
  if (words.length === 0) return undefined;
  return sql`(${sql.join(
    words.map((word) => sql`${column} ~ ${`(^| )${word}`}`),
    sql` and `,
  )})`;
}

/**
 * @param from a table or an alias of one, and its column that has an index of `to_tsvector('simple', column)`
 * @returns undefined for a text without words
 */
export async function readWordSearch(
  db: Db,
  from: { table: SQL; column: SQL },
  text: string,
  most = mostRead,
): Promise<WordSearch | undefined> {
  const words = wordsOf(text);
  const condition = wordsBegin(from.column, text);
  if (condition === undefined) return undefined;
  const rare = await findRare(db, from, words, most);
  // The patterns decide, because the parser of the index joins and splits some words.
  const indexed = rare.length === 0 ? undefined : sql`(${hasWords(from.column, rare)} and ${condition})`;
  return { condition, indexed };
}

function hasWords(column: SQL, words: string[]): SQL {
  return sql`to_tsvector('simple', ${column}) @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(' & ')})`;
}

/** By the planner's statistics, which cost no read of the table. */
async function findRare(
  db: Db,
  { table, column }: { table: SQL; column: SQL },
  words: string[],
  most: number,
): Promise<string[]> {
  const each = words.map((word) => sql`(select 1 from ${table} where ${hasWords(column, [word])})`);
  // `limit 0` keeps a single one below a node, as several are.
  const { rows } = await db.execute<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    sql`explain (format json) ${sql.join([...each, sql`(select 1 limit 0)`], sql` union all `)}`,
  );
  const plans = rows[0]?.['QUERY PLAN'][0]?.Plan.Plans ?? [];
  return words.filter((_, index) => (plans[index]?.['Plan Rows'] ?? 0) <= most);
}

type Plan = { 'Plan Rows': number; Plans?: Plan[] };

/**
 * Ids of what a search finds, or undefined where there are many or every word is common: then the page is found by the
 * condition, along the order.
 * @param others selects of one column `id`, of what is found beside the words
 */
export async function findFewByWords(
  db: Db,
  { table, id }: { table: SQL; id: SQL },
  { indexed }: WordSearch,
  others: SQL[] = [],
): Promise<string[] | undefined> {
  if (indexed === undefined) return undefined;
  const selects = [sql`select ${id} as id from ${table} where ${indexed}`, ...others];
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from (${sql.join(selects, sql` union all `)}) found limit ${fewRows + 1}`,
  );
  return rows.length > fewRows ? undefined : [...new Set(rows.map((row) => row.id))];
}
