import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { chaptersOf } from './chapter-rules.ts';
import { isDownloadable, isFreeToAll, isPublished } from './audios.ts';
import { fileExtension } from './episodes.ts';
import { audios, chapters, episodeNumbers, importedAudios, seriesItems } from './tables.ts';

/** The `enclosure` of podcast feed items, by id of the audio; none for one that podcast apps may not keep. */
export async function findEnclosures(db: Db, audioIds: string[]) {
  const rows = await db
    .select({
      id: audios.id,
      mime: audios.fileMime,
      bytes: audios.fileBytes,
      extension: fileExtension,
      /** In its creator's feed; null until the job `keep-feeds` has assigned one. */
      number: episodeNumbers.number,
      description: audios.description,
      durationMs: audios.durationMs,
      set: chapters.chapters,
      /** GUID of the feed that it was imported from. */
      guid: importedAudios.guid,
    })
    .from(audios)
    .leftJoin(episodeNumbers, and(eq(episodeNumbers.voiceId, audios.voiceId), eq(episodeNumbers.audioId, audios.id)))
    .leftJoin(chapters, eq(chapters.audioId, audios.id))
    .leftJoin(importedAudios, and(eq(importedAudios.audioId, audios.id), importedAudios.keepsGuid))
    .where(and(inArray(audios.id, audioIds), isDownloadable));
  return new Map(
    rows.map(({ id, description, durationMs, set, ...enclosure }) => [
      id,
      { ...enclosure, hasChapters: chaptersOf(set, description, durationMs / 1000).length > 0 },
    ]),
  );
}

/** Numbers of a series' parts, drafts included: publishing or hiding one does not change those of the others. */
export async function findPartNumbers(db: Db, seriesId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: seriesItems.audioId, position: seriesItems.position })
    .from(seriesItems)
    .where(eq(seriesItems.seriesId, seriesId));
  return new Map(rows.map(({ id, position }) => [id, position + 1]));
}

/** Whether the feed of a voice or a series has an episode: an audio that is free for everyone, also to download. */
export async function hasEpisode(db: Db, owner: { voiceId: string } | { seriesId: string }): Promise<boolean> {
  const isEpisode = and(isPublished, isFreeToAll, isDownloadable);
  const query = db.select({ id: audios.id }).from(audios).$dynamic();
  const owned =
    'voiceId' in owner
      ? query.where(and(eq(audios.voiceId, owner.voiceId), isEpisode))
      : query
          .innerJoin(seriesItems, eq(seriesItems.audioId, audios.id))
          .where(and(eq(seriesItems.seriesId, owner.seriesId), isEpisode));
  return (await owned.limit(1)).length > 0;
}
