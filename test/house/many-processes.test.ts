/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory } from '#test/support/factories.ts';
import { testSecret } from '#test/support/identity.ts';
import { hasPgBouncer, startPgBouncer } from '#test/support/servers/pgbouncer.ts';
import { readLine, root, stopProcess } from '../../bench/site-process.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

type Site = { url: string; child: ChildProcess };

const { db, url } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-processes-'));
const children: ChildProcess[] = [];
let sites: [Site, Site, Site];
let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined;

function spawnSite(settings: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      DEMO: 'false',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SECRET: testSecret,
      DRAIN_SECONDS: '1',
      SHUTDOWN_SECONDS: '2',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

async function startSite(settings: Record<string, string> = {}): Promise<Site> {
  const child = spawnSite(settings);
  return { child, url: await readLine(child, /Sotto is ready at (\S+)/) };
}

beforeAll(async () => {
  // As a process of an earlier day left it.
  await mkdir(join(dataDir, 'cache', 'images-9'), { recursive: true });
  if (hasPgBouncer) bouncer = await startPgBouncer(url);
  const pooled = bouncer && { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: url };
  sites = await Promise.all([startSite(pooled), startSite({ DATABASE_READ_URL: url }), startSite()]);
});

afterAll(async () => {
  await Promise.all(children.map((child) => stopProcess(child)));
  await bouncer?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const readyOf = async (site: Site) => (await fetch(`${site.url}/readyz`)).status;

test('all become ready, and a change reaches the answers that each of them keeps', async () => {
  for (const site of sites) await expect.poll(() => readyOf(site), { timeout: 10_000 }).toBe(200);
  const count = async (site: Site) =>
    ((await (await fetch(`${site.url}/v1/api/categories`)).json()) as { items: unknown[] }).items.length;
  expect(await Promise.all(sites.map(count))).toEqual([0, 0, 0]);
  const { rows } = await db.execute(sql`select from pg_stat_activity where application_name = 'sotto reads'`);
  expect(rows.length).toBeGreaterThan(0);
  await createCategory(db);
  // Responses stay cached for 8 s without a notification.
  await expect.poll(() => Promise.all(sites.map(count)), { timeout: 3000, interval: 50 }).toEqual([1, 1, 1]);
});

test('each finds a published audio within a second, its new name too, and not what was deleted', async () => {
  const titles = async (site: Site, term: string) => {
    const answer = await fetch(`${site.url}/v1/api/search?query=${term}`);
    const { audios } = (await answer.json()) as { audios: { hits: { title: string }[] } };
    return audios.hits.map(({ title }) => title).join();
  };
  const expectEverywhere = (term: string, found: string) =>
    expect
      .poll(() => Promise.all(sites.map((site) => titles(site, term))), { timeout: 1000, interval: 20 })
      .toEqual(sites.map(() => found));
  const { id } = await createAudio(db, { title: 'Kestrel', publishedAt: null });
  await expectEverywhere('kestrel', '');
  await db.execute(sql`update audios set published_at = now() where id = ${id}`);
  await expectEverywhere('kestrel', 'Kestrel');
  await db.execute(sql`update audios set title = 'Harrier' where id = ${id}`);
  await expectEverywhere('harrier', 'Harrier');
  await db.execute(sql`delete from audios where id = ${id}`);
  await expectEverywhere('harrier', '');
});

test('each keeps scaled images in a folder of its own, and folders of processes that are gone go', async () => {
  const folders = await readdir(join(dataDir, 'cache'));
  expect(folders.filter((name) => !name.endsWith('.lock')).toSorted()).toEqual(['images', 'images-2', 'images-3']);
});

test('a process with another secret ends with one line', async () => {
  const child = spawnSite({ SECRET: `${testSecret}, but another` });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const [errorText, code] = await Promise.all([child.stderr === null ? '' : text(child.stderr), ended]);
  expect([code, errorText]).toEqual([
    1,
    expect.stringMatching(/^[^\n]*Sotto cannot start: SECRET differs [^\n]*changed secret[^\n]*\n$/),
  ]);
});

test('a process that stops answers on until it is taken out, lets a sound end, and cuts what takes too long', async () => {
  const [site] = sites;
  const bytes = 40_000_000;
  const blobs = openDiskBlobs({ dir: join(dataDir, 'blobs') });
  await blobs.write('audio/long.mp3', new Uint8Array(bytes));
  const { id } = await createAudio(db, { fileKey: 'audio/long.mp3', fileBytes: bytes, isFree: true });
  // Its headers have arrived; the rest waits for a reader.
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) =>
      request(`${site.url}/media/audios/${id}`, { agent: false }, resolve).on('error', reject).end(),
    );
  const [heard, forgotten] = await Promise.all([open(), open()]);
  expect([heard.statusCode, forgotten.statusCode]).toEqual([200, 200]);

  const began = performance.now();
  const ended = new Promise<number | null>((resolve) => site.child.once('exit', resolve));
  site.child.kill('SIGTERM');
  await expect.poll(() => readyOf(site), { interval: 5 }).toBe(503);
  const answer = await fetch(`${site.url}/v1/api/audios`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(await readyOf(sites[1])).toBe(200);

  // The drain has ended.
  await expect.poll(() => readyOf(site).catch(() => 'refused'), { timeout: 3000, interval: 20 }).toBe('refused');
  expect(performance.now() - began).toBeGreaterThan(900);
  let received = 0;
  for await (const chunk of heard) received += (chunk as Buffer).length;
  expect(received).toBe(bytes);
  forgotten.on('error', () => undefined);
  expect(await ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(8000);
});
