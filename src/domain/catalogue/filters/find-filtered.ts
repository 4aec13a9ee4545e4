import { type AnyColumn, type SQL, and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isBeyond } from '../../kernel/pages.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type AudioOrder, keysOf } from '../audio-orders.ts';
import { isPublished } from '../audios.ts';
import { audioCounts, audioFilterKeys, audios, catalogueTotals } from '../tables.ts';
import { hasNoHiddenTag } from '../visibility.ts';
import { type Condition, isFound, readPlace, tagOf } from './read-filter.ts';

/** Rows of an order that are looked at; a page that is not full then is made of all that are found by their keys. */
const mostWalked = 2000;

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
 * The first ids in an order of those that meet the conditions. Where many do, the first ones of the order are enough;
 * where few do, the index of keys has them all in no time (decision 090).
 * @param walked rows of the order that are looked at first
 */
export async function findFiltered(db: Db, viewer: Viewer, asked: Asked, walked = mostWalked): Promise<FoundRow[]> {
  const { conditions, voiceId, categoryId } = asked;
  const [place, listId] = await Promise.all([
    readPlace(db, viewer, categoryId),
    voiceId === undefined ? findShortest(db, [...conditions.map(tagOf), categoryId]) : undefined,
  ]);
  const all = [...conditions, ...place];
  const rows = await walk(db, viewer, { ...asked, conditions: all }, { listId, walked });
  return rows.length === asked.limit || voiceId !== undefined
    ? rows
    : findAll(db, viewer, { ...asked, conditions: all });
}

/** The list with the fewest audios, of a tag or category; undefined without any. */
async function findShortest(db: Db, ids: (string | undefined)[]): Promise<string | undefined> {
  const lists = ids.filter((id) => id !== undefined);
  if (lists.length < 2) return lists[0];
  const [row] = await db
    .select({ id: catalogueTotals.subjectId })
    .from(catalogueTotals)
    .where(and(inArray(catalogueTotals.kind, ['tag', 'category']), inArray(catalogueTotals.subjectId, lists)))
    .orderBy(asc(catalogueTotals.audios))
    .limit(1);
  // A small catalogue has no totals, and any list of it is short.
  return row?.id ?? lists[0];
}

/** Along the index of an order: of a list, of a creator, whose audios are few enough to look at all, or of all audios. */
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
      ),
    )
    .orderBy(...directed(order, value, id))
    .$dynamic();
  if (voiceId === undefined) visited.limit(walked);
  // Looked up one by one, so that the end of the page ends the walk.
  const met = sql`select from ${audioFilterKeys} where ${audioFilterKeys.audioId} = visited.id
    and ${and(isFound(conditions), hasNoHiddenTag(viewer, audioFilterKeys.audioId))} offset 0`;
  return select(db, asked, value, sql`(${visited.getSQL()}) as visited (id, value) cross join lateral (${met}) met`);
}

/** All of them by the index of keys, to be sorted. */
function findAll(db: Db, viewer: Viewer, asked: Asked): Promise<FoundRow[]> {
  const { conditions, order } = asked;
  const { audioId } = audioFilterKeys;
  const value = order.column === 'plays' ? audioCounts.plays : audioFilterKeys[order.column];
  // One by one: the planner would read all counts when it expects many audios.
  const counts = sql`cross join lateral (
    select plays from ${audioCounts} counted where counted.audio_id = ${audioId} offset 0) as ${audioCounts}`;
  const found = sql`(
    select ${audioId} as id, ${value} as value from ${audioFilterKeys} ${order.column === 'plays' ? counts : sql``}
    where ${and(isFound(conditions), isAfter(asked, [value, audioId]))} offset 0) as found`;
  const isShown = hasNoHiddenTag(viewer, sql`found.id`);
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

function directed({ direction }: AudioOrder, ...columns: (AnyColumn | SQL)[]): SQL[] {
  return columns.map(direction === 'desc' ? desc : asc);
}

function isAfter({ after, order: { direction, bind } }: Asked, columns: [value: AnyColumn, id: AnyColumn]) {
  return after && isBeyond(direction, columns, { value: bind(after.value), id: after.id });
}
