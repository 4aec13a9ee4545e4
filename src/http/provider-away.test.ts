import { expect, test, vi } from 'vitest';
import { createSession, createUser } from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';

vi.setConfig({ testTimeout: 60_000 });

const plain = openPlainPayments();
const { url, db } = await startTestSite({}, { openPayments: async () => plain.provider });

const post = (path: string, token: string) =>
  fetch(`${url}/v1/api${path}`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });

test('fifty requests waiting for a hanging payment provider do not block listening', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { id } = await createUser(db, { username: `waits-${index}` });
      return (await createSession(db, id)).token;
    }),
  );
  const hanging = Promise.withResolvers<void>();
  plain.waitFor = hanging.promise;
  const waiting = tokens.map((token) => post('/user/subscription/card', token));
  await vi.waitUntil(() => plain.calls.length >= 40, { timeout: 30_000 });
  const started = performance.now();
  for (const path of ['/v1/api/voices', '/v1/api/subscription/offer', '/v2/api/voices', '/healthz'])
    expect((await fetch(url + path)).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(2500);
  plain.waitFor = undefined;
  hanging.resolve();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40);
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
});
