import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { User } from './viewer.ts';

/**
 * Builds a query once for each database handle. For queries of most pages: building one takes longer than reading its
 * rows, and so does planning, which PostgreSQL skips for named statements. It does so only if a plan for these values
 * looks no cheaper than one for any values: hide an array in a subquery, and write a constant limit as SQL.
 */
export function prepareOnce<Query>(build: (db: Db) => Query): (db: Db) => Query {
  const known = new WeakMap<Db, Query>();
  return (db) => {
    const query = known.get(db) ?? build(db);
    known.set(db, query);
    return query;
  };
}

/** A value of `prepareSql`; in a subquery, so that the plan is the same for all lists. @param type of PostgreSQL */
export const given = (name: string, type: string) => sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;

/** `prepareOnce` for a statement in SQL. @param columns of its rows */
export function prepareSql<Row extends object>(name: string, columns: (keyof Row & string)[], statement: SQL) {
  const fields = Object.fromEntries(columns.map((column) => [column, sql`${sql.identifier(column)}`]));
  const prepared = prepareOnce((db) =>
    db
      .select(fields)
      .from(sql`(${statement}) as found`)
      .prepare(name),
  );
  return async (db: Db, values: Record<string, unknown>) => (await prepared(db).execute(values)) as Row[];
}

/** Key for prepared queries of users who hide nothing; the user's id is the value of the placeholder `userId`. */
export const anyUser: User = {
  kind: 'user',
  // Drizzle accepts a placeholder wherever it accepts a value.
  id: sql.placeholder('userId') as unknown as string,
  isSubscribed: false,
  isComplete: true,
  hidesNothing: true,
};
