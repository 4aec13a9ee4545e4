import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createFailures } from './errors.ts';
import { healthRoutes } from './health.ts';
import { createMetrics } from './metrics.ts';

const token = 'a-token-of-this-test';
const failures = createFailures({ log: pino({ level: 'silent' }), outageOf: () => undefined });
let obstacle: string | undefined;
const app = healthRoutes({
  checkReady: async () => {},
  findObstacle: () => obstacle,
  metricsReaders: { networks: ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32'], token },
  failures,
  metrics: createMetrics(),
});

const ask = (path: string, from: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers }, { incoming: { socket: { remoteAddress: from } } });

test.each([
  ['127.0.0.1', {}, 200],
  ['::1', {}, 200],
  ['::ffff:127.0.0.1', {}, 200],
  ['192.0.2.7', {}, 200],
  ['192.0.2.8', {}, 404],
  ['10.20.30.40', {}, 200],
  ['::ffff:10.20.30.40', {}, 200],
  ['2001:db8:1::5', {}, 200],
  ['2001:db9::5', {}, 404],
  // A proxy in that network forwards anyone's requests.
  ['10.20.30.40', { 'x-forwarded-for': '203.0.113.9' }, 404],
  ['203.0.113.9', { authorization: `Bearer ${token}` }, 200],
  ['10.20.30.40', { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${token}` }, 200],
  ['203.0.113.9', { authorization: `Bearer ${token}x` }, 404],
  ['203.0.113.9', { authorization: token }, 404],
])('metrics asked for by %s with %j answer %i', async (from, headers, status) => {
  expect((await ask('/metrics', from, headers)).status).toBe(status);
});

test('metrics are compressed for those who accept it', async () => {
  const plain = await ask('/metrics', '127.0.0.1');
  const packed = await ask('/metrics', '127.0.0.1', { 'accept-encoding': 'gzip' });
  expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([null, 'gzip']);
  expect(packed.headers.get('vary')).toBe('Accept-Encoding');
  const lines = gunzipSync(await packed.arrayBuffer())
    .toString()
    .split('\n');
  expect(lines).toContain('# TYPE sotto_http_requests_total counter');
  expect((await plain.text()).split('\n')).toContain('# TYPE sotto_http_requests_total counter');
});

test('without a token, an empty one gives no access', async () => {
  const closed = healthRoutes({
    checkReady: async () => {},
    metricsReaders: { networks: [], token: undefined },
    failures,
    metrics: createMetrics(),
  });
  const env = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
  for (const authorization of ['', 'Bearer ', 'Bearer undefined'])
    expect((await closed.request('/metrics', { headers: { authorization } }, env)).status).toBe(404);
});

test('a process that wants no requests is alive, and not ready', async () => {
  obstacle = 'This process is stopping.';
  const answer = await ask('/readyz', '127.0.0.1');
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { error: { code: 'server/unavailable', message: 'This process is stopping.' } },
  ]);
  expect((await ask('/healthz', '127.0.0.1')).status).toBe(200);
  obstacle = undefined;
  expect((await ask('/readyz', '127.0.0.1')).status).toBe(200);
});
