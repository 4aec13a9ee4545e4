/** @module-tag slow */
import type { ChildProcess } from 'node:child_process';
import { afterAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { countSettled, startJobProcess, storeDueEvents } from '#test/support/processes/job-processes.ts';

const { url, pool } = await createTestDatabase();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});
const soon = { timeout: 15_000, interval: 50 };

test('three processes share the events that a dead one had answered; when one of them is killed, each is settled once', async () => {
  await storeDueEvents(pool, 120);
  const settings = { JOBS_PACE: 'fast' };
  // The first one takes jobs but does not finish them.
  const [victim, ...others] = await Promise.all([
    startJobProcess(url, { ...settings, JOBS_HANG_AFTER: '3' }),
    startJobProcess(url, { ...settings, JOBS_AFTER: '4' }),
    startJobProcess(url, { ...settings, JOBS_AFTER: '4' }),
  ]);
  children.push(victim, ...others);
  const heldByVictim = async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from asked_customers where pid = $1',
      [victim.pid],
    );
    return rows[0]?.count ?? 0;
  };
  await vi.waitFor(async () => {
    const { waiting } = await countSettled(pool);
    expect(await heldByVictim()).toBeGreaterThan(3);
    expect(waiting).toBeLessThanOrEqual(5);
  }, soon);
  const held = (await countSettled(pool)).waiting;
  expect(held).toBeGreaterThan(0);
  victim.kill('SIGKILL');
  // Half a minute passes: the heartbeat and the locks of the dead process expire.
  await pool.query(`update jobs.job set heartbeat_on = now() - interval '31 seconds' where state = 'active'`);
  await pool.query('update payment_locks set until = now()');
  await pool.query(`update jobs.queue set retry_delay = 0, retry_backoff = false`);
  await pool.query(`update jobs.job set retry_delay = 0, retry_backoff = false`);
  await vi.waitFor(
    async () => expect(await countSettled(pool)).toEqual({ waiting: 0, settled: 120, twice: 0, repeated: held }),
    soon,
  );
});
