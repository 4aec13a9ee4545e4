import { Hono } from 'hono';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serveAssets } from './assets.ts';

const dir = await mkdtemp(join(tmpdir(), 'sotto-assets-'));
await mkdir(join(dir, 'assets'));
await writeFile(join(dir, 'assets', 'app.js'), 'hush');
await writeFile(join(dir, 'secret'), 'no');
afterAll(() => rm(dir, { recursive: true }));
const app = new Hono();
serveAssets({ dir })(app);

test('built files are for reading', async () => {
  expect(await (await app.request('/assets/app.js')).text()).toBe('hush');
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
