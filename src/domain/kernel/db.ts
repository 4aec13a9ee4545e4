import type { ExtractTablesWithRelations } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';

/** The database or a transaction in it: domain functions take either. */
export type Db = PgDatabase<
  NodePgQueryResultHKT,
  Record<string, never>,
  ExtractTablesWithRelations<Record<string, never>>
>;

export const longStatements = "set local statement_timeout = '5min'; set local lock_timeout = '5min'";

/**
 * Gives each statement of a transaction five minutes instead of ten seconds: for jobs that read a whole large table, and
 * acts that change all audios of a creator, category or tag, or all that a listener has written.
 */
export async function allowLongStatements(tx: Db): Promise<void> {
  await tx.execute(sql.raw(longStatements));
}
