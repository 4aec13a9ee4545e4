import { and, eq } from 'drizzle-orm';
import { audios, recordings } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';

/** An audio's recording in the Studio. Does not check rights. @returns undefined until the audio's current file is measured */
export async function findRecording(db: Db, audioId: string) {
  const [row] = await db
    .select({
      peaks: recordings.peaks,
      facts: recordings.facts,
      originalName: recordings.originalName,
      originalBytes: recordings.originalBytes,
    })
    .from(recordings)
    .innerJoin(audios, and(eq(audios.id, recordings.audioId), eq(audios.fileKey, recordings.fileKey)))
    .where(eq(recordings.audioId, audioId));
  if (row === undefined) return undefined;
  const { peaks, facts, originalName, originalBytes } = row;
  return {
    /** 1,200 pairs of bytes in base64: peak and loudness along the recording. */
    peaks: peaks.toString('base64'),
    facts,
    original: originalBytes === null ? null : { name: originalName, bytes: originalBytes },
  };
}
export type Recording = NonNullable<Awaited<ReturnType<typeof findRecording>>>;
