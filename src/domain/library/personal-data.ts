import { asc, eq, inArray } from 'drizzle-orm';
import type { PersonalData } from '../personal-data.ts';
import { audios } from '../catalogue/tables.ts';
import { savedQueues, userPlaylistItems, userPlaylists } from './tables.ts';

export const personalData: PersonalData = {
  tables: ['user_playlists', 'user_playlist_items', 'user_playlist_counts', 'saved_queues'],
  async exportOf(db, userId) {
    const playlists = await db
      .select({
        id: userPlaylists.id,
        title: userPlaylists.title,
        background: userPlaylists.background,
        font: userPlaylists.font,
        isPublic: userPlaylists.isPublic,
        createdAt: userPlaylists.createdAt,
        updatedAt: userPlaylists.updatedAt,
      })
      .from(userPlaylists)
      .where(eq(userPlaylists.userId, userId))
      .orderBy(asc(userPlaylists.createdAt));
    const ids = playlists.map(({ id }) => id);
    const items =
      ids.length === 0
        ? []
        : await db
            .select({ playlistId: userPlaylistItems.userPlaylistId, audioId: audios.id, title: audios.title })
            .from(userPlaylistItems)
            .innerJoin(audios, eq(audios.id, userPlaylistItems.audioId))
            .where(inArray(userPlaylistItems.userPlaylistId, ids))
            .orderBy(asc(userPlaylistItems.userPlaylistId), asc(userPlaylistItems.position));
    const [queue] = await db
      .select({ version: savedQueues.version, queue: savedQueues.queue, updatedAt: savedQueues.updatedAt })
      .from(savedQueues)
      .where(eq(savedQueues.userId, userId));
    return {
      queue: queue ?? null,
      playlists: playlists.map((playlist) => ({
        ...playlist,
        audios: items
          .filter(({ playlistId }) => playlistId === playlist.id)
          .map(({ audioId, title }) => ({ id: audioId, title })),
      })),
    };
  },
  async erase(db, userId) {
    await db.delete(savedQueues).where(eq(savedQueues.userId, userId));
    // Items and counts go with their playlist.
    await db.delete(userPlaylists).where(eq(userPlaylists.userId, userId));
  },
};
