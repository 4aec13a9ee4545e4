import { expect, test, vi } from 'vitest';
import { createTestSandbox } from '../../test/test-sandbox.ts';
import { writeLock } from './write-queue.ts';

test('a connection that the database closes during a write fails this write only', async () => {
  const { stripe, pool } = await createTestSandbox();
  const once = { maxNetworkRetries: 0 };
  const locker = await pool.connect();
  await locker.query('select pg_advisory_lock($1)', [writeLock]);
  const write = stripe.products.create({ name: 'Cut off' }, once).catch((error: Error) => error.message);
  await vi.waitFor(async () => {
    const { rowCount } = await locker.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
      [writeLock],
    );
    expect(rowCount).toBe(1);
  });
  expect(await write).toBe('An unexpected error has occurred.');
  await locker.query('select pg_advisory_unlock($1)', [writeLock]);
  locker.release();
  expect(await stripe.products.create({ name: 'Next' }, once)).toMatchObject({ name: 'Next' });
});
