import { eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { Cue } from './rules.ts';
import { transcripts } from './tables.ts';

export type Transcript = { language: string; cues: Cue[] };

/** The caller checks the right to hear the audio first (product.md, "Settled in detail"). */
export async function findTranscript(db: Db, audioId: string): Promise<Transcript | undefined> {
  const [row] = await db
    .select({ language: transcripts.language, cues: transcripts.cues })
    .from(transcripts)
    .where(eq(transcripts.audioId, audioId));
  return row;
}
