import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { newCommandClient } from './command-client.ts';
import type { Database } from './database.ts';
import { StartError } from './embedded/start-error.ts';
import { type Migration, createMigrationsTable, readMigrations, readSchemaState } from './schema-state.ts';
import { holdSessionLock } from './session-lock.ts';

const migrationLock = 7_150_684;

export const foreignSchema =
  'the database lacks migrations of this Sotto, and has others that it does not know; use the Sotto that made them';

export type MigrateOptions = { migrations?: Migration[]; maxTries?: number; pauseMs?: number };

/**
 * Updates the schema. Processes that start together wait for one another. A schema newer than this code stays
 * unchanged: the previous version can work with it (decision 007).
 * @returns the names of the applied migrations
 * @throws StartError for a PostgreSQL that is too old, a schema of another line, or locks that stay taken
 */
export async function migrateDatabase(
  { directUrl }: Pick<Database, 'directUrl'>,
  { migrations = readMigrations(), maxTries = 30, pauseMs = 1000 }: MigrateOptions = {},
): Promise<string[]> {
  // Not from the pool, whose connections limit statement time and may change between statements.
  const client = newCommandClient(directUrl, 'migration');
  try {
    await client.connect().catch((error: Error) => {
      const { message, code = '' } = error as NodeJS.ErrnoException;
      throw new StartError(`the database cannot be reached at its direct address: ${message || code}`);
    });
    await refuseOldServer(client);
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await holdSessionLock(client, migrationLock);
    const state = await readSchemaState(client, migrations);
    if (state.pending.length === 0) return [];
    if (state.unknown > 0) throw new StartError(foreignSchema);
    await createMigrationsTable(client);
    for (const migration of state.pending) await applyPatiently(client, migration, { maxTries, pauseMs });
    return state.pending.map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws StartError for a schema that this version cannot work with */
export async function requireSchema({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const state = await readSchemaState(pool);
  if (state.pending.length > 0)
    throw new StartError(
      state.unknown > 0
        ? foreignSchema
        : 'the schema of the database is older than this Sotto; run npm run sotto -- migrate first, or set MIGRATE_ON_START=true',
    );
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version < 150_000)
    throw new StartError(`PostgreSQL 15 or later is needed; this server is ${Math.floor(version / 10_000)}`);
}

/** Running sites queue behind a statement that waits for a lock, so it waits briefly and retries later. */
async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  { maxTries, pauseMs }: { maxTries: number; pauseMs: number },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const isLocked = (error as { code?: string }).code === '55P03';
      if (!isLocked) throw error;
      if (tries === maxTries)
        throw new StartError(
          `the schema step ${migration.name} got no lock in ${maxTries} tries, since a long transaction holds it; try again later`,
        );
      await wait(pauseMs);
    }
  }
}

async function apply(client: pg.Client, { when, hash, statements, inTransaction, lockTimeout }: Migration) {
  const begin = inTransaction ? 'begin' : '';
  try {
    await client.query(`${begin}; set lock_timeout = ${lockTimeout}`);
    for (const statement of statements) await client.query(statement);
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when]);
    if (inTransaction) await client.query('commit');
  } catch (error) {
    if (inTransaction) await client.query('rollback');
    throw error;
  }
}
