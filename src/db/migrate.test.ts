import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { StartError } from './embedded/start-error.ts';
import { migrateDatabase, requireSchema } from './migrate.ts';
import { type Migration, readDirectives, readMigrations } from './schema-state.ts';
import { slow } from '#test/support/tags.ts';

const database = await createTestDatabase();
const { pool } = database;
const known = readMigrations();
const steps = async () =>
  (await pool.query('select hash from drizzle.__drizzle_migrations order by created_at')).rows.map(({ hash }) => hash);

/** A migration after all others. */
function later(statements: string[], when = 99_999_999_999_999): Migration {
  const name = `later_${when}`;
  return { name, when, hash: name, statements, ...readDirectives(statements[0] ?? '') };
}

afterEach(() =>
  pool.query(`delete from drizzle.__drizzle_migrations where hash like 'later_%'; drop table if exists later`),
);

test('a database of a newer Sotto is used without changes', async () => {
  await migrateDatabase(database, { migrations: [...known, later(['create table later ()'])] });
  const before = await steps();
  expect(await migrateDatabase(database)).toEqual([]);
  await requireSchema(database);
  await database.checkReady();
  expect(await steps()).toEqual(before);
  expect(await runSotto(['audios'], { environment: { DATABASE_URL: database.url } })).toMatchObject({ code: 0 });
});

test('a schema that lacks steps and has others is refused', async () => {
  await migrateDatabase(database, { migrations: [...known, later(['select 1'])] });
  const other = [...known, later(['select 2'], 99_999_999_999_998)];
  await expect(migrateDatabase(database, { migrations: other })).rejects.toThrow(StartError);
});

test('an older schema is refused where the start may not change it; migrate is a step of its own', slow, async () => {
  // State before the first migration.
  const { rows } = await pool.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  );
  for (const { name } of rows) await pool.query(`drop schema ${name} cascade`);
  await pool.query('create schema public');
  await expect(requireSchema(database)).rejects.toThrow('run npm run sotto -- migrate first');
  await expect(database.checkReady()).rejects.toThrow();
  const migrate = () => runSotto(['migrate'], { environment: { DATABASE_URL: database.url } });
  expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+ migrations? applied\.$/m) });
  expect(await migrate()).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' });
  await requireSchema(database);
  await database.checkReady();
});

test('a migration outside a transaction builds an index beside running sites', async () => {
  await pool.query('create table later (id int)');
  const migration = later(['-- transaction: none\ncreate index concurrently later_idx on later (id)']);
  expect(await migrateDatabase(database, { migrations: [...known, migration] })).toEqual([migration.name]);
  expect((await pool.query(`select from pg_indexes where indexname = 'later_idx'`)).rowCount).toBe(1);
});

test('a migration outside a transaction ends while another process waits to migrate', async () => {
  await pool.query('create table later (id int)');
  const migration = later(['-- transaction: none\ncreate index concurrently later_idx on later (id)']);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7150684)');
  const both = Promise.all([1, 2].map(() => migrateDatabase(database, { migrations: [...known, migration] })));
  const waiting = async () =>
    (
      await pool.query(`select from pg_stat_activity where application_name = 'sotto migration'
                       and datname = current_database() and query ~ 'advisory_lock'`)
    ).rowCount;
  await expect.poll(waiting).toBe(2);
  await holder.end();
  expect((await both).flat()).toEqual([migration.name]);
});

test('a migration does not block running sites for long: it releases a lock, and retries', async () => {
  await pool.query('create table later (id int)');
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin; lock table later');
  const migration = { ...later(['insert into later values (1)', 'alter table later add name text']), lockTimeout: 50 };
  const options = { migrations: [...known, migration], pauseMs: 20 };
  await expect(migrateDatabase(database, { ...options, maxTries: 2 })).rejects.toThrow('got no lock in 2 tries');
  const migrating = migrateDatabase(database, options);
  await expect
    .poll(
      async () =>
        (
          await pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount,
      { interval: 5 },
    )
    .toBeGreaterThan(0);
  await holder.query('commit');
  await holder.end();
  expect(await migrating).toEqual([migration.name]);
  // The failed attempts left nothing behind.
  expect((await pool.query('select id, name from later')).rows).toEqual([{ id: 1, name: null }]);
});

test('each migration from 0017 on says how long it may wait for a lock', () => {
  for (const { name, statements } of known.slice(15))
    expect([name, statements[0]]).toEqual([name, expect.stringMatching(/^-- lock: \d+s$/m)]);
  expect(readDirectives('-- lock: 2s\n-- transaction: none\n')).toEqual({ inTransaction: false, lockTimeout: 2000 });
});
