import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { clientAddress, createRateLimit } from './rate-limit.ts';

test('a client has its minute for each call, whatever the version it comes by', async () => {
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

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
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
