/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { chooseAccount, spawnFor } from './account.ts';
import { findBinaries } from './binaries.ts';
import { clusterName, processesOf, readServerStatus } from './processes.ts';
import { findRunningServer } from './server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const siteProgram = fileURLToPath(new URL('./server.test-site.ts', import.meta.url));
type PrintedLine = {
  url?: string;
  failed?: string;
  reason?: string;
  info?: string;
  warn?: string;
  lost?: string;
  interrupted?: boolean;
};
type Site = {
  pid: number;
  child: ChildProcess;
  printed: PrintedLine[];
  next(key: keyof PrintedLine): Promise<string>;
  exit: Promise<number | null>;
};

let scratch: string;
/** A data folder after its first start and stop, copied by the tests that are not about the first start. */
let startedBefore: string;
const sites: Site[] = [];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sotto-server-'));
  chmodSync(scratch, 0o755);
  startedBefore = join(scratch, 'started-before');
  const site = launchSite(startedBefore);
  await site.next('url');
  await stop(site);
});

afterEach(async () => {
  for (const { child, exit } of sites.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
  for (const name of readdirSync(scratch)) {
    const directory = join(scratch, name, 'postgres');
    if (!existsSync(directory)) continue;
    await vi.waitFor(() => {
      for (const pid of processesOf(clusterName(directory)) ?? []) process.kill(pid, 'SIGKILL');
      expect(processesOf(clusterName(directory))).toEqual([]);
    });
  }
});

afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

test('a first start makes a durable UTF-8 database that only the password opens', async () => {
  const dataDir = freshDir();
  const site = launchSite(dataDir);
  const url = await site.next('url');

  const [settings] = await query(
    url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('data_checksums') as checksums,
       current_setting('server_encoding') as encoding, current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets,
       (select rolsuper from pg_roles where rolname = current_user) as superuser`,
  );
  expect(settings).toEqual({
    fsync: 'on',
    commit: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    listens: '127.0.0.1',
    sockets: '',
    superuser: false,
  });
  const [words] = await query(
    url,
    `select to_tsvector('simple', '“Ångström” moon—light') @@ to_tsquery('simple', 'ångström & light') as found`,
  );
  expect(words).toEqual({ found: true });
  await query(url, 'create extension pg_trgm; create extension intarray; create extension unaccent');
  const guess = new URL(url);
  guess.password = 'guess';
  await expect(query(guess.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
});

test('data written before a stop is there after the next start, and nothing runs in between', async () => {
  const dataDir = copyOfStarted();
  const first = launchSite(dataDir);
  await query(await first.next('url'), `create table letters as select 'kept' as text`);
  await stop(first);
  expect(processesOf(clusterName(join(dataDir, 'postgres')))).toEqual([]);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);

  const second = launchSite(dataDir);
  expect(await query(await second.next('url'), 'select text from letters')).toEqual([{ text: 'kept' }]);
});

test('kill -9 of the site loses nothing, and the next start takes over from the server that was left', async () => {
  const dataDir = copyOfStarted();
  const first = launchSite(dataDir);
  const url = await first.next('url');
  await query(url, `create table letters as select 'kept' as text`);
  const left = readServerStatus(join(dataDir, 'postgres'))?.pid;
  first.child.kill('SIGKILL');
  await first.exit;
  expect(await query(url, 'select text from letters')).toEqual([{ text: 'kept' }]);

  const second = launchSite(dataDir);
  expect(await query(await second.next('url'), 'select text from letters')).toEqual([{ text: 'kept' }]);
  const running = readServerStatus(join(dataDir, 'postgres'))?.pid;
  expect(running).not.toBe(left);
  expect(processesOf(clusterName(join(dataDir, 'postgres')))).not.toContain(left);
});

test('kill -9 of the site and its server loses nothing, also while a query is running', async () => {
  const dataDir = copyOfStarted();
  const first = launchSite(dataDir);
  const url = await first.next('url');
  await query(url, `create table letters as select 'kept' as text`);
  const busy = query(url, 'select count(*) from generate_series(1, 1e9)').catch((error: Error) => error);
  await vi.waitFor(async () => {
    expect(
      await query(url, `select pid from pg_stat_activity where query like 'select count%' and state = 'active'`),
    ).toHaveLength(1);
  });
  const server = readServerStatus(join(dataDir, 'postgres'))?.pid;
  first.child.kill('SIGKILL');
  process.kill(Number(server), 'SIGKILL');
  await first.exit;

  const second = launchSite(dataDir);
  expect(await query(await second.next('url'), 'select text from letters')).toEqual([{ text: 'kept' }]);
  expect(await busy).toBeInstanceOf(Error);
});

test('a stale postmaster.pid with the process id of another program does not block the start', async () => {
  const dataDir = copyOfStarted();
  const first = launchSite(dataDir);
  await first.next('url');
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const server = Number(readServerStatus(join(dataDir, 'postgres'))?.pid);
  const stale = readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid));
  first.child.kill('SIGKILL');
  process.kill(server, 'SIGKILL');
  await first.exit;
  await vi.waitFor(() => expect(processesOf(clusterName(join(dataDir, 'postgres')))).toEqual([]), { timeout: 20_000 });
  writeFileSync(pidFile, stale);

  const second = launchSite(dataDir);
  await second.next('url');
  expect(readServerStatus(join(dataDir, 'postgres'))?.pid).not.toBe(process.pid);
});

test('two concurrent first starts on one folder: one runs, and the other names it', async () => {
  const dataDir = freshDir();
  const both = [launchSite(dataDir), launchSite(dataDir)];
  await Promise.all(both.map((site) => Promise.any([site.next('url'), site.next('failed')])));
  const winners = both.filter(({ printed }) => printed.some((line) => line.url));
  const losers = both.filter(({ printed }) => printed.some((line) => line.failed));
  expect([winners.length, losers.length]).toEqual([1, 1]);
  expect(losers[0]?.printed).toEqual([
    { failed: `another Sotto (process ${winners[0]?.pid}) is already using ${dataDir}`, reason: 'in-use' },
  ]);
  expect(await losers[0]?.exit).toBe(1);
});

test('a second start leaves the running site alone, and a command finds its server', async () => {
  const dataDir = copyOfStarted();
  expect(await findRunningServer(dataDir)).toBeUndefined();
  const first = launchSite(dataDir);
  const url = await first.next('url');
  const second = launchSite(dataDir);
  expect(await second.next('failed')).toBe(`another Sotto (process ${first.pid}) is already using ${dataDir}`);
  expect(await second.exit).toBe(1);
  expect(await query(url, 'select 1 as answer')).toEqual([{ answer: 1 }]);
  expect(await findRunningServer(dataDir)).toBe(url);
});

test('a killed first start is repaired by the next one', async () => {
  const dataDir = freshDir();
  const first = launchSite(dataDir);
  const unfinished = await vi.waitUntil(
    () => existsSync(dataDir) && readdirSync(dataDir).find((name) => name.startsWith('postgres.new')),
    { timeout: 30_000, interval: 5 },
  );
  await vi.waitUntil(() => existsSync(join(dataDir, unfinished, 'PG_VERSION')), { timeout: 30_000, interval: 5 });
  first.child.kill('SIGKILL');
  await first.exit;
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

  const second = launchSite(dataDir);
  expect(await query(await second.next('url'), 'select 1 as answer')).toEqual([{ answer: 1 }]);
  await stop(second);
  const third = launchSite(dataDir);
  await third.next('url');
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
});

test('a server that dies is restarted once at the same address; the second time the site ends', async () => {
  const dataDir = copyOfStarted();
  const site = launchSite(dataDir);
  const url = await site.next('url');
  const first = Number(readServerStatus(join(dataDir, 'postgres'))?.pid);
  process.kill(first, 'SIGKILL');
  expect(await site.next('warn')).toContain('ended unexpectedly');
  await vi.waitFor(async () => expect(await query(url, 'select 1 as answer')).toEqual([{ answer: 1 }]), {
    timeout: 30_000,
  });

  const second = Number(readServerStatus(join(dataDir, 'postgres'))?.pid);
  expect(second).not.toBe(first);
  process.kill(second, 'SIGKILL');
  // The site may not have noticed the restart yet.
  expect(await site.next('lost')).toMatch(/for the second time|cannot be started again/);
  expect(await site.exit).toBe(1);
});

test('a server that dies after its folder was deleted ends the site in order', async () => {
  const dataDir = copyOfStarted();
  const site = launchSite(dataDir);
  await site.next('url');
  const pid = Number(readServerStatus(join(dataDir, 'postgres'))?.pid);
  // Stopped, so that it does not notice by itself.
  process.kill(pid, 'SIGSTOP');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  process.kill(pid, 'SIGKILL');
  expect(await site.next('lost')).toContain('cannot be started again');
  expect(await site.exit).toBe(1);
});

test("the terminal's Ctrl-C reaches the site but not its server", async () => {
  const site = launchSite(copyOfStarted());
  const client = new pg.Client({ connectionString: await site.next('url') });
  await client.connect();
  process.kill(-site.pid, 'SIGINT');
  await site.next('interrupted');
  expect((await client.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
  await client.end();
  await stop(site);
});

test('a site that exits without stopping its server takes the server down', async () => {
  const dataDir = copyOfStarted();
  const site = launchSite(dataDir);
  await site.next('url');
  const cluster = clusterName(join(dataDir, 'postgres'));
  expect(processesOf(cluster)).not.toEqual([]);
  site.child.kill('SIGUSR2');
  expect(await site.exit).toBe(3);
  await vi.waitFor(() => expect(processesOf(cluster)).toEqual([]), { timeout: 20_000 });
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('a lost password file is recreated', async () => {
  const dataDir = copyOfStarted();
  rmSync(join(dataDir, 'postgres.password'));
  const site = launchSite(dataDir);
  expect(await query(await site.next('url'), 'select current_user as name')).toEqual([{ name: 'sotto' }]);
});

test('a password file of another database is reported', async () => {
  const dataDir = copyOfStarted();
  writeFileSync(join(dataDir, 'postgres.password'), 'from-elsewhere\n', { mode: 0o600 });
  const site = launchSite(dataDir);
  expect(await site.next('failed')).toBe(
    `the password in ${dataDir}/postgres.password is not that of the database; delete this file and start again`,
  );
});

test('a folder that is not a database is reported and left alone', async () => {
  const dataDir = freshDir();
  mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres', 'note.txt'), 'mine');
  const site = launchSite(dataDir);
  expect(await site.next('failed')).toBe(`${dataDir}/postgres is not a database folder; move it away and start again`);
  expect(readFileSync(join(dataDir, 'postgres', 'note.txt'), 'utf8')).toBe('mine');
});

test('a server that was started by hand on the same folder is left alone', async () => {
  const dataDir = copyOfStarted();
  const earlier = launchSite(dataDir);
  await earlier.next('url');
  await stop(earlier);
  const directory = join(dataDir, 'postgres');
  const account = chooseAccount(findBinaries(), dataDir, statSync(directory).uid);
  const server = spawnFor(
    account,
    account.binaries.postgres,
    ['-D', directory, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${directory}`],
    { stdio: 'ignore' },
  );
  await vi.waitUntil(() => readServerStatus(directory)?.ready, { timeout: 30_000 });

  const site = launchSite(dataDir);
  expect(await site.next('failed')).toBe(
    `a PostgreSQL that Sotto did not start (process ${server.pid}) is using ${directory}; stop it and start again`,
  );
  expect(server.exitCode).toBeNull();
  server.kill('SIGINT');
  await new Promise((resolve) => server.once('exit', resolve));
});

test.runIf(process.getuid?.() === 0)('root can start below a folder that is closed to all others', async () => {
  const closed = join(scratch, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const site = launchSite(join(closed, 'data'));
  expect(await query(await site.next('url'), 'select 1 as answer')).toEqual([{ answer: 1 }]);
  await stop(site);
});

let folders = 0;

function freshDir(): string {
  return join(scratch, `data-${(folders += 1)}`);
}

function copyOfStarted(): string {
  const dataDir = freshDir();
  cpSync(startedBefore, dataDir, { recursive: true });
  return dataDir;
}

function launchSite(dataDir: string): Site {
  const child = spawn(process.execPath, [siteProgram, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const printed: PrintedLine[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => printed.push(JSON.parse(line) as PrintedLine));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const next = async (key: keyof PrintedLine): Promise<string> => {
    for (let ended = false; ;) {
      const value = printed.find((line) => line[key] !== undefined)?.[key];
      if (value !== undefined) return String(value);
      if (ended) throw new Error(`The site ended without saying "${key}": ${JSON.stringify(printed)}`);
      ended = await Promise.race([once(lines, 'line').then(() => false), exit.then(() => true)]);
    }
  };
  const site: Site = { pid: Number(child.pid), child, printed, next, exit };
  sites.push(site);
  return site;
}

async function stop(site: Site): Promise<void> {
  site.child.kill('SIGTERM');
  expect(await site.exit).toBe(0);
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
