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

/** Queries of ids. */
export type ListedIds = {
  ids: SQL;
  /** Others, which count where fewer than `few` of the first ones do. */
  more?: { ids: SQL; few: number };
};

/**
 * How many audios of each set have each key; `everyKey`: how many there are.
 * @param within ids of a list
 * @param options.known audios in that list, if they were added up
 * @returns for each set, undefined for one that is too large
 */
export async function countKeys(
  db: Db,
  viewer: Viewer,
  within: ListedIds | undefined,
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
    const isMore = within === undefined ? sql`false` : sql`is_more`;
    const found = sql`select ${column} as keys, ${isMore} as is_more from ${audioFilterKeys} where ${isIn} limit ${each + 1}`;
    return sql`(select ${at}::int as set, key,
        count(*) filter (where not is_more)::int as audios, count(*) filter (where is_more)::int as more
      from (select unnest(keys || ${everyKey}::int) as key, is_more from (${found}) found) counted
      ${keys === undefined ? sql`` : sql`where key = ${everyKey} or ${keys}`} group by key)`;
  });
  if (counts.length === 0) return sets.map(() => undefined);
  const more = within?.more ? sql`union all select id, true from (${within.more.ids}) as more (id)` : sql``;
  // Read once for all sets, which then find these rows by the name of the table.
  const listed =
    within === undefined
      ? sql``
      : sql`with ${audioFilterKeys} as materialized (
          select one.*, is_more
          from (select id, false from (${within.ids}) as first (id) ${more}) as listed (id, is_more)
          cross join lateral (select * from ${audioFilterKeys} where ${audioId} = listed.id offset 0) one) `;
  const { rows } = await db.execute<{ set: number; key: number; audios: number; more: number }>(
    sql`${listed}${sql.join(counts, sql` union all `)}`,
  );
  return sets.map((_, at) => {
    const own = rows.filter(({ set }) => set === at);
    const found = new Map(
      own.map(({ key, audios: count, more: others }) => [
        key,
        count < (within?.more?.few ?? 0) ? count + others : count,
      ]),
    );
    return !isSmall[at] || (found.get(everyKey) ?? 0) > each ? undefined : found;
  });
}
