import { and, eq, ne, sql } from 'drizzle-orm';
import { type SyntheticVoice, digitalSourceOf } from '../../catalogue/rules.ts';
import { audios, recordings, reviews } from '../../catalogue/tables.ts';
import { type Db, allowLongStatements } from '../../kernel/db.ts';
import { consents } from '../../verification/tables.ts';
import { type KeptRecording, holdFile, keepProcessed, writeRecording } from './keep-recording.ts';
import type { SoundTools } from './process-upload.ts';

type Due = {
  id: string;
  fileKey: string;
  original: { key: string; name: string; bytes: number };
  syntheticVoice: SyntheticVoice;
};

/**
 * Makes the files of recordings whose tag says something else about their voice than their audio does, from the original.
 * Files that the site has not made stay as they came. Each is stored at once, so it may end at any moment.
 * @param max audios per run
 */
export async function retagRecordings(
  { db, blobs, engine }: SoundTools,
  { signal, max = 200 }: { signal?: AbortSignal | undefined; max?: number } = {},
): Promise<{ retagged: number; failed: number }> {
  const counts = { retagged: 0, failed: 0 };
  for (const audio of await findDue(db, max)) {
    signal?.throwIfAborted();
    const { original, syntheticVoice } = audio;
    const isHere = (await blobs.stat(original.key)) !== undefined;
    const work = { signal, comment: digitalSourceOf[syntheticVoice], isLenient: true };
    const made = isHere
      ? await engine.process({ key: original.key }, work, async (sound) =>
          replaceFiles(db, audio, await keepProcessed({ db, blobs }, sound, { ...original, taggedAs: syntheticVoice })),
        )
      : undefined;
    if (made?.ok === false && made.reason === 'engine-missing') return counts;
    if (made?.ok === true) counts.retagged += 1;
    else counts.failed += 1;
  }
  return counts;
}

/** Also those of deleted audios, which can come back. */
async function findDue(db: Db, limit: number): Promise<Due[]> {
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    return tx
      .select({
        id: audios.id,
        fileKey: audios.fileKey,
        original: {
          key: sql<string>`${recordings.originalKey}`,
          name: sql<string>`${recordings.originalName}`,
          bytes: sql<number>`${recordings.originalBytes}::float8`,
        },
        syntheticVoice: audios.syntheticVoice,
      })
      .from(recordings)
      .innerJoin(audios, and(eq(audios.id, recordings.audioId), eq(audios.fileKey, recordings.fileKey)))
      .where(and(sql`${recordings.originalKey} is not null`, ne(recordings.taggedAs, audios.syntheticVoice)))
      .orderBy(audios.id)
      .limit(limit);
  });
}

/** It is the same sound, so answers to it stay answers to it. */
async function replaceFiles(db: Db, { id, fileKey }: Due, kept: KeptRecording): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await holdFile(tx, { id, fileKey }))) return;
    const sound = kept.sound.fileKey;
    await tx.update(audios).set(kept.sound).where(eq(audios.id, id));
    await writeRecording(tx, id, kept);
    await tx
      .update(consents)
      .set({ sound })
      .where(and(eq(consents.audioId, id), eq(consents.sound, fileKey)));
    await tx
      .update(reviews)
      .set({ sound })
      .where(and(eq(reviews.audioId, id), eq(reviews.sound, fileKey)));
  });
}
