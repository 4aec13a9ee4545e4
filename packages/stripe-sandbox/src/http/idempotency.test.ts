/** @module-tag slow */
import { expect, test } from 'vitest';
import { createPlans, createTestCustomer, createTestSandbox, failureOf } from '#test/test-sandbox.ts';

let now = new Date();
const { stripe, sandbox, pool } = await createTestSandbox({ now: () => now });
const { month } = await createPlans(stripe);

test('20 concurrent calls with one key: one runs, and all get its answer', async () => {
  const { customer } = await createTestCustomer(stripe);
  const subscribe = () =>
    stripe.subscriptions.create(
      { customer, items: [{ price: month.id }] },
      { idempotencyKey: `twenty-${customer}`, maxNetworkRetries: 20 },
    );
  const answers = await Promise.all(Array.from({ length: 20 }, subscribe));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  expect((await stripe.invoices.list({ customer })).data).toHaveLength(1);
});

test('while the first call runs, another with its key gets a 409', async () => {
  const create = (name: string) => stripe.customers.create({ name }, { idempotencyKey: 'busy', maxNetworkRetries: 0 });
  await create('Ada');
  await pool.query(`update stripe_sandbox.idempotency_keys set status = null, body = null where key = 'busy'`);
  const error = await failureOf(create('Ada'));
  expect([error.statusCode, error.rawType, error.code]).toEqual([409, 'idempotency_error', 'idempotency_key_in_use']);
  now = new Date(now.getTime() + 61_000);
  expect((await create('Ada')).name).toBe('Ada');
});

test('the same key with another body is refused', async () => {
  const key = { idempotencyKey: 'one' };
  await stripe.customers.create({ name: 'Ada' }, key);
  const error = await failureOf(stripe.customers.create({ name: 'Bea' }, key));
  expect([error.statusCode, error.type]).toEqual([400, 'StripeIdempotencyError']);
});

test('an answer is repeated for 24 hours, also a decline, and is marked as a replay', async () => {
  const { customer } = await createTestCustomer(stripe, { card: '4000000000000341' });
  const subscribe = () =>
    stripe.subscriptions.create(
      { customer, items: [{ price: month.id }], payment_behavior: 'error_if_incomplete' },
      { idempotencyKey: 'declined' },
    );
  const first = await failureOf(subscribe());
  const again = await failureOf(subscribe());
  expect([again.statusCode, again.code, again.message]).toEqual([402, 'card_declined', first.message]);
  expect(again.headers?.['idempotent-replayed']).toBe('true');
  expect(again.requestId).not.toBe(first.requestId);
  now = new Date(now.getTime() + 24 * 60 * 60 * 1000 + 1000);
  expect((await failureOf(subscribe())).headers?.['idempotent-replayed']).toBeUndefined();
  await sandbox.tick();
  now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
  await sandbox.tick();
  expect((await pool.query('select count(*)::int as kept from stripe_sandbox.idempotency_keys')).rows).toEqual([
    { kept: 0 },
  ]);
});

test('a call refused for its parameters does not use up the key', async () => {
  const key = { idempotencyKey: 'wrong at first' };
  const error = await failureOf(stripe.customers.create({ nickname: 'Ada' } as object, key));
  expect([error.statusCode, error.code, error.param]).toEqual([400, 'parameter_unknown', 'nickname']);
  expect((await stripe.customers.create({ name: 'Ada' }, key)).name).toBe('Ada');
});
