import { Hono } from 'hono';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepFormerAssets } from '../../../scripts/former-builds.mjs';
import { serveAssets } from './assets.ts';

const dir = await mkdtemp(join(tmpdir(), 'sotto-assets-'));
await mkdir(join(dir, 'assets'));
await mkdir(join(dir, 'former'));
await writeFile(join(dir, 'assets', 'app.js'), 'hush');
await writeFile(join(dir, 'assets', 'app.js.gz'), 'packed');
await writeFile(join(dir, 'assets', 'app.js.br'), 'more');
await writeFile(join(dir, 'secret'), 'no');
afterAll(() => rm(dir, { recursive: true }));
const app = new Hono();
serveAssets({ dir, formerDir: join(dir, 'former') })(app);

test('built files accept only reads', async () => {
  expect(await (await app.request('/assets/app.js')).text()).toBe('hush');
});

test('a built file answers 304 to its ETag, and is compressed as the weights prefer', async () => {
  const ask = (headers: Record<string, string>) => app.request('/assets/app.js', { headers });
  const etag = (await ask({})).headers.get('etag') ?? '';
  for (const known of [etag, `"other", W/${etag}`, '*']) {
    const { status, body } = await ask({ 'if-none-match': known });
    expect([known, status, body]).toEqual([known, 304, null]);
  }
  expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  const packed = await ask({ 'accept-encoding': 'br;q=0, gzip;q=0.8' });
  expect([packed.headers.get('content-encoding'), await packed.text()]).toEqual(['gzip', 'packed']);
  expect(packed.headers.get('etag')).not.toBe(etag);
  const forBrowser = await ask({ 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect([forBrowser.headers.get('content-encoding'), await forBrowser.text()]).toEqual(['br', 'more']);
});

test.each(['POST', 'PUT', 'DELETE'])('%s on one is refused with what is allowed', async (method) => {
  const answer = await app.request('/assets/app.js', { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});

test.each([
  '/assets/',
  '/assets/nope.js',
  '/assets/..%2fsecret',
  '/assets/%2e%2e%2fsecret',
  '/assets/%00',
  '/assets/%',
])('%s names no file', async (path) => {
  expect((await app.request(path)).status).toBe(404);
});

test('a new build keeps earlier files for open tabs, until they are too old or too many', async () => {
  const [assets, former] = [join(dir, 'assets'), join(dir, 'former', 'assets')];
  const build = async (name: string) => {
    keepFormerAssets(assets, former, { age: 60_000, files: 2 });
    await rm(assets, { recursive: true });
    await mkdir(assets);
    await writeFile(join(assets, name), name);
  };
  for (const packed of ['app.js.br', 'app.js.gz']) await rm(join(assets, packed));
  await build('page-1.js');
  await build('page-2.js');
  for (const [name, text] of [
    ['app.js', 'hush'],
    ['page-1.js', 'page-1.js'],
    ['page-2.js', 'page-2.js'],
  ] as const) {
    const answer = await app.request(`/assets/${name}`);
    expect(await answer.text()).toBe(text);
  }
  expect((await app.request('/assets/..%2f..%2fsecret')).status).toBe(404);

  await utimes(join(former, 'app.js'), new Date(0), new Date(0));
  await build('page-3.js');
  expect((await readdir(former)).toSorted()).toEqual(['page-1.js', 'page-2.js']);
  await build('page-4.js');
  expect(await readdir(former)).toHaveLength(2);
  expect(await readdir(former)).toContain('page-3.js');
});
