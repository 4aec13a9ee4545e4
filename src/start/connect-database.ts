import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { openDataDir } from '#db/data-dir.ts';
import { claimDataDir, refuseForgottenDatabase } from '#db/data-dir-owner.ts';
import { type Database, findMissingLimits, openDatabase } from '#db/database.ts';
import { shareDataDir } from '#db/embedded/lock.ts';
import { StartError, startEmbeddedServer } from '#db/embedded/server.ts';
import { migrateDatabase, requireSchema } from '#db/migrate.ts';
import { findMissingRights } from '#db/rights.ts';
import { recordFingerprints } from '#db/fingerprints.ts';
import { lockStart } from '#db/session-lock.ts';
import { oncePer } from './log.ts';
import { openBlobs } from './open-blobs.ts';
import { checkDatabase } from './preflight.ts';
import type { Shutdown } from './shutdown.ts';
import { readSecret } from './site-secret.ts';

/**
 * Connects to `DATABASE_URL` or starts its own server, and updates the schema. A start that is refused for its settings
 * has written nothing.
 * @returns `databaseUrl` is PostgreSQL itself, never a pooler; `unlock` lets other processes start on this database
 * @throws StartError if the database cannot be reached
 */
export async function connectDatabase(options: {
  config: Config;
  log: Logger;
  shutdown: Shutdown;
}): Promise<{ database: Database; databaseUrl: string; unlock: () => Promise<void> }> {
  const { config, log, shutdown } = options;
  refuseForgottenDatabase(config);
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres')))
    await checkDatabase(config, { database: undefined, log });
  let releaseFolder = async () => {};
  // Registered first, so that it is released after the database is closed.
  shutdown.closeAtEnd('data folder', () => releaseFolder());
  const url = config.databaseUrl ?? (await startServer());
  const databaseUrl = config.databaseDirectUrl ?? url;
  const database = openDatabase({
    url,
    directUrl: databaseUrl,
    readUrl: config.databaseReadUrl,
    poolSize: config.databasePoolSize,
    onError: oncePer(
      30_000,
      ({ message }) => shutdown.isClosing || log.warn({ message }, 'Idle database connections were lost'),
    ),
  });
  shutdown.closeAtEnd('database', () => database.close());
  await database.ping().catch((error: Error) => {
    const { message } = error;
    if (message.includes('unsupported startup parameter'))
      throw new StartError(
        `DATABASE_URL is PgBouncer (${message}): set DATABASE_DIRECT_URL to the address of PostgreSQL itself`,
      );
    throw new StartError(`the database cannot be reached: ${message}`);
  });
  const { release } = await lockStart(databaseUrl, () =>
    log.info('Another process starts on this database; this one waits'),
  );
  shutdown.closeAtEnd('lock of the start', release);
  const storageId = await checkDatabase(config, { database, log });
  openDataDir(config.dataDir);
  if (config.databaseUrl !== undefined) releaseFolder = await shareDataDir(config.dataDir);
  if (config.migrateOnStart)
    await migrateDatabase(database).catch(async (error: unknown) => {
      const rights = await findMissingRights(database.pool).catch(() => undefined);
      throw rights === undefined ? error : new StartError(rights);
    });
  else await requireSchema(database);
  if (databaseUrl !== url) await adviseLimits(database);
  await claimDataDir(database.pool, config);
  // The embedded database has one process, whose secret and files are beside it.
  if (config.databaseUrl !== undefined)
    await recordFingerprints({
      db: database.primary,
      blobs: await openBlobs(config),
      secret: await readSecret(config),
      storageId,
    });
  return { database, databaseUrl, unlock: release };

  async function adviseLimits({ pool }: Database): Promise<void> {
    const statements = await findMissingLimits(pool);
    if (statements.length > 0)
      log.warn(
        `Statements have no time limit on the server, because PgBouncer passes none on; run once: ${statements.join('; ')}`,
      );
  }

  async function startServer(): Promise<string> {
    const server = await startEmbeddedServer({ dataDir: config.dataDir, log });
    shutdown.closeAtEnd('database server', () => server.stop());
    server.onExit((reason: string) => void shutdown.stop(1, reason));
    return server.url;
  }
}
