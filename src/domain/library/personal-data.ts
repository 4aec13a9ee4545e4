import { asc, eq, sql } from 'drizzle-orm';
import { type LazyRows, lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { audios, hiddenAudios, hiddenTags, hiddenVoices, voices } from '../catalogue/tables.ts';
import { type Db, pick } from '../kernel/db.ts';
import { favoriteTables } from './favorites.ts';
import { listHiddenTags } from './hidden-tags.ts';
import { findMixesOf } from './mixes/mixes.ts';
import { type ContentTypeId, type HiddenKind, contentTypeIds } from './rules.ts';
import { mixes, moments, savedQueues, userPlaylistItems, userPlaylists } from './tables.ts';

export const personalData: PersonalData = {
  // `user_playlist_play_marks` holds keyed hashes for an hour.
  tables: [
    'user_playlists',
    'user_playlist_items',
    'user_playlist_counts',
    'saved_queues',
    'audio_favorites',
    'voice_favorites',
    'category_favorites',
    'playlist_favorites',
    'user_playlist_favorites',
    'user_favorites',
    'hidden_tags',
    'mixes',
    'moments',
    'hidden_audios',
    'hidden_voices',
  ],
  async exportOf(db, userId) {
    const playlists = lazyRows(db, (on) =>
      on
        .select({
          ...pick(userPlaylists, 'id', 'title', 'background', 'font', 'isPublic', 'createdAt', 'updatedAt'),
          ...pick(userPlaylists, 'deletedAt'),
        })
        .from(userPlaylists)
        .where(eq(userPlaylists.userId, userId))
        .orderBy(asc(userPlaylists.createdAt)),
    );
    const [queue] = await db
      .select({ version: savedQueues.version, queue: savedQueues.queue, updatedAt: savedQueues.updatedAt })
      .from(savedQueues)
      .where(eq(savedQueues.userId, userId));
    return {
      queue: queue ?? null,
      favorites: exportFavorites(db, userId),
      'hidden-tags': await listHiddenTags(db, userId),
      mixes: await findMixesOf(db, userId),
      moments: exportMoments(db, userId),
      'hidden-audios': exportHidden(db, userId, 'audio'),
      'hidden-creators': exportHidden(db, userId, 'voice'),
      playlists: playlists.map((playlist) => ({
        ...playlist,
        audios: lazyRows(db, (on) =>
          on
            .select({ id: audios.id, title: audios.title })
            .from(userPlaylistItems)
            .innerJoin(audios, eq(audios.id, userPlaylistItems.audioId))
            .where(eq(userPlaylistItems.userPlaylistId, playlist.id))
            .orderBy(asc(userPlaylistItems.position)),
        ),
      })),
    };
  },
  async erase(db, userId) {
    await db.delete(savedQueues).where(eq(savedQueues.userId, userId));
    for (const table of Object.values(favoriteTables)) await db.delete(table).where(eq(table.userId, userId));
    await db.delete(mixes).where(eq(mixes.userId, userId));
    await db.delete(moments).where(eq(moments.userId, userId));
    for (const table of [hiddenTags, hiddenAudios, hiddenVoices])
      await db.delete(table).where(eq(table.userId, userId));
    // Items, counts and other users' favorites of the playlist are deleted with it.
    await db.delete(userPlaylists).where(eq(userPlaylists.userId, userId));
  },
};

function exportMoments(db: Db, userId: string): LazyRows {
  return lazyRows(db, (on) =>
    on
      .select({
        audio: { id: audios.id, title: audios.title },
        ...pick(moments, 'id', 'positionMs', 'note', 'createdAt'),
      })
      .from(moments)
      .innerJoin(audios, eq(audios.id, moments.audioId))
      .where(eq(moments.userId, userId))
      .orderBy(asc(moments.createdAt), asc(moments.id)),
  );
}

function exportHidden(db: Db, userId: string, kind: HiddenKind): LazyRows {
  return lazyRows(db, (on) =>
    kind === 'audio'
      ? on
          .select({ id: audios.id, name: audios.title, since: hiddenAudios.createdAt })
          .from(hiddenAudios)
          .innerJoin(audios, eq(audios.id, hiddenAudios.audioId))
          .where(eq(hiddenAudios.userId, userId))
          .orderBy(asc(hiddenAudios.createdAt), asc(audios.id))
      : on
          .select({ id: voices.id, name: voices.name, since: hiddenVoices.createdAt })
          .from(hiddenVoices)
          .innerJoin(voices, eq(voices.id, hiddenVoices.voiceId))
          .where(eq(hiddenVoices.userId, userId))
          .orderBy(asc(hiddenVoices.createdAt), asc(voices.id)),
  );
}

/** Name column per content type, because the export is for humans. */
const names: Record<ContentTypeId, { table: string; name: string }> = {
  audio: { table: 'audios', name: 'title' },
  voice: { table: 'voices', name: 'name' },
  category: { table: 'categories', name: 'label' },
  playlist: { table: 'playlists', name: 'title' },
  userPlaylist: { table: 'user_playlists', name: 'title' },
  user: { table: 'users', name: 'username' },
};

/** For content that is hidden now, only the id. */
function exportFavorites(db: Db, userId: string): LazyRows {
  const branches = contentTypeIds.map((contentTypeId) => {
    const { table, name } = names[contentTypeId];
    const isHidden = contentTypeId === 'userPlaylist' ? sql`not c.is_public and c.user_id <> ${userId}` : sql`false`;
    return sql`select ${contentTypeId}::text as "contentTypeId", c.id, case when ${isHidden} then null else c.${sql.identifier(name)} end as name, f.created_at as since
      from ${favoriteTables[contentTypeId]} f join ${sql.identifier(table)} c on c.id = f.content_id where f.user_id = ${userId}`;
  });
  const all = sql`${sql.join(branches, sql` union all `)} order by since, id`;
  return lazyRows(db, async (on) => (await on.execute(all)).rows);
}
