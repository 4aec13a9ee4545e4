import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import type { Db } from '#domain/kernel/db.ts';

/**
 * Runs `first` in a transaction that stays open until `second`, which starts after it, waits for one of its locks or has
 * ended: the moment in which a rule that is kept by a read without a lock is broken.
 */
export async function meanwhile<First, Second>(
  db: Db,
  first: (tx: Db) => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  let later: Promise<Second> | undefined;
  const outside = AsyncLocalStorage.snapshot();
  const done = await db.transaction(async (tx) => {
    const result = await first(tx);
    let hasEnded = false;
    later = outside(second).finally(() => (hasEnded = true));
    // Awaited below, once the first has committed.
    later.catch(() => undefined);
    await vi.waitUntil(async () => hasEnded || (await countWaiting(db)) > 0, { timeout: 20_000, interval: 5 });
    return result;
  });
  return [done, await (later as Promise<Second>)];
}

/** Sessions of this database that wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await db.execute(
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}
