import { type SQL, and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { readableChapters } from '../../catalogue/chapter-rules.ts';
import { noteNewSound } from '../../catalogue/editing/publication-gate.ts';
import { addFacetTags } from '../../catalogue/facets/tags-of-audios.ts';
import { type SyntheticVoice, commentColumns, digitalSourceOf } from '../../catalogue/rules.ts';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import { audioCategories, audios, categories } from '../../catalogue/tables.ts';
import { findNewAudioColumns } from '../../catalogue/voices.ts';
import { voiceRolesSql } from '../../community/voice-owners.ts';
import type { Blobs, SoundEngine, SoundRefusal } from '../../gateways.ts';
import { users } from '../../identity/tables.ts';
import { type Actor, type ActorRole, operator, userIdOf } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId, sortKey } from '../../kernel/ids.ts';
import { roleIn } from '../../kernel/rules.ts';
import { type ArrivedItem, columnsOf, findArrivedItem, isImported, keepItem } from '../feed-imports/keep-item.ts';
import { type KeptRecording, keepProcessed, setStatedChapters, writeRecording } from './keep-recording.ts';
import { type UploadFailure, type UploadStep, soundTypes, uploadExtensionOf } from '../rules.ts';
import { scriptTimings, uploads } from '../tables.ts';
import { createTimeLeft } from './time-left.ts';

export type SoundTools = {
  db: Db;
  blobs: Blobs;
  engine: SoundEngine;
  /** Hours of sound of one user within 24 hours; default: any. */
  hoursPerDay?: number | undefined;
};

type Upload = typeof uploads.$inferSelect;

/** Shown while uploads wait for the operator. */
const missingEngine = 'Sound cannot be processed on this server yet: its module for sound is not installed.';

const missingRoom = 'There is too little room on this server. It is processed as soon as there is more.';

/** Then it fails, so that a file that always ends its process does not run for ever. */
const maxAttempts = 10;

/** Milliseconds between two progress updates. */
const progressPause = 1000;

/** Ends the transaction of an upload that cannot become an audio or a new file. */
class CannotKeep extends Error {}

/**
 * Creates a draft from a received file, or replaces an audio's file. May be killed and repeated at any moment: audio,
 * recording and end of the upload are written in one transaction.
 */
export async function processUpload(tools: SoundTools, uploadId: string, signal?: AbortSignal): Promise<void> {
  const { db } = tools;
  const upload = await takeUpload(db, uploadId);
  if (upload === undefined) return;
  if (upload.attempts > maxAttempts)
    return failUpload(db, uploadId, 'failed', `could not be processed in ${maxAttempts} attempts`);
  try {
    await processTaken(tools, upload, signal);
  } catch (error) {
    // The storage is away.
    if (error instanceof DomainError)
      await db
        .update(uploads)
        .set({ attempts: sql`${uploads.attempts} - 1` })
        .where(isUnderWay(uploadId));
    throw error;
  }
}

async function processTaken(tools: SoundTools, upload: Upload, signal: AbortSignal | undefined): Promise<void> {
  const { db, blobs, engine } = tools;
  const { id: uploadId, originalKey } = upload;
  if (originalKey === null || (await blobs.stat(originalKey)) === undefined)
    return failUpload(db, uploadId, 'failed', 'no longer exists');
  const cancel = new AbortController();
  const progress = reportProgress(db, uploadId, () => cancel.abort());
  const stop = AbortSignal.any([cancel.signal, ...(signal === undefined ? [] : [signal])]);
  const original = { key: originalKey, name: upload.fileName, bytes: upload.bytes };
  let outcome: { ok: true } | SoundRefusal;
  try {
    const maxSeconds = await findSecondsLeft(tools, upload.userId);
    const taggedAs = await findSyntheticVoice(db, upload);
    const work = { signal: stop, onProgress: progress.note, maxSeconds, comment: digitalSourceOf[taggedAs] };
    outcome = upload.choices.keepsFile
      ? await keepFile(tools, { ...upload, originalKey }, stop, progress)
      : await engine.process({ key: originalKey }, work, async (sound) => {
          const kept = await keepProcessed({ db, blobs }, sound, { ...original, taggedAs });
          await progress.settled();
          return keepUpload(db, upload, kept);
        });
  } catch (error) {
    await progress.settled();
    if (cancel.signal.aborted) return;
    if (!(error instanceof CannotKeep)) throw error;
    return failUpload(db, uploadId, 'failed', error.message);
  }
  await progress.settled();
  if (outcome.ok) return;
  if (outcome.reason === 'engine-missing') return waitFor(db, isUnderWay(uploadId), missingEngine);
  if (outcome.reason === 'no-space') return waitFor(db, isUnderWay(uploadId), missingRoom);
  // The job is tried again.
  if (outcome.reason === 'killed') throw new Error(`${upload.fileName} ${outcome.detail}`);
  return failUpload(db, uploadId, outcome.reason, outcome.detail);
}

/** Decoders differ by less in what they take for the end of a recording. */
const sameLengthMs = 100;

/** Decodes and measures a file that stays as it is. */
async function keepFile(
  { db, engine }: SoundTools,
  upload: Upload & { originalKey: string },
  signal: AbortSignal,
  progress: ReturnType<typeof reportProgress>,
): Promise<{ ok: true } | SoundRefusal> {
  const { originalKey: fileKey, bytes: fileBytes } = upload;
  const measured = await engine.measure({ key: fileKey }, { signal, onProgress: progress.note });
  await progress.settled();
  if (!measured.ok) return measured;
  const { facts, peaks } = measured;
  const fileMime = soundTypes[uploadExtensionOf(fileKey) ?? 'mp3'];
  const stated = upload.choices.keepsFile?.durationMs ?? facts.durationMs;
  const durationMs = Math.abs(stated - facts.durationMs) <= sameLengthMs ? stated : facts.durationMs;
  const sound = { fileKey, fileMime, fileBytes, durationMs };
  await keepUpload(db, upload, { sound, made: undefined, facts, peaks: Buffer.from(peaks), chapters: [] });
  return { ok: true };
}

/**
 * Received uploads that are not done, including those of dead processes: the first of each creator, then the second of
 * each. Without an encoder, they are marked as waiting instead.
 */
export async function findWaitingUploads(
  { db, engine }: Pick<SoundTools, 'db' | 'engine'>,
  limit = 500,
): Promise<{ id: string; voiceId: string }[]> {
  const isWaiting = inArray(uploads.state, ['waiting', 'processing']);
  const turn = sql`row_number() over (partition by ${uploads.voiceId} order by ${uploads.id})`;
  const rows = await db
    .select({ id: uploads.id, voiceId: uploads.voiceId })
    .from(uploads)
    .where(isWaiting)
    .orderBy(turn, uploads.id)
    .limit(limit);
  if (rows.length === 0 || (await engine.version()) !== undefined) return rows;
  await waitFor(db, isWaiting, missingEngine);
  return [];
}

/** @returns undefined for an upload that is done or unknown */
async function takeUpload(db: Db, id: string): Promise<Upload | undefined> {
  const [row] = await db
    .update(uploads)
    .set({
      state: 'processing',
      step: 'reading',
      progress: 0,
      secondsLeft: null,
      facts: {},
      failureDetail: null,
      attempts: sql`${uploads.attempts} + 1`,
      updatedAt: sql`now()`,
    })
    .where(isUnderWay(id))
    .returning();
  return row;
}

const isUnderWay = (id: string) => and(eq(uploads.id, id), inArray(uploads.state, ['waiting', 'processing']));

/**
 * Writes at most once a second and never twice at once; only the latest value in between is written.
 * @param onGone called once it was cancelled
 */
function reportProgress(db: Db, id: string, onGone: () => void) {
  let lastAt = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let isWriting = false;
  const timeLeft = createTimeLeft(() => performance.now());
  // A program that is paused for others reports nothing.
  const watch = setInterval(() => {
    if (isWriting || Date.now() - lastAt < progressPause) return;
    isWriting = true;
    writing = db
      .$count(uploads, and(eq(uploads.id, id), eq(uploads.state, 'processing')))
      .then((count) => count === 0 && onGone())
      .catch(() => undefined)
      .finally(() => (isWriting = false));
  }, progressPause);
  return {
    note(step: UploadStep, percent: number, facts: Upload['facts']): void {
      const secondsLeft = timeLeft(step, percent) ?? null;
      if (isWriting || Date.now() - lastAt < progressPause) return;
      lastAt = Date.now();
      isWriting = true;
      writing = db
        .update(uploads)
        .set({ step, progress: percent, secondsLeft, facts, updatedAt: sql`now()` })
        .where(and(eq(uploads.id, id), eq(uploads.state, 'processing')))
        .then(({ rowCount }) => rowCount === 0 && onGone())
        // Without the database this update fails too, and that failure is handled.
        .catch(() => undefined)
        .finally(() => (isWriting = false));
    },
    settled() {
      clearInterval(watch);
      return writing;
    },
  };
}

async function failUpload(db: Db, id: string, failure: UploadFailure, detail: string): Promise<void> {
  await db
    .update(uploads)
    .set({ state: 'failed', failure, failureDetail: detail.slice(0, 500), step: null, updatedAt: sql`now()` })
    .where(isUnderWay(id));
}

/** As the audio says whose file is replaced, or as was chosen for a new one. */
async function findSyntheticVoice(db: Db, { replaces, audioId, choices }: Upload): Promise<SyntheticVoice> {
  if (!replaces || audioId === null) return choices.syntheticVoice ?? 'none';
  const [audio] = await db.select({ syntheticVoice: audios.syntheticVoice }).from(audios).where(eq(audios.id, audioId));
  return audio?.syntheticVoice ?? 'none';
}

/** Seconds of sound that this user may still upload; undefined without a limit. */
async function findSecondsLeft({ db, hoursPerDay }: SoundTools, userId: string | null): Promise<number | undefined> {
  if (hoursPerDay === undefined || userId === null) return undefined;
  const [so] = await db
    .select({ seconds: sql<number>`coalesce(sum((${uploads.facts} ->> 'durationMs')::float8), 0) / 1000` })
    .from(uploads)
    .where(
      and(eq(uploads.userId, userId), eq(uploads.state, 'ready'), sql`${uploads.updatedAt} > now() - interval '1 day'`),
    );
  return Math.max(0, hoursPerDay * 3600 - Number(so?.seconds ?? 0));
}

async function waitFor(db: Db, which: SQL | undefined, why: string): Promise<void> {
  await db
    .update(uploads)
    .set({ state: 'waiting', step: null, attempts: 0, failureDetail: why, updatedAt: sql`now()` })
    .where(which);
}

async function keepUpload(db: Db, { id }: Upload, kept: KeptRecording): Promise<void> {
  await db.transaction(async (tx) => {
    // Read again: its title may have changed, or another process may have finished it.
    const [found] = await tx
      .select({ title: uploads.title, replaces: uploads.replaces })
      .from(uploads)
      .where(isUnderWay(id));
    // Slugs are locked before rows, in the order of imports.
    const slug = found !== undefined && !found.replaces ? await claimSlug(tx, 'audios', found.title) : undefined;
    const [upload] = await tx.select().from(uploads).where(isUnderWay(id)).for('update');
    // Finished by another process, or removed.
    if (upload === undefined) return;
    const item = slug === undefined ? undefined : await findArrivedItem(tx, id);
    const author = await findAuthor(tx, upload, item?.isByOperator);
    if (author === undefined) throw new CannotKeep('was uploaded by someone who does not manage this creator any more');
    if (item !== undefined && (await isImported(tx, upload.voiceId, item))) throw new CannotKeep('is here already');
    const audioId =
      slug === undefined
        ? await replaceFile(tx, upload, kept, author)
        : await insertDraft(tx, upload, { slug, kept, author, item });
    await tx
      .update(uploads)
      .set({
        state: 'ready',
        audioId,
        step: null,
        progress: 100,
        facts: kept.facts,
        choices: sql`${uploads.choices} - 'script'`,
        updatedAt: sql`now()`,
      })
      .where(eq(uploads.id, id));
  });
}

export type Author = { actor: Actor; role: ActorRole };

/** The uploader with current rights, which may have changed since the file arrived. */
export async function findAuthor(
  tx: Db,
  { userId, voiceId }: Pick<Upload, 'userId' | 'voiceId'>,
  isByOperator = false,
): Promise<Author | undefined> {
  if (userId === null && isByOperator) return { actor: operator, role: 'operator' };
  const [user] = await tx
    .select({ id: users.id, isAdmin: users.isAdmin, voiceRoles: voiceRolesSql(users.id) })
    .from(users)
    .where(and(eq(users.id, userId ?? newId()), isNull(users.suspendedAt)));
  const actor: Actor | undefined = user && {
    kind: 'user',
    id: user.id,
    isSubscribed: false,
    isComplete: true,
    ...(user.isAdmin && { isAdmin: true }),
    voiceRoles: user.voiceRoles ?? {},
  };
  const role = actor && roleIn(actor, voiceId);
  return actor && role && { actor, role };
}

async function insertDraft(
  tx: Db,
  { voiceId, title, choices }: Upload,
  { slug, kept, author, item }: { slug: string; kept: KeptRecording; author: Author; item: ArrivedItem | undefined },
): Promise<string> {
  const id = newId();
  await tx.insert(audios).values({
    id,
    slug,
    title,
    sortTitle: sortKey(title),
    description: '',
    ...(item && columnsOf(item)),
    voiceId,
    isFree: choices.isFree ?? false,
    ...(await findNewAudioColumns(tx, voiceId)),
    ...(choices.commenters && commentColumns(choices.commenters)),
    ...(choices.language !== undefined && { language: choices.language }),
    ...(choices.syntheticVoice !== undefined && { syntheticVoice: choices.syntheticVoice }),
    ...kept.sound,
  });
  // A category that no longer exists is omitted.
  if (choices.categoryId !== undefined)
    await tx.insert(audioCategories).select(
      tx
        .select({
          audioId: sql`${id}::uuid`.as('audio_id'),
          categoryId: categories.id,
          position: sql`0`.as('position'),
        })
        .from(categories)
        .where(and(eq(categories.id, choices.categoryId), isNull(categories.deletedAt))),
    );
  await addFacetTags(tx, id, choices.tags ?? []);
  await writeRecording(tx, id, kept);
  const seconds = kept.facts.durationMs / 1000;
  const named = item?.chapters ?? (item?.item.archived === undefined ? null : []);
  const stated = named === null ? kept.chapters : readableChapters(named, seconds);
  await setStatedChapters(tx, id, stated);
  if (choices.script !== undefined)
    // A job finds it within a minute.
    await tx.insert(scriptTimings).values({ id: newId(), audioId: id, lines: choices.script });
  const subject = { type: 'audio', id, name: title };
  const after = { title, durationMs: kept.facts.durationMs, file: kept.made?.original.name };
  await recordChange(tx, { ...author, action: 'audio.create', subject, voiceId, after });
  if (item !== undefined) await keepItem(tx, { audioId: id, voiceId, actor: author.actor }, item);
  return id;
}

async function replaceFile(tx: Db, { audioId, voiceId }: Upload, kept: KeptRecording, author: Author): Promise<string> {
  const [audio] = await tx
    .select({ id: audios.id, title: audios.title, fileKey: audios.fileKey, durationMs: audios.durationMs })
    .from(audios)
    .where(and(eq(audios.id, audioId ?? newId()), eq(audios.voiceId, voiceId), isNull(audios.deletedAt)))
    .for('no key update');
  if (audio === undefined) throw new CannotKeep('belongs to an audio that was deleted');
  await tx.update(audios).set(kept.sound).where(eq(audios.id, audio.id));
  await writeRecording(tx, audio.id, kept);
  await noteNewSound(tx, audio.id, userIdOf(author.actor));
  await recordChange(tx, {
    ...author,
    action: 'audio.replace-file',
    subject: { type: 'audio', id: audio.id, name: audio.title },
    voiceId,
    before: { fileKey: audio.fileKey, durationMs: audio.durationMs },
    after: { fileKey: kept.sound.fileKey, durationMs: kept.facts.durationMs },
  });
  return audio.id;
}
