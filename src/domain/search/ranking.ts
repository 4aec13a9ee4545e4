import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { given, prepareSql } from '../kernel/prepared.ts';
import { bonusForWholeName } from './costs.ts';
import type { Matching } from './matching.ts';
import { nameField } from './words.ts';

/** Lists of codes: a document must have one of each list. */
export type Required = number[][];

/** The viewer finds none of these. `ids`: of documents or of their owners. */
export type Excluded = { codes: number[]; ids: string[] };

/** Documents that are compared; more of them are cut off. Misspelled words are many, and take longer. */
export const mostComparedOf = ({ isLoose }: Matching) => (isLoose ? 1500 : 4000);
/** The number of popular documents that are looked at. */
const mostVisited = 25_000;

/** Hits `from` (included) to `to` (excluded) of a group. */
export type KindRange = { kind: number; from: number; to: number };
export type KindHits = {
  kind: number;
  total: number;
  /** More documents match than were compared. */
  isCut: boolean;
  keys: string[];
  hits: unknown[];
};

/** @param shown what the hits come from, with `kind`, `key` and `place` */
const keysAndHits = (shown: ReturnType<typeof sql>) => sql`
  array(select key from ${shown} order by place)::text[] as keys,
  array(select (select hit from search_documents d where d.kind = shown.kind and d.key = shown.key) from ${shown} order by place) as hits`;

/** As the functions of the migration take them. */
const alternativesOf = (alternatives: Required[]) =>
  JSON.stringify(alternatives.map((required) => required.map((codes) => `{${codes.join()}}`)));
const without = sql`${given('excludedCodes', 'int[]')}, ${given('excludedIds', 'uuid[]')}`;

const byWords = (isLoose: boolean) =>
  prepareSql<KindHits>(
    isLoose ? 'search_by_words_loose' : 'search_by_words',
    ['kind', 'total', 'isCut', 'keys', 'hits'],
    sql`
    with typed as (
      select * from unnest(${given('codes', 'int[]')}, ${given('positions', 'int[]')}, ${given('costs', 'float4[]')}, ${given('inName', 'bool[]')})
        as typed (code, position, cost, in_name)
    ), wanted as (
      select * from unnest(${given('kinds', 'smallint[]')}, ${given('from', 'int[]')}, ${given('to', 'int[]')}) as wanted (kind, from_place, to_place)
    ), found as materialized (
      select *, row_number() over () as number
      from search_by_words(${given('alternatives', 'jsonb')}, ${given('codes', 'int[]')}, ${without}, ${given('most', 'int')})
    ), entries as (
      select number, unnest(entries) as code from found
    ), matched as (
      select number, position, min(cost) as cost, bool_or(in_name) as in_name
      from entries join typed using (code) group by number, position
    ), scored as (
      select number, sum(cost) as cost, count(*) as words, count(*) filter (where in_name) as in_name
      from matched group by number having count(*) >= ${given('min', 'int')}
    ), ranked as (
      select kind, key, row_number() over (partition by kind order by cost
        - case when in_name > 0 and in_name + ${given('typed', 'int')} - words = name_words then ${sql.raw(String(bonusForWholeName))}::float4 else 0 end,
        popularity desc, key) as place
      from scored join found using (number)
    ), shown as materialized (
      select kind, key, place from ranked join wanted using (kind) where place > from_place and place <= to_place
    )
    select counted.kind, count(*)::int as total, (select count(*) from found) >= ${given('most', 'int')} as "isCut", ${keysAndHits(sql`shown where shown.kind = counted.kind`)}
    from ${isLoose ? sql`ranked` : sql`found`} counted group by counted.kind`,
  );
const [byWordsStrictly, byWordsLoosely] = [byWords(false), byWords(true)];

/**
 * Documents that have all of one of the alternatives, the cheapest first, then the most popular; keys make the order the
 * same everywhere.
 * @param missing the cost of each typed word that a document lacks
 */
export function findByWords(
  db: Db,
  alternatives: Required[],
  options: { matching: Matching; missing: number[]; excluded: Excluded; ranges: KindRange[] },
): Promise<KindHits[]> {
  const { matching, missing, excluded, ranges } = options;
  const typed = cheapest(matching);
  return (matching.isLoose ? byWordsLoosely : byWordsStrictly)(db, {
    codes: typed.map(({ code }) => code),
    positions: typed.map(({ position }) => position),
    costs: typed.map(({ cost, position }) => cost - (missing[position] ?? 0)),
    inName: typed.map(({ field }) => field === nameField),
    kinds: ranges.map(({ kind }) => kind),
    from: ranges.map(({ from }) => from),
    to: ranges.map(({ to }) => to),
    alternatives: alternativesOf(alternatives),
    excludedCodes: excluded.codes,
    excludedIds: excluded.ids,
    most: mostComparedOf(matching),
    min: matching.min,
    typed: missing.length,
  });
}

const popular = prepareSql<Pick<KindHits, 'keys' | 'hits'>>(
  'search_popular',
  ['keys', 'hits'],
  sql`
    with shown as materialized (
      select kind, key, row_number() over (order by popularity desc, key) as place
      from search_by_popularity(${given('kind', 'smallint')}, ${given('alternatives', 'jsonb')}, ${without}, ${sql.raw(String(mostVisited))}, ${given('most', 'int')})
    )
    select ${keysAndHits(sql`shown`)}`,
);

/** The most popular documents of a group that have an entry of each list. */
export async function findPopular(
  db: Db,
  kind: number,
  required: Required,
  { excluded, most }: { excluded: Excluded; most: number },
): Promise<Pick<KindHits, 'keys' | 'hits'>> {
  const [found = { keys: [], hits: [] }] = await popular(db, {
    kind,
    alternatives: alternativesOf([required]),
    excludedCodes: excluded.codes,
    excludedIds: excluded.ids,
    most,
  });
  return found;
}

/** Each code once per typed word: as what costs least. */
function cheapest({ matches }: Matching) {
  const found = new Map<string, { code: number; position: number; cost: number; field: number }>();
  for (const { codes, position, cost, field } of matches)
    for (const code of codes) {
      const id = `${position} ${code}`;
      if ((found.get(id)?.cost ?? Number.POSITIVE_INFINITY) > cost) found.set(id, { code, position, cost, field });
    }
  return [...found.values()];
}
