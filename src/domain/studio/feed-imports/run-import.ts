import { setTimeout as wait } from 'node:timers/promises';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { primaryLanguage } from '#formats/content-languages.ts';
import { type Chapter, chapterTitleLength } from '../../catalogue/chapter-rules.ts';
import { readCueFile, readOwnVtt } from '../../catalogue/cue-rules.ts';
import type { Cue } from '../../catalogue/rules.ts';
import { voices } from '../../catalogue/tables.ts';
import { type AddJobs, type ArchiveFiles, type Blobs, type Covers, WebRefusal } from '../../gateways.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { storeFile } from '../../stored-files.ts';
import type { ImportedItem } from '../moving-in/archive-shapes.ts';
import { encodePicture, readSmall } from '../moving-in/small-files.ts';
import { finishArchive } from '../moving-in/finish-archive.ts';
import { maxPictureBytes, maxUploadBytes, titleOfFile, uploadExtensionOf } from '../rules.ts';
import { feedImportItems as items, feedImports as imports, uploads } from '../tables.ts';
import { queueUpload } from '../uploads/finish-uploads.ts';
import { cleanLine } from '../uploads/import-tags.ts';
import { keepImage } from '../uploads/keep-files.ts';
import { findAuthor } from '../uploads/process-upload.ts';
import type { FeedImportRow } from './imports.ts';
import { type ReadingTools, markThoseHere, readFeedImport } from './read-import.ts';
import { makeSeasons } from './seasons.ts';
import type { FetchFailure } from './rules.ts';

export type FeedImportTools = ReadingTools & {
  blobs: Blobs;
  covers: Covers;
  addJobs: AddJobs;
  /** Bytes of one user within 24 hours; default: any. */
  bytesPerDay?: number | undefined;
  /** Milliseconds between two looks at files that are processed; for tests. */
  pauseMs?: number;
};

/** Files that wait to be processed: more would only fill the disk. */
const maxWaiting = 8;
/** For one file, when its host does not answer well. */
const maxTries = 3;
/** Also when the process ends within it. */
const maxAttempts = 10;
/** Pictures of directories are large; `Covers` makes them smaller. */
const maxCoverBytes = 3 * maxPictureBytes;
const maxTranscriptBytes = 4 * 1024 * 1024;
const maxChapterBytes = 1024 * 1024;

/** Does what an import waits for. May be killed and repeated at any moment. */
export async function importFeed(tools: FeedImportTools, id: string, signal?: AbortSignal): Promise<void> {
  const find = async () => (await tools.db.select().from(imports).where(eq(imports.id, id)))[0];
  const row = await find();
  if (row?.state === 'reading') await readFeedImport(tools, row, signal);
  const running = row?.state === 'reading' ? await find() : row;
  if (running?.state !== 'running') return;
  const { archiveName, archiveKey, archiveFolder } = running;
  const archive = archiveName === null ? undefined : await tools.openArchive(archiveKey ?? '', archiveFolder);
  try {
    await loadFiles({ ...tools, ...(archive && { web: archive, archive }) }, running, signal);
  } finally {
    archive?.close();
  }
}

/** `archive`: what `web` asks, instead of the web. */
type LoadingTools = FeedImportTools & { archive?: ArchiveFiles };

/** Loads file after file, a few ahead of their processing, until all are audios or the import is stopped. */
async function loadFiles(tools: LoadingTools, row: FeedImportRow, signal: AbortSignal | undefined): Promise<void> {
  const { db, pauseMs = 1000 } = tools;
  await db.transaction((tx) => markThoseHere(tx, row));
  const stop = new AbortController();
  const watch = setInterval(() => {
    void isRunning(db, row.id).then(
      (is) => is || stop.abort(),
      () => undefined,
    );
  }, pauseMs);
  const signals = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  const pictures = new Map<string, string | null>();
  try {
    for (;;) {
      signals.throwIfAborted();
      if ((await findAuthor(db, row, row.isByOperator)) === undefined) return await halt(db, row.id);
      await settleArrived(db, row.id);
      const waiting = await db.$count(items, and(eq(items.importId, row.id), eq(items.outcome, 'arrived')));
      const next = waiting < maxWaiting ? await findNext(db, row.id) : undefined;
      if (next === undefined && waiting === 0) break;
      // The rest follows tomorrow; until then the job that finds waiting imports looks again.
      if (next !== undefined && !(await fitsToday(tools, row, next.item))) {
        if (waiting === 0) return;
        await wait(pauseMs, undefined, { signal: signals });
      } else if (next === undefined) await wait(pauseMs, undefined, { signal: signals });
      else await loadItem(tools, row, next, pictures, signals);
    }
    if (tools.archive === undefined) await makeSeasons(db, row);
    else await finishArchive({ ...tools, archive: tools.archive }, row, signals);
    await db
      .update(imports)
      .set({ state: 'done', finishedAt: sql`now()`, ...((await isWhole(db, row.id)) && { archiveKey: null }) })
      .where(and(eq(imports.id, row.id), eq(imports.state, 'running')));
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearInterval(watch);
  }
}

/** Its user does not manage the creator any more. */
const halt = async (db: Db, id: string) =>
  void (await db
    .update(imports)
    .set({ state: 'stopped', finishedAt: sql`now()` })
    .where(and(eq(imports.id, id), eq(imports.state, 'running'))));

/** Nothing of it could still be fetched. */
const isWhole = async (db: Db, id: string) =>
  (await db.$count(items, and(eq(items.importId, id), inArray(items.outcome, ['failed', 'left-out'])))) === 0;

const isRunning = async (db: Db, id: string) =>
  (await db.$count(imports, and(eq(imports.id, id), eq(imports.state, 'running')))) > 0;

/** Takes over the failures of files that could not become audios, and what was deleted meanwhile. */
async function settleArrived(db: Db, importId: string): Promise<void> {
  await db.execute(sql`
    update feed_import_items i set outcome = 'failed', failure = coalesce(u.failure, 'failed'), detail = u.failure_detail
    from feed_import_items own left join uploads u on u.id = own.upload_id
    where i.import_id = ${importId} and own.import_id = i.import_id and own.position = i.position
      and i.outcome = 'arrived' and (u.id is null or u.state = 'failed')`);
}

type Next = { position: number; item: ImportedItem; attempts: number };

/** Those that failed before come last. */
async function findNext(db: Db, importId: string): Promise<Next | undefined> {
  const [next] = await db
    .select({ position: items.position, item: items.item, attempts: items.attempts })
    .from(items)
    .where(and(eq(items.importId, importId), isNull(items.outcome), isNull(items.obstacle)))
    .orderBy(asc(items.attempts), asc(items.position))
    .limit(1);
  return next;
}

/** Imports count towards the bytes that a creator may upload a day. */
async function fitsToday(
  { db, bytesPerDay }: FeedImportTools,
  { userId, isByOperator, archiveName }: FeedImportRow,
  { sound }: ImportedItem,
): Promise<boolean> {
  // An archive counted when it was uploaded.
  if (bytesPerDay === undefined || isByOperator || userId === null || archiveName !== null) return true;
  const [today] = await db
    .select({ bytes: sql<string>`coalesce(sum(${uploads.bytes}), 0)` })
    .from(uploads)
    .where(and(eq(uploads.userId, userId), sql`${uploads.createdAt} > now() - interval '1 day'`));
  const bytes = Number(today?.bytes ?? 0);
  // One that is larger than a day's comes alone.
  return bytes === 0 || bytes + (sound?.bytes ?? 0) <= bytesPerDay;
}

async function loadItem(
  tools: FeedImportTools,
  row: FeedImportRow,
  { position, item, attempts }: Next,
  pictures: Map<string, string | null>,
  signal: AbortSignal,
): Promise<void> {
  const { db, web } = tools;
  const isIt = and(eq(items.importId, row.id), eq(items.position, position), isNull(items.outcome));
  const fail = (failure: FetchFailure, detail: string) =>
    db
      .update(items)
      .set({ outcome: 'failed', failure, detail: detail.slice(0, 500) })
      .where(isIt);
  const { sound } = item;
  if (sound === undefined || attempts >= maxAttempts)
    return void (await fail('failed', `could not be loaded in ${maxAttempts} attempts`));
  await db
    .update(items)
    .set({ attempts: attempts + 1 })
    .where(isIt);
  try {
    const keepsFiles = row.isByOperator && item.archived !== undefined;
    const imageKey = await keepCover(tools, item.image, pictures, { keepsFiles, signal });
    const texts =
      item.archived === undefined
        ? { cues: await readTranscript(tools, row, item, signal), translations: null }
        : await readTranscripts(tools, item.transcripts, item.archived.language, signal);
    const chapters = await readChapters(tools, item, signal);
    await web.download(sound.url, { bytes: maxUploadBytes, accept: 'audio/*, */*;q=0.5', signal }, async (file) => {
      const fileName = fileNameOf(item, file);
      const keepsFile = keepsFiles && item.archived?.isListeningFile === true;
      const folder = keepsFile ? 'audio' : 'originals';
      const key = `${folder}/${file.sha256.slice(0, 20)}.${uploadExtensionOf(fileName) ?? 'bin'}`;
      await storeFile(tools, { key, bytes: file.bytes }, () => tools.blobs.importFile(key, file.path));
      const kept = { position, item, imageKey, ...texts, chapters };
      await keepArrived(tools, row, { ...kept, fileName, key, bytes: file.bytes, keepsFile });
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof WebRefusal)) throw error;
    if (!error.mayPass || attempts + 1 >= maxTries) await fail(failureOf(error), error.message);
  }
}

function failureOf({ reason, status }: WebRefusal): FetchFailure {
  if (reason === 'private' || reason === 'address') return 'not-public';
  if (reason === 'too-large') return 'too-large';
  return status === 404 || status === 410 ? 'gone' : 'unreachable';
}

type Arrived = {
  position: number;
  item: ImportedItem;
  imageKey: string | null;
  cues: Cue[] | null;
  translations: { language: string; cues: Cue[] }[] | null;
  chapters: Chapter[] | null;
  fileName: string;
  key: string;
  bytes: number;
  keepsFile: boolean;
};

/** The file, as if its creator had uploaded it; the item names it in the same transaction. */
async function keepArrived({ db, addJobs }: FeedImportTools, row: FeedImportRow, arrived: Arrived): Promise<void> {
  const { position, item, imageKey, cues, translations, chapters, fileName, key, bytes, keepsFile } = arrived;
  const id = newId();
  const isKept = await db.transaction(async (tx) => {
    // Stopped, dropped or moved to another creator meanwhile.
    const [current] = await tx
      .select({ voiceId: imports.voiceId })
      .from(imports)
      .where(and(eq(imports.id, row.id), eq(imports.state, 'running')))
      .for('share');
    if (current === undefined) return false;
    const isIt = and(eq(items.importId, row.id), eq(items.position, position), isNull(items.outcome));
    const [free] = await tx.select({ position: items.position }).from(items).where(isIt).for('update');
    if (free === undefined) return false;
    const [voice] = await tx.select({ language: voices.language }).from(voices).where(eq(voices.id, current.voiceId));
    await tx.insert(uploads).values({
      id,
      voiceId: current.voiceId,
      userId: row.userId,
      fileName,
      title: item.title ?? titleOfFile(fileName),
      choices: {
        ...choicesOf(row, item, voice?.language),
        ...(keepsFile && { keepsFile: { durationMs: Math.round((item.seconds ?? 0) * 1000) } }),
      },
      bytes,
      state: 'waiting',
      originalKey: key,
    });
    await tx
      .update(items)
      .set({ outcome: 'arrived', uploadId: id, imageKey, cues, translations, chapters })
      .where(isIt);
    return true;
  });
  if (isKept) await queueUpload({ db, addJobs }, id);
}

/** Audios of an archive begin as they were. */
function choicesOf({ choices, language }: FeedImportRow, { archived }: ImportedItem, usual: string | undefined) {
  if (archived !== undefined)
    return { isFree: archived.isFree, language: archived.language, syntheticVoice: archived.syntheticVoice };
  const { isFree, categoryId } = choices;
  return {
    ...(isFree !== undefined && { isFree }),
    ...(categoryId !== undefined && { categoryId }),
    ...(language !== null && language !== usual && { language }),
  };
}

const extensions: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
};

/** The last part of its address, with an extension that uploads have; the content decides what a file really is. */
function fileNameOf(
  { sound, archived }: ImportedItem,
  { url, type }: { url: string; type: string | undefined },
): string {
  if (archived !== undefined) return nameInArchive(url, archived);
  for (const address of [sound?.url, url]) {
    const name = lastPartOf(address);
    if (uploadExtensionOf(name) !== undefined) return name;
  }
  const extension = extensions[type ?? ''] ?? extensions[sound?.type ?? ''] ?? 'mp3';
  return `${lastPartOf(sound?.url) || 'episode'}.${extension}`;
}

/** The original has the name that it was uploaded with, if that fits the file. */
function nameInArchive(path: string, { fileName }: NonNullable<ImportedItem['archived']>): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const name = cleanLine(fileName ?? undefined, 200)?.replaceAll(/[\\/]/g, '-');
  return name !== undefined && uploadExtensionOf(name) === uploadExtensionOf(last) ? name : last;
}

function lastPartOf(address: string | undefined): string {
  const part =
    URL.parse(address ?? '')
      ?.pathname.split('/')
      .at(-1) ?? '';
  let name = part;
  try {
    name = decodeURIComponent(part);
  } catch {
    // As it is written.
  }
  return cleanLine(name, 200)?.replaceAll(/[\\/]/g, '-') ?? '';
}

/** One picture of many episodes is loaded once. @returns null for none, or one that cannot be had or read */
async function keepCover(
  tools: FeedImportTools,
  address: string | undefined,
  known: Map<string, string | null>,
  { keepsFiles, signal }: { keepsFiles: boolean; signal: AbortSignal },
): Promise<string | null> {
  if (address === undefined) return null;
  const before = known.get(address);
  if (before !== undefined) return before;
  const picture = await readSmall(tools.web, address, { bytes: maxCoverBytes, accept: 'image/*', signal });
  const image = picture && (await encodePicture(tools.covers, picture, keepsFiles));
  const key = image === undefined ? null : await keepImage(tools, image);
  known.set(address, key);
  return key;
}

/** Its lines in the language that is spoken, if they have times. */
async function readTranscript(
  tools: FeedImportTools,
  { language }: FeedImportRow,
  { transcripts }: ImportedItem,
  signal: AbortSignal,
): Promise<Cue[] | null> {
  const isSpoken = (tag: string | undefined) =>
    tag === undefined || language === null || primaryLanguage(tag) === primaryLanguage(language);
  const formats = ['text/vtt', 'application/x-subrip', 'application/srt', 'text/srt'];
  const file = transcripts
    .filter(({ type, language: tag }) => isSpoken(tag) && formats.includes(type ?? ''))
    .toSorted((one, other) => formats.indexOf(one.type ?? '') - formats.indexOf(other.type ?? ''))[0];
  if (file === undefined) return null;
  const content = await readSmall(tools.web, file.url, {
    bytes: maxTranscriptBytes,
    accept: 'text/vtt, text/*',
    signal,
  });
  const read = content && readCueFile(content.toString('utf8'), 0);
  return read?.ok === true && read.isTimed ? read.cues : null;
}

/** The lines in the language of the audio, and their translations. */
async function readTranscripts(
  tools: FeedImportTools,
  files: ImportedItem['transcripts'],
  spoken: string,
  signal: AbortSignal,
): Promise<{ cues: Cue[] | null; translations: { language: string; cues: Cue[] }[] }> {
  const texts: { language: string; cues: Cue[] }[] = [];
  for (const { url, language = spoken } of files) {
    const content = await readSmall(tools.web, url, { bytes: maxTranscriptBytes, signal });
    const cues = content && readOwnVtt(content.toString('utf8'));
    if (cues !== undefined && cues.length > 0 && !texts.some((text) => text.language === language))
      texts.push({ language, cues });
  }
  return {
    cues: texts.find(({ language }) => language === spoken)?.cues ?? null,
    translations: texts.filter(({ language }) => language !== spoken),
  };
}

/** Chapters as podcasts state them (https://github.com/Podcastindex-org/podcast-namespace, "JSON Chapters"). */
const ChapterFile = z.object({
  chapters: z
    .array(
      z.object({
        startTime: z.number().min(0).max(1_000_000),
        title: z.string().catch(''),
        toc: z.boolean().optional(),
      }),
    )
    .max(2000),
});

/** @returns null for none, and for a file of another kind */
async function readChapters(
  tools: FeedImportTools,
  { chapters: file }: ImportedItem,
  signal: AbortSignal,
): Promise<Chapter[] | null> {
  if (file === undefined) return null;
  const limits = { bytes: maxChapterBytes, accept: 'application/json+chapters, application/json', signal };
  const content = await readSmall(tools.web, file.url, limits);
  const read = ChapterFile.safeParse(jsonOf(content));
  if (!read.success) return null;
  return read.data.chapters
    .filter(({ toc }) => toc !== false)
    .map(({ startTime, title }) => ({ start: startTime, title: cleanLine(title, chapterTitleLength) ?? '' }));
}

function jsonOf(content: Buffer | undefined): unknown {
  try {
    return JSON.parse(content?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
