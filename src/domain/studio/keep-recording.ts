import { eq, sql } from 'drizzle-orm';
import type { AudioFiles } from '../catalogue/editing.ts';
import { recordings } from '../catalogue/tables.ts';
import type { Blobs, ProcessedFile, ProcessedSound, SoundFacts } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';

/** The uploaded original. */
export type Original = { key: string; name: string; bytes: number };

/** A processed recording, in the shape of its rows. */
export type KeptRecording = {
  sound: NonNullable<AudioFiles['sound']>;
  original: Original;
  small: { key: string; mime: string; bytes: number };
  facts: SoundFacts;
  peaks: Buffer;
};

/**
 * Stores the files of a processed recording. Called again within the transaction that writes its rows, after
 * `holdBlobs`, in case they were removed meanwhile.
 */
export async function keepProcessed(blobs: Blobs, sound: ProcessedSound, original: Original): Promise<KeptRecording> {
  const { listening, small, facts, peaks } = sound;
  const fileKey = await keepFile(blobs, listening);
  return {
    sound: { fileKey, fileMime: listening.mime, fileBytes: listening.bytes, durationMs: facts.durationMs },
    original,
    small: { key: await keepFile(blobs, small), mime: small.mime, bytes: small.bytes },
    facts,
    peaks: Buffer.from(peaks),
  };
}

async function keepFile(blobs: Blobs, file: ProcessedFile): Promise<string> {
  const key = processedKey(file);
  if ((await blobs.stat(key))?.bytes !== file.bytes) await blobs.importFile(key, file.path);
  return key;
}

/** From the content, so that the same file is stored once. */
export function processedKey({ sha256, extension }: ProcessedFile): string {
  return `audio/${sha256.slice(0, 20)}${extension}`;
}

/** Sets the audio's file and recording. @returns keys of the former files */
export async function writeRecording(tx: Db, audioId: string, kept: KeptRecording): Promise<string[]> {
  const { sound, original, small, facts, peaks } = kept;
  const before = await listRecordingFiles(tx, audioId);
  const values = {
    fileKey: sound.fileKey,
    originalKey: original.key,
    originalName: [...original.name].slice(0, 255).join(''),
    originalBytes: original.bytes,
    smallKey: small.key,
    smallMime: small.mime,
    smallBytes: small.bytes,
    facts,
    peaks,
    measuredAt: sql`now()`,
  };
  await tx
    .insert(recordings)
    .values({ audioId, ...values })
    .onConflictDoUpdate({ target: recordings.audioId, set: values });
  return before;
}

/** For a file that was not processed. @returns keys of the former files */
export async function forgetRecording(tx: Db, audioId: string): Promise<string[]> {
  const before = await listRecordingFiles(tx, audioId);
  await tx.delete(recordings).where(eq(recordings.audioId, audioId));
  return before;
}

async function listRecordingFiles(tx: Db, audioId: string): Promise<string[]> {
  const [row] = await tx
    .select({ fileKey: recordings.fileKey, originalKey: recordings.originalKey, smallKey: recordings.smallKey })
    .from(recordings)
    .where(eq(recordings.audioId, audioId));
  return Object.values(row ?? {}).filter((key) => key !== null);
}
