import { accessSync, constants, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from './start-error.ts';

export type DataDirLock = { release(): void };

const sqliteBusy = 5;
const sqliteIoError = 10;

/**
 * Locks the data folder for this process. The kernel releases the lock however the process ends, and it works between
 * containers that share the folder, where process ids differ.
 * @throws StartError with reason `in-use` when another process has it
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const pidFile = join(dataDir, 'sotto.pid');
  // Node has no flock, but it includes SQLite, whose write lock is one (fcntl). Closing any other handle of the file in
  // this process would drop the lock, so nothing else may open `sotto.lock`.
  const database = openLock(join(dataDir, 'sotto.lock'), dataDir);
  // A process that was just stopped may not have exited yet.
  const deadline = Date.now() + 1000;
  for (;;) {
    const code = beginExclusive(database);
    if (code === undefined) break;
    if (code === sqliteBusy && Date.now() < deadline) {
      await wait(20);
      continue;
    }
    database.close();
    if (code === sqliteBusy) {
      const holder = readHolder(pidFile);
      throw new StartError(
        `another Sotto${holder ? ` (process ${holder})` : ''} is already using ${dataDir}`,
        'in-use',
      );
    }
    if (code === sqliteIoError)
      throw new StartError(
        `${dataDir} is on a file system without locks; choose another DATA_DIR, or set DATABASE_URL`,
      );
    throw notWritable(dataDir);
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch {
    database.close();
    throw notWritable(dataDir);
  }
  return {
    release: () => {
      if (!database.isOpen) return;
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}

/**
 * Marks the data folder as used by a site whose database is elsewhere. Several such processes may share it, but not
 * with one that locks it. Does nothing on a file system without locks.
 * @returns releases the mark
 * @throws StartError with reason `in-use`
 */
export async function shareDataDir(dataDir: string): Promise<() => Promise<void>> {
  const database = openLock(join(dataDir, 'sotto.lock'), dataDir);
  try {
    // SQLite's read lock lasts as long as the transaction.
    database.exec(
      'PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 1000; BEGIN; SELECT count(*) FROM sqlite_schema',
    );
  } catch (error) {
    database.close();
    if (codeOf(error) === sqliteBusy) throw new StartError(`another Sotto is already using ${dataDir}`, 'in-use');
    return async () => {};
  }
  return async () => database.close();
}

/**
 * Locks a file for this process without waiting; the kernel releases it however the process ends.
 * @returns undefined when another process has it
 * @throws on a file system without locks, or without the right to write
 */
export function tryLockFile(path: string): DataDirLock | undefined {
  const database = new DatabaseSync(path);
  const code = beginExclusive(database);
  if (code === undefined) return { release: () => database.isOpen && database.close() };
  database.close();
  if (code === sqliteBusy) return undefined;
  throw new Error(`${path} cannot be locked (${code})`);
}

function openLock(path: string, dataDir: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path);
    // SQLite opens read-only files without an error and then locks nothing.
    accessSync(path, constants.W_OK);
    return database;
  } catch {
    throw notWritable(dataDir);
  }
}

/** @returns SQLite's primary result code of the attempt to lock */
function beginExclusive(database: DatabaseSync): number | undefined {
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): number {
  return Number((error as { errcode?: number }).errcode ?? 1) & 0xff;
}

function readHolder(pidFile: string): string | undefined {
  try {
    return /^\d+/.exec(readFileSync(pidFile, 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}

function notWritable(dataDir: string): StartError {
  return new StartError(
    `cannot write to ${dataDir}; give its files to the user that runs Sotto, or choose another DATA_DIR`,
  );
}
