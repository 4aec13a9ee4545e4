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

export type AppliedMigration = { when: number; hash: string };

/** Migrations applied to a database; empty for a new one. */
export async function readApplied(client: pg.ClientBase | pg.Pool): Promise<AppliedMigration[]> {
  const { rows: known } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (known[0]?.there !== true) return [];
  const { rows } = await client.query<{ when: string; hash: string }>(
    'select created_at as "when", hash from drizzle.__drizzle_migrations order by created_at',
  );
  return rows.map(({ when, hash }) => ({ when: Number(when), hash }));
}

export type SchemaState = {
  applied: AppliedMigration[];
  /** Known to this version but not applied to the database. */
  pending: Migration[];
  /** Number of applied migrations that this version does not know. */
  unknown: number;
};

export async function readSchemaState(
  client: pg.ClientBase | pg.Pool,
  known: Migration[] = readMigrations(),
): Promise<SchemaState> {
  const applied = await readApplied(client);
  return {
    applied,
    pending: known.filter(({ when }) => !applied.some((done) => done.when === when)),
    unknown: applied.filter(({ when }) => !known.some((migration) => migration.when === when)).length,
  };
}
