import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { uploadLocks } from '../tables.ts';

/** A lock is a lease: that of a dead process expires after this time, and a live process renews its own. */
const leaseSeconds = 15;
const renewEveryMs = 1000;
const pollMs = 100;

export type UploadLock = { release(): Promise<void> };

export type UploadLockOptions = {
  /** Milliseconds to wait for the current holder. */
  patience?: number;
  /** Stops waiting. */
  signal?: AbortSignal | undefined;
  /** Called once when another request waits, or when the lock may be lost: the holder should stop. */
  onWanted?: () => void;
};

/**
 * Mutex per upload across all processes: two requests never write to one file. A row with a lease needs no connection
 * of its own, so that many uploads run at once, also through PgBouncer. A waiter asks the holder to stop, because the
 * holder's client may have disconnected silently.
 * @returns undefined when it was not free in time
 */
export async function takeUploadLock(
  db: Db,
  uploadId: string,
  { patience = 10_000, signal, onWanted }: UploadLockOptions = {},
): Promise<UploadLock | undefined> {
  const token = randomUUID();
  const deadline = Date.now() + patience;
  while (!(await take(db, uploadId, token))) {
    if (signal?.aborted === true || Date.now() > deadline) return undefined;
    await db.update(uploadLocks).set({ wanted: true }).where(eq(uploadLocks.uploadId, uploadId));
    await wait(pollMs, undefined, { signal }).catch(() => undefined);
  }
  return hold(db, uploadId, token, onWanted);
}

/** Runs `act` with the lock. @returns undefined when the lock was not free in time */
export async function withUploadLock<Result>(
  db: Db,
  uploadId: string,
  act: () => Promise<Result>,
  options: Pick<UploadLockOptions, 'patience'> = {},
): Promise<Result | undefined> {
  const lock = await takeUploadLock(db, uploadId, options);
  if (lock === undefined) return undefined;
  try {
    return await act();
  } finally {
    await lock.release();
  }
}

function hold(db: Db, uploadId: string, token: string, onWanted: (() => void) | undefined): UploadLock {
  let isNotified = false;
  let isRenewing = false;
  let renewedAt = Date.now();
  const notify = () => {
    if (!isNotified) onWanted?.();
    isNotified = true;
  };
  const renewing = setInterval(() => {
    if (Date.now() - renewedAt > (leaseSeconds - 3) * 1000) notify();
    if (isRenewing) return;
    isRenewing = true;
    void renew(db, uploadId, token)
      .then((wanted) => {
        renewedAt = Date.now();
        if (wanted !== false) notify();
      })
      // The database is unreachable: the lease expires by itself, and the holder is told before it does.
      .catch(() => undefined)
      .finally(() => {
        isRenewing = false;
      });
  }, renewEveryMs).unref();
  return {
    async release() {
      clearInterval(renewing);
      // A lock that cannot be released expires by itself, and the work is done.
      await db
        .delete(uploadLocks)
        .where(and(eq(uploadLocks.uploadId, uploadId), eq(uploadLocks.token, token)))
        .catch(() => undefined);
    },
  };
}

async function take(db: Db, uploadId: string, token: string): Promise<boolean> {
  const until = sql`now() + make_interval(secs => ${leaseSeconds})`;
  const { rowCount } = await db
    .insert(uploadLocks)
    .values({ uploadId, token, until })
    .onConflictDoUpdate({
      target: uploadLocks.uploadId,
      set: { token, until, wanted: false },
      setWhere: sql`${uploadLocks.until} < now()`,
    });
  return rowCount === 1;
}

/** @returns whether another request waits; undefined when the lock was lost */
async function renew(db: Db, uploadId: string, token: string): Promise<boolean | undefined> {
  const [row] = await db
    .update(uploadLocks)
    .set({ until: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(and(eq(uploadLocks.uploadId, uploadId), eq(uploadLocks.token, token)))
    .returning({ wanted: uploadLocks.wanted });
  return row?.wanted;
}
