import { eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { transcripts } from './tables.ts';

/** One line of a transcript; times are seconds from the beginning of the audio. */
export type Cue = { start: number; end: number; text: string };

export type Transcript = { language: string; cues: Cue[] };

/** The caller checks the right to hear the audio first (product.md, "Settled in detail"). */
export async function findTranscript(db: Db, audioId: string): Promise<Transcript | undefined> {
  const [row] = await db
    .select({ language: transcripts.language, cues: transcripts.cues })
    .from(transcripts)
    .where(eq(transcripts.audioId, audioId));
  return row;
}
