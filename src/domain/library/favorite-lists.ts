import { type Placeholder, type SQL, and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Audio, findAudiosByIds } from '../catalogue/audios.ts';
import { type Category, findCategoriesByIds } from '../catalogue/categories.ts';
import { type Playlist, findPlaylistsByIds } from '../catalogue/playlists.ts';
import { countFilters } from '../catalogue/filters/count-filters.ts';
import type { FilterChoices } from '../catalogue/filters/shapes.ts';
import { type Condition, meets, readFilter } from '../catalogue/filters/read-filter.ts';
import type { AudioFilter } from '../catalogue/forms.ts';
import { type Voice, findVoicesByIds } from '../catalogue/voices.ts';
import { audioCounts, audios } from '../catalogue/tables.ts';
import { seesEverything } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import { Instant, PlainText } from '../kernel/forms.ts';
import { anyUser, prepareOnce } from '../kernel/prepared.ts';
import type { User } from '../kernel/viewer.ts';
import { type Cursor, type Page, type PageQuery, decodeCursor, encodeCursor, toPage } from '../kernel/pages.ts';
import { type FavoriteSource, favoriteSources, matchesFilter } from './favorite-sources.ts';
import { favoriteTables, findUsersByIds } from './favorites.ts';
import type { UserShape } from '../identity/shapes.ts';
import { type ContentTypeId, type FavoriteGroup, type FavoriteSort, canSortBy } from './rules.ts';
import { mixes, userPlaylists } from './tables.ts';
import { type UserPlaylist, findUserPlaylistsByIds } from './user-playlists.ts';

/** A sort order, and how cursors carry its value. */
type FavoriteOrder = {
  column: (source: FavoriteSource) => SQL;
  direction: SQL;
  /** Compares a row with the cursor: `>` in ascending orders. */
  isAfter: SQL;
  /** Type of the column. */
  type: SQL;
  cursorValue: z.ZodType<string | number>;
  toCursorValue: (value: unknown) => string | number;
};

const ascending = { direction: sql`asc`, isAfter: sql`>` };
const descending = { direction: sql`desc`, isAfter: sql`<` };

const byTime = {
  column: () => sql`f.created_at`,
  type: sql`timestamptz`,
  cursorValue: Instant,
  toCursorValue: (value: unknown) => new Date(value as string | Date).toISOString(),
};

const byNumber = {
  type: sql`bigint`,
  cursorValue: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  toCursorValue: Number,
};

const byTitle = {
  column: ({ title }: FavoriteSource) => title,
  type: sql`text collate "C"`,
  cursorValue: PlainText,
  toCursorValue: String,
};

const favoriteOrders: Record<FavoriteSort, FavoriteOrder> = {
  recent: { ...byTime, ...descending },
  oldest: { ...byTime, ...ascending },
  title: { ...byTitle, ...ascending },
  popular: { ...byNumber, ...descending, column: () => sql`${audioCounts.plays}` },
  shortest: { ...byNumber, ...ascending, column: () => sql`${audios.durationMs}` },
  longest: { ...byNumber, ...descending, column: () => sql`${audios.durationMs}` },
};

/** The items of each group; playlists include their owner. */
export type FavoriteItems = {
  audios: Audio;
  voices: Voice;
  categories: Category;
  playlists: (Playlist & { contentTypeId: 'playlist' }) | (UserPlaylist & { contentTypeId: 'userPlaylist' });
  users: UserShape;
};

export type FavoriteQuery = PageQuery & {
  sort?: FavoriteSort | undefined;
  /** Search text that filters the list. */
  filter?: string | undefined;
  /** Filters the group of audios. */
  audioFilter?: AudioFilter;
  /** Without playlists of other listeners. */
  ownListsOnly?: boolean;
};

/** Visible items per group, and the user's own lists. */
export type FavoriteTotals = Record<FavoriteGroup | 'ownPlaylists' | 'mixes', number>;

/**
 * One group of the library, in pages. Favorites that are unpublished, private or by blocked users are skipped, not
 * deleted.
 */
export async function listFavorites<Group extends FavoriteGroup>(
  db: Db,
  viewer: User,
  group: Group,
  query: FavoriteQuery,
  audiosByIds = (ids: string[]) => findAudiosByIds(db, ids),
): Promise<Page<FavoriteItems[Group]>> {
  const sort = query.sort !== undefined && canSortBy(group, query.sort) ? query.sort : 'recent';
  const order = favoriteOrders[sort];
  const cursorName = `favorites.${group}.${sort}`;
  const after = decodeCursor(cursorName, query.cursor, order.cursorValue);
  const limit = query.limit + 1;
  const conditions = group === 'audios' ? await readFilter(db, query.audioFilter) : [];
  if (conditions === undefined) return { items: [], nextCursor: undefined };
  const isWhole = !query.filter && conditions.length === 0;
  const isFirstSight = group === 'audios' && sort === 'recent' && after === undefined && isWhole;
  // Hidden tags and blocks do not apply to favorite audios.
  const rows = isFirstSight
    ? await preparedNewestAudios(db).execute({ userId: viewer.id, limit })
    : await selectFavorites(db, viewer, favoriteSources[group], { ...query, conditions, order, after, limit });
  const page = toPage(
    rows,
    query.limit,
    (row) => row,
    ({ id, value }) => encodeCursor(cursorName, { value: order.toCursorValue(value), id }),
  );
  return { items: await findItems({ db, audiosByIds }, viewer, group, page.items), nextCursor: page.nextCursor };
}

/** The filters of favorite audios, which hidden tags, blocks and languages do not apply to. @param text as `filter` */
export function countFavoriteFilters(
  db: Db,
  viewer: User,
  text: string | undefined,
  filter: AudioFilter,
): Promise<FilterChoices> {
  const [source] = favoriteSources.audios;
  const isListed = and(sql`f.user_id = ${viewer.id}`, source.isVisible(viewer), matchesFilter(source, text));
  const ids = sql`select f.content_id from ${favoriteTables.audio} f ${source.join} ${source.listJoin} where ${isListed}`;
  return countFilters(db, viewer, { found: { ids } }, filter);
}

type FavoriteRow = { type: ContentTypeId; id: string; value: unknown };

type FavoritePage = {
  order: FavoriteOrder;
  after?: Cursor | undefined;
  filter?: string | undefined;
  /** On audios. */
  conditions?: Condition[];
  limit: number | Placeholder;
  ownListsOnly?: boolean | undefined;
};

/** Each source is sorted and limited separately, so that its index is used; then the sources are merged. */
function selectFavorites(db: Db, viewer: User, sources: FavoriteSource[], { order, ...page }: FavoritePage) {
  const { direction, isAfter, type } = order;
  const branches = sources.map((source) => {
    const value = order.column(source);
    const condition = and(
      sql`f.user_id = ${viewer.id}`,
      source.isVisible(viewer, page.ownListsOnly),
      matchesFilter(source, page.filter),
      meets(sql`f.content_id`, page.conditions ?? []),
      page.after && sql`(${value}, f.content_id) ${isAfter} (${page.after.value}::${type}, ${page.after.id}::uuid)`,
    );
    return sql`(select ${source.contentTypeId}::text as type, f.content_id as id, ${value} as value
      from ${favoriteTables[source.contentTypeId]} f ${source.join} ${source.listJoin ?? sql``} where ${condition}
      order by ${value} ${direction}, f.content_id ${direction} limit ${page.limit})`;
  });
  return db
    .select({ type: sql<ContentTypeId>`type`, id: sql<string>`id`, value: sql<unknown>`value` })
    .from(sql`(${sql.join(branches, sql` union all `)}) one`)
    .orderBy(sql`value ${direction}`, sql`id ${direction}`)
    .limit(page.limit);
}

/** First view of the library: audios from the newest favorite on, unfiltered. */
const preparedNewestAudios = prepareOnce((db) =>
  selectFavorites(db, anyUser, favoriteSources.audios, {
    order: favoriteOrders.recent,
    limit: sql.placeholder('limit'),
  }).prepare('newest_favorite_audios'),
);

/** The items of those rows, in their order. */
async function findItems<Group extends FavoriteGroup>(
  { db, audiosByIds }: { db: Db; audiosByIds: (ids: string[]) => Promise<Audio[]> },
  viewer: User,
  group: Group,
  rows: FavoriteRow[],
): Promise<FavoriteItems[Group][]> {
  const idsOf = (type: ContentTypeId) => rows.filter((row) => row.type === type).map(({ id }) => id);
  const finders: { [G in FavoriteGroup]: () => Promise<FavoriteItems[G][]> } = {
    audios: () => audiosByIds(idsOf('audio')),
    voices: () => findVoicesByIds(db, idsOf('voice')),
    categories: () => findCategoriesByIds(db, idsOf('category')),
    async playlists() {
      const ofHouse = await findPlaylistsByIds(db, idsOf('playlist'));
      const ofUsers = await findUserPlaylistsByIds(db, viewer, idsOf('userPlaylist'));
      return [
        ...ofHouse.map((playlist) => ({ ...playlist, contentTypeId: 'playlist' as const })),
        ...ofUsers.map((playlist) => ({ ...playlist, contentTypeId: 'userPlaylist' as const })),
      ];
    },
    users: () => findUsersByIds(db, idsOf('user')),
  };
  const found = await finders[group]();
  const byId = new Map(found.map((item) => [item.id, item]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

/** The newest favorites of each group. */
export async function findFavorites(db: Db, viewer: User, query: Pick<FavoriteQuery, 'limit' | 'ownListsOnly'>) {
  const newest = async <Group extends FavoriteGroup>(group: Group) =>
    (await listFavorites(db, viewer, group, query)).items;
  return {
    audios: await newest('audios'),
    voices: await newest('voices'),
    categories: await newest('categories'),
    playlists: await newest('playlists'),
    users: await newest('users'),
  };
}

function selectTotals(db: Db, viewer: User, ownListsOnly: boolean) {
  const countSource = ({ contentTypeId, join, isVisible }: FavoriteSource) =>
    sql`(select count(*)::int from ${favoriteTables[contentTypeId]} f ${join}
      where ${and(sql`f.user_id = ${viewer.id}`, isVisible(viewer, ownListsOnly))})`;
  const countGroup = (group: FavoriteGroup) =>
    sql<number>`${sql.join(favoriteSources[group].map(countSource), sql` + `)}`;
  const own = and(eq(userPlaylists.userId, viewer.id), isNull(userPlaylists.deletedAt));
  return db
    .select({
      audios: countGroup('audios'),
      voices: countGroup('voices'),
      categories: countGroup('categories'),
      playlists: countGroup('playlists'),
      users: countGroup('users'),
      ownPlaylists: sql<number>`${sql`(select count(*)::int from ${userPlaylists} where ${own})`}`,
      mixes: sql<number>`${sql`(select count(*)::int from ${mixes} where ${and(eq(mixes.userId, viewer.id), isNull(mixes.deletedAt))})`}`,
    })
    .from(sql`(values (1)) as one`);
}

const preparedTotals = prepareOnce((db) => selectTotals(db, anyUser, false).prepare('favorite_totals'));

/** @param ownListsOnly does not count playlists of other listeners */
export async function countFavorites(db: Db, viewer: User, ownListsOnly = false): Promise<FavoriteTotals> {
  const [totals] = await (seesEverything(viewer) && !ownListsOnly
    ? preparedTotals(db).execute({ userId: viewer.id })
    : selectTotals(db, viewer, ownListsOnly));
  return totals ?? { audios: 0, voices: 0, categories: 0, playlists: 0, users: 0, ownPlaylists: 0, mixes: 0 };
}
