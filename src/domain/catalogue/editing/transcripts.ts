import { eq } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { type Cue, mistimedLines } from '../rules.ts';
import { audios, transcripts } from '../tables.ts';

export type Transcript = { language: string; cues: Cue[] };

/** The caller checks the right to hear the audio first (product.md, "Settled in detail"). */
export async function findTranscript(db: Db, audioId: string): Promise<Transcript | undefined> {
  const [row] = await db
    .select({ language: transcripts.language, cues: transcripts.cues })
    .from(transcripts)
    .where(eq(transcripts.audioId, audioId));
  return row;
}

/** @returns numbers of the lines that keep the audio from listeners, from 1 */
export async function findMistimedLines(tx: Db, audioId: string): Promise<number[]> {
  const [row] = await tx
    .select({ cues: transcripts.cues, durationMs: audios.durationMs })
    .from(transcripts)
    .innerJoin(audios, eq(audios.id, transcripts.audioId))
    .where(eq(transcripts.audioId, audioId));
  return row === undefined ? [] : mistimedLines(row.cues, row.durationMs / 1000);
}
