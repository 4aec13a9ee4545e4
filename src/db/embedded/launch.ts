import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { callLimits } from '#gateways/call-limits.ts';
import { doesNotRun, spawnFor } from './account.ts';
import type { Cluster } from './cluster.ts';
import { clusterName, endLeftovers, readServerStatus } from './processes.ts';
import { StartError } from './start-error.ts';

/** Starts and stops the PostgreSQL process of a cluster. */

export type Log = { info(message: string): void; warn(message: string): void };

export type ServedCluster = Cluster & {
  /** False lets a power cut destroy the data: for tests. */
  isDurable: boolean;
};

export async function launchOnFreePort(
  cluster: ServedCluster,
  log: Log,
): Promise<{ child: ChildProcess; port: number }> {
  const maxAttempts = 5;
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { child: await launch(cluster, port, log), port };
    } catch (error) {
      // Another program may have taken the port in between.
      const isPortTaken = /Address already in use|could not create any TCP/.test((error as Error).message);
      if (!isPortTaken || attempt === maxAttempts) throw error;
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

/** Starts the server and waits until it answers. @throws StartError */
export async function launch(cluster: ServedCluster, port: number, log: Log): Promise<ChildProcess> {
  const { child, failure } = spawnServer(cluster, port);
  await waitUntilReady({ cluster, child, failure, log });
  try {
    await checkResponses(urlOf(cluster.password, port));
  } catch (error) {
    await shutDown(cluster, child);
    const wrongPassword = '28P01';
    if ((error as { code?: string }).code !== wrongPassword) throw error;
    throw new StartError(
      `the password in ${cluster.directory}.password is not that of the database; delete this file and start again`,
    );
  }
  throwIfAny(failure());
  return child;
}

/** Starts the server in its own process group, out of reach of the terminal's Ctrl-C. */
function spawnServer(cluster: ServedCluster, port: number) {
  const { account, directory, startLog } = cluster;
  const began = Date.now();
  // A file instead of a pipe: the server must survive the site that would read the pipe.
  const output = openSync(startLog, 'w', 0o600);
  const child = spawnFor(account, account.binaries.postgres, ['-D', directory, ...settings(cluster, port)], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  // A site that exits without stop() still asks its server to end; otherwise the next start would have to.
  const endWithSite = () => void child.kill('SIGINT');
  process.once('exit', endWithSite);

  let isUnrunnable = false;
  child.once('error', () => (isUnrunnable = true));
  child.once('exit', () => process.off('exit', endWithSite));
  return {
    child,
    /** Why the process exited or did not start; undefined while it runs. */
    failure(): StartError | undefined {
      if (isUnrunnable) return doesNotRun();
      if (!hasExited(child)) return undefined;
      return new StartError(`the database in ${directory} does not start: ${findComplaint(cluster, began)}`);
    },
  };
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

const longStartMs = 5000;
const maxStartMs = 10 * 60 * 1000;

async function waitUntilReady({
  cluster: { directory, logDir },
  child,
  failure,
  log,
}: ReturnType<typeof spawnServer> & { cluster: ServedCluster; log: Log }): Promise<void> {
  const began = Date.now();
  let isReported = false;
  for (;;) {
    throwIfAny(failure());
    const status = readServerStatus(directory);
    if (status?.ready && status.pid === child.pid) return;
    const elapsed = Date.now() - began;
    if (elapsed > longStartMs && !isReported) {
      isReported = true;
      log.info('The database is recovering from an interruption; this can take a while');
    }
    if (elapsed > maxStartMs) {
      child.kill('SIGINT');
      throw new StartError(`the database in ${directory} was not ready after ten minutes; see ${logDir}`);
    }
    await wait(5);
  }
}

function throwIfAny(error: Error | undefined): void {
  if (error !== undefined) throw error;
}

/** Server settings as command-line arguments, so that a changed default applies with the next start. */
function settings(cluster: ServedCluster, port: number): string[] {
  const durability = cluster.isDurable ? 'on' : 'off';
  const values = {
    cluster_name: clusterName(cluster.directory),
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
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
    // Error details quote values, which may be personal data.
    log_error_verbosity: 'terse',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The server's last error: from its output before its log opened, or from the end of the log. */
function findComplaint({ logDir, startLog }: Cluster, since: number): string {
  const logs = readdirSync(logDir)
    .map((name) => join(logDir, name))
    .filter((path) => statSync(path).mtimeMs >= since);
  for (const path of [...logs, startLog]) {
    const end = readFileSync(path, 'utf8').slice(-8000);
    const complaints = end.match(/(?<=(?:FATAL|PANIC|postgres): {1,2}).*/g);
    const last = complaints?.at(-1);
    if (last) return last;
  }
  return `see ${logDir}`;
}

/** Fast shutdown: open transactions are rolled back, everything committed is on the disk. */
export async function shutDown(cluster: Cluster, child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => (hasExited(child) ? resolve() : child.once('exit', () => resolve())));
  for (const [signal, milliseconds] of [
    ['SIGINT', 4000],
    ['SIGQUIT', 2500],
  ] as const) {
    if (hasExited(child)) break;
    child.kill(signal);
    const patience = new AbortController();
    await Promise.race([gone, wait(milliseconds, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
  }
  await endLeftovers(cluster.directory);
}

export async function checkResponses(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: callLimits.databaseStart.connectMs });
  client.on('error', () => undefined); // A broken connection also fails its query.
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function urlOf(password: string, port: number): string {
  return `postgres://sotto:${encodeURIComponent(password)}@127.0.0.1:${port}/sotto`;
}
