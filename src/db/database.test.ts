import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { migrateDatabase } from './database.ts';

const database = await createTestDatabase();

test('a database of a newer Sotto is refused, and left as it is', async () => {
  await migrateDatabase(database);
  const steps = 'select count(*)::int as steps from drizzle.__drizzle_migrations';
  const before = await database.pool.query(steps);
  await database.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`,
  );
  await expect(migrateDatabase(database)).rejects.toThrow('the database belongs to a newer Sotto; update this one');
  await database.pool.query(`delete from drizzle.__drizzle_migrations where hash = 'later'`);
  await migrateDatabase(database);
  expect((await database.pool.query(steps)).rows).toEqual(before.rows);
});

test.each(['40P01', '40001'])('a transaction that %s ended is begun once more, and no third time', async (state) => {
  for (const [failures, outcome] of [
    [1, 'done'],
    [2, state],
  ] as const) {
    let begun = 0;
    const result = database.db
      .transaction(async (tx) => {
        begun += 1;
        if (begun <= failures)
          await tx.execute(sql.raw(`do $$ begin raise exception using errcode = '${state}'; end $$`));
        return 'done';
      })
      .catch((error: { cause?: { code?: string } }) => error.cause?.code);
    expect([await result, begun]).toEqual([outcome, 2]);
  }
});
