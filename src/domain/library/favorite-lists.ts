import type { SQL } from 'drizzle-orm';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Audio } from '../catalogue/audios.ts';
import { findAudiosByIds, isPublished } from '../catalogue/audios.ts';
import type { Category } from '../catalogue/categories.ts';
import { findCategoriesByIds } from '../catalogue/categories.ts';
import type { Playlist } from '../catalogue/playlists.ts';
import { findPlaylistsByIds } from '../catalogue/playlists.ts';
import { audioCounts, audios, categories, playlists, voices } from '../catalogue/tables.ts';
import type { Voice } from '../catalogue/voices.ts';
import { findVoicesByIds } from '../catalogue/voices.ts';
import type { Db } from '../db.ts';
import { sortKey } from '../ids.ts';
import type { Viewer } from '../identity/rules.ts';
import { users } from '../identity/tables.ts';
import type { Page } from '../pages.ts';
import { decodeCursor, encodeCursor, Instant, toPage } from '../pages.ts';
import { favoriteTables, findUsersByIds, isKnownUser } from './favorites.ts';
import type { UserShape } from './favorites.ts';
import type { ContentTypeId, FavoriteGroup, FavoriteSort } from './rules.ts';
import { canSortBy, favoriteGroups } from './rules.ts';
import { userPlaylists } from './tables.ts';
import type { UserPlaylist } from './user-playlists.ts';
import { findUserPlaylistsByIds, isVisible } from './user-playlists.ts';

type User = Extract<Viewer, { kind: 'user' }>;

/** What a group holds; playlists say whose they are. */
export type FavoriteItems = {
  audios: Audio;
  voices: Voice;
  categories: Category;
  playlists: (Playlist & { contentTypeId: 'playlist' }) | (UserPlaylist & { contentTypeId: 'userPlaylist' });
  users: UserShape;
};

export type FavoriteQuery = {
  sort?: FavoriteSort | undefined;
  /** What was typed to narrow the list down. */
  filter?: string | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** How many of each group can be seen; and of the user's own lists. */
export type FavoriteTotals = Record<FavoriteGroup | 'ownPlaylists', number>;

type Source = {
  contentTypeId: ContentTypeId;
  /** Joins what is behind `f`, a row of favourites. */
  join: SQL;
  /** What it is sorted and searched by, beside. */
  more?: SQL;
  isThere: (viewer: Viewer) => SQL | undefined;
  /** Compared by code point. */
  title: SQL;
  /** Without accents and case, what is searched in; `own` is as it is written. */
  named: { plain: SQL[]; own: SQL[] };
};

/** As `plainText` does it. */
const plain = (text: SQL) => sql`regexp_replace(normalize(lower(${text}), NFKD), '[\u0300-\u036f]', '', 'g')`;
const byOwnName = (name: SQL) => ({ title: sql`lower(${name}) collate "C"`, named: { plain: [plain(name)], own: [] } });

const sources: Record<FavoriteGroup, [Source, ...Source[]]> = {
  audios: [
    {
      contentTypeId: 'audio',
      join: sql`join ${audios} on ${audios.id} = f.content_id`,
      more: sql`join ${audioCounts} on ${audioCounts.audioId} = f.content_id join ${voices} on ${voices.id} = ${audios.voiceId}`,
      isThere: () => isPublished,
      title: sql`${audios.sortTitle}`,
      named: {
        plain: [sql`${audios.sortTitle}`, sql`${voices.sortName}`],
        own: [sql`${audios.title}`, sql`${voices.name}`],
      },
    },
  ],
  voices: [
    {
      contentTypeId: 'voice',
      join: sql`join ${voices} on ${voices.id} = f.content_id`,
      isThere: () => undefined,
      title: sql`${voices.sortName}`,
      named: { plain: [sql`${voices.sortName}`], own: [sql`${voices.name}`] },
    },
  ],
  categories: [
    {
      contentTypeId: 'category',
      join: sql`join ${categories} on ${categories.id} = f.content_id`,
      isThere: () => undefined,
      ...byOwnName(sql`${categories.label}`),
    },
  ],
  playlists: [
    {
      contentTypeId: 'playlist',
      join: sql`join ${playlists} on ${playlists.id} = f.content_id`,
      isThere: () => undefined,
      ...byOwnName(sql`${playlists.title}`),
    },
    {
      contentTypeId: 'userPlaylist',
      join: sql`join ${userPlaylists} on ${userPlaylists.id} = f.content_id join ${users} on ${users.id} = ${userPlaylists.userId}`,
      isThere: isVisible,
      ...byOwnName(sql`${userPlaylists.title}`),
    },
  ],
  users: [
    {
      contentTypeId: 'user',
      join: sql`join ${users} on ${users.id} = f.content_id`,
      isThere: isKnownUser,
      ...byOwnName(sql`${users.username}`),
    },
  ],
};

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Name = z.string().refine((text) => !text.includes('\0'));

/** What a list is ordered by, and how its cursor says it. */
const orders: Record<
  FavoriteSort,
  { by: (source: Source) => SQL; direction: 'asc' | 'desc'; type: SQL; value: z.ZodType<string | number> }
> = {
  recent: { by: () => sql`f.created_at`, direction: 'desc', type: sql`timestamptz`, value: Instant },
  oldest: { by: () => sql`f.created_at`, direction: 'asc', type: sql`timestamptz`, value: Instant },
  title: { by: ({ title }) => title, direction: 'asc', type: sql`text collate "C"`, value: Name },
  popular: { by: () => sql`${audioCounts.plays}`, direction: 'desc', type: sql`bigint`, value: Count },
  shortest: { by: () => sql`${audios.durationMs}`, direction: 'asc', type: sql`bigint`, value: Count },
  longest: { by: () => sql`${audios.durationMs}`, direction: 'desc', type: sql`bigint`, value: Count },
};

/**
 * One group of the library, page by page. What is not published any more, private by now, or of somebody who is blocked
 * is passed over; nothing is forgotten.
 */
export async function listFavorites<Group extends FavoriteGroup>(
  db: Db,
  viewer: User,
  group: Group,
  query: FavoriteQuery,
): Promise<Page<FavoriteItems[Group]>> {
  const sort = query.sort !== undefined && canSortBy(group, query.sort) ? query.sort : 'recent';
  const order = orders[sort];
  const name = `favorites.${group}.${sort}`;
  const after = decodeCursor(name, query.cursor, order.value);
  const [beyond, direction] = order.direction === 'desc' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const branches = sources[group].map((source) => {
    const value = order.by(source);
    const where = and(
      sql`f.user_id = ${viewer.id}`,
      source.isThere(viewer),
      matches(source, query.filter),
      after && sql`(${value}, f.content_id) ${beyond} (${after.value}::${order.type}, ${after.id}::uuid)`,
    );
    return sql`(select ${source.contentTypeId}::text as type, f.content_id as id, ${value} as value
      from ${favoriteTables[source.contentTypeId]} f ${source.join} ${source.more ?? sql``} where ${where}
      order by ${value} ${direction}, f.content_id ${direction} limit ${query.limit + 1})`;
  });
  const { rows } = await db.execute<{ type: ContentTypeId; id: string; value: string | number | Date }>(sql`
    select type, id, value from (${sql.join(branches, sql` union all `)}) one
    order by value ${direction}, id ${direction} limit ${query.limit + 1}`);
  const page = toPage(
    rows,
    query.limit,
    (row) => row,
    ({ id, value }) => encodeCursor(name, { value: toCursorValue(sort, value), id }),
  );
  return { items: await load(db, viewer, group, page.items), nextCursor: page.nextCursor };
}

function toCursorValue(sort: FavoriteSort, value: string | number | Date): string | number {
  if (sort === 'title') return String(value);
  return sort === 'recent' || sort === 'oldest' ? new Date(value).toISOString() : Number(value);
}

function matches({ named }: Source, filter: string | undefined): SQL | undefined {
  const typed = (filter ?? '').trim();
  if (typed === '') return undefined;
  const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const plainly = typed.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  // In titles as they are sorted there is neither an article nor a point.
  const key = named.own.length > 0 ? sortKey(typed) : plainly;
  const tests = [
    ...(key === '' ? [] : named.plain.map((text) => sql`${text} like ${pattern(key)}`)),
    ...named.own.map((text) => sql`${text} ilike ${pattern(typed)}`),
  ];
  return tests.length === 0 ? sql`false` : sql`(${sql.join(tests, sql` or `)})`;
}

async function load<Group extends FavoriteGroup>(
  db: Db,
  viewer: User,
  group: Group,
  rows: { type: ContentTypeId; id: string }[],
): Promise<FavoriteItems[Group][]> {
  const idsOf = (type: ContentTypeId) => rows.filter((row) => row.type === type).map(({ id }) => id);
  const loaders: { [G in FavoriteGroup]: () => Promise<FavoriteItems[G][]> } = {
    audios: () => findAudiosByIds(db, idsOf('audio')),
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
  const found = await loaders[group]();
  const byId = new Map(found.map((item) => [item.id, item]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

/** The newest of each group. */
export async function findFavorites(
  db: Db,
  viewer: User,
  limit: number,
): Promise<{ [Group in FavoriteGroup]: FavoriteItems[Group][] }> {
  const items = async <Group extends FavoriteGroup>(group: Group) =>
    (await listFavorites(db, viewer, group, { limit })).items;
  return {
    audios: await items('audios'),
    voices: await items('voices'),
    categories: await items('categories'),
    playlists: await items('playlists'),
    users: await items('users'),
  };
}

export async function countFavorites(db: Db, viewer: User): Promise<FavoriteTotals> {
  const count = (
    source: Source,
  ) => sql`(select count(*)::int from ${favoriteTables[source.contentTypeId]} f ${source.join}
    where ${and(sql`f.user_id = ${viewer.id}`, source.isThere(viewer))})`;
  const columns = favoriteGroups.map(
    (group) => sql`${sql.join(sources[group].map(count), sql` + `)} as ${sql.identifier(group)}`,
  );
  const own = and(eq(userPlaylists.userId, viewer.id), isNull(userPlaylists.deletedAt));
  const { rows } = await db.execute<FavoriteTotals>(sql`
    select ${sql.join(columns, sql`, `)}, (select count(*)::int from ${userPlaylists} where ${own}) as "ownPlaylists"`);
  return rows[0] ?? { audios: 0, voices: 0, categories: 0, playlists: 0, users: 0, ownPlaylists: 0 };
}
