import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { copyBinaries } from './embedded-binaries.ts';
import type { Binaries } from './embedded-binaries.ts';
import { StartError } from './embedded-start-error.ts';

type User = { name: string; uid: number; gid: number };

/** As whom the database's programs run, and how they are started. */
export type Account = {
  /** Whom its files belong to, when that is not the user of the site: PostgreSQL refuses to run as root. */
  user: User | undefined;
  /** Command line that changes the user by itself, put in front of every program; empty for a plain start. */
  through: string[];
  /** The same for the programs that want a name for their user, as initdb does. */
  throughForSetup: string[];
  binaries: Binaries;
};

/**
 * Chooses who runs the database in `dataDir`, which must exist; `owner` is the user id of its database folder, if any.
 * @throws StartError when nobody can
 */
export function chooseAccount(binaries: Binaries, dataDir: string, owner: number | undefined): Account {
  const uid = process.getuid?.();
  if (uid === 0) return accountForRoot(binaries, dataDir, owner);
  if (uid !== undefined && owner !== undefined && owner !== uid) {
    throw new StartError(
      `the database in ${dataDir} belongs to the user with id ${owner}; start Sotto as that user or as root, or choose another DATA_DIR`,
    );
  }
  return { user: undefined, through: [], throughForSetup: borrowedName(), binaries };
}

function accountForRoot(binaries: Binaries, dataDir: string, owner: number | undefined): Account {
  const user = chooseUser(owner);
  if (user === undefined)
    throw new StartError(
      'PostgreSQL refuses to run as root, and this system has no other user; add one, or set DATABASE_URL',
    );
  const direct: Account = { user, through: [], throughForSetup: [], binaries };
  if (canRun(direct, dataDir)) return direct;
  // Below root's own closed folders it may come in by one right; the lesser is tried first.
  for (const capability of ['dac_read_search', 'dac_override']) {
    const through = setpriv(user, capability);
    const account: Account = { user, through, throughForSetup: through, binaries };
    if (canRun(account, dataDir)) return account;
  }
  if (!canEnter(direct, dataDir)) {
    throw new StartError(
      `PostgreSQL refuses to run as root, and the user ${user.name} may not enter ${dataDir}; choose a DATA_DIR outside closed folders, install setpriv (util-linux), or set DATABASE_URL`,
    );
  }
  const copied: Account = { ...direct, binaries: copyBinaries(binaries, dataDir) };
  if (canRun(copied, dataDir)) return copied;
  throw doesNotRun();
}

export function doesNotRun(): StartError {
  return new StartError(
    'the PostgreSQL that Sotto brings does not run on this system; set DATABASE_URL to a PostgreSQL of your own (15 or later)',
  );
}

function setpriv(user: User, capability: string): string[] {
  return [
    'setpriv',
    // Otherwise access(2), by which PostgreSQL looks for its own program, leaves the right out.
    '--securebits=+no_setuid_fixup',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
}

/** Whoever has the files already, else a service's user; a passwd entry is what initdb asks for. */
function chooseUser(owner: number | undefined): User | undefined {
  const users = readPasswd().filter(({ uid }) => uid > 0);
  const preferred = ['sotto', 'postgres', 'node', 'daemon', 'nobody'];
  return (
    users.find(({ uid }) => uid === owner) ??
    preferred.map((name) => users.find((user) => user.name === name)).find((user) => user !== undefined) ??
    users[0]
  );
}

function readPasswd(): User[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((fields) => fields.length >= 4)
      .map(([name, , uid, gid]) => ({ name: String(name), uid: Number(uid), gid: Number(gid) }));
  } catch {
    return [];
  }
}

/**
 * A user id without a name, as containers give it, fails in initdb. A user namespace in which it bears the name of
 * another one mends that; the files still come to belong to the real id.
 */
function borrowedName(): string[] {
  if (process.platform !== 'linux' || hasName()) return [];
  const other = readPasswd().find(({ uid }) => uid > 0);
  if (other === undefined) return [];
  const through = ['unshare', '--user', `--map-user=${other.uid}`, `--map-group=${other.gid}`];
  const [program = '', ...args] = [...through, '/bin/sh', '-c', ':'];
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? through : [];
}

/** Asks as initdb does, directory services included. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

function canEnter(account: Account, dataDir: string): boolean {
  return runProbe(account, 'cd "$1"', [dataDir]);
}

/** Tried rather than reckoned from modes: it sees access lists, noexec mounts and missing libraries as well. */
function canRun(account: Account, dataDir: string): boolean {
  return runProbe(account, 'cd "$1" && "$2" --version && "$3" --version', [
    dataDir,
    account.binaries.postgres,
    account.binaries.initdb,
  ]);
}

function runProbe(account: Account, script: string, args: string[]): boolean {
  const [program, rest, options] = commandLine(account, account.through, '/bin/sh', ['-c', script, 'sh', ...args]);
  return spawnSync(program, rest, { ...options, stdio: 'ignore' }).status === 0;
}

/** Starts one of the database's programs. It gets none of the site's environment, which holds the site's secrets. */
export function spawnFor(
  account: Account,
  file: string,
  args: string[],
  options: SpawnOptions & { setup?: boolean },
): ChildProcess {
  const { setup = false, ...rest } = options;
  const [program, allArgs, own] = commandLine(account, setup ? account.throughForSetup : account.through, file, args);
  return spawn(program, allArgs, { ...own, ...rest });
}

function commandLine(
  account: Account,
  through: string[],
  file: string,
  args: string[],
): [string, string[], SpawnOptions] {
  const [program = file, ...rest] = [...through, file, ...args];
  const { user } = account;
  const changesUser = user !== undefined && through.length === 0;
  return [
    program,
    rest,
    {
      cwd: '/',
      env: { PATH: process.env.PATH, TZ: 'UTC', LC_MESSAGES: 'C' },
      ...(changesUser && { uid: user.uid, gid: user.gid }),
    },
  ];
}

/** Makes the database's user the owner of `path` and all below it; the top comes last, so that it tells "done". */
export function giveTo(account: Account, path: string): void {
  const { user } = account;
  if (user === undefined) return;
  const entry = lstatSync(path);
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveTo(account, join(path, name));
  if (entry.uid === user.uid) return;
  try {
    lchownSync(path, user.uid, user.gid);
  } catch (error) {
    throw new StartError(
      `cannot give ${path} to the user ${user.name}, who runs the database (${(error as NodeJS.ErrnoException).code}); choose another DATA_DIR, or set DATABASE_URL`,
    );
  }
}
