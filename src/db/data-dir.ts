import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { StartError } from './embedded/start-error.ts';

const reasons: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'it cannot be created there',
  ENOSPC: 'the disk is full',
};

/**
 * Creates the data folder and checks that it is writable.
 * @returns its real path
 * @throws StartError
 */
export function openDataDir(dataDir: string): string {
  const unusable = (reason: string) => new StartError(`DATA_DIR ${dataDir} cannot be used: ${reason}`);
  try {
    makeFolder(dataDir);
    const path = realpathSync(dataDir);
    if (!statSync(path).isDirectory()) throw unusable('it is a file');
    if (path === parse(path).root) throw unusable('it is the root of the file system');
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unusable(reasons[code] ?? (code || message));
  }
}

/** Creates folders one by one: with `recursive`, Node retries forever below /proc, for example. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    // The database's user must pass through root's folder; the files in it have their own modes.
    mkdirSync(path, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    // Another starting process created it first. A dangling link fails when it is followed.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
