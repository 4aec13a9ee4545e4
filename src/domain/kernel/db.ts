import { type AnyColumn, type ExtractTablesWithRelations, type SQL, eq, sql } from 'drizzle-orm';
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { isId, isSlug } from './ids.ts';

/** The database or a transaction in it: domain functions take either. */
export type Db = PgDatabase<
  NodePgQueryResultHKT,
  Record<string, never>,
  ExtractTablesWithRelations<Record<string, never>>
>;

/** A transaction: for functions that are part of a larger change, and hold locks until it ends. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/** Columns of a table by name, for a select. */
export function pick<Columns extends object, Name extends keyof Columns>(table: Columns, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Columns, Name>;
}

/** Undefined for a text that is neither an id nor a slug. */
export function isNamed(table: { id: AnyColumn; slug: AnyColumn }, idOrSlug: string): SQL | undefined {
  if (isId(idOrSlug)) return eq(table.id, idOrSlug);
  return isSlug(idOrSlug) ? eq(table.slug, idOrSlug) : undefined;
}

export const longStatements = "set local statement_timeout = '5min'; set local lock_timeout = '5min'";

/**
 * Gives each statement of a transaction five minutes instead of ten seconds: for jobs that read a whole large table, and
 * acts that change all audios of a creator, category or tag, or all that a listener has written.
 */
export async function allowLongStatements(tx: Db): Promise<void> {
  await tx.execute(sql.raw(longStatements));
}
