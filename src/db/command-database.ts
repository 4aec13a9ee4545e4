import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '#config';
import { openCommandClient } from './command-client.ts';
import { openDataDir } from './data-dir.ts';
import { refuseForgottenDatabase } from './data-dir-owner.ts';
import { type Database, openDatabase } from './database.ts';
import { type EmbeddedServer, findRunningServer, startEmbeddedServer } from './embedded/server.ts';
import { type DataDirLock, lockDataDir } from './embedded/lock.ts';
import { StartError } from './embedded/start-error.ts';
import { foreignSchema, migrateDatabase } from './migrate.ts';
import { readSchemaState } from './schema-state.ts';

export type CommandDatabase = Awaited<ReturnType<typeof openForCommand>>;

export type OpenForCommandOptions = {
  /** Creates a missing folder or schema; when false, a missing one is an error, because DATA_DIR may be wrong. */
  create: boolean;
  /** `current` migrates a schema that no other process uses, and refuses an outdated one in use; `any` skips this. */
  schema: 'current' | 'any';
  /** Refuse while a site is running. */
  exclusive?: boolean;
  /** One line for the operator. */
  note: (line: string) => void;
};

/** The site's database for one command, with or without a running site. @throws StartError */
export async function openForCommand(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>,
  options: OpenForCommandOptions,
) {
  const { server, url, release } = await reachServer(config, options);
  const database = openDatabase({ url, poolSize: 4 });
  const close = async () => {
    await database.close();
    await release();
  };
  try {
    await database.ping().catch((error: Error) => {
      throw new StartError(`the database cannot be reached: ${error.message || (error as { code?: string }).code}`);
    });
    if (options.exclusive === true) await refuseWhileInUse(database);
    if (options.schema === 'current') await bringUpToDate(database, server, options.create);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, url, server, close };
}

type Reached = {
  /** `external`: DATABASE_URL; `site`: the server of a running site (or of another command); `own`: started for this command. */
  server: 'external' | 'site' | 'own';
  url: string;
  release: () => Promise<void>;
};

async function reachServer(
  { dataDir, databaseUrl, databaseDirectUrl }: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>,
  { create, exclusive, note }: OpenForCommandOptions,
): Promise<Reached> {
  if (databaseUrl !== undefined) {
    if (create) openDataDir(dataDir);
    const lock = exclusive === true ? await lockIfPossible(dataDir) : undefined;
    return { server: 'external', url: databaseDirectUrl ?? databaseUrl, release: async () => lock?.release() };
  }
  refuseForgottenDatabase({ dataDir, databaseUrl });
  if (!create && !existsSync(join(dataDir, 'postgres')))
    throw new StartError(`there is no site in ${dataDir} yet; start it once, or set DATA_DIR to where it is`);
  const deadline = Date.now() + 15_000;
  for (;;) {
    try {
      const own = await startEmbeddedServer({ dataDir, log: { info: note, warn: note } });
      return { server: 'own', url: own.url, release: () => stopWhenUnused(own, note) };
    } catch (error) {
      if (!(error instanceof StartError) || error.reason !== 'in-use') throw error;
      if (exclusive === true) throw new StartError(`${error.message}; stop it first`, 'in-use');
      const url = await findRunningServer(dataDir);
      const presence = url === undefined ? undefined : await announcePresence(url);
      if (url !== undefined && presence !== undefined) return { server: 'site', url, release: () => presence.end() };
      // The other process is starting or stopping.
      if (Date.now() > deadline)
        throw new StartError(`${error.message}, but its database does not answer; try again`, 'in-use');
      await wait(100);
    }
  }
}

/** Undefined on a file system without locks, which a site with DATABASE_URL may use. @throws StartError when it is in use */
async function lockIfPossible(dataDir: string): Promise<DataDirLock | undefined> {
  try {
    return await lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof StartError) || error.reason !== 'in-use') return undefined;
    throw new StartError(`${error.message}; stop it first, or name another DATA_DIR`, 'in-use');
  }
}

async function refuseWhileInUse({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ sessions: number }>(
    `select count(*)::int as sessions from pg_stat_activity
     where datname = current_database() and application_name = 'sotto changes' and pid <> pg_backend_pid()`,
  );
  if ((rows[0]?.sessions ?? 0) > 0) throw new StartError('a site is running on this database; stop it first', 'in-use');
}

async function bringUpToDate(database: Database, server: Reached['server'], create: boolean): Promise<void> {
  const { applied, pending, unknown } = await readSchemaState(database.pool);
  if (pending.length === 0) return;
  if (unknown > 0) throw new StartError(foreignSchema);
  if (applied.length === 0 && !create) throw new StartError('there is no site in this database yet; start it once');
  // A migration can disturb running sites: the operator chooses its moment.
  if (applied.length > 0 && server !== 'own')
    throw new StartError('the database is of an earlier Sotto; run npm run sotto -- migrate first');
  await migrateDatabase(database);
}

/** Advisory lock: shared while a command uses another's server, exclusive before the owner stops it. */
const presenceLock = 7_150_686;

/** @returns undefined when the server is about to be stopped */
async function announcePresence(url: string): Promise<pg.Client | undefined> {
  let client: pg.Client | undefined;
  try {
    client = await openCommandClient(url, 'command');
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock_shared($1) as held', [
      presenceLock,
    ]);
    if (rows[0]?.held === true) return client;
  } catch {
    // The server stopped after it was found.
  }
  await client?.end().catch(() => undefined);
  return undefined;
}

/** Waits for other commands that use the server started by this one. */
async function stopWhenUnused(server: EmbeddedServer, note: (line: string) => void): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = await openCommandClient(server.url, 'command');
    for (let tries = 0; ; tries += 1) {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [presenceLock]);
      if (rows[0]?.held === true) break;
      if (tries === 0) note('Another command still uses the database; waiting for it to end');
      await wait(100);
    }
  } finally {
    // The lock is held until the server has stopped, so that no other command starts to use it.
    await server.stop();
    await client?.end().catch(() => undefined);
  }
}
