import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { clientAddress, createRateLimit } from './rate-limit.ts';

test('a client has a budget per minute for each call, across API versions', async () => {
  let now = 0;
  const limit = createRateLimit({ trustProxy: 1, now: () => now });
  const app = new Hono();
  app.all('*', (context) => context.text(limit(context, { perMinute: 2 }) ? 'yes' : 'no'));
  const ask = async (path: string, client: string) =>
    (await app.request(path, { headers: { 'x-forwarded-for': `claimed, ${client}` } })).text();
  expect(await ask('/v1/api/events', 'a')).toBe('yes');
  expect(await ask('/v2/api/events', 'a')).toBe('yes');
  expect(await ask('/v1/api/events', 'a')).toBe('no');
  expect(await ask('/v2/api/events', 'a')).toBe('no');
  expect(await ask('/v1/api/events', 'b')).toBe('yes');
  expect(await ask('/v1/api/other', 'a')).toBe('yes');
  now = 60_000;
  expect(await ask('/v2/api/events', 'a')).toBe('yes');
});

test('a whole /48 has at most the budget of eight households', async () => {
  const limit = createRateLimit({ trustProxy: 1, now: () => 0 });
  const app = new Hono();
  app.get('/own', (context) => context.text(limit(context, { perMinute: 2 }) ? 'yes' : 'no'));
  app.get('/of', (context) => context.text(limit(context, { perMinute: 2, kind: 'play' }) ? 'yes' : 'no'));
  for (const path of ['/own', '/of']) {
    const ask = async (network: number) =>
      (await app.request(path, { headers: { 'x-forwarded-for': `2001:db8:7:${network}::1` } })).text();
    for (let times = 0; times < 16; times += 1) expect(await ask(times % 8)).toBe('yes');
    expect(await ask(9)).toBe('no');
  }
});

test('full counters drop the client seen longest ago, not the count of everybody', async () => {
  const limit = createRateLimit({ trustProxy: 1, max: 10, now: () => 0 });
  const app = new Hono();
  app.get('/', (context) => context.text(limit(context, { perMinute: 1 }) ? 'yes' : 'no'));
  const ask = async (client: string) => (await app.request('/', { headers: { 'x-forwarded-for': client } })).text();
  expect(await ask('busy')).toBe('yes');
  for (let other = 0; other < 30; other += 1) {
    expect(await ask(`other ${other}`)).toBe('yes');
    expect(await ask('busy')).toBe('no');
  }
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['[0:0:0:0:0:ffff:203.0.113.7]:4711', '203.0.113.7'],
  ['010.1.1.1', '010.1.1.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['[2001:0db8:0001:0002::ffff]:4711', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::203.0.113.7', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])(
  '%s is counted as %s: neither a port nor an address of one’s own network makes another client',
  async (sent, counted) => {
    const app = new Hono();
    app.get('*', (context) => context.text(clientAddress(context, 1)));
    const answer = await app.request('/', { headers: { 'x-forwarded-for': `claimed, ${sent}` } });
    expect(await answer.text()).toBe(counted);
  },
);
