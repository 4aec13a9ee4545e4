import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { newId } from '../kernel/ids.ts';
import { withPaymentLock } from './lock.ts';
import { paymentLocks } from './tables.ts';

const { db, url } = await createTestDatabase();
const inProgress = { code: 'payment/in-progress' };

test('a caller that waits too long fails, and the one behind it gets the next turn', async () => {
  const user = newId();
  const hanging = Promise.withResolvers<void>();
  const first = withPaymentLock(db, user, () => hanging.promise);
  const begun: string[] = [];
  const impatient = withPaymentLock(db, user, async () => void begun.push('impatient'), 50);
  const patient = withPaymentLock(db, user, async () => void begun.push('patient'));
  await expect(impatient).rejects.toMatchObject(inProgress);
  expect(begun).toEqual([]);
  hanging.resolve();
  await Promise.all([first, patient]);
  expect(begun).toEqual(['patient']);
});

test('a process whose lease ran out leaves the lock to the one that took it over', async () => {
  const user = newId();
  const other = openDatabase({ url, poolSize: 2 });
  const [stuck, working] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = withPaymentLock(db, user, () => stuck.promise);
  await expect.poll(() => db.$count(paymentLocks)).toBe(1);
  await expect(withPaymentLock(other.db, user, async () => {}, 1)).rejects.toMatchObject(inProgress);
  await db.update(paymentLocks).set({ until: sql`now() - interval '1 second'` });
  const begun = Promise.withResolvers<void>();
  const second = withPaymentLock(other.db, user, () => (begun.resolve(), working.promise));
  await begun.promise;
  stuck.resolve();
  await first;
  await expect(withPaymentLock(db, user, async () => {}, 1)).rejects.toMatchObject(inProgress);
  const tries = vi.spyOn(db, 'execute');
  const third = withPaymentLock(db, user, async () => 'in its turn');
  await expect.poll(() => tries.mock.calls.length).toBeGreaterThan(1);
  tries.mockRestore();
  working.resolve();
  await second;
  expect(await third).toBe('in its turn');
  expect(await db.$count(paymentLocks)).toBe(0);
  await other.close();
});

test('a long act renews its lease, and ends that when it is done', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const working = Promise.withResolvers<void>();
  const act = withPaymentLock(db, newId(), () => working.promise);
  await expect.poll(() => db.$count(paymentLocks)).toBe(1);
  await db.insert(paymentLocks).values({ key: 'of a dead process', token: newId(), until: new Date() });
  await db.update(paymentLocks).set({ until: sql`now() + interval '1 second'` });
  vi.advanceTimersByTime(10_000);
  const isRenewed = () => db.$count(paymentLocks, sql`${paymentLocks.until} > now() + interval '20 seconds'`);
  await expect.poll(isRenewed).toBe(1);
  working.resolve();
  await act;
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
