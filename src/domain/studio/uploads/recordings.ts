import { and, eq } from 'drizzle-orm';
import { audios, recordings } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import type { SoundFacts } from '../rules.ts';

/** An audio's recording in the Studio. */
export type Recording = {
  /** 1,200 pairs of bytes in base64: peak and loudness along the recording. */
  peaks: string;
  facts: Partial<SoundFacts>;
  original: { name: string | null; bytes: number } | null;
  smallBytes: number | null;
};

/** Does not check rights. @returns undefined until the audio's current file is measured */
export async function findRecording(db: Db, audioId: string): Promise<Recording | undefined> {
  const [row] = await db
    .select({
      peaks: recordings.peaks,
      facts: recordings.facts,
      originalName: recordings.originalName,
      originalBytes: recordings.originalBytes,
      smallBytes: recordings.smallBytes,
    })
    .from(recordings)
    .innerJoin(audios, and(eq(audios.id, recordings.audioId), eq(audios.fileKey, recordings.fileKey)))
    .where(eq(recordings.audioId, audioId));
  if (row === undefined) return undefined;
  const { peaks, facts, originalName, originalBytes, smallBytes } = row;
  return {
    peaks: peaks.toString('base64'),
    facts,
    original: originalBytes === null ? null : { name: originalName, bytes: originalBytes },
    smallBytes,
  };
}
