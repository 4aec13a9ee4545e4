import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { findFew, readWordSearch } from './word-search.ts';

const { db } = await createTestDatabase();
const from = { table: sql`titles`, column: sql`titles.words` };
await db.execute(sql`
  create table titles as select gen_random_uuid() as id,
    'night ' || case n % 2 when 0 then 'rain ' else 'wind ' end || n as words from generate_series(1, 3000) n`);
await db.execute(sql`create index on titles using gin (to_tsvector('simple', words))`);
await db.execute(sql`analyze titles`);
/** Same share as 50,000 of a million rows. */
const max = 500;

async function search(text: string) {
  const found = await readWordSearch(db, from, text, max);
  if (found === undefined) return 'nothing to search for';
  const few = found.indexed && (await findFew(db, [sql`select id from titles where ${found.indexed}`]));
  const { rows } = await db.execute<{ words: string }>(sql`
    select words from titles where ${few === undefined ? found.condition : sql`id = any(${sql.param(few)}::uuid[])`}
    order by words limit 2`);
  return { isIndexed: found.indexed !== undefined, few: few?.length, found: rows.map(({ words }) => words) };
}

test('words that many rows have are not read from their index, and rare ones are', async () => {
  expect(await search('nigh')).toEqual({
    isIndexed: false,
    few: undefined,
    found: ['night rain 10', 'night rain 100'],
  });
  expect(await search('nigh win')).toMatchObject({ isIndexed: false, found: ['night wind 1', 'night wind 1001'] });
  expect(await search('rain 2778')).toEqual({ isIndexed: true, few: 1, found: ['night rain 2778'] });
  expect(await search('wind 2778')).toEqual({ isIndexed: true, few: 0, found: [] });
});

test('text without words finds nothing, and cannot change the query', async () => {
  expect(await search(' \0 !')).toBe('nothing to search for');
  expect(await search(`'; drop table titles --`)).toMatchObject({ found: [] });
});
