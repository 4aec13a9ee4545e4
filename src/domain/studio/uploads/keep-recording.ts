import { eq, sql } from 'drizzle-orm';
import { type AudioFiles, setChapters } from '../../catalogue/editing/editing.ts';
import { type Chapter, chapterTitleLength } from '../../catalogue/chapter-rules.ts';
import type { SyntheticVoice } from '../../catalogue/rules.ts';
import { audios, recordings } from '../../catalogue/tables.ts';
import type { ProcessedFile, ProcessedSound, SoundFacts } from '../../gateways.ts';
import type { Db } from '../../kernel/db.ts';
import { findListed, findWordLists } from '../../settings/word-lists.ts';
import { type FileTools, storeFile } from '../../stored-files.ts';
import { cleanLine } from './import-tags.ts';

/** The uploaded original. */
export type Original = {
  key: string;
  name: string;
  bytes: number;
  /** As the tag of the processed files says; default: nothing. */
  taggedAs?: SyntheticVoice;
};

/** A processed recording, in the shape of its rows. */
export type KeptRecording = {
  sound: NonNullable<AudioFiles['sound']>;
  /** Undefined: the file that listeners hear is the only one. */
  made: { original: Original; small: { key: string; mime: string; bytes: number } } | undefined;
  facts: SoundFacts;
  peaks: Buffer;
  /** As the original states them. */
  chapters: Chapter[];
};

/** Stores the files of a processed recording, before the transaction that writes its rows. */
export async function keepProcessed(
  tools: FileTools,
  sound: ProcessedSound,
  original: Original,
): Promise<KeptRecording> {
  const { listening, small, facts, peaks, chapters } = sound;
  const fileKey = await keepFile(tools, listening);
  return {
    sound: { fileKey, fileMime: listening.mime, fileBytes: listening.bytes, durationMs: facts.durationMs },
    made: { original, small: { key: await keepFile(tools, small), mime: small.mime, bytes: small.bytes } },
    facts,
    peaks: Buffer.from(peaks),
    chapters,
  };
}

/** @returns its key, from the content, so that the same file is stored once */
async function keepFile(tools: FileTools, { sha256, extension, bytes, path }: ProcessedFile): Promise<string> {
  const key = `audio/${sha256.slice(0, 20)}${extension}`;
  await storeFile(tools, { key, bytes }, () => tools.blobs.importFile(key, path));
  return key;
}

/** Holds the audio. @returns false when it got another file meanwhile, or is gone */
export async function holdFile(tx: Db, { id, fileKey }: { id: string; fileKey: string }): Promise<boolean> {
  const [audio] = await tx
    .select({ fileKey: audios.fileKey })
    .from(audios)
    .where(eq(audios.id, id))
    .for('no key update');
  return audio?.fileKey === fileKey;
}

/** Sets the audio's file and recording. */
export async function writeRecording(tx: Db, audioId: string, kept: KeptRecording): Promise<void> {
  const { sound, made, facts, peaks } = kept;
  const values = { fileKey: sound.fileKey, ...columnsOf(made), facts, peaks, measuredAt: sql`now()` };
  await tx
    .insert(recordings)
    .values({ audioId, ...values })
    .onConflictDoUpdate({ target: recordings.audioId, set: values });
}

function columnsOf(made: KeptRecording['made']) {
  return {
    originalKey: made?.original.key ?? null,
    originalName: made === undefined ? null : [...made.original.name].slice(0, 255).join(''),
    originalBytes: made?.original.bytes ?? null,
    taggedAs: made?.original.taggedAs ?? ('none' as const),
    smallKey: made?.small.key ?? null,
    smallMime: made?.small.mime ?? null,
    smallBytes: made?.small.bytes ?? null,
  };
}

/** For a file that was not processed. */
export async function forgetRecording(tx: Db, audioId: string): Promise<void> {
  await tx.delete(recordings).where(eq(recordings.audioId, audioId));
}

/** The chapters that the file of a new audio states, without those whose title is nothing or holds a refused word. */
export async function setStatedChapters(tx: Db, audioId: string, stated: Chapter[]): Promise<void> {
  if (stated.length === 0) return;
  const { refused } = await findWordLists(tx);
  const readable = stated.flatMap(({ start, title }) => {
    const line = cleanLine(title, chapterTitleLength);
    return line === undefined || findListed(line, refused).length > 0 ? [] : [{ start, title: line }];
  });
  await setChapters(tx, audioId, readable);
}
