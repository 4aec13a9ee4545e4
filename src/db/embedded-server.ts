import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { openDataDir } from './data-dir.ts';
import { doesNotRun, spawnFor } from './embedded-account.ts';
import { openCluster } from './embedded-cluster.ts';
import type { Cluster } from './embedded-cluster.ts';
import { lockDataDir } from './embedded-lock.ts';
import { clusterName, endLeftovers, readServerStatus } from './embedded-processes.ts';
import { StartError } from './embedded-start-error.ts';

export { StartError };

export type EmbeddedServer = {
  /** Of the database `sotto`; stays the same while the site runs. */
  url: string;
  /** Ends the server in order and gives the data folder free. */
  stop(): Promise<void>;
  /** Calls back once, with one line for the operator, when the database is gone for good: the site has to end. */
  onExit(callback: (reason: string) => void): void;
};

export type EmbeddedServerOptions = {
  /** Folder of all the site keeps; made when missing. */
  dataDir: string;
  log: { info(message: string): void; warn(message: string): void };
};

/**
 * Runs PostgreSQL as a child of the site on 127.0.0.1, with its data in `dataDir`/postgres.
 *
 * A server that ends by itself is started again, on the same port, so that an out-of-memory kill costs listeners a
 * moment; a second time within ten minutes something is wrong that a supervisor has to see, and `onExit` calls.
 * @throws StartError
 */
export async function startEmbeddedServer({ dataDir, log }: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const folder = openDataDir(dataDir);
  const lock = await lockDataDir(folder);
  try {
    const cluster = await openCluster(folder, (message) => log.info(message));
    const { child, port } = await launchOnFreePort(cluster, log);
    return supervise({ cluster, child, port, log, onStopped: () => lock.release() });
  } catch (error) {
    lock.release();
    if (error instanceof StartError) throw error;
    throw new StartError(`the database in ${dataDir} cannot be started: ${(error as Error).message}`);
  }
}

/**
 * Address of the server that another process runs for `dataDir`, for commands beside a running site.
 * @returns undefined while there is none that answers
 */
export async function findRunningServer(dataDir: string): Promise<string | undefined> {
  const status = readServerStatus(join(dataDir, 'postgres'));
  if (!status?.ready) return undefined;
  try {
    const url = urlOf(readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim(), status.port);
    await checkAnswers(url);
    return url;
  } catch {
    return undefined;
  }
}

type Supervised = {
  cluster: Cluster;
  child: ChildProcess;
  port: number;
  log: EmbeddedServerOptions['log'];
  onStopped: () => void;
};

function supervise({ cluster, child: firstChild, port, log, onStopped }: Supervised): EmbeddedServer {
  const restartWindow = 10 * 60 * 1000;
  let child = firstChild;
  let stopped: Promise<void> | undefined;
  let restarted = -Infinity;
  let restarting: Promise<void> = Promise.resolve();
  let lost: string | undefined;
  const callbacks: ((reason: string) => void)[] = [];

  const giveUp = (reason: string) => {
    if (stopped) return;
    lost = reason;
    for (const callback of callbacks.splice(0)) callback(reason);
  };
  const watch = () => {
    child.once('exit', (code, signal) => {
      if (stopped) return;
      const what = `the database server ended unexpectedly (${signal ?? `code ${code}`})`;
      if (performance.now() - restarted < restartWindow)
        return giveUp(`${what} for the second time; see ${cluster.logDir}`);
      log.warn(`${what}; starting it again`);
      restarted = performance.now();
      restarting = restart();
    });
  };
  const restart = async () => {
    try {
      await endLeftovers(cluster.directory);
      child = await launch(cluster, port, log);
      watch();
    } catch (error) {
      giveUp(`the database server ended and cannot be started again: ${(error as Error).message}`);
    }
  };
  watch();

  return {
    url: urlOf(cluster.password, port),
    stop: () => {
      stopped ??= restarting.then(async () => {
        await shutDown(cluster, child);
        onStopped();
      });
      return stopped;
    },
    onExit: (callback) => {
      if (lost === undefined) callbacks.push(callback);
      else callback(lost);
    },
  };
}

/** Fast shutdown: open transactions are rolled back, everything committed is on the disk. */
async function shutDown(cluster: Cluster, child: ChildProcess): Promise<void> {
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  const gone = new Promise<void>((resolve) => (isGone() ? resolve() : child.once('exit', () => resolve())));
  for (const [signal, milliseconds] of [
    ['SIGINT', 4000],
    ['SIGQUIT', 2500],
  ] as const) {
    if (isGone()) break;
    child.kill(signal);
    const patience = new AbortController();
    await Promise.race([gone, wait(milliseconds, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
  }
  await endLeftovers(cluster.directory);
}

async function launchOnFreePort(
  cluster: Cluster,
  log: EmbeddedServerOptions['log'],
): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { child: await launch(cluster, port, log), port };
    } catch (error) {
      // Another program may have taken the port in between.
      if (attempt === 5 || !/Address already in use|could not create any TCP/.test((error as Error).message))
        throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function settings(cluster: Cluster, port: number): string[] {
  const values = {
    cluster_name: clusterName(cluster.directory),
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: '64MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_connections: 100,
    max_wal_size: '512MB',
    // Read-ahead workers are three more processes, for a database that fits into memory.
    io_method: 'sync',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'on',
    log_directory: cluster.logDir,
    log_filename: 'postgres-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_checkpoints: 'off',
    // Details of an error quote values, and with them what belongs to a listener.
    log_error_verbosity: 'terse',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Starts the server in its own process group, out of reach of the terminal's Ctrl-C, and waits until it answers. */
async function launch(cluster: Cluster, port: number, log: EmbeddedServerOptions['log']): Promise<ChildProcess> {
  const { account, directory, logDir, startLog, password } = cluster;
  // A file and not a pipe: the server must not fail when the site that read the pipe is gone.
  const output = openSync(startLog, 'w', 0o600);
  const began = Date.now();
  const child = spawnFor(account, account.binaries.postgres, ['-D', directory, ...settings(cluster, port)], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  // A site that ends without stop() still asks its server to end; the next start would otherwise have to.
  const endWithSite = () => void child.kill('SIGINT');
  process.once('exit', endWithSite);
  child.once('exit', () => process.off('exit', endWithSite));
  let failed: StartError | undefined;
  child.once('error', () => (failed = doesNotRun()));
  child.once(
    'exit',
    () => (failed ??= new StartError(`the database in ${directory} does not start: ${findComplaint(cluster, began)}`)),
  );

  const patience = 10 * 60 * 1000;
  let said = false;
  for (;;) {
    if (failed) throw failed;
    const status = readServerStatus(directory);
    if (status?.ready && status.pid === child.pid) break;
    if (!said && Date.now() - began > 5000) {
      said = true;
      log.info('The database is recovering from an interruption; this can take a while');
    }
    if (Date.now() - began > patience) {
      child.kill('SIGINT');
      throw new StartError(`the database in ${directory} was not ready after ten minutes; see ${logDir}`);
    }
    await wait(5);
  }
  try {
    await checkAnswers(urlOf(password, port));
  } catch (error) {
    await shutDown(cluster, child);
    if ((error as { code?: string }).code === '28P01') {
      throw new StartError(
        `the password in ${directory}.password is not that of the database; delete this file and start again`,
      );
    }
    throw error;
  }
  if (failed) throw failed;
  return child;
}

async function checkAnswers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // A connection that breaks fails its query as well.
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf(password: string, port: number): string {
  return `postgres://sotto:${encodeURIComponent(password)}@127.0.0.1:${port}/sotto`;
}

/** The server's last word: what it wrote before its log was open, or the end of the log. */
function findComplaint({ logDir, startLog }: Cluster, since: number): string {
  const changed = readdirSync(logDir)
    .map((name) => join(logDir, name))
    .filter((path) => statSync(path).mtimeMs >= since);
  for (const path of [...changed, startLog]) {
    const complaint = readFileSync(path, 'utf8')
      .slice(-8000)
      .match(/(?<=(?:FATAL|PANIC|postgres): {1,2}).*/g)
      ?.at(-1);
    if (complaint) return complaint;
  }
  return `see ${logDir}`;
}
