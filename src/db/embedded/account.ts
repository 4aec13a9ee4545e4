import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Binaries, copyBinaries } from './binaries.ts';
import { StartError } from './start-error.ts';

type User = { name: string; uid: number; gid: number };

/** The system user for the database's programs, and the command that starts them as this user. */
export type Account = {
  /** Owner of the database files when it is not the site's user: PostgreSQL refuses to run as root. */
  user: User | undefined;
  /** Command prefix that changes the user; empty for a plain start. */
  through: string[];
  /** The same for programs that need a user name, such as initdb. */
  throughForSetup: string[];
  binaries: Binaries;
};

/**
 * Chooses the system user for the database in `dataDir`, which must exist; `owner` is the user id of its database
 * folder, if any.
 * @throws StartError when no user can run it
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
  // One capability is enough to enter root's closed folders; the weaker one is tried first.
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
    // Otherwise access(2), which PostgreSQL uses to find its own program, ignores the capability.
    '--securebits=+no_setuid_fixup',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
}

/** The owner of existing files, else a service user; initdb needs a passwd entry. */
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
 * initdb fails for a user id without a name, common in containers. A user namespace maps it to a named one; the files
 * still belong to the real id.
 */
function borrowedName(): string[] {
  if (process.platform !== 'linux' || hasName()) return [];
  const other = readPasswd().find(({ uid }) => uid > 0);
  if (other === undefined) return [];
  const through = ['unshare', '--user', `--map-user=${other.uid}`, `--map-group=${other.gid}`];
  const [program = '', ...args] = [...through, '/bin/sh', '-c', ':'];
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? through : [];
}

/** Looks the name up like initdb does, including directory services. */
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

/** Runs the programs instead of checking modes, to cover access lists, noexec mounts and missing libraries too. */
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

/** Starts one of the database's programs without the site's environment, which holds secrets. */
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

/** Gives `path` and everything below to the database's user; the top folder last, to mark completion. */
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
