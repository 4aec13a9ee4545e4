import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#domain/kernel/db.ts';

/** A statement takes 65,535 parameters at most. */
const rowsPerInsert = 400;

/** Inserts any number of rows, also none. */
export async function insertRows<Table extends PgTable>(
  db: Db,
  table: Table,
  rows: Table['$inferInsert'][],
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert)
    await db.insert(table).values(rows.slice(from, from + rowsPerInsert));
}
