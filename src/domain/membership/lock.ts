import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Leases, takeLease } from '../kernel/leases.ts';
import { waitOutsideSlot } from '../kernel/worker-slot.ts';

/** After failed renewals another process may take the lock; idempotency keys then keep orders from being doubled. */
export const paymentLeases: Leases = {
  table: sql`payment_locks`,
  key: sql`key`,
  seconds: 30,
  renewEveryMs: 10_000,
  pollMs: 50,
};

/** The end of the queue of each user within this process, so that only one waiter per user polls the database. */
const queues = new WeakMap<Db, Map<string, Promise<void>>>();

/**
 * Mutex per user across all processes: no other change may happen between asking the provider and acting on its answer.
 * @param patience milliseconds, queue and lock together
 * @throws DomainError `payment/in-progress` after that
 */
export async function withPaymentLock<Result>(
  db: Db,
  userId: string,
  act: () => Promise<Result>,
  patience = 12_000,
): Promise<Result> {
  const { before, leave } = joinQueue(db, userId);
  try {
    const deadline = Date.now() + patience;
    const lease = await waitOutsideSlot(async () => {
      await waitForTurn(before, patience);
      return takeLease(db, paymentLeases, `user ${userId}`, { patience: deadline - Date.now() });
    });
    if (lease === undefined) throw new DomainError('payment/in-progress');
    try {
      return await act();
    } finally {
      await lease.release();
    }
  } finally {
    leave();
  }
}

/** @returns `before` resolves when all earlier callers have left; also when a caller in between gave up */
function joinQueue(db: Db, userId: string): { before: Promise<void> | undefined; leave: () => void } {
  const queue = queues.get(db) ?? new Map<string, Promise<void>>();
  queues.set(db, queue);
  const before = queue.get(userId);
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const end = before === undefined ? left : before.then(() => left);
  queue.set(userId, end);
  return {
    before,
    leave() {
      resolve();
      if (queue.get(userId) === end) queue.delete(userId);
    },
  };
}

/** @throws DomainError `payment/in-progress` when the turn does not come in time */
async function waitForTurn(before: Promise<void> | undefined, milliseconds: number): Promise<void> {
  if (before === undefined) return;
  const stop = new AbortController();
  const late = wait(milliseconds, true, { signal: stop.signal }).catch(() => true);
  const isLate = await Promise.race([before.then(() => false), late]);
  stop.abort();
  if (isLate) throw new DomainError('payment/in-progress');
}
