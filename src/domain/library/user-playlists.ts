import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Audio } from '../catalogue/audios.ts';
import { listItems } from '../catalogue/audios.ts';
import type { Db } from '../db.ts';
import { isId } from '../ids.ts';
import { users } from '../identity/tables.ts';
import type { Page } from '../pages.ts';
import { decodeCursor, encodeCursor, toPage } from '../pages.ts';
import type { PlaylistBackground, PlaylistFont } from './rules.ts';
import { userPlaylistCounts, userPlaylists } from './tables.ts';

/** A playlist made by a listener. */
export type UserPlaylist = {
  id: string;
  title: string;
  background: PlaylistBackground;
  font: PlaylistFont;
  user: { id: string; username: string; icon: string | null; color: number };
  totalAudios: number;
  /** Seconds. */
  totalDuration: number;
  plays: number;
};

function selectUserPlaylists(db: Db) {
  return db
    .select({
      id: userPlaylists.id,
      title: userPlaylists.title,
      background: userPlaylists.background,
      font: userPlaylists.font,
      // Whoever owns a playlist has a username.
      user: { id: users.id, username: sql<string>`${users.username}`, icon: users.icon, color: users.color },
      totalAudios: sql<number>`(select count(*)::int from user_playlist_items i join audios a on a.id = i.audio_id
        where i.user_playlist_id = ${userPlaylists.id} and a.published_at <= now())`,
      totalDuration: sql<number>`(select round(coalesce(sum(a.duration_ms), 0) / 1000.0)::int from user_playlist_items i join audios a on a.id = i.audio_id
        where i.user_playlist_id = ${userPlaylists.id} and a.published_at <= now())`,
      plays: userPlaylistCounts.plays,
    })
    .from(userPlaylists)
    .innerJoin(users, eq(users.id, userPlaylists.userId))
    .innerJoin(userPlaylistCounts, eq(userPlaylistCounts.userPlaylistId, userPlaylists.id))
    .$dynamic();
}

/** Public ones, the most played first. */
export async function listTopUserPlaylists(
  db: Db,
  query: { cursor?: string | undefined; limit: number },
): Promise<Page<UserPlaylist>> {
  const after = decodeCursor('user-playlists', query.cursor, z.number().int().min(0).max(Number.MAX_SAFE_INTEGER));
  const rows = await selectUserPlaylists(db)
    .where(
      and(
        userPlaylists.isPublic,
        isNull(users.suspendedAt),
        after === undefined
          ? undefined
          : or(
              lt(userPlaylistCounts.plays, Number(after.value)),
              and(eq(userPlaylistCounts.plays, Number(after.value)), lt(userPlaylistCounts.userPlaylistId, after.id)),
            ),
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

/** The public ones of a user, newest first. One who is suspended, or never was, has none. */
export async function listUserPlaylistsOf(
  db: Db,
  userId: string,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<UserPlaylist>> {
  if (!isId(userId)) return { items: [], nextCursor: undefined };
  const after = decodeCursor('user-playlists.of', page.cursor, z.literal(''));
  const rows = await selectUserPlaylists(db)
    .where(
      and(
        eq(userPlaylists.userId, userId),
        userPlaylists.isPublic,
        isNull(users.suspendedAt),
        // Ids are ordered by time (UUIDv7).
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

/** A private one is as absent as one that never was. */
export async function findUserPlaylist(db: Db, id: string): Promise<UserPlaylist | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await selectUserPlaylists(db)
    .where(and(eq(userPlaylists.id, id), userPlaylists.isPublic, isNull(users.suspendedAt)))
    .limit(1);
  return row;
}

export function listUserPlaylistAudios(
  db: Db,
  id: string,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<Audio>> {
  return listItems(db, { name: 'user_playlist_items', owner: 'user_playlist_id', id }, page);
}
