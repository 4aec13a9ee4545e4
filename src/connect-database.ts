import type { Logger } from 'pino';
import type { Config } from '#config';
import { claimDataDir, refuseForgottenDatabase } from '#db/data-dir-owner.ts';
import type { Database } from '#db/database.ts';
import { migrateDatabase, openDatabase } from '#db/database.ts';
import { shareDataDir } from '#db/embedded-lock.ts';
import { StartError, startEmbeddedServer } from '#db/embedded-server.ts';
import { findMissingRights } from '#db/rights.ts';
import { oncePer } from './log.ts';
import type { Shutdown } from './shutdown.ts';

/**
 * Connects to `DATABASE_URL` or to a server of its own, and brings the schema up to date.
 * @throws StartError if the database cannot be reached
 */
export async function connectDatabase(options: {
  config: Config;
  log: Logger;
  shutdown: Shutdown;
}): Promise<{ database: Database; databaseUrl: string }> {
  const { config, log, shutdown } = options;
  refuseForgottenDatabase(config);
  if (config.databaseUrl !== undefined) shutdown.closeAtEnd('data folder', await shareDataDir(config.dataDir));
  const databaseUrl = config.databaseUrl ?? (await startServer());
  const database = openDatabase({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    onError: oncePer(
      30_000,
      ({ message }) => shutdown.isClosing || log.warn({ message }, 'Idle database connections were lost'),
    ),
  });
  shutdown.closeAtEnd('database', () => database.close());
  await database.ping().catch((error: Error) => {
    throw new StartError(`the database cannot be reached: ${error.message}`);
  });
  await migrateDatabase(database).catch(async (error: unknown) => {
    const rights = await findMissingRights(database.pool).catch(() => undefined);
    throw rights === undefined ? error : new StartError(rights);
  });
  await claimDataDir(database.pool, config);
  return { database, databaseUrl };

  async function startServer(): Promise<string> {
    const server = await startEmbeddedServer({ dataDir: config.dataDir, log });
    shutdown.closeAtEnd('database server', () => server.stop());
    server.onExit((reason: string) => void shutdown.stop(1, reason));
    return server.url;
  }
}
