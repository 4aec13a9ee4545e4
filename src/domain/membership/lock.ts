import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { DomainError } from '../errors.ts';
import { paymentLocks } from './tables.ts';

/** A process that died gives back what it held after this; one that works on holds it by renewing. */
const leaseSeconds = 30;
const renewEveryMs = 10_000;
const defaultPatience = 12_000;

/** Whoever waits in this process waits in line, so that one of them at most asks the database. */
const lines = new WeakMap<Db, Map<string, Promise<void>>>();

/**
 * One at a time for each user, in all processes: between asking the provider and acting on its answer nothing else of
 * that user may happen. A row and not a transaction, since no connection is to be held while the provider is asked.
 * @param patience milliseconds, in line and at the lock together
 * @throws DomainError `payment/in-progress` after them
 */
export async function withPaymentLock<Result>(
  db: Db,
  userId: string,
  act: () => Promise<Result>,
  patience = defaultPatience,
): Promise<Result> {
  const line = lines.get(db) ?? new Map<string, Promise<void>>();
  lines.set(db, line);
  const before = line.get(userId);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const end = before === undefined ? done : before.then(() => done);
  line.set(userId, end);
  try {
    const deadline = Date.now() + patience;
    await inTime(before, patience);
    const key = `user ${userId}`;
    const token = await acquire(db, key, deadline);
    const renewing = setInterval(() => {
      // One that fails shows itself at the end of the lease; the provider's own idempotency holds beyond it.
      renew(db, key, token).catch(() => undefined);
    }, renewEveryMs).unref();
    try {
      return await act();
    } finally {
      clearInterval(renewing);
      // A lock that cannot be given back runs out by itself; what was done stays done.
      await release(db, key, token).catch(() => undefined);
    }
  } finally {
    resolve();
    if (line.get(userId) === end) line.delete(userId);
  }
}

/** Whoever leaves the line leaves it to those behind, who wait for what is before them as they did. */
async function inTime(before: Promise<void> | undefined, milliseconds: number): Promise<void> {
  if (before === undefined) return;
  const stop = new AbortController();
  const late = wait(milliseconds, true, { signal: stop.signal }).catch(() => true);
  const isLate = await Promise.race([before.then(() => false), late]);
  stop.abort();
  if (isLate) throw new DomainError('payment/in-progress');
}

/** For what one process does for all, once in so long. @returns false where it was done, or is being done */
export async function claimFor(db: Db, key: string, seconds: number): Promise<boolean> {
  return (await take(db, key, seconds)) !== undefined;
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

/** Of processes that died: the keys name users. */
export async function forgetOldLocks(db: Db): Promise<void> {
  await db.delete(paymentLocks).where(lt(paymentLocks.until, sql`now() - interval '1 hour'`));
}
