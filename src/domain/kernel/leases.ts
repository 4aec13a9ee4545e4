import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { purgeRows } from './purge.ts';

/**
 * Locks across all processes. Each is a row with a lease: that of a dead process expires, and a live process renews its
 * own. Unlike a transaction or an advisory lock it holds no connection, also through PgBouncer.
 */
export type Leases = {
  /** With the columns `token` and `until`; also `wanted`, if waiters ask the holder to stop. */
  table: SQL;
  /** Name of the column with the lock's key. */
  key: SQL;
  canBeWanted?: true;
  seconds: number;
  renewEveryMs: number;
  /** Between two tries of a waiter, half more or less. */
  pollMs: number;
};

export type Lease = { release(): Promise<void> };

export type LeaseOptions = {
  /** Milliseconds to wait for the current holder. */
  patience?: number;
  /** Stops waiting. */
  signal?: AbortSignal | undefined;
  /** Called once when another request waits, or when the lock may be lost: the holder should stop. */
  onWanted?: () => void;
};

/** @returns undefined when it was not free in time */
export async function takeLease(
  db: Db,
  leases: Leases,
  id: string,
  { patience = 10_000, signal, onWanted }: LeaseOptions = {},
): Promise<Lease | undefined> {
  const { table, key, canBeWanted, pollMs } = leases;
  const token = randomUUID();
  const deadline = Date.now() + patience;
  while (!(await take(db, leases, id, token))) {
    if (signal?.aborted === true || Date.now() > deadline) return undefined;
    if (canBeWanted) await db.execute(sql`update ${table} set wanted = true where ${key} = ${id}`);
    await wait(pollMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
  return hold(db, leases, id, token, onWanted);
}

/** Runs `act` with the lock. @returns undefined when the lock was not free in time */
export async function withLease<Result>(
  db: Db,
  leases: Leases,
  id: string,
  act: () => Promise<Result>,
  options?: Pick<LeaseOptions, 'patience'>,
): Promise<Result | undefined> {
  const lease = await takeLease(db, leases, id, options);
  if (lease === undefined) return undefined;
  try {
    return await act();
  } finally {
    await lease.release();
  }
}

/** Locks of dead processes. */
export async function purgeOldLeases(db: Db, { table }: Leases, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, table, sql`until < now() - interval '1 hour'`, signal);
}

async function take(db: Db, { table, key, canBeWanted, seconds }: Leases, id: string, token: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into ${table} as held (${key}, token, until) values (${id}, ${token}, now() + make_interval(secs => ${seconds}))
    on conflict (${key}) do update set token = excluded.token, until = excluded.until
      ${canBeWanted ? sql`, wanted = false` : sql``} where held.until < now()`);
  return rowCount === 1;
}

function hold(db: Db, leases: Leases, id: string, token: string, onWanted: (() => void) | undefined): Lease {
  const { table, key, canBeWanted, seconds, renewEveryMs } = leases;
  const isMine = sql`${key} = ${id} and token = ${token}`;
  let isNotified = false;
  let isRenewing = false;
  let renewedAt = Date.now();
  const notify = () => {
    if (!isNotified) onWanted?.();
    isNotified = true;
  };
  const renew = async () => {
    isRenewing = true;
    try {
      const { rows } = await db.execute<{ wanted: boolean }>(sql`
        update ${table} set until = now() + make_interval(secs => ${seconds}) where ${isMine}
        returning ${canBeWanted ? sql`wanted` : sql`false as wanted`}`);
      renewedAt = Date.now();
      // Lost, or wanted by another request.
      if (rows[0]?.wanted !== false) notify();
    } catch {
      // The database is unreachable: the lease expires by itself, and the holder is told before it does.
    } finally {
      isRenewing = false;
    }
  };
  const renewing = setInterval(() => {
    if (Date.now() - renewedAt > (seconds - 3) * 1000) notify();
    if (!isRenewing) void renew();
  }, renewEveryMs).unref();
  return {
    async release() {
      clearInterval(renewing);
      // A lock that cannot be released expires by itself, and the work is done.
      await db.execute(sql`delete from ${table} where ${isMine}`).catch(() => undefined);
    },
  };
}
