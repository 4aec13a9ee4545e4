import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { publicationTime } from '../../catalogue/editing/publishing.ts';
import { commenterChoices, syntheticVoices } from '../../catalogue/rules.ts';
import { audios, categories, voices, recordings } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { type Page, decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { Language } from '../../kernel/shapes.ts';
import { refuseWords } from '../../settings/word-lists.ts';
import { roleIn } from '../../kernel/rules.ts';
import type { User } from '../../kernel/viewer.ts';
import type { UploadEdit, UploadForm } from '../forms.ts';
import type { QueueParts } from '../queue-parts.ts';
import { queueUpload } from './finish-uploads.ts';
import { reducePeaks } from './reduce-peaks.ts';
import {
  maxArchiveBytes,
  maxUnfinishedUploads,
  maxUploadBytes,
  retriableFailures,
  titleOfFile,
  uploadExtensionOf,
  uploadFailures,
  uploadStates,
  uploadSteps,
  type UploadChoices,
  type UploadState,
} from '../rules.ts';
import { uploads } from '../tables.ts';
import { type ScriptRefusal, readLines } from '../script-lines.ts';

/** Limits for one user within 24 hours. */
export type UploadLimits = {
  filesPerDay: number;
  bytesPerDay: number;
  /** Default: 20. */
  unfinished?: number | undefined;
};

/** How long a finished upload stays in the list. */
const readyDays = 3;

export type StartRefusal =
  | 'not-found'
  | 'unknown-category'
  | 'wrong-type'
  | 'empty'
  | 'too-large'
  | 'too-many'
  | 'daily-limit';
export type StartResult = { ok: true; id: string } | { ok: false; reason: StartRefusal };

/** Creates the row of an upload before its bytes arrive. @param bytes of the whole file */
export async function startUpload(
  db: Db,
  user: User,
  form: UploadForm,
  bytes: number,
  limits: UploadLimits,
): Promise<StartResult> {
  const { voiceId, fileName, replaces, isArchive = false } = form;
  const choices = { ...form.choices, ...(isArchive && { isArchive }) };
  const role = roleIn(user, voiceId);
  if (role === undefined) return { ok: false, reason: 'not-found' };
  const isRightType = isArchive ? /\.zip$/i.test(fileName) : uploadExtensionOf(fileName) !== undefined;
  if (!isRightType) return { ok: false, reason: 'wrong-type' };
  if (bytes === 0) return { ok: false, reason: 'empty' };
  if (bytes > (isArchive ? maxArchiveBytes : maxUploadBytes)) return { ok: false, reason: 'too-large' };
  return db.transaction(async (tx): Promise<StartResult> => {
    // Serialized per user, so that the limits hold.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`uploads of ${user.id}`}, 0))`);
    const refusal = (await findForeign(tx, form)) ?? (await findLimit(tx, user.id, bytes, limits));
    if (refusal !== undefined) return { ok: false, reason: refusal };
    const id = newId();
    const title = form.title ?? titleOfFile(fileName);
    if (replaces === undefined) await refuseWords(tx, [title]);
    await tx.insert(uploads).values({
      id,
      voiceId,
      userId: user.id,
      audioId: replaces ?? null,
      replaces: replaces !== undefined,
      fileName,
      title,
      choices,
      bytes,
    });
    const subject = { type: 'upload', id, name: title };
    await recordChange(tx, { actor: user, role, action: 'upload.start', subject, voiceId, after: { fileName, bytes } });
    return { ok: true, id };
  });
}

/** Items in the form that do not exist, or belong to another voice. */
async function findForeign(tx: Db, { voiceId, choices, replaces }: UploadForm): Promise<StartRefusal | undefined> {
  // Waits for an operator who merges it into another voice.
  const [voice] = await tx
    .select({ id: voices.id })
    .from(voices)
    .where(and(eq(voices.id, voiceId), isNull(voices.mergedInto), isNull(voices.deletedAt)))
    .for('key share');
  if (voice === undefined) return 'not-found';
  if (replaces !== undefined) {
    const match = and(eq(audios.id, replaces), eq(audios.voiceId, voiceId), isNull(audios.deletedAt));
    if ((await tx.$count(audios, match)) === 0) return 'not-found';
  }
  return (await isKnownCategory(tx, choices.categoryId)) ? undefined : 'unknown-category';
}

async function isKnownCategory(db: Db, id: string | null | undefined): Promise<boolean> {
  return id === undefined || id === null || (await db.$count(categories, eq(categories.id, id))) === 1;
}

async function findLimit(
  tx: Db,
  userId: string,
  bytes: number,
  { filesPerDay, bytesPerDay, unfinished = maxUnfinishedUploads }: UploadLimits,
): Promise<StartRefusal | undefined> {
  const [so] = await tx
    .select({
      unfinished: sql<number>`count(*) filter (where ${uploads.state} = 'uploading')::int`,
      files: sql<number>`count(*) filter (where ${uploads.createdAt} > now() - interval '1 day')::int`,
      bytes: sql<string>`coalesce(sum(${uploads.bytes}) filter (where ${uploads.createdAt} > now() - interval '1 day'), 0)`,
    })
    .from(uploads)
    .where(eq(uploads.userId, userId));
  if (so === undefined) return undefined;
  if (so.unfinished >= unfinished) return 'too-many';
  return so.files + 1 > filesPerDay || Number(so.bytes) + bytes > bytesPerDay ? 'daily-limit' : undefined;
}

/** The audio whose file is replaced. @returns undefined for a deleted one, or one of another voice */
export async function findReplaced(
  db: Db,
  user: User,
  voiceId: string,
  audioId: string,
): Promise<{ id: string; title: string } | undefined> {
  if (!isId(audioId) || roleIn(user, voiceId) === undefined) return undefined;
  const [audio] = await db
    .select({ id: audios.id, title: audios.title })
    .from(audios)
    .where(and(eq(audios.id, audioId), eq(audios.voiceId, voiceId), isNull(audios.deletedAt)));
  return audio;
}

/** An upload as seen by the requests that send its bytes. */
export type ComingUpload = { id: string; bytes: number; state: UploadState };

/** @returns undefined for uploads of other users, and of voices that the user no longer manages */
export async function findComingUpload(db: Db, user: User, id: string): Promise<ComingUpload | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db
    .select({ id: uploads.id, bytes: uploads.bytes, state: uploads.state, voiceId: uploads.voiceId })
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.userId, user.id), isNull(uploads.removedAt)));
  if (row === undefined || roleIn(user, row.voiceId) === undefined) return undefined;
  return { id: row.id, bytes: row.bytes, state: row.state };
}

/** @param received bytes so far */
export async function noteReceived(db: Db, id: string, received: number): Promise<void> {
  await db
    .update(uploads)
    .set({ progress: sql`floor(${received}::float8 * 100 / ${uploads.bytes})`, updatedAt: sql`now()` })
    .where(and(eq(uploads.id, id), eq(uploads.state, 'uploading')));
}

/** Deletes a row whose file could not be created. */
export async function forgetUpload(db: Db, id: string): Promise<void> {
  await db.delete(uploads).where(and(eq(uploads.id, id), eq(uploads.state, 'uploading')));
}

export const ListedUpload = z.object({
  id: z.uuid(),
  fileName: z.string(),
  title: z.string(),
  bytes: z.number(),
  choices: z.object({
    categoryId: z.uuid().optional(),
    isFree: z.boolean().optional(),
    commenters: z.enum(commenterChoices).optional(),
    language: Language.optional(),
    syntheticVoice: z.enum(syntheticVoices).optional(),
    tags: z.array(z.string()).optional().describe('Slugs of tags in facets'),
  }),
  scriptLines: z.number().int().describe('Lines of the script that is timed once the audio exists'),
  state: z.enum(uploadStates),
  step: z.enum(uploadSteps).nullable(),
  progress: z.number().describe('Percent of the step, or of the bytes that have arrived'),
  secondsLeft: z.number().nullable().describe('Until it is processed; null where that is not known'),
  facts: z
    .object({
      format: z.string(),
      sampleRate: z.number().describe('Hertz'),
      bits: z.number(),
      channels: z.number(),
      durationMs: z.number(),
      loudnessBefore: z.number().describe('LUFS'),
      loudnessAfter: z.number().describe('LUFS'),
      truePeakAfter: z.number().describe('dBTP'),
      missingSeconds: z
        .number()
        .describe('Seconds that the header states beyond the content; 0: it ends early by an unknown time'),
    })
    .partial(),
  failure: z.enum(uploadFailures).nullable(),
  failureDetail: z.string().nullable(),
  isRetriable: z.boolean(),
  audioId: z.uuid().nullable().describe('The audio made from it, or whose file it replaces'),
  replaces: z.boolean(),
  isPublished: z.boolean().describe('The audio is published, or will be at a time'),
  isOwn: z.boolean().describe('Uploaded by the requesting user, who alone can resume it'),
  outline: z.string().nullable().describe('Pairs of bytes in base64 along the recording: peak and loudness'),
  createdAt: z.iso.datetime(),
});
export type ListedUpload = z.output<typeof ListedUpload>;

const order = 'uploads';

function withoutScript({
  script: _script,
  isArchive: _is,
  keepsFile: _keeps,
  ...choices
}: UploadChoices): ListedUpload['choices'] {
  return choices;
}

/**
 * Uploads of a voice that the user manages, newest first: unfinished, processing, failed, and recently finished ones.
 * @returns undefined when the user does not manage the voice
 */
export async function listUploads(
  db: Db,
  actor: Actor,
  voiceId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ListedUpload> | undefined> {
  if (!isId(voiceId) || roleIn(actor, voiceId) === undefined) return undefined;
  const after = decodeCursor(order, cursor, z.literal(''));
  const rows = await db
    .select({ upload: uploads, audioTitle: audios.title, publishedAt: publicationTime, peaks: recordings.peaks })
    .from(uploads)
    .leftJoin(audios, and(eq(audios.id, uploads.audioId), isNull(audios.deletedAt)))
    .leftJoin(
      recordings,
      and(eq(recordings.audioId, uploads.audioId), eq(recordings.fileKey, audios.fileKey), eq(uploads.state, 'ready')),
    )
    .where(
      and(
        eq(uploads.voiceId, voiceId),
        isNull(uploads.removedAt),
        sql`not ${uploads.choices} ? 'isArchive'`,
        sql`(${uploads.state} <> 'ready' or
          (${audios.id} is not null and ${uploads.updatedAt} > now() - make_interval(days => ${readyDays})))`,
        after === undefined ? undefined : lt(uploads.id, after.id),
      ),
    )
    .orderBy(desc(uploads.id))
    .limit(limit + 1);
  return toPage(
    rows,
    limit,
    ({ upload, audioTitle, publishedAt, peaks }) => ({
      id: upload.id,
      fileName: upload.fileName,
      title: (upload.state === 'ready' ? audioTitle : null) ?? upload.title,
      bytes: upload.bytes,
      choices: withoutScript(upload.choices),
      scriptLines: upload.choices.script?.length ?? 0,
      state: upload.state,
      step: upload.step,
      progress: upload.progress,
      secondsLeft: upload.state === 'processing' ? upload.secondsLeft : null,
      facts: upload.facts,
      failure: upload.failure,
      failureDetail: upload.failureDetail,
      isRetriable: isRetriable(upload),
      audioId: upload.audioId,
      replaces: upload.replaces,
      isPublished: publishedAt !== null,
      isOwn: actor.kind === 'user' && upload.userId === actor.id,
      outline: peaks === null ? null : reducePeaks(peaks),
      createdAt: upload.createdAt.toISOString(),
    }),
    ({ upload }) => encodeCursor(order, { value: '', id: upload.id }),
  );
}

/** Processing it again may succeed. */
export function isRetriable({ state, failure, originalKey }: typeof uploads.$inferSelect): boolean {
  return state === 'failed' && originalKey !== null && failure !== null && retriableFailures.includes(failure);
}

export type ChangeRefusal = 'not-found' | 'unknown-category' | 'too-late';
export type ChangeResult = { ok: true } | { ok: false; reason: ChangeRefusal };

/** Changes the defaults for the new audio, until it exists. */
export async function editUpload(
  db: Db,
  actor: Actor,
  id: string,
  edit: UploadEdit,
): Promise<ChangeResult | ScriptRefusal> {
  const { title, script, ...others } = edit;
  const read = typeof script === 'string' ? readLines(script) : undefined;
  if (read?.ok === false) return read;
  const choices = { ...others, ...(script !== undefined && { script: read?.lines ?? null }) };
  await refuseWords(db, [title]);
  if (!(await isKnownCategory(db, choices.categoryId))) return { ok: false, reason: 'unknown-category' };
  return changeUpload(db, actor, id, 'upload.edit', (row) => {
    // The lines of a file that replaces another one are the transcript of its audio.
    if (row.state === 'ready' || (row.replaces && script !== undefined)) return undefined;
    const merged = Object.entries({ ...row.choices, ...choices }).filter(([, value]) => value !== null);
    return { title: title ?? row.title, choices: Object.fromEntries(merged) as UploadChoices };
  });
}

/** Queues a failed upload for processing again. */
export async function retryUpload(parts: QueueParts, actor: Actor, id: string): Promise<ChangeResult> {
  const result = await changeUpload(parts.db, actor, id, 'upload.retry', (row) =>
    isRetriable(row)
      ? { state: 'waiting', failure: null, failureDetail: null, step: null, progress: 0, attempts: 0 }
      : undefined,
  );
  if (result.ok) await queueUpload(parts, id);
  return result;
}

/**
 * Removes it from the list. One that is not ready is cancelled, and its processing ends within two seconds; a job
 * deletes its files (`purge-uploads.ts`). An audio made from it stays.
 */
export async function removeUpload(db: Db, actor: Actor, id: string): Promise<ChangeResult> {
  return changeUpload(db, actor, id, 'upload.remove', ({ state }) => {
    const isGivenUp = state === 'uploading' || state === 'waiting' || state === 'processing';
    return {
      removedAt: new Date(),
      ...(isGivenUp && { state: 'failed' as const, failure: 'removed' as const, step: null }),
    };
  });
}

type Row = typeof uploads.$inferSelect;

/** @param change undefined: not possible in its current state */
async function changeUpload(
  db: Db,
  actor: Actor,
  id: string,
  action: `upload.${string}`,
  change: (row: Row) => Partial<Row> | undefined,
): Promise<ChangeResult> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<ChangeResult> => {
    const [row] = await tx
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), isNull(uploads.removedAt)))
      .for('no key update');
    const role = row && roleIn(actor, row.voiceId);
    if (row === undefined || role === undefined) return { ok: false, reason: 'not-found' };
    const changes = change(row);
    if (changes === undefined) return { ok: false, reason: 'too-late' };
    await tx
      .update(uploads)
      .set({ ...changes, updatedAt: new Date() })
      .where(eq(uploads.id, id));
    await recordChange(tx, {
      actor,
      role,
      action,
      subject: { type: 'upload', id, name: row.title },
      voiceId: row.voiceId,
      before: forLog(pick(row, changes)),
      after: forLog(pick(changes, changes)),
    });
    return { ok: true };
  });
}

function pick(from: Partial<Row>, names: Partial<Row>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, from[name as keyof Row] ?? null]));
}

/** The log stores how many lines a script has. */
function forLog({ choices, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (choices === undefined) return rest;
  const { script, ...others } = choices as UploadChoices;
  return { ...rest, choices: { ...others, ...(script !== undefined && { scriptLines: script.length }) } };
}
