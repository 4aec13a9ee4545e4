import { eq } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { type Chapter, chaptersOf } from '../chapter-rules.ts';
import { audios, chapters } from '../tables.ts';

/** The caller checks the right to hear the audio, as for its transcript. */
export async function findChapters(db: Db, audioId: string): Promise<Chapter[]> {
  const [row] = await db
    .select({ set: chapters.chapters, description: audios.description, durationMs: audios.durationMs })
    .from(audios)
    .leftJoin(chapters, eq(chapters.audioId, audios.id))
    .where(eq(audios.id, audioId));
  return row === undefined ? [] : chaptersOf(row.set, row.description, row.durationMs / 1000);
}
