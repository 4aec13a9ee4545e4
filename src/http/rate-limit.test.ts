import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

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
