import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { recountedAudios } from './tables.ts';

/** Locks few lists at a time, so that their listeners do not notice. */
const batch = 500;

/**
 * Recounts the lists with an audio that was published, unpublished or replaced, and that is in too many lists for the
 * change itself to count them. Recounting instead of adding makes a repeated batch harmless.
 * @param signal stops between two batches; the next call continues there
 * @returns the number of recounted lists
 */
export async function recountPlaylists(db: Db, signal?: AbortSignal): Promise<number> {
  let counted = 0;
  for (;;) {
    signal?.throwIfAborted();
    const [next] = await db.select().from(recountedAudios).orderBy(recountedAudios.audioId).limit(1);
    if (next === undefined) return counted;
    counted += await recountBatch(db, next);
  }
}

async function recountBatch(db: Db, { audioId, afterId, version }: typeof recountedAudios.$inferSelect) {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      select user_playlist_id as id from user_playlist_items where audio_id = ${audioId}
      and (${afterId}::uuid is null or user_playlist_id > ${afterId}::uuid) order by user_playlist_id limit ${batch}`);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await tx.execute(sql`select recount_user_playlists(${sql.param(ids)}::uuid[])`);
    // Unless the audio changed again meanwhile: then all lists are counted again.
    const isSame = and(eq(recountedAudios.audioId, audioId), eq(recountedAudios.version, version));
    if (ids.length < batch) await tx.delete(recountedAudios).where(isSame);
    else
      await tx
        .update(recountedAudios)
        .set({ afterId: ids.at(-1) ?? null })
        .where(isSame);
    return ids.length;
  });
}
