import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** A migration; the migrator orders and compares them by `when` (milliseconds). */
export type Migration = {
  name: string;
  when: number;
  hash: string;
  statements: string[];
  /** `none`: each statement runs by itself, such as CREATE INDEX CONCURRENTLY. */
  inTransaction: boolean;
  /** A statement that waits longer for a lock fails and is retried; milliseconds, 0 without a limit. */
  lockTimeout: number;
};

/** The migrations this version of Sotto knows, oldest first. */
export function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8')) as {
    entries: { tag: string }[];
  };
  return readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }, index) => ({
    // Without its folder.
    name: journal.entries[index]?.tag.split('/').at(-1) ?? hash,
    when: folderMillis,
    hash,
    statements: sql,
    ...readDirectives(sql[0] ?? ''),
  }));
}

/** From the comments at the top of the file: `-- lock: 5s`, `-- transaction: none` (decision 007). */
export function readDirectives(text: string): Pick<Migration, 'inTransaction' | 'lockTimeout'> {
  const [, seconds = '5'] = /^-- lock: (\d+)s$/m.exec(text) ?? [];
  return { inTransaction: !/^-- transaction: none$/m.test(text), lockTimeout: Number(seconds) * 1000 };
}

/** The table of Drizzle's migrator, which applied the first migrations. */
export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query('create schema if not exists drizzle');
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
}

/** Migrations applied to a database; empty for a new one. */
export async function readApplied(client: pg.ClientBase | pg.Pool): Promise<{ when: number; hash: string }[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (tables[0]?.there !== true) return [];
  const { rows } = await client.query<{ when: string; hash: string }>(
    'select created_at as "when", hash from drizzle.__drizzle_migrations order by created_at',
  );
  return rows.map(({ when, hash }) => ({ when: Number(when), hash }));
}

export async function readSchemaState(client: pg.ClientBase | pg.Pool, migrations: Migration[] = readMigrations()) {
  const applied = await readApplied(client);
  return {
    applied,
    /** Known to this version but not applied to the database. */
    pending: migrations.filter(({ when }) => !applied.some((done) => done.when === when)),
    /** Number of applied migrations that this version does not know. */
    unknown: applied.filter(({ when }) => !migrations.some((migration) => migration.when === when)).length,
  };
}
