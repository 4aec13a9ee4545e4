import { type AnyColumn, type SQL, and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Audio } from '../catalogue/audios.ts';
import type { AudioFilter } from '../catalogue/forms.ts';
import { type ItemsQuery, listItems, sumItems } from '../catalogue/items.ts';
import { isNotBlockedBy } from '../catalogue/visibility.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { Id, Seconds } from '../kernel/shapes.ts';
import { UserShape } from '../identity/shapes.ts';
import { type User, type Viewer, visitor } from '../kernel/viewer.ts';
import { userColumns, users } from '../identity/tables.ts';
import { type Page, type PageQuery, pageIn } from '../kernel/pages.ts';
import { purgeRows } from '../kernel/purge.ts';
import { canEditUserPlaylist, playlistBackgrounds, playlistFonts } from './rules.ts';
import { userPlaylistCounts, userPlaylistPlayMarks, userPlaylists } from './tables.ts';

/** A playlist made by a listener. */
export const UserPlaylist = z.object({
  id: Id,
  title: z.string(),
  background: z.enum(playlistBackgrounds),
  font: z.enum(playlistFonts),
  isPublic: z.boolean(),
  user: UserShape,
  totalAudios: z.number(),
  totalDuration: Seconds,
  plays: z.number(),
});
export type UserPlaylist = z.infer<typeof UserPlaylist>;

export function selectUserPlaylists(db: Db) {
  return db
    .select(userPlaylistColumns)
    .from(userPlaylists)
    .innerJoin(users, eq(users.id, userPlaylists.userId))
    .innerJoin(userPlaylistCounts, eq(userPlaylistCounts.userPlaylistId, userPlaylists.id))
    .$dynamic();
}

/** The stored count; in the few lists with scheduled audios, which listeners do not see yet, counted now. */
function visibleOf(stored: AnyColumn, counted: SQL): SQL<number> {
  return sql<number>`case when ${userPlaylistCounts.scheduledUntil} > now() then (
    select ${counted} from user_playlist_items i join audios a on a.id = i.audio_id and a.published_at <= now()
    where i.user_playlist_id = ${userPlaylistCounts.userPlaylistId}) else ${stored} end`;
}

export const userPlaylistColumns = {
  ...pick(userPlaylists, 'id', 'title', 'background', 'font', 'isPublic'),
  user: userColumns,
  totalAudios: visibleOf(userPlaylistCounts.audios, sql`count(*)::int`),
  totalDuration: sql<number>`round(${visibleOf(userPlaylistCounts.durationMs, sql`coalesce(sum(a.duration_ms), 0)`)} / 1000.0)::int`,
  plays: userPlaylistCounts.plays,
};

/** For everyone but the owner: public, not deleted, owner neither suspended nor blocked by the viewer. */
export function isShared(viewer: Viewer): SQL | undefined {
  return and(
    userPlaylists.isPublic,
    isNull(userPlaylists.deletedAt),
    isNull(users.suspendedAt),
    isNotBlockedBy(viewer, userPlaylists.userId),
  );
}

export function isOwn(viewer: User): SQL | undefined {
  return and(eq(userPlaylists.userId, viewer.id), isNull(userPlaylists.deletedAt));
}

/** The viewer may see the list of this row: it is shared with them, or their own. */
export function isVisible(viewer: Viewer): SQL | undefined {
  if (viewer.kind === 'visitor') return isShared(viewer);
  return or(isOwn(viewer), isShared(viewer));
}

/** Public ones, most played first. */
export async function listTopUserPlaylists(db: Db, viewer: Viewer, query: PageQuery): Promise<Page<UserPlaylist>> {
  const { plays, userPlaylistId } = userPlaylistCounts;
  const page = pageIn('user-playlists', query, { direction: 'desc', by: plays, id: userPlaylistId });
  return listPage(db, isShared(viewer), page);
}

/** A user's public playlists, newest first. Empty for suspended and unknown users. */
export async function listUserPlaylistsOf(
  db: Db,
  viewer: Viewer,
  userId: string,
  query: PageQuery,
): Promise<Page<UserPlaylist>> {
  if (!isId(userId)) return { items: [], nextCursor: undefined };
  // UUIDv7 ids are ordered by time.
  const page = pageIn('user-playlists.of', query, { direction: 'desc', id: userPlaylists.id });
  return listPage(db, and(eq(userPlaylists.userId, userId), isShared(viewer)), page);
}

async function listPage(db: Db, where: SQL | undefined, page: ReturnType<typeof pageIn>): Promise<Page<UserPlaylist>> {
  const rows = await db
    .select({ ...userPlaylistColumns, ...page.columns })
    .from(userPlaylists)
    .innerJoin(users, eq(users.id, userPlaylists.userId))
    .innerJoin(userPlaylistCounts, eq(userPlaylistCounts.userPlaylistId, userPlaylists.id))
    .where(and(where, page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}

/** A private list answers like an unknown one, except for its owner. */
export async function findUserPlaylist(db: Db, viewer: Viewer, id: string): Promise<UserPlaylist | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await selectUserPlaylists(db)
    .where(and(eq(userPlaylists.id, id), isVisible(viewer)))
    .limit(1);
  return row;
}

/** The ones that the viewer may see, in no order. */
export async function findUserPlaylistsByIds(db: Db, viewer: Viewer, ids: string[]): Promise<UserPlaylist[]> {
  if (ids.length === 0) return [];
  return selectUserPlaylists(db).where(and(inArray(userPlaylists.id, ids), isVisible(viewer)));
}

/** Hidden tags do not apply to one's own list. */
export function listUserPlaylistAudios(
  db: Db,
  viewer: Viewer,
  playlist: Pick<UserPlaylist, 'id' | 'user'>,
  page: ItemsQuery,
): Promise<Page<Audio>> {
  const reader = canEditUserPlaylist(viewer, playlist) ? undefined : viewer;
  return listItems(db, reader, { name: 'user_playlist_items', owner: 'user_playlist_id', id: playlist.id }, page);
}

/** Unlike the counts of lists, without audios scheduled for later. */
export function sumUserPlaylistAudios(
  db: Db,
  viewer: Viewer,
  playlist: { id: string; user: { id: string } },
  filter?: AudioFilter,
) {
  const reader = canEditUserPlaylist(viewer, playlist) ? visitor : viewer;
  return sumItems(db, reader, { name: 'user_playlist_items', owner: 'user_playlist_id', id: playlist.id }, filter);
}

/**
 * Counts a play of a shared list, once per listener and hour. The owner's own plays do not count.
 * @param listener from `hashListener`
 * @returns undefined when the viewer cannot see such a list
 */
export async function playUserPlaylist(db: Db, viewer: Viewer, id: string, listener: string) {
  const playlist = await findUserPlaylist(db, viewer, id);
  if (playlist === undefined) return undefined;
  if (!playlist.isPublic || canEditUserPlaylist(viewer, playlist)) return { counted: false, plays: playlist.plays };
  const { rows } = await db.execute<{ plays: string }>(sql`
    with marked as (
      insert into user_playlist_play_marks as m (listener, user_playlist_id, until)
      values (${listener}, ${playlist.id}, now() + interval '1 hour')
      on conflict (listener, user_playlist_id) do update set until = excluded.until where m.until <= now()
      returning user_playlist_id
    )
    update user_playlist_counts c set plays = c.plays + 1, played_on = (now() at time zone 'UTC')::date from marked where c.user_playlist_id = marked.user_playlist_id
    returning c.plays`);
  const [row] = rows;
  return row === undefined ? { counted: false, plays: playlist.plays } : { counted: true, plays: Number(row.plays) };
}

/** @returns how many were deleted */
export async function purgePlaylistPlayMarks(db: Db, signal?: AbortSignal): Promise<number> {
  return purgeRows(db, userPlaylistPlayMarks, lte(userPlaylistPlayMarks.until, sql`now()`), signal);
}
