import { eq, sql } from 'drizzle-orm';
import { formatTime } from '#formats/durations.ts';
import {
  editAudio,
  type AudioEdit,
  type AudioFiles,
  type EditRefusal,
  type EditResult,
} from '../../catalogue/editing/editing.ts';
import { holdBack, noteNewSound } from '../../catalogue/editing/publication-gate.ts';
import type { AudioState } from '../../catalogue/editing/publishing.ts';
import { wordsIn } from '../../catalogue/review/watched-words.ts';
import { audios, series, seriesItems } from '../../catalogue/tables.ts';
import type { SoundFileResult } from '../../gateways.ts';
import { type Actor, userIdOf } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { orRefusal, Refused } from '../../kernel/refused.ts';
import { findWordLists, refuseWords } from '../../settings/word-lists.ts';
import type { NotAPicture } from '../pictures.ts';
import { type EditedField, editedFields } from '../rules.ts';
import type { ImportTools } from '../uploads/import.ts';
import { keepImage } from '../uploads/keep-files.ts';
import { forgetRecording, writeRecording } from '../uploads/keep-recording.ts';
import { type ListeningFile, withListeningFile } from '../uploads/listening-file.ts';
import { isSame, readValues } from './audio-values.ts';
import { type HeldAudio, dropFromDraft, holdAudio, noteChanges, recordOnAudio } from './hold-audio.ts';
import { linesForLog } from './translations.ts';

/** Fields and files of an audio are written here only: by the editor, its draft, the command line and acts on many. */

/**
 * Writes fields and files of a locked audio, with an entry in the log.
 * @returns `fields`: those that have another value now
 * @throws Refused with an `EditRefusal`
 */
export async function writeAudio(
  tx: Db,
  actor: Actor,
  audio: HeldAudio,
  edit: AudioEdit,
  files: AudioFiles = {},
): Promise<{ audio: AudioState; fields: EditedField[] }> {
  await refuseWords(tx, titlesIn(edit));
  if (edit.series) await checkSeries(tx, audio, edit.series.slug);
  const before = await readAll(tx, audio.id);
  const result = await editAudio(tx, audio.id, edit, files);
  if (!result.ok) throw new Refused<EditRefusal>(result);
  const after = await readAll(tx, audio.id);
  const { watched } = await findWordLists(tx);
  const known = wordsIn(before, watched);
  if (wordsIn(after, watched).some((word) => !known.includes(word))) await holdBack(tx, audio.id, userIdOf(actor));
  await recordOnAudio(tx, actor, audio, 'audio.edit', { before: forLog(before), after: forLog(after) });
  return { audio: result.audio, fields: editedFields.filter((field) => !isSame(before[field], after[field])) };
}

/** Texts that hold no refused word. */
export function titlesIn({ title, tags = [], chapters }: AudioEdit): (string | undefined)[] {
  return [title, ...tags, ...(chapters ?? []).map((chapter) => chapter.title)];
}

/** Creators fill the series of their own voice; only operators fill those of several voices. */
async function checkSeries(tx: Db, audio: HeldAudio, slug: string): Promise<void> {
  if (audio.role === 'admin' || audio.role === 'operator') return;
  const [row] = await tx
    .select({
      voiceId: series.voiceId,
      isIn: sql<boolean>`exists (
      select from ${seriesItems} i where i.series_id = series.id and i.audio_id = ${audio.id})`,
    })
    .from(series)
    .where(eq(series.slug, slug));
  if (row === undefined || (row.voiceId !== audio.voiceId && !row.isIn))
    throw new Refused<EditRefusal>({ ok: false, reason: 'unknown-series', name: slug });
}

/** The editable values, and what else an edit may change. */
async function readAll(tx: Db, audioId: string) {
  const [row] = await tx
    .select({ voice: audios.voiceId, file: audios.fileKey })
    .from(audios)
    .where(eq(audios.id, audioId));
  return { ...(await readValues(tx, audioId)), ...row };
}

function forLog({ transcript, chapters, ...rest }: Awaited<ReturnType<typeof readAll>>) {
  return {
    ...rest,
    transcript: transcript && linesForLog(transcript),
    chapters: chapters && chapters.map(({ start, title }) => `${formatTime(start)} ${title}`),
  };
}

/** Ends the savepoint of a trial. */
class Tried extends Error {}

/** Checks whether fields could be written, without changing anything. @throws Refused */
export async function tryAudio(tx: Db, actor: Actor, audio: HeldAudio, edit: AudioEdit): Promise<void> {
  try {
    await tx.transaction(async (inner) => {
      await writeAudio(inner, actor, audio, edit);
      throw new Tried();
    });
  } catch (error) {
    if (!(error instanceof Tried)) throw error;
  }
}

/** Changes fields and files for listeners directly, without a draft; these fields leave the draft. */
export async function editManagedAudio(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  edit: AudioEdit,
  files: AudioFiles = {},
): Promise<EditResult> {
  return orRefusal<EditResult>(db, async (tx) => {
    const withSlugs = edit.slug !== undefined || Boolean(edit.series);
    const audio = await holdAudio(tx, actor, idOrSlug, { withSlugs });
    if (audio === undefined) return { ok: false, reason: 'not-found', name: idOrSlug };
    if (edit.voice !== undefined && audio.role !== 'admin' && audio.role !== 'operator')
      return { ok: false, reason: 'unknown-voice', name: edit.voice };
    const written = await writeAudio(tx, actor, audio, edit, files);
    if (written.fields.length > 0) {
      await dropFromDraft(tx, audio.id, written.fields);
      await noteChanges(tx, actor, audio.id, written.fields);
    }
    return { ok: true, audio: written.audio };
  });
}

type EditFilesResult = EditResult | Extract<SoundFileResult, { ok: false }> | NotAPicture;

/**
 * The same with files that are not stored yet.
 * @param files `sound`: path of a local file, validated like an import; `cover`: null removes it
 */
export async function editAudioFiles(
  { db, blobs, audioTags, covers, engine }: ImportTools,
  actor: Actor,
  idOrSlug: string,
  edit: AudioEdit,
  files: { sound?: string | undefined; cover?: Uint8Array | null | undefined },
): Promise<EditFilesResult> {
  const read = files.sound === undefined ? undefined : await audioTags.read(files.sound);
  if (read?.ok === false) return read;
  const image = files.cover ? await covers.encode(files.cover) : undefined;
  if (files.cover && image === undefined) return { ok: false, reason: 'not-a-picture' };

  const change = async (listening?: ListeningFile): Promise<EditFilesResult> => {
    const sound = await listening?.keep();
    if (listening !== undefined && sound === undefined)
      return { ok: false, reason: 'unreadable', detail: 'was changed while it was read' };
    const stored: AudioFiles = { ...(sound !== undefined && { sound: sound.sound }) };
    if (files.cover !== undefined) stored.imageKey = image === undefined ? null : await keepImage({ db, blobs }, image);
    return db.transaction(async (tx) => {
      const result = await editManagedAudio(tx, actor, idOrSlug, edit, stored);
      if (!result.ok || sound === undefined) return result;
      if (sound.recording === undefined) await forgetRecording(tx, result.audio.id);
      else await writeRecording(tx, result.audio.id, sound.recording);
      await noteNewSound(tx, result.audio.id, userIdOf(actor));
      return result;
    });
  };
  if (read?.ok !== true || files.sound === undefined) return change();
  return withListeningFile<EditFilesResult>({ db, blobs, engine }, files.sound, read.file, change);
}
