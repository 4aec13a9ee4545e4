import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Account, chooseAccount, doesNotRun, giveTo, spawnFor } from './account.ts';
import { findBinaries } from './binaries.ts';
import { endLeftovers } from './processes.ts';
import { StartError } from './start-error.ts';

/** A complete database folder, used only by this process. */
export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Finds the cluster in `dataDir` or creates it. Requires the folder's lock. @throws StartError */
export async function openCluster(dataDir: string, reportProgress: (message: string) => void) {
  const directory = join(dataDir, 'postgres');
  const owner = statSync(directory, { throwIfNoEntry: false })?.uid;
  const account = chooseAccount(findBinaries(), dataDir, owner);
  removeUnfinished(dataDir);

  const logDir = join(dataDir, 'logs', 'postgres');
  mkdirSync(logDir, { recursive: true });
  giveTo(account, logDir);

  const passwordFile = join(dataDir, 'postgres.password');
  const knownPassword = readPassword(passwordFile);
  const password = knownPassword ?? randomBytes(24).toString('base64url');
  const cluster = {
    account,
    /** PostgreSQL's own folder. */
    directory,
    logDir,
    /** Server output before its log opens; outside `logDir`, where only the database's user writes. */
    startLog: join(dataDir, 'logs', 'postgres-start.log'),
    /** Shared by the role `sotto`, which owns the database, and the superuser `postgres`. */
    password,
  };

  if (owner === undefined || readdirSync(directory).length === 0) {
    reportProgress('Making the database');
    // Written first: a database without its password is unusable.
    if (knownPassword === undefined) writePassword(passwordFile, password);
    await create(cluster, dataDir);
    return cluster;
  }
  if (!existsSync(join(directory, 'PG_VERSION')))
    throw new StartError(`${directory} is not a database folder; move it away and start again`);
  giveTo(account, directory);
  chmodSync(directory, 0o700); // PostgreSQL requires it; copied and restored folders often allow more.
  await endLeftovers(directory);
  if (knownPassword === undefined) {
    await runStatements(cluster, directory, [
      `ALTER ROLE postgres PASSWORD '${password}'`,
      `ALTER ROLE sotto PASSWORD '${password}'`,
    ]);
    writePassword(passwordFile, password);
  }
  return cluster;
}

const unfinishedPrefix = 'postgres.new-';

/** Each try has its own folder, so that an initdb left over from a killed one cannot write into ours. */
function removeUnfinished(dataDir: string): void {
  for (const entry of readdirSync(dataDir)) {
    if (!entry.startsWith(unfinishedPrefix)) continue;
    try {
      rmSync(join(dataDir, entry), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Its initdb is still running; the next start removes the folder.
    }
  }
}

/** Renamed into place when complete: an interrupted start leaves nothing that looks like a database. */
async function create(cluster: Cluster, dataDir: string): Promise<void> {
  const unfinished = mkdtempSync(join(dataDir, unfinishedPrefix));
  try {
    giveTo(cluster.account, unfinished);
    await initialise(cluster.account, unfinished);
    await runStatements(cluster, unfinished, [
      `ALTER ROLE postgres PASSWORD '${cluster.password}'`,
      `CREATE ROLE sotto LOGIN CREATEDB PASSWORD '${cluster.password}'`,
      'GRANT pg_monitor TO sotto',
      'CREATE DATABASE sotto OWNER sotto',
    ]);
    renameSync(unfinished, cluster.directory);
    syncToDisk(dataDir);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(account: Account, directory: string): Promise<void> {
  // Sort order and case do not depend on the machine; the locale only tells text search what a letter is.
  const characterTypes = ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'UTF-8', 'C'];
  for (const characterType of characterTypes) {
    const initdb = spawnFor(
      account,
      account.binaries.initdb,
      [
        `--pgdata=${directory}`,
        '--username=postgres',
        '--auth-host=scram-sha-256',
        '--auth-local=reject',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        `--lc-ctype=${characterType}`,
        '--text-search-config=simple',
        '--data-checksums',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], setup: true },
    );
    const { code, output } = await finish(initdb);
    if (code === 0) return;
    if (output.includes('invalid locale name')) continue;
    if (output.includes('could not look up effective user ID')) {
      throw new StartError(
        `PostgreSQL needs a name for the user with id ${process.getuid?.()}, which this system does not know; add it to /etc/passwd, start Sotto as another user or as root, or set DATABASE_URL`,
      );
    }
    const complaint = /(?:error|FATAL|PANIC):\s+(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
    throw new StartError(
      `the database could not be made in ${directory}: ${complaint || `initdb ended with code ${code}`}`,
    );
  }
  throw new StartError('the database could not be made: this system has no usable locale');
}

/** Runs statements on a stopped cluster, as its superuser; each on one line, without a semicolon. */
async function runStatements({ account }: Cluster, directory: string, statements: string[]): Promise<void> {
  const args = [
    '--single',
    '-D',
    directory,
    '-c',
    'logging_collector=off',
    '-c',
    'log_min_error_statement=panic',
    'postgres',
  ];
  const server = spawnFor(account, account.binaries.postgres, args, { stdio: ['pipe', 'pipe', 'pipe'], setup: true });
  server.stdin?.on('error', () => undefined); // The process exited early; its exit code and output say why.
  server.stdin?.end(`${statements.join(';\n')};\n`);
  const { code, output } = await finish(server);
  const complaint = /(?:ERROR|FATAL|PANIC):\s+(.*)/.exec(output)?.[1];
  if (code !== 0 || complaint !== undefined)
    throw new StartError(
      `the database in ${directory} could not be set up: ${complaint ?? `postgres ended with code ${code}`}`,
    );
}

async function finish(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  const { stdout, stderr } = child;
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(doesNotRun()));
    child.once('close', resolve);
  });
  const [code, out, complaints] = await Promise.all([exit, stdout ? text(stdout) : '', stderr ? text(stderr) : '']);
  return { code, output: `${out}\n${complaints}` };
}

function readPassword(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`cannot read ${file}; give it to the user that runs Sotto`);
  }
}

function writePassword(file: string, password: string): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${password}\n`, { mode: 0o600, flush: true });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
  syncToDisk(join(file, '..'));
}

/** A rename survives a power cut only once its folder is synced. */
function syncToDisk(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
