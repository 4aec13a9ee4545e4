import { lte, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canEditUserPlaylist } from './rules.ts';
import { userPlaylistPlayMarks } from './tables.ts';
import { findUserPlaylist } from './user-playlists.ts';

/**
 * Counts a play of a shared list, once per listener and hour. The owner's own plays do not count.
 * @param listener from `hashListener`
 * @returns undefined when the viewer cannot see such a list
 */
export async function playUserPlaylist(
  db: Db,
  viewer: Viewer,
  id: string,
  listener: string,
): Promise<{ counted: boolean; plays: number } | undefined> {
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
