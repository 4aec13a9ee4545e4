import { type AnyColumn, type SQL, and, asc, desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { Instant, PlainText } from '../kernel/forms.ts';
import { type Audio, findAudiosByIds, isPublished } from './audios.ts';
import { type Condition, readFilter } from './filters/read-filter.ts';
import type { AudioFilter, AudioSort } from './forms.ts';
import { findShorterLists, sumIn } from './language-lists.ts';
import { audioCounts, audioListKeys, audioListPlays, audios } from './tables.ts';
import { findTotals } from './totals.ts';
import { hasNoHiddenTag, isListenedTo, isNotHidden, seesEverything, shownLanguages } from './visibility.ts';

export type AudioListQuery = PageQuery & {
  filter?: AudioFilter;
  /** Ids; only audios of this voice or in this category. */
  voiceId?: string;
  categoryId?: string;
  sort?: AudioSort;
};

type Filters = Omit<AudioListQuery, 'limit' | 'cursor' | 'sort'>;

function isInList(listId: string): SQL {
  return sql`exists (select from ${audioListKeys} listed where listed.audio_id = ${audios.id} and listed.list_id = ${listId})`;
}

function matching(
  viewer: Viewer,
  voiceId: string | undefined,
  conditions: Condition[],
  {
    voiceIdColumn = audios.voiceId,
    isShown = isNotHidden,
  }: { voiceIdColumn?: AnyColumn; isShown?: typeof isNotHidden } = {},
) {
  return [
    isPublished,
    isShown(viewer, audios.id),
    voiceId === undefined ? undefined : eq(voiceIdColumn, voiceId),
    ...conditions.map(({ isMet }) => isMet),
  ];
}

/** Ids of the lists that all found audios are in: of tags, which are mostly the shorter ones, and of the category. */
function listsOf(conditions: Condition[], categoryId: string | undefined): string[] {
  return [...conditions.map(({ tagId }) => tagId), categoryId].filter((id) => id !== undefined);
}

type Order = {
  direction: 'asc' | 'desc';
  column: 'publishedAt' | 'sortTitle' | 'durationMs' | 'plays';
  value: z.ZodType<string | number>;
  /** Converts the cursor value to the type of the column. */
  bind: (value: string | number) => string | number | Date;
};

const WholeNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const asItIs = (value: string | number) => value;
const byTime = { column: 'publishedAt', value: Instant, bind: (value: string | number) => new Date(value) } as const;
const byDuration = { column: 'durationMs', value: WholeNumber.max(2_147_483_647), bind: asItIs } as const;

const orders: Record<AudioSort, Order> = {
  recent: { direction: 'desc', ...byTime },
  oldest: { direction: 'asc', ...byTime },
  popular: { direction: 'desc', column: 'plays', value: WholeNumber, bind: asItIs },
  title: { direction: 'asc', column: 'sortTitle', value: PlainText, bind: asItIs },
  shortest: { direction: 'asc', ...byDuration },
  longest: { direction: 'desc', ...byDuration },
};

/** The table whose index has the audios in this order: those of a list, or all. */
function keysOf(column: Order['column'], isList: boolean) {
  if (column === 'plays') {
    const table = isList ? audioListPlays : audioCounts;
    return { table, id: table.audioId, value: table.plays };
  }
  return isList
    ? { table: audioListKeys, id: audioListKeys.audioId, value: audioListKeys[column] }
    : { table: audios, id: audios.id, value: audios[column] };
}

/**
 * Keyset pages in any order of `AudioSort`; the default is `recent`. First the ids are sorted, which may be those of
 * thousands of audios; then a prepared query reads the rest of those on the page.
 */
export async function listAudios(db: Db, viewer: Viewer, query: AudioListQuery): Promise<Page<Audio>> {
  const page = await listAudioIds(db, viewer, query);
  return { ...page, items: await findAudiosByIds(db, page.items) };
}

/** The ids of `listAudios`. */
export async function listAudioIds(db: Db, viewer: Viewer, query: AudioListQuery): Promise<Page<string>> {
  const sort = query.sort ?? 'recent';
  const { direction, column, value: cursorValue, bind } = orders[sort];
  const after = decodeCursor(`audios.${sort}`, query.cursor, cursorValue);
  const all = await readFilter(db, query.filter);
  if (all === undefined) return { items: [], nextCursor: undefined };
  const { voiceId, categoryId } = query;
  const lists = listsOf(all, categoryId);
  /** Those that the lists do not meet. */
  const conditions = all.filter((one) => one.tagId === undefined);
  const direct = direction === 'desc' ? desc : asc;
  /** The first ids of this list, or of all audios, that are in the other lists too. */
  function select(listId: string | undefined, otherLists: string[]) {
    const keys = keysOf(column, listId !== undefined);
    const found = db.select({ id: audios.id, value: keys.value }).from(audios).$dynamic();
    if (keys.table !== audios) found.innerJoin(keys.table, eq(keys.id, audios.id));
    return found
      .where(
        and(
          ...matching(viewer, voiceId, conditions, {
            voiceIdColumn: keys.table === audioCounts ? audioCounts.voiceId : audios.voiceId,
          }),
          'listId' in keys.table && listId !== undefined ? eq(keys.table.listId, listId) : undefined,
          ...otherLists.map(isInList),
          after && isBeyond(direction, [keys.value, keys.id], { value: bind(after.value), id: after.id }),
        ),
      )
      .orderBy(direct(keys.value), direct(keys.id))
      .limit(query.limit + 1);
  }
  const [listId, ...otherLists] = lists;
  const tagId = all.find((one) => one.tagId !== undefined)?.tagId;
  const byLanguage = await findShorterLists(db, viewer, { voiceId, tagId, categoryId });
  const rows = await (byLanguage === undefined
    ? select(listId, otherLists)
    : firstOf(
        byLanguage.map((id) => select(id, lists)),
        keysOf(column, true).value,
      ));
  return toPage(
    rows,
    query.limit,
    (row) => row.id,
    ({ id, value }) =>
      encodeCursor(`audios.${sort}`, { value: value instanceof Date ? value.toISOString() : (value ?? 0), id }),
  );

  /** The first ids of several lists, each of which is read from its index. */
  function firstOf(parts: ReturnType<typeof select>[], value: ReturnType<typeof keysOf>['value']) {
    const union = sql.join(
      parts.map((part) => part.getSQL()).map((part) => sql`(${part})`),
      sql` union all `,
    );
    return db
      .select({ id: sql<string>`id`, value: sql`value`.mapWith(value) })
      .from(sql`(${union}) as found (id, value)`)
      .orderBy(direct(sql`value`), direct(sql`id`))
      .limit(query.limit + 1);
  }
}

const maxPerVoice = 4;
const preparedOfVoice = prepareOnce((db) =>
  db
    .select({ id: sql<string>`found.id` })
    .from(
      sql`(select c.audio_id as id from audio_counts c join audios a on a.id = c.audio_id and a.published_at <= now()
        where c.voice_id = ${sql.placeholder('voiceId')}
        order by c.plays desc, c.audio_id desc limit ${sql.raw(String(maxPerVoice))}) found`,
    )
    .prepare('most_played_of_voice'),
);

/**
 * The first four of `listAudios` by plays, which are part of each audio’s page.
 * @param audiosByIds may cache them
 */
export async function listMostPlayedOfVoice(
  db: Db,
  viewer: Viewer,
  voiceId: string,
  audiosByIds = (ids: string[]) => findAudiosByIds(db, ids),
): Promise<Audio[]> {
  if (seesEverything(viewer)) {
    const rows = await preparedOfVoice(db).execute({ voiceId });
    return audiosByIds(rows.map(({ id }) => id));
  }
  return (await listAudios(db, viewer, { voiceId, sort: 'popular', limit: maxPerVoice })).items;
}

/**
 * Count and total length (seconds) of the matching audios. In a large catalogue, where summing is slow: those of the
 * whole voice, category or site, without filter and hidden tags.
 * @returns `inOtherLanguages`: audios that are left out; for viewers who have chosen languages
 */
export async function sumAudios(db: Db, viewer: Viewer, query: Filters): Promise<AudioSums> {
  const languages = shownLanguages(viewer);
  const totals = await findTotals(db, query);
  if (totals !== undefined) {
    const sums = languages === undefined ? totals : sumIn(totals, languages);
    return {
      total: sums.audios,
      seconds: Math.round(sums.durationMs / 1000),
      plays: sums.plays,
      ...(languages && { inOtherLanguages: totals.audios - sums.audios }),
    };
  }
  const conditions = await readFilter(db, query.filter);
  if (conditions === undefined) return { total: 0, seconds: 0, plays: 0 };
  const isListened = isListenedTo(viewer, audios.language);
  const only = isListened && sql` filter (where ${isListened})`;
  const [row] = await db
    .select({
      total: sql<number>`count(*)${only}::int`,
      seconds: sql<number>`(coalesce(sum(${audios.durationMs})${only}, 0) / 1000)::float8`,
      plays: sql<number>`coalesce(sum(${audioCounts.plays})${only}, 0)::float8`,
      ...(isListened && { all: sql<number>`count(*)::int` }),
    })
    .from(audios)
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .where(
      and(
        ...matching(viewer, query.voiceId, conditions, { isShown: hasNoHiddenTag }),
        query.categoryId === undefined ? undefined : isInList(query.categoryId),
      ),
    );
  const { total = 0, seconds = 0, plays = 0, all } = row ?? {};
  return { total, seconds: Math.round(seconds), plays, ...(all !== undefined && { inOtherLanguages: all - total }) };
}

export type AudioSums = { total: number; seconds: number; plays: number; inOtherLanguages?: number };
