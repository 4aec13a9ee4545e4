import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Db, longStatements } from '#domain/kernel/db.ts';
import { withinTransaction } from '#domain/kernel/open-transaction.ts';
import { callLimits } from '#gateways/call-limits.ts';
import { inTime } from '#gateways/in-time.ts';
import { groupReads } from './grouped-reads.ts';
import { openReplica } from './read-replica.ts';
import { readMigrations } from './schema-state.ts';
import { UnavailableError } from '#domain/kernel/database/outages.ts';

export type Database = ReturnType<typeof openDatabase>;

export type OpenDatabaseOptions = {
  url: string;
  /** PostgreSQL itself, when `url` is PgBouncer in transaction mode; default: `url`. */
  directUrl?: string | undefined;
  /** A replica that may answer visitors. */
  readUrl?: string | undefined;
  poolSize: number;
  /** Milliseconds to wait for an answer, longer than PostgreSQL's own statement limit. */
  maxWaitMs?: number;
  /** Reports a lost idle connection, which belongs to no request. */
  onError?: (error: Error) => void;
};

export function openDatabase({
  url,
  directUrl = url,
  readUrl,
  poolSize,
  maxWaitMs = callLimits.database.answerMs,
  onError,
}: OpenDatabaseOptions) {
  const pool: pg.Pool = new SitePool({
    connectionString: url,
    max: poolSize,
    application_name: 'sotto',
    connectionTimeoutMillis: callLimits.database.connectMs,
    query_timeout: maxWaitMs,
    keepAlive: true,
    ...(directUrl === url ? { ...sessionLimits, Client: SiteClient } : { Client: UnnamedClient }),
  });
  pool.on('error', (error) => onError?.(error));
  // A lost connection fails its query in a transaction; without a listener its event would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const replica =
    readUrl === undefined ? undefined : openReplica({ url: readUrl, poolSize, onError, Client: UnnamedClient });
  // Not through a pooler: old versions of PgBouncer release the connection after the first of several answers.
  const grouped = directUrl === url ? groupReads(pool) : undefined;
  const queryPool = grouped === undefined ? pool : Object.assign(derived(pool), { query: grouped.query });
  let latest: number | undefined;
  const primary: Db = repeatingConflicts(drizzle(queryPool, { casing: 'snake_case' }));
  const db: Db =
    replica === undefined
      ? primary
      : repeatingConflicts(drizzle(replica.withReplica(queryPool), { casing: 'snake_case' }));
  return {
    db,
    /** Like `db`, but never answered by the replica. */
    primary,
    /** Within `work`, a replica may answer reads through `db`. */
    fromReplica: replica?.fromReplica ?? (<Result>(work: () => Result) => work()),
    /** Whether the current call runs within `fromReplica`. */
    isFromReplica: () => replica?.isFromReplica() ?? false,
    /** Within `work`, reads started at once share a connection and a round trip. */
    together: grouped?.together ?? (<Result>(work: () => Result) => work()),
    pool,
    /** PostgreSQL itself, never through a pooler: for sessions with state. */
    directUrl,
    /** Resolves when PostgreSQL answers; rejects when it does not within two seconds. */
    ping: () => inCheckTime(() => pool.query('select 1')),
    /** Like `ping`; also rejects when this version's schema is missing. */
    checkReady(): Promise<void> {
      latest ??= readMigrations().at(-1)?.when;
      return inCheckTime(() =>
        pool
          .query('select from drizzle.__drizzle_migrations where created_at = $1 limit 1', [latest])
          .then(({ rowCount }) => {
            if (rowCount === 0) throw new UnavailableError('The database has not the schema of this Sotto');
          }),
      );
    },
    async close(): Promise<void> {
      await Promise.all([pool.end(), replica?.close()]);
    },
  };
}

/** A proxy of the pool, because Drizzle recognizes a pool by its class. */
function derived(pool: pg.Pool): pg.Pool {
  return Object.assign(Object.create(pool) as pg.Pool, { connect: pool.connect.bind(pool) });
}

/**
 * Limits against expensive client queries and servers that stop answering; milliseconds. The lower one for locks tells a
 * statement that others keep waiting from one that is slow itself.
 */
const sessionLimits = {
  statement_timeout: 10_000,
  lock_timeout: 9000,
  idle_in_transaction_session_timeout: 30_000,
};

/**
 * For PgBouncer in transaction mode, which refuses start-up parameters such as `sessionLimits`.
 * @returns statements that set the missing limits on the site's role, to be run once by its operator
 */
export async function findMissingLimits(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; role: string }>(
    `select name, format('alter role %I in database %I', current_user, current_database()) as role
     from pg_settings where setting = '0' and name = any($1) order by name desc`,
    [Object.keys(sessionLimits)],
  );
  return rows.map(({ name, role }) => `${role} set ${name} = ${sessionLimits[name as keyof typeof sessionLimits]}`);
}

/** Uses the longer limit within transactions that allow long statements. */
class SiteClient extends pg.Client {
  #isLong = false;

  override query = ((config: unknown, ...rest: unknown[]) => {
    const text = typeof config === 'string' ? config : (config as { text?: string } | null)?.text;
    if (text === longStatements) this.#isLong = true;
    else if (this.#isLong && (text === 'commit' || text === 'rollback')) this.#isLong = false;
    const isPlain = typeof config === 'object' && config !== null && !('submit' in config);
    return super.query(
      (isPlain
        ? this.adapt(this.#isLong ? { ...config, query_timeout: callLimits.databaseLong.answerMs } : config)
        : config) as string,
      ...(rest as []),
    );
  }) as pg.Client['query'];

  protected adapt(config: object): object {
    return config;
  }
}

/** Prepares no named statements: behind PgBouncer, each transaction may use another connection. */
class UnnamedClient extends SiteClient {
  protected override adapt(config: object): object {
    return 'name' in config ? { ...config, name: undefined } : config;
  }
}

/** In development and tests, calls of other machines within a transaction fail. */
const isWatched = process.env['NODE_ENV'] !== 'production';

/**
 * Retries a transaction once after a conflict with another one; a second conflict is a bug and is thrown. Side effects
 * outside of the database may happen twice.
 */
function repeatingConflicts<Handle extends Db>(db: Handle): Handle {
  const run = db.transaction.bind(db);
  const begin: Handle['transaction'] = isWatched
    ? (work, config) => run((tx) => withinTransaction(() => work(tx)), config)
    : run;
  db.transaction = async (work, config) => {
    try {
      return await begin(work, config);
    } catch (error) {
      if (!isConflict(error)) throw error;
      return begin(work, config);
    }
  };
  return db;
}

/**
 * SQLSTATEs (PostgreSQL, appendix A): a deadlock, a failed serialization, a reference to a row that was deleted after it
 * had been read, and a name that was taken after it had been looked up. The second run sees what the other one did.
 */
const conflicts = new Set(['40P01', '40001', '23503', '23505']);

function isConflict(error: unknown): boolean {
  // Drizzle wraps the driver's error.
  const { cause = error } = error as { cause?: unknown };
  return conflicts.has((cause as { code?: string }).code ?? '');
}

async function inCheckTime(ask: () => Promise<unknown>): Promise<void> {
  await inTime(callLimits.databaseCheck.answerMs, ask);
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/**
 * Drizzle releases a connection at the end of a transaction, but not when `begin` fails: the pool would lose it for
 * good.
 */
class SitePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    return callback === undefined ? super.connect().then(givenBackWhenLost) : super.connect(callback);
  }
}

function givenBackWhenLost(client: pg.PoolClient): pg.PoolClient {
  const { release } = client;
  let released = false;
  const lost = () => client.release(true);
  client.release = (error) => {
    if (released) return;
    released = true;
    client.off('end', lost);
    release(error);
  };
  client.once('end', lost);
  return client;
}
