import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { setAdmin } from '#domain/identity/operators.ts';
import { sessions } from '#domain/identity/tables.ts';
import { listPaymentEvents } from '#domain/admin/money/payment-events.ts';
import { operator } from '#domain/kernel/actor.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import { encodeCursor } from '#domain/kernel/pages.ts';
import { reconciliationRuns } from '#domain/membership/tables.ts';
import { createPlaylist, createSession, createUser } from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';

const plain = openPlainPayments();
const { url, db } = await startTestSite({}, { openPayments: async () => plain.provider });

const { id } = await createUser(db);
await setAdmin(db, id, true);
const { token } = await createSession(db, id);

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { error } = (text === '' ? {} : JSON.parse(text)) as { error?: { code: string } };
  return `${response.status} ${error?.code ?? ''}`.trim();
}

const key = newId();
const unknown = newId();
const refund = { key, amount: 100, seen: 0, reason: 'x' };
const cancel = { when: 'now', subscriptionId: 'sub_1', reason: 'x' };
const checksum = 'a'.repeat(64);

test('invalid requests get a clear refusal, and nothing is written', async () => {
  const before = await entries();
  const promo = { code: 'SPRING', percentOff: 20, duration: 'once' };
  for (const body of [
    { ...promo, code: 'A B' },
    { ...promo, percentOff: 101 },
    { ...promo, percentOff: 0.5 },
    { ...promo, amountOff: 5 },
    { ...promo, percentOff: undefined },
    { ...promo, duration: 'months' },
    { ...promo, months: 3 },
    { ...promo, lastDay: '2020-01-01' },
    { ...promo, lastDay: '2027-02-30' },
    { ...promo, maxRedemptions: 0 },
  ])
    expect([body, await call('POST', '/promo-codes', body)]).toEqual([body, '400 request/invalid']);
  for (const [method, path, body, answer] of [
    ['PUT', '/promo-codes/none', promo, '404 request/not-found'],
    ['DELETE', '/promo-codes/none', undefined, '404 request/not-found'],
    ['POST', `/gift-cards/${unknown}/mail`, undefined, '404 request/not-found'],
    ['POST', `/gift-cards/${unknown}/refund`, { reason: 'x' }, '404 request/not-found'],
    ['POST', `/gift-cards/${unknown}/refund`, { reason: ' ' }, '400 request/invalid'],
    ['POST', `/payments/${unknown}/refund`, refund, '404 request/not-found'],
    ['POST', `/payments/${unknown}/refund`, { ...refund, amount: 1.5 }, '400 request/invalid'],
    ['POST', `/payments/${unknown}/refund`, { ...refund, amount: -1 }, '400 request/invalid'],
    ['POST', `/payments/${unknown}/refund`, { ...refund, amount: 1e30 }, '400 request/invalid'],
    ['POST', `/payments/${unknown}/refund`, { ...refund, key: 'mine' }, '400 request/invalid'],
    ['POST', `/payments/${unknown}/refund`, { ...refund, reason: 'a\0b' }, '400 request/invalid'],
    ['POST', `/subscriptions/${unknown}/cancel`, cancel, '404 request/not-found'],
    ['POST', `/subscriptions/${unknown}/cancel`, { ...cancel, when: 'never' }, '400 request/invalid'],
    ['POST', `/subscriptions/${unknown}/resume`, { subscriptionId: 'sub_1' }, '404 request/not-found'],
    ['POST', '/webhook-events/evt_none/replay', undefined, '404 request/not-found'],
    ['PUT', '/payouts/2026-13/pool', { pool: 1, revision: 0 }, '404 request/not-found'],
    ['PUT', '/payouts/2999-01/pool', { pool: 1, revision: 0 }, '404 request/not-found'],
    ['PUT', '/payouts/2024-01/pool', { pool: -1, revision: 0 }, '400 request/invalid'],
    ['PUT', '/payouts/2024-01/pool', { pool: 1e17, revision: 0 }, '400 request/invalid'],
    ['PUT', '/payouts/2024-01/pool', { pool: 1, revision: 7 }, '409 payout/changed'],
    ['POST', '/payouts/2024-01/lock', { checksum }, '409 payout/no-pool'],
    ['POST', '/payouts/2024-01/lock', { checksum: 'x' }, '400 request/invalid'],
    ['POST', `/payouts/${new Date().toISOString().slice(0, 7)}/lock`, { checksum }, '409 payout/too-early'],
    ['PUT', '/payouts/trials', { countsTrials: true, revision: 9 }, '409 payout/changed'],
  ] as const)
    expect([method, path, body, await call(method, path, body)]).toEqual([method, path, body, answer]);
  expect(await entries()).toBe(before);
});

test('an event whose id no database stores is an unknown one', async () => {
  expect(await call('POST', '/webhook-events/%00/replay')).toBe('404 request/not-found');
});

test('impossible times are refused', async () => {
  const page = (at: string) => {
    const cursor = encodeCursor('payment-events', { value: `${at} evt_1`, id: newId() });
    return listPaymentEvents(db, operator, {}, { cursor, limit: 1 });
  };
  expect(await page('2026-01-01T00:00:00Z')).toMatchObject({ items: [] });
  for (const at of ['2026-99-99T1Z', '0000-01-01T00:00:00Z', '2026-01-01'])
    await expect(page(at)).rejects.toThrow(new DomainError('request/bad-cursor'));
  const list = await createPlaylist(db);
  for (const publishedAt of ['0000-01-01T00:00:00Z', '2026-99-99T00:00:00Z'])
    expect(await call('PATCH', `/playlists/${list.id}`, { publishedAt })).toBe('400 request/invalid');
});

test('acts that move money or cannot be undone need a fresh log-in', async () => {
  await db
    .update(sessions)
    .set({ provenAt: new Date(Date.now() - 11 * 60 * 1000) })
    .where(eq(sessions.userId, id));
  const before = await entries();
  for (const [method, path, body] of [
    ['POST', `/gift-cards/${unknown}/refund`, { reason: 'x' }],
    ['POST', `/payments/${unknown}/refund`, refund],
    ['POST', `/subscriptions/${unknown}/cancel`, cancel],
    ['PUT', '/payouts/trials', { countsTrials: true, revision: 0 }],
    ['PUT', '/payouts/2024-01/pool', { pool: 1, revision: 0 }],
    ['POST', '/payouts/2024-01/lock', { checksum }],
  ] as const)
    expect([path, await call(method, path, body)]).toEqual([path, '403 auth/fresh-login-required']);
  expect(await call('POST', '/webhook-events/evt_none/replay')).toBe('404 request/not-found');
  expect(await entries()).toBe(before);
});

test('an unreachable provider is reported as such', async () => {
  plain.failWith = new DomainError('payment/unavailable');
  const promo = { code: 'AWAY', percentOff: 20, duration: 'once' };
  const before = await entries();
  expect(await call('POST', '/promo-codes', promo)).toMatch(/^50[23] payment\/unavailable$/);
  plain.failWith = undefined;
  expect(await entries()).toBe(before);
  expect(await call('POST', '/promo-codes', promo)).toBe('201');
  expect(await call('POST', '/promo-codes', promo)).toBe('409 promo-code/exists');
});

test('the log says who did an act, and from which address; a forged one counts for nothing', async () => {
  const response = await fetch(`${url}/v1/api/admin/promo-codes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': '198.51.100.1',
    },
    body: JSON.stringify({ code: 'LOGGED', percentOff: 20, duration: 'once' }),
  });
  expect(response.status).toBe(201);
  const { rows } = await db.execute(sql`
    select actor_name = username as is_named, actor_address from audit_entries join users u on u.id = actor_id
    order by audit_entries.id desc limit 1`);
  expect(rows).toEqual([{ is_named: true, actor_address: '127.0.0.1' }]);
});

async function entries(): Promise<string> {
  const { rows } = await db.execute(sql`
    select (select count(*) from audit_entries) as entries, (select count(*) from payout_months) as months,
      (select count(*) from invoice_refunds) as refunds, (select count(*) from site_settings) as settings`);
  return JSON.stringify(rows);
}

test('comparisons with the provider are listed with their totals', async () => {
  const ids = [newId(), newId()];
  const totals = [
    { of: 'paying' as const, atProvider: 3, here: 2 },
    { of: 'paid' as const, month: '2026-10', currency: 'usd', atProvider: 799, here: 0 },
  ];
  for (const one of ids)
    await db.insert(reconciliationRuns).values({ id: one, totals, position: { step: 'payments' } });
  const list = async (query: string) => {
    const response = await fetch(`${url}/v1/api/admin/reconciliations?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await response.json()) as { items: Record<string, unknown>[]; nextCursor: string | null };
  };
  const { items, nextCursor } = await list('limit=1');
  expect(items).toMatchObject([{ id: ids[1], endedAt: null, totals }]);
  expect(items[0]).not.toHaveProperty('position');
  expect((await list(`limit=1&cursor=${nextCursor}`)).items).toMatchObject([{ id: ids[0] }]);
});
