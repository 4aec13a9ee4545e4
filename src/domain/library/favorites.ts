import { type AnyColumn, type SQL, and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { isPublished } from '../catalogue/audios.ts';
import { isPlaylistPublished } from '../catalogue/playlists.ts';
import { audioCounts, audios, categories, playlists, voiceCounts, voices } from '../catalogue/tables.ts';
import { isNotBlockedBy } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import type { UserShape } from '../identity/shapes.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { users } from '../identity/tables.ts';
import { type ContentTypeId, type FavoriteGroup, contentTypeIds, groupOf, maxFavorites } from './rules.ts';
import {
  audioFavorites,
  categoryFavorites,
  playlistFavorites,
  userFavorites,
  userPlaylistFavorites,
  userPlaylists,
  voiceFavorites,
} from './tables.ts';
import { isVisible } from './user-playlists.ts';

/** All ids, newest favorite first. */
export type FavoriteIds = Record<FavoriteGroup, string[]>;

export type FavoriteOutcome = { ok: true; totalFavorite: number | null } | { ok: false; reason: 'not-found' | 'full' };

export const favoriteTables = {
  audio: audioFavorites,
  voice: voiceFavorites,
  category: categoryFavorites,
  playlist: playlistFavorites,
  userPlaylist: userPlaylistFavorites,
  user: userFavorites,
} as const satisfies Record<ContentTypeId, unknown>;

/** For each content type: its table, and whether the viewer may see it. */
const contents: Record<ContentTypeId, { from: SQL; id: SQL; isThere: (viewer: Viewer) => SQL | undefined }> = {
  audio: { from: sql`${audios}`, id: sql`${audios.id}`, isThere: () => isPublished },
  voice: { from: sql`${voices}`, id: sql`${voices.id}`, isThere: () => isNull(voices.hiddenAt) },
  category: { from: sql`${categories}`, id: sql`${categories.id}`, isThere: () => isNull(categories.hiddenAt) },
  playlist: { from: sql`${playlists}`, id: sql`${playlists.id}`, isThere: () => isPlaylistPublished },
  userPlaylist: {
    from: sql`${userPlaylists} join ${users} on ${users.id} = ${userPlaylists.userId}`,
    id: sql`${userPlaylists.id}`,
    isThere: isVisible,
  },
  user: { from: sql`${users}`, id: sql`${users.id}`, isThere: isKnownUser },
};

/** The user has a username, is not suspended, and not blocked by the viewer. */
export function isKnownUser(viewer: Viewer): SQL | undefined {
  return and(isNotNull(users.username), isNull(users.suspendedAt), isNotBlockedBy(viewer, users.id));
}

/**
 * Adds or removes a favorite; idempotent. Hidden content can still be removed. Triggers update the totals of audios and
 * voices, however the row is deleted.
 */
export async function setFavorite(
  db: Db,
  viewer: User,
  favorite: { contentTypeId: ContentTypeId; id: string; isFavorite: boolean },
): Promise<FavoriteOutcome> {
  const { contentTypeId, id, isFavorite } = favorite;
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  const outcome = await (isFavorite ? addFavorite(db, viewer, favorite) : removeFavorite(db, viewer, favorite));
  if (outcome !== undefined) return { ok: false, reason: outcome };
  return { ok: true, totalFavorite: await findTotal(db, contentTypeId, id) };
}

type Subject = { contentTypeId: ContentTypeId; id: string };

async function addFavorite(
  db: Db,
  viewer: User,
  { contentTypeId, id }: Subject,
): Promise<'not-found' | 'full' | undefined> {
  const table = favoriteTables[contentTypeId];
  const { from, id: contentId, isThere } = contents[contentTypeId];
  return db.transaction(async (tx) => {
    // The user's row, so that favorites added at once respect the limit, and nothing is written for a deleted user.
    await tx.execute(sql`select from users where id = ${viewer.id} for no key update`);
    const [known] = await tx
      .select({
        total: sql<number>`count(*)::int`,
        isKnown: sql<boolean>`coalesce(bool_or(${table.contentId} = ${id}), false)`,
      })
      .from(table)
      .where(eq(table.userId, viewer.id));
    if (known?.isKnown !== true && (known?.total ?? 0) >= maxFavorites) return 'full';
    // The content may be deleted at any moment; the row lock holds it until the row is written.
    const { rowCount } = await tx.execute(sql`
      insert into ${table} as f (user_id, content_id)
      select favoriter.id, ${contentId} from users favoriter, ${from}
      where ${and(sql`favoriter.id = ${viewer.id}`, sql`${contentId} = ${id}`, isThere(viewer))} for key share
      on conflict (user_id, content_id) do update set created_at = f.created_at`);
    return rowCount === 1 ? undefined : 'not-found';
  });
}

async function removeFavorite(db: Db, viewer: User, { contentTypeId, id }: Subject): Promise<'not-found' | undefined> {
  const table = favoriteTables[contentTypeId];
  const { rowCount } = await db.delete(table).where(and(eq(table.userId, viewer.id), eq(table.contentId, id)));
  if (rowCount === 1) return undefined;
  const { from, id: contentId, isThere } = contents[contentTypeId];
  const { rows } = await db.execute(sql`select from ${from} where ${and(sql`${contentId} = ${id}`, isThere(viewer))}`);
  return rows.length === 1 ? undefined : 'not-found';
}

/** Totals are public for audios and voices only; null for other types. */
async function findTotal(db: Db, contentTypeId: ContentTypeId, id: string): Promise<number | null> {
  if (contentTypeId !== 'audio' && contentTypeId !== 'voice') return null;
  const [row] =
    contentTypeId === 'audio'
      ? await db.select({ total: audioCounts.favorites }).from(audioCounts).where(eq(audioCounts.audioId, id))
      : await db.select({ total: voiceCounts.favorites }).from(voiceCounts).where(eq(voiceCounts.voiceId, id));
  return row?.total ?? 0;
}

/** Type and id of each favorite, newest first. */
type FavoriteEntries = [type: ContentTypeId, id: string][];

/** Subquery column: the newest favorites of each type of the user of that row; hidden content too, since only ids are returned. */
export function favoriteEntriesSql(userId: AnyColumn, max: number | null): SQL<FavoriteEntries> {
  const branches = contentTypeIds.map(
    (contentTypeId) =>
      sql`(select ${sql.raw(`'${contentTypeId}'`)} as type, content_id, created_at from ${favoriteTables[contentTypeId]}
        where user_id = ${userId} order by created_at desc, content_id desc limit ${max})`,
  );
  return sql<FavoriteEntries>`(select coalesce(json_agg(json_build_array(f.type, f.content_id)
    order by f.created_at desc, f.content_id desc), '[]'::json) from (${sql.join(branches, sql` union all `)}) f)`;
}

export function toFavoriteIds(entries: FavoriteEntries): FavoriteIds {
  const found: FavoriteIds = { audios: [], voices: [], categories: [], playlists: [], users: [] };
  for (const [type, id] of entries) found[groupOf(type)].push(id);
  return found;
}

export async function findFavoriteIds(db: Db, userId: string): Promise<FavoriteIds> {
  const [row] = await db
    .select({ entries: favoriteEntriesSql(users.id, null) })
    .from(users)
    .where(eq(users.id, userId));
  return toFavoriteIds(row?.entries ?? []);
}

/** The viewer's favorites among these ids: the hearts of one page. */
export async function findFavoritesAmong(db: Db, viewer: Viewer, contentTypeId: ContentTypeId, ids: string[]) {
  if (viewer.kind === 'visitor' || ids.length === 0) return [];
  const table = favoriteTables[contentTypeId];
  const rows = await db
    .select({ id: table.contentId })
    .from(table)
    .where(and(eq(table.userId, viewer.id), inArray(table.contentId, ids)));
  return rows.map(({ id }) => id);
}

/** Skips unknown ids; in no order. */
export async function findUsersByIds(db: Db, ids: string[]): Promise<UserShape[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: users.id, username: users.username, icon: users.icon, color: users.color })
    .from(users)
    .where(inArray(users.id, ids));
  return rows.flatMap(({ username, ...row }) => (username === null ? [] : [{ ...row, username }]));
}
