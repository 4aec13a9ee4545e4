import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Db } from '#domain/db.ts';
import { StartError } from './embedded-start-error.ts';
import { readSchemaState } from './schema-state.ts';

export type Database = {
  db: Db;
  pool: pg.Pool;
  /** Resolves when PostgreSQL answers; rejects when it does not within two seconds. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type OpenDatabaseOptions = {
  url: string;
  poolSize: number;
  /** A lost idle connection is not an error of a request; it is said here. */
  onError?: (error: Error) => void;
};

export function openDatabase({ url, poolSize, onError }: OpenDatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'sotto',
    connectionTimeoutMillis: 10_000,
    // A query that a client can cause may not hold a connection for ever.
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  pool.on('error', (error) => onError?.(error));
  return {
    db: drizzle(pool, { casing: 'snake_case' }),
    pool,
    async ping() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('The database did not answer within 2 s')), 2000);
      });
      try {
        await Promise.race([pool.query('select 1'), timeout]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.end(),
  };
}

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
const migrationLock = 7_150_684;

/**
 * Brings the schema up to date. Processes that start together wait for one another.
 * @throws StartError for a PostgreSQL that is too old, or a schema that is newer than this code
 */
export async function migrateDatabase({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    const version = rows[0]?.version ?? 0;
    if (version < 150_000)
      throw new StartError(`PostgreSQL 15 or later is needed; this server is ${Math.floor(version / 10_000)}`);
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    try {
      const { unknown } = await readSchemaState(client);
      if (unknown > 0) throw new StartError('the database belongs to a newer Sotto; update this one');
      await migrate(drizzle(client), { migrationsFolder });
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]);
      await client.query('reset statement_timeout');
    }
  } finally {
    client.release();
  }
}
