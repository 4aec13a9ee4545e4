import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/**
 * The name in the title of every process of one database folder. Derived from the inode, not the path, so that it
 * follows a moved folder and differs for a copied one.
 */
export function clusterName(databaseDir: string): string {
  const { dev, ino } = statSync(databaseDir, { bigint: true });
  return `sotto-${dev}-${ino}-db`;
}

/** Ids of the running PostgreSQL processes of this cluster; `undefined` when the system does not list processes. */
export function processesOf(cluster: string): number[] | undefined {
  return listCommands()
    ?.filter(([, command]) => isPostgres(command) && command.includes(cluster))
    .map(([pid]) => pid);
}

function isPostgres(command: string): boolean {
  return /^(?:[^\0]*\/)?postgres(?:[\0 ]|: )/.test(command);
}

/** Every process with its command line; a zombie has an empty one. */
function listCommands(): [number, string][] | undefined {
  if (process.platform !== 'linux') {
    try {
      const lines = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
      return lines.map((line) => [Number.parseInt(line, 10), line.trim().replace(/^\d+\s+/, '')]);
    } catch {
      return undefined;
    }
  }
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), readCommand(name)]);
  } catch {
    return undefined;
  }
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** Reads `postmaster.pid`: it survives a killed server, and its process id may belong to another program by now. */
export function readServerStatus(databaseDir: string) {
  try {
    const lines = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
}

/**
 * Ends processes that a killed site or server left in this folder, and removes a stale `postmaster.pid`, whose process
 * id PostgreSQL would take for a running server. Requires the folder's lock.
 * @throws StartError when they cannot be ended
 */
export async function endLeftovers(databaseDir: string): Promise<void> {
  const cluster = clusterName(databaseDir);
  const left = processesOf(cluster);
  if (left === undefined) return;
  const server = readServerStatus(databaseDir)?.pid;
  const hasServer = server !== undefined && left.includes(server);
  // Workers of a dead server exit by themselves, unless they are busy.
  const steps: [signal: NodeJS.Signals | undefined, seconds: number][] = hasServer
    ? [
        ['SIGINT', 10],
        ['SIGQUIT', 6],
        ['SIGKILL', 5],
      ]
    : [
        [undefined, 1],
        ['SIGQUIT', 3],
        ['SIGKILL', 5],
      ];
  for (const [signal, seconds] of steps) {
    const running = processesOf(cluster) ?? [];
    if (running.length === 0) break;
    const targets = hasServer && signal !== 'SIGKILL' ? [server] : running;
    if (signal !== undefined) for (const pid of targets) sendSignal(pid, signal);
    if (await ended(cluster, seconds * 1000)) break;
  }
  const stubborn = processesOf(cluster) ?? [];
  if (stubborn.length > 0) {
    throw new StartError(
      `an earlier database server of ${databaseDir} (process ${stubborn.join(', ')}) does not end; end it by hand and start again`,
    );
  }
  if (server !== undefined && isStartedByHand(server, databaseDir)) {
    throw new StartError(
      `a PostgreSQL that Sotto did not start (process ${server}) is using ${databaseDir}; stop it and start again`,
    );
  }
  rmSync(join(databaseDir, 'postmaster.pid'), { force: true });
}

/** Whether the process in `postmaster.pid` is a server of this folder that Sotto did not start. */
function isStartedByHand(pid: number, databaseDir: string): boolean {
  const command = listCommands()?.find(([id]) => id === pid)?.[1] ?? '';
  if (!isPostgres(command)) return false;
  if (command.includes(databaseDir)) return true;
  try {
    const theirs = statSync(`/proc/${pid}/cwd`);
    const ours = statSync(databaseDir);
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    return false;
  }
}

async function ended(cluster: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (processesOf(cluster)?.length === 0) return true;
    await wait(15);
  }
  return false;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just exited, or belongs to another user; the following wait reports that.
  }
}
