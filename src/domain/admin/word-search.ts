import { type SQL, inArray, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../kernel/db.ts';
import { estimateRows } from '../kernel/estimate-rows.ts';
import { sortKey } from '../kernel/ids.ts';
import { dropUnwanted } from '../kernel/rules.ts';

/** Searches by beginnings of words, in tables of any size (decision 027). */

/** The index reads all rows of a word at once, so it is used only for words with fewer estimated rows. */
const maxRead = 50_000;
/** Maximum matches selected by id; with more, walking the order soon finds the page. */
const fewRows = 2000;

export type WordSearch = {
  /** Each word of the search is a prefix of a word in the column. For walking along an order. */
  condition: SQL;
  /** Condition that the word index supports; undefined when every word is common. */
  indexed: SQL | undefined;
  /** The same by the index alone: it also matches a few rows whose words the index splits. */
  byIndex: SQL | undefined;
  /** The fastest condition for reading any few matches, in no order. */
  anyFew: SQL;
};

/** Letters and digits of a sort key need no escaping in a pattern. */
function wordsOf(text: string): string[] {
  return [...new Set(sortKey(dropUnwanted(text)).split(/\s+/))].filter((word) => word !== '').slice(0, 8);
}

/** @param column has no word index, such as one of a joined table. @returns undefined for a text without words */
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
  max = maxRead,
): Promise<WordSearch | undefined> {
  const words = wordsOf(text);
  const begins = wordsBegin(from.column, text);
  if (begins === undefined) return undefined;
  // The planner assumes that a pattern matches few rows, and would sort the whole table; CASE hides the pattern from
  // it.
  const condition = sql`(case when ${begins} then true else false end)`;
  const { rows, each } = await estimate(db, from, words);
  // Assumes that words are independent.
  const together = each.reduce((share, count) => (share * count) / Math.max(rows, 1), rows);
  const rare = words.filter((_, index) => (each[index] ?? 0) <= max);
  // The patterns decide, because the parser of the index joins and splits some words.
  const isCommon = rare.length === 0 || together > Math.max(fewRows, rows / 500);
  const hasRare = rare.length === 0 ? undefined : hasWords(from.column, rare);
  const byIndex = isCommon ? undefined : hasRare;
  const checked = hasRare && sql`(${hasRare} and ${begins})`;
  return { condition, indexed: byIndex && checked, byIndex, anyFew: checked ?? condition };
}

function hasWords(column: SQL, words: string[]): SQL {
  return sql`to_tsvector('simple', ${column}) @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(' & ')})`;
}

/** Rows of the table and of each word. */
async function estimate(db: Db, { table, column }: { table: SQL; column: SQL }, words: string[]) {
  const [rows = 0, ...each] = await estimateRows(db, [
    sql`select 1 from ${table}`,
    ...words.map((word) => sql`select 1 from ${table} where ${hasWords(column, [word])}`),
  ]);
  return { rows, each };
}

/**
 * A condition on rows by beginnings of words: by their ids when they are few, otherwise for walking along an order.
 * @param column of the table of `id`. @returns undefined for a text without words
 */
export async function matchingWords(db: Db, id: PgColumn, column: SQL, text: string): Promise<SQL | undefined> {
  const table = sql`${id.table}`;
  const search = await readWordSearch(db, { table, column }, text);
  const ids = search?.indexed && (await findFew(db, [sql`select ${id} as id from ${table} where ${search.indexed}`]));
  return ids === undefined ? search?.condition : inArray(id, ids);
}

/** @param selects of one column `id`, each by an index. @returns undefined when they match more than `max` rows */
export async function findFew(db: Db, selects: SQL[], max = fewRows): Promise<string[] | undefined> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from (${sql.join(selects, sql` union all `)}) found limit ${max + 1}`,
  );
  return rows.length > max ? undefined : [...new Set(rows.map((row) => row.id))];
}

/** Maximum rows sorted for one page; with more, walking the order soon finds the page. */
const maxSorted = 40_000;

/**
 * A condition for rows that match in any of several ways, each with an index.
 * @param ways conditions on `table`
 */
export async function foundInWays(db: Db, { table, id }: { table: SQL; id: SQL }, ways: SQL[]): Promise<SQL> {
  const isAny = sql.join(ways, sql` or `);
  const found = ways.map((way) => sql`select from ${table} where ${way}`);
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${sql.join(found, sql` union all `)} limit ${maxSorted + 1}) few`,
  );
  return (rows[0]?.count ?? 0) > maxSorted
    ? sql`(case when ${isAny} then true else false end)`
    : sql`${id} = any(array(select ${id} from ${table} where ${isAny}))`;
}
