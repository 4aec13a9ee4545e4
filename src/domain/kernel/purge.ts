import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db, Tx } from './db.ts';

/** Target duration of one statement; sets the size of the next batch. */
const wantedMs = 200;
const minRows = 100;
const maxRows = 20_000;

/**
 * Deletes rows in batches, so that no statement runs long.
 * @param table may have an alias (`as`), for a condition on columns of another table
 * @param isOld condition on columns of the table; an index should support it
 * @param signal stops between two batches
 * @param along indexed time column: each batch starts where the last one ended, and so skips deleted rows, which stay
 * in table and index while an older transaction, such as a backup, runs
 * @returns the number of deleted rows
 * @throws the reason of `signal`
 */
export async function purgeRows(db: Db, table: PgTable | SQL, isOld: SQL, signal?: AbortSignal, along?: PgColumn) {
  let deleted = 0;
  let size = 1000;
  let from: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const began = performance.now();
    const isNext: SQL = from === null ? isOld : sql`${isOld} and ${along} >= ${from}::timestamptz`;
    const order = along === undefined ? sql`` : sql`order by ${along}`;
    // The condition again: before 15.15, 16.11, 17.7 and 18.1, PostgreSQL deletes a row that was changed meanwhile.
    const { rows } = await db.execute<{ count: number; last: string | null }>(sql`
      with gone as (
        delete from ${table}
        where ctid = any(array(select ctid from ${table} where ${isNext} ${order} limit ${size})) and ${isOld}
        returning ${along ?? sql`null::timestamptz`} as at
      )
      select count(*)::int as count, max(at)::text as last from gone`);
    const { count = 0, last = null } = rows[0] ?? {};
    deleted += count;
    if (count < size) return deleted;
    from = last;
    size = nextBatch(size, performance.now() - began);
  }
}

/** At most doubled, because the next rows may not be in memory. */
function nextBatch(rows: number, milliseconds: number): number {
  const fitting = Math.floor((rows * wantedMs) / Math.max(milliseconds, 1));
  return Math.max(minRows, Math.min(maxRows, rows * 2, fitting));
}

/**
 * Repeats a purge, each time in a transaction of its own, until one finds less than a whole batch.
 * @param purge purges up to `size` rows, and returns how many
 * @returns the number of all purged rows
 * @throws the reason of `signal`, between two batches
 */
export async function purgeInTransactions(
  db: Db,
  size: number,
  purge: (tx: Tx) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let purged = 0;
  for (;;) {
    signal?.throwIfAborted();
    const count = await db.transaction(purge);
    purged += count;
    if (count < size) return purged;
  }
}
