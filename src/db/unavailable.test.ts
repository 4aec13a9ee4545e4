/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { dropDatabase } from '#test/support/servers/drop-database.ts';
import { type DatabaseProxy, openDatabaseProxy } from '#test/support/servers/database-proxy.ts';
import { testSecret } from '#test/support/identity.ts';
import { readLine, root, stopProcess } from '../../bench/site-process.ts';
import { openDatabase } from './database.ts';
import { outageOf } from '#domain/kernel/database/outages.ts';

vi.setConfig({ testTimeout: 60_000 });

const server = inject('databaseUrl');
const name = `test_${randomBytes(6).toString('hex')}`;
const admin = new pg.Client({ connectionString: server });

let proxy: DatabaseProxy;
let site: { url: string; child: ChildProcess; log: string[]; dataDir: string };
let paths: string[];

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${name} template sotto_template`);
  const direct = new URL(server);
  direct.pathname = `/${name}`;
  proxy = await openDatabaseProxy(direct.href);
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-outage-'));
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: proxy.url,
      SECRET: testSecret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const log: string[] = [];
  child.stdout.on('data', (bytes: Buffer) => log.push(...bytes.toString().split('\n').filter(Boolean)));
  site = { url: await readLine(child, /Sotto is ready at (\S+)/), child, log, dataDir };
  const audios = (await (await fetch(`${site.url}/v1/api/audios`)).json()) as {
    items: { id: string; isFree: boolean }[];
  };
  const id = audios.items.find(({ isFree }) => isFree)?.id;
  // A new word in each request avoids the caches.
  paths = ['/search?search=', '/audios.data?tag=', '/v1/api/audios?tag=', `/media/audios/${id}?`];
});

afterAll(async () => {
  await stopProcess(site.child);
  await proxy.close();
  await dropDatabase(admin, name);
  await admin.end();
  await rm(site.dataDir, { recursive: true, force: true });
});

const startedAt = performance.now();
let asked = 0;

async function askAll(): Promise<Response[]> {
  asked += 1;
  return Promise.all(paths.map((path) => fetch(`${site.url}${path}w${asked}`)));
}

async function statusesOf(answers: Response[]): Promise<number[]> {
  return Promise.all(answers.map(async (answer) => (await answer.arrayBuffer(), answer.status)));
}

async function ready(): Promise<number> {
  return (await fetch(`${site.url}/readyz`)).status;
}

const patience = { timeout: 15_000, interval: 20 };

async function expectAllWell(): Promise<void> {
  await vi.waitFor(async () => {
    expect([await ready(), ...(await statusesOf(await askAll()))]).toEqual([200, 200, 200, 200, 200]);
  }, patience);
}

/** Requests that wait for a lock, so that their queries are in progress. */
async function askWhileLocked(meanwhile: () => unknown): Promise<number[]> {
  const direct = new URL(server);
  direct.pathname = `/${name}`;
  const locker = new pg.Client({ connectionString: direct.href });
  await locker.connect();
  try {
    await locker.query('begin');
    await locker.query('lock table audios, tags in access exclusive mode');
    const answers = askAll();
    await vi.waitFor(async () => {
      const { rows } = await admin.query(
        `select pid from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
        [name],
      );
      expect(rows.length).toBeGreaterThanOrEqual(paths.length);
    }, patience);
    await meanwhile();
    return await statusesOf(await answers);
  } finally {
    await locker.end();
  }
}

test('a refused connection is reported at once, in the format of each entry point', async () => {
  await expectAllWell();
  await proxy.set('refuse');
  const began = performance.now();
  const [page, data, call, media] = await askAll();
  expect(performance.now() - began).toBeLessThan(2500);
  for (const answer of [page, data, call, media]) {
    expect(answer?.status).toBe(503);
    expect(answer?.headers.get('retry-after')).toBe('5');
  }
  expect(await page?.text()).toContain('Something went wrong');
  const own = await fetch(`${site.url}/account`, { headers: { cookie: `sotto_session=${'a'.repeat(43)}` } });
  expect([own.status, own.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await own.text()).toContain('Something went wrong');
  expect(data?.headers.get('x-remix-response')).toBe('yes');
  expect(await call?.json()).toMatchObject({ error: { code: 'server/unavailable' } });
  expect(await media?.json()).toMatchObject({ error: { code: 'server/unavailable' } });
  expect(await ready()).toBe(503);
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);

  await proxy.set('pass');
  await expectAllWell();
});

test('a database that accepts connections but does not answer is given three seconds', async () => {
  proxy.cut();
  await proxy.set('hold');
  const began = performance.now();
  expect(await statusesOf(await askAll())).toEqual([503, 503, 503, 503]);
  expect(performance.now() - began).toBeLessThan(8000);
  await proxy.set('pass');
  await expectAllWell();
});

test('a connection that is cut or closed by the server during a query', async () => {
  expect(await askWhileLocked(() => proxy.cut())).toEqual([503, 503, 503, 503]);
  await expectAllWell();
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'sotto'`;
  expect(await askWhileLocked(() => admin.query(end, [name]))).toEqual([503, 503, 503, 503]);
  await expectAllWell();
});

test('a database that is dropped, recreated empty, and restored', async () => {
  await dropDatabase(admin, name);
  expect(await statusesOf(await askAll())).toEqual([503, 503, 503, 503]);
  await admin.query(`create database ${name}`);
  expect(await statusesOf(await askAll())).toEqual([503, 503, 503, 503]);
  expect(await ready()).toBe(503);
  await dropDatabase(admin, name);
  await admin.query(`create database ${name} template sotto_template`);
  await vi.waitFor(async () => expect(await ready()).toBe(200), patience);
  // The catalogue was not in the template.
  expect(await statusesOf(await askAll())).toEqual([200, 200, 200, 404]);
});

test('all of that writes few log lines', () => {
  const away = site.log.filter((line) => line.includes('The database is away'));
  expect(away.length).toBeGreaterThan(0);
  expect(away.length).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 30_000);
  const others = site.log.filter((line) => /"level":[56]0/.test(line));
  expect(others).toEqual(away);
  expect(site.log.filter((line) => !line.includes('slow request')).length).toBeLessThan(20);
});

test('a transaction that loses its connection at `begin` frees its slot in the pool', async () => {
  const own = await openDatabaseProxy(server);
  const { db, close } = openDatabase({ url: own.url, poolSize: 1 });
  await db.execute('select 1');
  await own.set('hold');
  const begun = db.transaction((tx) => tx.execute('select 1'));
  await own.set('refuse');
  expect(outageOf(await begun.catch((error: unknown) => error))).toBe('away');
  await own.set('pass');
  expect((await db.transaction((tx) => tx.execute('select 1 as one'))).rows).toEqual([{ one: 1 }]);
  await close();
  await own.close();
});

test('a statement that runs into its time limit', async () => {
  const { db, close } = openDatabase({ url: server, poolSize: 1 });
  const slow = db.transaction(async (tx) => {
    await tx.execute(`set local statement_timeout = '20ms'`);
    await tx.execute('select pg_sleep(5)');
  });
  expect(outageOf(await slow.catch((error: unknown) => error))).toBe('too-slow');
  await close();
});

test('a statement that is canceled, or that others keep waiting, is not one that runs into its limit', async () => {
  const { db, pool, close } = openDatabase({ url: server, poolSize: 2 });
  const canceled = db.execute(`select pg_sleep(5) as canceled`).catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rowCount } = await pool.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where query = 'select pg_sleep(5) as canceled'`,
      );
      return rowCount;
    })
    .toBe(1);
  expect(outageOf(await canceled)).toBe('busy');
  const waiting = db.transaction(async (tx) => {
    await tx.execute(`select pg_advisory_xact_lock(1)`);
    return db.transaction(async (other) => {
      await other.execute(`set local lock_timeout = '20ms'`);
      await other.execute(`select pg_advisory_xact_lock(1)`);
    });
  });
  expect(outageOf(await waiting.catch((error: unknown) => error))).toBe('busy');
  await close();
});
