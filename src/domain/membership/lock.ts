import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { purgeRows } from '../kernel/purge.ts';
import { waitOutsideSlot } from '../kernel/worker-slot.ts';
import { paymentLocks } from './tables.ts';

/** A lock is a lease: that of a dead process expires after this time, and a live process renews its own. */
const leaseSeconds = 30;
const renewEveryMs = 10_000;
const defaultPatience = 12_000;

/** The end of the queue of each user within this process, so that only one waiter per user polls the database. */
const queues = new WeakMap<Db, Map<string, Promise<void>>>();

/**
 * Mutex per user across all processes: no other change may happen between asking the provider and acting on its answer.
 * A row with a lease, not a transaction, which would hold a connection meanwhile.
 * @param patience milliseconds, queue and lock together
 * @throws DomainError `payment/in-progress` after that
 */
export async function withPaymentLock<Result>(
  db: Db,
  userId: string,
  act: () => Promise<Result>,
  patience = defaultPatience,
): Promise<Result> {
  const { before, leave } = joinQueue(db, userId);
  try {
    const deadline = Date.now() + patience;
    const key = `user ${userId}`;
    const token = await waitOutsideSlot(async () => {
      await waitForTurn(before, patience);
      return acquire(db, key, deadline);
    });
    return await holdWhile(db, { key, token }, act);
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

/** Renews the lock while `act` runs, and releases it afterwards. */
async function holdWhile<Result>(
  db: Db,
  { key, token }: { key: string; token: string },
  act: () => Promise<Result>,
): Promise<Result> {
  const renewing = setInterval(() => {
    // After failed renewals another process may take the lock; idempotency keys then keep orders from being doubled.
    renew(db, key, token).catch(() => undefined);
  }, renewEveryMs).unref();
  try {
    return await act();
  } finally {
    clearInterval(renewing);
    // A lock that cannot be released expires by itself, and the work is done.
    await release(db, key, token).catch(() => undefined);
  }
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

async function acquire(db: Db, key: string, deadline: number): Promise<string> {
  for (;;) {
    const token = await take(db, key, leaseSeconds);
    if (token !== undefined) return token;
    if (Date.now() > deadline) throw new DomainError('payment/in-progress');
    await wait(25 + Math.random() * 50);
  }
}

async function take(db: Db, key: string, seconds: number): Promise<string | undefined> {
  const token = randomUUID();
  const until = sql`now() + make_interval(secs => ${seconds})`;
  const taken = await db
    .insert(paymentLocks)
    .values({ key, token, until })
    .onConflictDoUpdate({
      target: paymentLocks.key,
      set: { token, until },
      setWhere: sql`${paymentLocks.until} < now()`,
    })
    .returning({ key: paymentLocks.key });
  return taken.length > 0 ? token : undefined;
}

function mine(key: string, token: string) {
  return and(eq(paymentLocks.key, key), eq(paymentLocks.token, token));
}

async function renew(db: Db, key: string, token: string): Promise<void> {
  await db
    .update(paymentLocks)
    .set({ until: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(mine(key, token));
}

async function release(db: Db, key: string, token: string): Promise<void> {
  await db.delete(paymentLocks).where(mine(key, token));
}

/** Locks of dead processes; their keys contain user ids. */
export async function purgeOldLocks(db: Db, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, paymentLocks, sql`${paymentLocks.until} < now() - interval '1 hour'`, signal);
}
