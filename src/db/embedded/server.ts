import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDir } from '../data-dir.ts';
import { openCluster } from './cluster.ts';
import { type Log, checkResponses, launchOnFreePort, urlOf } from './launch.ts';
import { lockDataDir } from './lock.ts';
import { readServerStatus } from './processes.ts';
import { StartError } from './start-error.ts';
import { supervise } from './supervisor.ts';

export { StartError };

export type EmbeddedServer = Awaited<ReturnType<typeof startEmbeddedServer>>;

export type EmbeddedServerOptions = {
  /** The site's data folder; created when missing. */
  dataDir: string;
  log: Log;
  /** False lets a power cut destroy the data: for tests. */
  isDurable?: boolean;
};

/**
 * Runs PostgreSQL as a child of the site on 127.0.0.1, with its data in `dataDir`/postgres, and restarts it once when
 * it exits.
 * @throws StartError
 */
export async function startEmbeddedServer({ dataDir, log, isDurable = true }: EmbeddedServerOptions) {
  const folder = openDataDir(dataDir);
  const lock = await lockDataDir(folder);
  try {
    const cluster = { ...(await openCluster(folder, (message) => log.info(message))), isDurable };
    const { child, port } = await launchOnFreePort(cluster, log);
    const supervisor = supervise({ cluster, child, port, log });
    let stopped: Promise<void> | undefined;
    return {
      /** URL of the database `sotto`; does not change while the site runs. */
      url: urlOf(cluster.password, port),
      /** Shuts the server down in order and releases the data folder. */
      stop(): Promise<void> {
        stopped ??= supervisor.stop().then(() => lock.release());
        return stopped;
      },
      /** Calls back once, with one line for the operator, when the database cannot be restarted: the site must exit. */
      onExit: (callback: (reason: string) => void) => supervisor.onGivenUp(callback),
    };
  } catch (error) {
    lock.release();
    if (error instanceof StartError) throw error;
    throw new StartError(`the database in ${dataDir} cannot be started: ${(error as Error).message}`);
  }
}

/**
 * URL of the server that another process runs for `dataDir`, for commands beside a running site.
 * @returns undefined while no server answers
 */
export async function findRunningServer(dataDir: string): Promise<string | undefined> {
  const status = readServerStatus(join(dataDir, 'postgres'));
  if (!status?.ready) return undefined;
  try {
    const url = urlOf(readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim(), status.port);
    await checkResponses(url);
    return url;
  } catch {
    return undefined;
  }
}
