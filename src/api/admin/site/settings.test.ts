import { expect, test } from 'vitest';
import { setAdmin } from '#domain/identity/operators.ts';
import { createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();
const { id } = await createUser(db);
await setAdmin(db, id, true);
const { token } = await createSession(db, id);

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api/admin/settings${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

test('a section is read with its default, saved with the revision that was seen, and refused with another', async () => {
  const { value, revision, standard, changedBy } = (await call('GET', '')).body.features;
  expect([value, revision, changedBy]).toEqual([standard, 0, null]);
  const change = { value: { ...value, blog: false }, revision };
  expect((await call('PUT', '/features', change)).status).toBe(204);
  expect(await call('PUT', '/features', change)).toMatchObject({
    status: 409,
    body: { error: { code: 'settings/changed', change: { by: expect.any(String), at: expect.any(String) } } },
  });
  expect((await call('GET', '')).body.features).toMatchObject({ value: change.value, revision: 1, changedBy: { id } });
  expect((await fetch(`${url}/blog/feed.xml`)).status).toBe(404);
  expect((await call('PUT', '/features', { value, revision: 1 })).status).toBe(204);
  expect((await fetch(`${url}/blog/feed.xml`)).status).toBe(200);
});

const gbp = { countries: ['GB'], plans: { month: 699, year: 5388 }, giftCards: { 1: 699, 3: 1899, 6: 3499, 12: 5388 } };

test.each([
  ['/limits', (value: object) => ({ ...value, commentsPerHour: 0 })],
  ['/limits', (value: object) => ({ ...value, commentsPerHour: 1.5 })],
  ['/limits', (value: object) => ({ ...value, another: 1 })],
  ['/limits', () => ({})],
  ['/features', (value: object) => ({ ...value, blog: 'no' })],
  ['/features', () => ({ blog: true })],
  ['/membership', (value: object) => ({ ...value, plans: { month: 1, year: 5988 } })],
  ['/membership', (value: object) => ({ ...value, plans: { month: 799 } })],
  ['/membership', (value: object) => ({ ...value, currency: 'zzz' })],
  ['/membership', (value: object) => ({ ...value, currencies: { usd: gbp } })],
  ['/membership', (value: object) => ({ ...value, currencies: { zzz: gbp } })],
  ['/membership', (value: object) => ({ ...value, currencies: { gbp, eur: gbp } })],
  ['/membership', (value: object) => ({ ...value, currency: 'dollars' })],
  ['/membership', (value: object) => ({ ...value, trialDays: -1 })],
  ['/membership', () => null],
])('%s refuses what is no value of it, and keeps what it had', async (path, broken) => {
  const before = (await call('GET', '')).body;
  const { value, revision } = before[path.slice(1)];
  expect(await call('PUT', path, { value: broken(value), revision })).toMatchObject({
    status: 400,
    body: { error: { code: 'request/invalid' } },
  });
  expect((await call('GET', '')).body).toEqual(before);
});
