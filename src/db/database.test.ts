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
