import { type AnyColumn, type SQL, and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isBeyond } from '../../kernel/pages.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type AudioOrder, keysOf } from '../audio-orders.ts';
import { isPublished } from '../audios.ts';
import { audioCounts, audioFilterKeys, audios, catalogueTotals } from '../tables.ts';
import { isWanted } from '../visibility.ts';
import { estimateAudios } from './estimate.ts';
import { type Condition, isFound, readPlace } from './read-filter.ts';

/** Microseconds of a row on a walk, of one found by its keys, and of its plays. Only their ratios count. */
const costs = { walked: 5, found: 2, plays: 6 };
/** Rows that are looked at: so many times as many as are expected, and some. */
const [patience, leastWalked] = [2, 200];

export type Asked = {
  conditions: Condition[];
  voiceId: string | undefined;
  categoryId: string | undefined;
  order: AudioOrder;
  after: { value: string | number; id: string } | undefined;
  limit: number;
};

export type FoundRow = { id: string; value: string | number | Date | null };

/**
 * The first ids in an order of those that meet the conditions. Where many do, they are among the first ones of the order;
 * where few do, the index of keys has them all, to be sorted (decision 090). A walk that fills no page was in vain.
 * @param walked for tests: rows of the order that are looked at first, whatever is expected
 */
export async function findFiltered(db: Db, viewer: Viewer, asked: Asked, walked?: number): Promise<FoundRow[]> {
  const { voiceId, categoryId, limit } = asked;
  const conditions = [...asked.conditions, ...(await readPlace(db, viewer, categoryId))];
  const lists = voiceId === undefined ? conditions.filter(({ listId }) => listId !== undefined) : [];
  const list = await findShortest(db, lists);
  const rowsWalked = walked ?? (await expectWalk(db, conditions, { list, asked }));
  const rows =
    rowsWalked === 0
      ? []
      : await walk(db, viewer, { ...asked, conditions }, { listId: list?.listId, walked: rowsWalked });
  return rows.length === limit ? rows : findAll(db, viewer, { ...asked, conditions }, list?.listId);
}

/** Rows of the list, or of all audios, that are worth a look; 0 where those with the keys are read sooner. */
async function expectWalk(
  db: Db,
  conditions: Condition[],
  { list, asked: { limit, order } }: { list: Condition | undefined; asked: Asked },
): Promise<number> {
  const ranges = order.column === 'durationMs' ? conditions.filter(({ ms }) => ms !== undefined) : [];
  const [whole, matching] = await Promise.all([
    estimateAudios(db, [...(list === undefined ? [] : [list]), ...ranges]),
    estimateAudios(db, conditions),
  ]);
  const expected = (limit * whole) / Math.max(1, matching);
  const each = costs.found + (order.column === 'plays' ? costs.plays : 0);
  return expected * costs.walked > matching * each ? 0 : Math.ceil(expected * patience) + leastWalked;
}

/** The list with the fewest audios; undefined without any. */
async function findShortest(db: Db, lists: Condition[]): Promise<Condition | undefined> {
  if (lists.length < 2) return lists[0];
  const ids = lists.flatMap(({ listId }) => listId ?? []);
  const [row] = await db
    .select({ id: catalogueTotals.subjectId })
    .from(catalogueTotals)
    .where(and(inArray(catalogueTotals.kind, ['tag', 'category']), inArray(catalogueTotals.subjectId, ids)))
    .orderBy(asc(catalogueTotals.audios))
    .limit(1);
  // A small catalogue has no totals, and any list of it is short.
  return lists.find(({ listId }) => listId === row?.id) ?? lists[0];
}

/** Along the index of an order: of a list, of a creator, or of all audios. */
function walk(
  db: Db,
  viewer: Viewer,
  asked: Asked,
  { listId, walked }: { listId: string | undefined; walked: number },
): Promise<FoundRow[]> {
  const { conditions, voiceId, order } = asked;
  const { table, id, value } = keysOf(order.column, listId !== undefined);
  const visited = db
    .select({ id, value })
    .from(table)
    .where(
      and(
        table === audios ? isPublished : undefined,
        'listId' in table && listId !== undefined ? eq(table.listId, listId) : undefined,
        voiceId === undefined ? undefined : eq(table === audioCounts ? audioCounts.voiceId : audios.voiceId, voiceId),
        isAfter(asked, [value, id]),
        // Else the whole order of short ones would be walked for long ones.
        ...(order.column === 'durationMs' ? conditions.map(({ ms }) => ms && isWithin(value, ms)) : []),
      ),
    )
    .orderBy(...directed(order, value, id))
    .limit(walked);
  // Looked up one by one, so that the end of the page ends the walk.
  const met = sql`select from ${audioFilterKeys} where ${audioFilterKeys.audioId} = visited.id
    and ${and(isFound(conditions), isWanted(viewer, audioFilterKeys.audioId))} offset 0`;
  return select(db, asked, value, sql`(${visited.getSQL()}) as visited (id, value) cross join lateral (${met}) met`);
}

/** All of them by the index of keys, to be sorted. @param listId whose plays are those of the walk, on all pages */
function findAll(db: Db, viewer: Viewer, asked: Asked, listId: string | undefined): Promise<FoundRow[]> {
  const { conditions, order, voiceId } = asked;
  const { audioId } = audioFilterKeys;
  const value = order.column === 'plays' ? audioCounts.plays : audioFilterKeys[order.column];
  // One by one: the planner would read all counts when it expects many audios.
  const ofList = listId === undefined ? sql`` : sql`and counted.list_id = ${listId}`;
  const counts = sql`cross join lateral (
    select plays from ${keysOf('plays', listId !== undefined).table} counted
    where counted.audio_id = ${audioId} ${ofList} offset 0) as ${audioCounts}`;
  const found = sql`(
    select ${audioId} as id, ${value} as value from ${audioFilterKeys} ${order.column === 'plays' ? counts : sql``}
    where ${and(
      isFound(conditions),
      voiceId === undefined ? undefined : sql`${audioId} in (select id from audios where voice_id = ${voiceId})`,
      isAfter(asked, [value, audioId]),
    )} offset 0) as found`;
  const isShown = isWanted(viewer, sql`found.id`);
  if (isShown === undefined) return select(db, asked, value, found);
  // From the first one on, until the page is full.
  const sorted = sql`(select * from ${found} order by ${sql.join(directed(order, sql`value`, sql`id`), sql`, `)} offset 0) as found`;
  return select(db, asked, value, sql`${sorted} where ${isShown}`);
}

function select(db: Db, { order, limit }: Asked, value: AnyColumn, from: SQL): Promise<FoundRow[]> {
  return db
    .select({ id: sql<string>`id`, value: sql`value`.mapWith(value) as SQL<FoundRow['value']> })
    .from(from)
    .orderBy(...directed(order, sql`value`, sql`id`))
    .limit(limit);
}

function isWithin(ms: AnyColumn, { from, to }: { from: number; to: number }): SQL | undefined {
  return and(gte(ms, from), to === Infinity ? undefined : lt(ms, to));
}

function directed({ direction }: AudioOrder, ...columns: (AnyColumn | SQL)[]): SQL[] {
  return columns.map(direction === 'desc' ? desc : asc);
}

function isAfter({ after, order: { direction, bind } }: Asked, columns: [value: AnyColumn, id: AnyColumn]) {
  return after && isBeyond(direction, columns, { value: bind(after.value), id: after.id });
}
