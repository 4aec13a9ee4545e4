import { type SQL, and, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { audioFilterKeys } from '../tables.ts';
import { hasNoHiddenTag } from '../visibility.ts';
import { type Condition, isFound } from './read-filter.ts';

/** Rows that are counted at once; more take too long (decision 090). */
const mostCounted = 40_000;

/** Audios with each key; undefined: too many to count in time. */
export type KeyCounts = Map<number, number> | undefined;

/** Audios whose keys are counted. */
export type KeySet = {
  conditions: Condition[];
  /** SQL condition on the keys that are counted; default: all. */
  keys?: SQL | undefined;
};

/** The key of all. */
export const everyKey = 0;

/**
 * How many audios of each set have each key; `everyKey`: how many there are.
 * @param within a query of the ids of a short list
 * @returns for each set, undefined for one that is too large
 */
export async function countKeys(
  db: Db,
  viewer: Viewer,
  within: SQL | undefined,
  sets: KeySet[],
  most = mostCounted,
): Promise<KeyCounts[]> {
  if (sets.length === 0) return [];
  const each = Math.ceil(most / sets.length);
  const { audioId, keys: column } = audioFilterKeys;
  const counts = sets.map(({ conditions, keys }, at) => {
    const isIn = and(isFound(conditions), hasNoHiddenTag(viewer, audioId));
    const found =
      within === undefined
        ? sql`select ${column} as keys from ${audioFilterKeys} where ${isIn} limit ${each + 1}`
        : sql`select met.keys from (${within}) as listed (id) cross join lateral (
            select ${column} as keys from ${audioFilterKeys} where ${audioId} = listed.id and ${isIn} offset 0) met
            limit ${each + 1}`;
    return sql`(select ${at}::int as set, key, count(*)::int as audios
      from (select unnest(keys || ${everyKey}::int) as key from (${found}) found) counted
      ${keys === undefined ? sql`` : sql`where key = ${everyKey} or ${keys}`} group by key)`;
  });
  const { rows } = await db.execute<{ set: number; key: number; audios: number }>(sql.join(counts, sql` union all `));
  return sets.map((_, at) => {
    const found = new Map(rows.filter(({ set }) => set === at).map(({ key, audios: count }) => [key, count]));
    return (found.get(everyKey) ?? 0) > each ? undefined : found;
  });
}
