import type { AnyColumn, SQL } from 'drizzle-orm';
import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Audio } from '../catalogue/audios.ts';
import { listItems, sumItems } from '../catalogue/items.ts';
import { isNotBlockedBy } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { Id, Seconds } from '../kernel/shapes.ts';
import { UserShape } from '../identity/shapes.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { visitor } from '../kernel/viewer.ts';
import { users } from '../identity/tables.ts';
import type { Page } from '../kernel/pages.ts';
import { decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import { canEditUserPlaylist, playlistBackgrounds, playlistFonts } from './rules.ts';
import { userPlaylistCounts, userPlaylists } from './tables.ts';

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
  id: userPlaylists.id,
  title: userPlaylists.title,
  background: userPlaylists.background,
  font: userPlaylists.font,
  isPublic: userPlaylists.isPublic,
  // Owners of playlists always have a username.
  user: { id: users.id, username: sql<string>`${users.username}`, icon: users.icon, color: users.color },
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
export async function listTopUserPlaylists(
  db: Db,
  viewer: Viewer,
  query: { cursor?: string | undefined; limit: number },
): Promise<Page<UserPlaylist>> {
  const after = decodeCursor('user-playlists', query.cursor, z.number().int().min(0).max(Number.MAX_SAFE_INTEGER));
  const rows = await selectUserPlaylists(db)
    .where(
      and(
        isShared(viewer),
        after && isBeyond('desc', [userPlaylistCounts.plays, userPlaylistCounts.userPlaylistId], after),
      ),
    )
    .orderBy(desc(userPlaylistCounts.plays), desc(userPlaylistCounts.userPlaylistId))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    (row) => row,
    (row) => encodeCursor('user-playlists', { value: row.plays, id: row.id }),
  );
}

/** A user's public playlists, newest first. Empty for suspended and unknown users. */
export async function listUserPlaylistsOf(
  db: Db,
  viewer: Viewer,
  userId: string,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<UserPlaylist>> {
  if (!isId(userId)) return { items: [], nextCursor: undefined };
  const after = decodeCursor('user-playlists.of', page.cursor, z.literal(''));
  const rows = await selectUserPlaylists(db)
    .where(
      and(
        eq(userPlaylists.userId, userId),
        isShared(viewer),
        // UUIDv7 ids are ordered by time.
        after === undefined ? undefined : lt(userPlaylists.id, after.id),
      ),
    )
    .orderBy(desc(userPlaylists.id))
    .limit(page.limit + 1);
  return toPage(
    rows,
    page.limit,
    (row) => row,
    (row) => encodeCursor('user-playlists.of', { value: '', id: row.id }),
  );
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
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<Audio>> {
  const reader = canEditUserPlaylist(viewer, playlist) ? undefined : viewer;
  return listItems(db, reader, { name: 'user_playlist_items', owner: 'user_playlist_id', id: playlist.id }, page);
}

/** Unlike the counts of lists, without audios scheduled for later. */
export function sumUserPlaylistAudios(db: Db, viewer: Viewer, playlist: { id: string; user: { id: string } }) {
  const reader = canEditUserPlaylist(viewer, playlist) ? visitor : viewer;
  return sumItems(db, reader, { name: 'user_playlist_items', owner: 'user_playlist_id', id: playlist.id });
}
