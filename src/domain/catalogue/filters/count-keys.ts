import { type SQL, and, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { audioFilterKeys } from '../tables.ts';
import { isWanted } from '../visibility.ts';
import { estimateAudios } from './estimate.ts';
import { type Condition, isFound } from './read-filter.ts';

/** Rows that are counted at once; more take too long (decision 090). */
const mostCounted = 15_000;

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
 * @param within a query of the ids of a list
 * @param options.known audios in that list, if they were added up
 * @returns for each set, undefined for one that is too large
 */
export async function countKeys(
  db: Db,
  viewer: Viewer,
  within: SQL | undefined,
  sets: KeySet[],
  { most = mostCounted, known = 0 }: { most?: number | undefined; known?: number | undefined } = {},
): Promise<KeyCounts[]> {
  if (sets.length === 0) return [];
  if (known > most) return sets.map(() => undefined);
  const each = Math.ceil(most / sets.length);
  const { audioId, keys: column } = audioFilterKeys;
  // The index would give all of a large set before the first ones are counted.
  const isSmall = await Promise.all(
    sets.map(async ({ conditions }) => within !== undefined || (await estimateAudios(db, conditions)) < 1.3 * each),
  );
  const counts = sets.flatMap(({ conditions, keys }, at) => {
    if (!isSmall[at]) return [];
    const isIn = and(isFound(conditions), isWanted(viewer, audioId));
    const found = sql`select ${column} as keys from ${audioFilterKeys} where ${isIn} limit ${each + 1}`;
    return sql`(select ${at}::int as set, key, count(*)::int as audios
      from (select unnest(keys || ${everyKey}::int) as key from (${found}) found) counted
      ${keys === undefined ? sql`` : sql`where key = ${everyKey} or ${keys}`} group by key)`;
  });
  if (counts.length === 0) return sets.map(() => undefined);
  // Read once for all sets, which then find these rows by the name of the table.
  const listed =
    within === undefined
      ? sql``
      : sql`with ${audioFilterKeys} as materialized (
          select one.* from (${within}) as listed (id)
          cross join lateral (select * from ${audioFilterKeys} where ${audioId} = listed.id offset 0) one) `;
  const { rows } = await db.execute<{ set: number; key: number; audios: number }>(
    sql`${listed}${sql.join(counts, sql` union all `)}`,
  );
  return sets.map((_, at) => {
    const found = new Map(rows.filter(({ set }) => set === at).map(({ key, audios: count }) => [key, count]));
    return !isSmall[at] || (found.get(everyKey) ?? 0) > each ? undefined : found;
  });
}
