import { type SQL, and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { audioOrders, keysOf } from './audio-orders.ts';
import { isCreditedTo } from './credits/credits.ts';
import { type Audio, findAudiosByIds, isPublished } from './audios.ts';
import { type Asked, type FoundRow, findFiltered } from './filters/find-filtered.ts';
import { meets, readFilter } from './filters/read-filter.ts';
import type { AudioFilter, AudioSort } from './forms.ts';
import { findShorterLists, sumIn } from './language-lists.ts';
import { audioCounts, audioListKeys, audios } from './tables.ts';
import { findTotals } from './totals.ts';
import { isListenedTo, isNotHidden, isWanted, seesEverything, shownLanguages } from './visibility.ts';

export type AudioListQuery = PageQuery & {
  filter?: AudioFilter;
  /** Ids; only audios of this voice or in this category. */
  voiceId?: string;
  categoryId?: string;
  /** Only audios of others that name this creator in their credits; without a filter. */
  creditedId?: string;
  sort?: AudioSort;
};

type Filters = Omit<AudioListQuery, 'limit' | 'cursor' | 'sort' | 'creditedId'>;

function isInList(listId: string): SQL {
  return sql`exists (select from ${audioListKeys} listed where listed.audio_id = ${audios.id} and listed.list_id = ${listId})`;
}

/**
 * Keyset pages in any order of `AudioSort`; the default is `recent`. First the ids are sorted, which may be those of
 * thousands of audios; then a prepared query reads the rest of those on the page.
 */
export async function listAudios(db: Db, viewer: Viewer, query: AudioListQuery): Promise<Page<Audio>> {
  const page = await listAudioIds(db, viewer, query);
  return { ...page, items: await findAudiosByIds(db, page.items) };
}

/** The ids of `listAudios`. @param options.walked for tests; see `findFiltered` */
export async function listAudioIds(
  db: Db,
  viewer: Viewer,
  query: AudioListQuery,
  options: { walked?: number } = {},
): Promise<Page<string>> {
  const sort = query.sort ?? 'recent';
  const order = audioOrders[sort];
  const after = decodeCursor(`audios.${sort}`, query.cursor, order.value);
  const conditions = await readFilter(db, query.filter);
  if (conditions === undefined) return { items: [], nextCursor: undefined };
  const { voiceId, categoryId } = query;
  const asked = { order, after, limit: query.limit + 1, voiceId, categoryId };
  const [first, ...others] = conditions;
  // A list of a tag is read as it is.
  const tagId = first?.listId;
  const isListed = first === undefined || (tagId !== undefined && others.length === 0);
  const rows: FoundRow[] = await (isListed
    ? findListed(db, viewer, { ...asked, tagId, creditedId: query.creditedId })
    : findFiltered(db, viewer, { ...asked, conditions }, options.walked));
  return toPage(
    rows,
    query.limit,
    (row) => row.id,
    ({ id, value }) =>
      encodeCursor(`audios.${sort}`, { value: value instanceof Date ? value.toISOString() : (value ?? 0), id }),
  );
}

type Listed = Omit<Asked, 'conditions'> & { tagId: string | undefined; creditedId: string | undefined };

/** The first ids of all audios, or of those of a creator, category or tag, or that name a creator. */
async function findListed(
  db: Db,
  viewer: Viewer,
  { order: { direction, column, bind }, after, limit, voiceId, categoryId, tagId, creditedId }: Listed,
): Promise<FoundRow[]> {
  const direct = direction === 'desc' ? desc : asc;
  // The list of the tag first, which is mostly the shorter one.
  const lists = [tagId, categoryId].filter((id) => id !== undefined);
  const [listId, ...otherLists] = lists;
  const byLanguage =
    creditedId === undefined ? await findShorterLists(db, viewer, { voiceId, tagId, categoryId }) : undefined;
  return byLanguage === undefined ? select(listId, otherLists) : firstOf(byLanguage.map((id) => select(id, lists)));

  /** The first ids of this list, or of all audios, that are in the other lists too. */
  function select(ofList: string | undefined, others: string[]) {
    const keys = keysOf(column, ofList !== undefined);
    const found = db.select({ id: audios.id, value: keys.value }).from(audios).$dynamic();
    if (keys.table !== audios) found.innerJoin(keys.table, eq(keys.id, audios.id));
    return found
      .where(
        and(
          isPublished,
          isNotHidden(viewer, audios.id),
          creditedId === undefined ? undefined : isCreditedTo(creditedId),
          voiceId === undefined
            ? undefined
            : eq(keys.table === audioCounts ? audioCounts.voiceId : audios.voiceId, voiceId),
          'listId' in keys.table && ofList !== undefined ? eq(keys.table.listId, ofList) : undefined,
          ...others.map(isInList),
          after && isBeyond(direction, [keys.value, keys.id], { value: bind(after.value), id: after.id }),
        ),
      )
      .orderBy(direct(keys.value), direct(keys.id))
      .limit(limit);
  }

  /** The first ids of several lists, each of which is read from its index. */
  function firstOf(parts: ReturnType<typeof select>[]) {
    const union = sql.join(
      parts.map((part) => part.getSQL()).map((part) => sql`(${part})`),
      sql` union all `,
    );
    return db
      .select({ id: sql<string>`id`, value: sql<FoundRow['value']>`value`.mapWith(keysOf(column, true).value) })
      .from(sql`(${union}) as found (id, value)`)
      .orderBy(direct(sql`value`), direct(sql`id`))
      .limit(limit);
  }
}

/** Number of audios of others that name this creator in their credits. */
export function countCredited(db: Db, viewer: Viewer, voiceId: string): Promise<number> {
  return db.$count(audios, and(isPublished, isNotHidden(viewer, audios.id), isCreditedTo(voiceId)));
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
        isPublished,
        isWanted(viewer, audios.id),
        meets(audios.id, conditions),
        query.voiceId === undefined ? undefined : eq(audios.voiceId, query.voiceId),
        query.categoryId === undefined ? undefined : isInList(query.categoryId),
      ),
    );
  const { total = 0, seconds = 0, plays = 0, all } = row ?? {};
  return { total, seconds: Math.round(seconds), plays, ...(all !== undefined && { inOtherLanguages: all - total }) };
}

export type AudioSums = { total: number; seconds: number; plays: number; inOtherLanguages?: number };
