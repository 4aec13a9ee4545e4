import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** Duration of one statement that the size of the next batch aims at. */
const wantedMs = 200;
const leastRows = 100;
const mostRows = 20_000;

/**
 * Deletes rows in batches, so that no statement runs for long, however many there are.
 * @param isOld a condition on columns of the table; an index should support it
 * @param signal stops between two batches
 * @returns how many were deleted
 * @throws the reason of `signal`
 */
export async function purgeRows(db: Db, table: PgTable, isOld: SQL, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  let rows = 1000;
  for (;;) {
    signal?.throwIfAborted();
    const began = performance.now();
    // The condition again: a row that changed meanwhile may not be old any more.
    const { rowCount } = await db.execute(sql`
      delete from ${table}
      where ctid = any(array(select ctid from ${table} where ${isOld} limit ${rows})) and ${isOld}`);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < rows) return deleted;
    rows = nextBatch(rows, performance.now() - began);
  }
}

/** At most doubled, since the next rows may be on pages that are not in memory. */
function nextBatch(rows: number, milliseconds: number): number {
  const fitting = Math.floor((rows * wantedMs) / Math.max(milliseconds, 1));
  return Math.max(leastRows, Math.min(mostRows, rows * 2, fitting));
}
