import { and, eq, exists, inArray, isNull, sql } from 'drizzle-orm';
import { withoutSpeakers } from '../../catalogue/cue-rules.ts';
import { audios } from '../../catalogue/tables.ts';
import type { Blobs, LineTime, SoundEngine, SoundRefusal, SoundWork, Speech } from '../../gateways.ts';
import type { Db } from '../../kernel/db.ts';
import { type TimingFailure, timingsUnderWay } from '../rules.ts';
import { audioDrafts, scriptTimings as timings } from '../tables.ts';
import { readDraft } from './read-draft.ts';

export type TimingTools = {
  db: Db;
  blobs: Blobs;
  engine: SoundEngine;
  /** Undefined: no sound leaves the site. */
  speech?: Speech | undefined;
};

/** Then it fails, so that a recording that always ends its process is not tried for ever. */
const maxAttempts = 5;
/** Milliseconds between two updates of the progress, by which a program learns that nobody wants it any more. */
const progressPause = 1000;

/**
 * Times a script against its recording, or drafts one by the speech service. May be killed and repeated at any moment; the result of a script that was
 * replaced or discarded meanwhile is dropped, and a recording that was replaced is read again.
 */
export async function timeScript(tools: TimingTools, id: string, signal?: AbortSignal): Promise<void> {
  const { db, blobs, engine } = tools;
  const taken = await takeTiming(db, id);
  if (taken === undefined) return;
  const { fileKey, attempts, source } = taken;
  if (attempts > maxAttempts || (await blobs.stat(fileKey)) === undefined) return fail(db, id, 'failed');
  const gone = new AbortController();
  const progress = reportProgress(db, id, () => gone.abort());
  const work = {
    signal: AbortSignal.any([gone.signal, ...(signal === undefined ? [] : [signal])]),
    onProgress: progress.note,
  };
  let outcome: Outcome;
  try {
    outcome = source === 'script' ? await timeLines(engine, taken, work) : await draft(tools, taken, work);
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  } finally {
    await progress.end();
  }
  if (!outcome.ok) return 'detail' in outcome ? refuse(db, id, outcome) : fail(db, id, outcome.reason);
  if (!(await keep(db, id, fileKey, outcome)) && (await isUnderWayStill(db, id)))
    throw new Error('its recording was replaced meanwhile');
}

type Taken = NonNullable<Awaited<ReturnType<typeof takeTiming>>>;
type Work = Pick<SoundWork, 'signal' | 'onProgress'>;
type Outcome = { ok: true; lines: string[]; times: LineTime[] } | SoundRefusal | { ok: false; reason: TimingFailure };

async function timeLines(engine: SoundEngine, { fileKey, lines, language }: Taken, work: Work): Promise<Outcome> {
  const timed = await engine.time({ key: fileKey }, { lines: withoutSpeakers(lines), language }, work);
  return timed.ok ? { ok: true, lines, times: timed.times } : timed;
}

/** Sends the recording to the speech service, piece by piece. */
async function draft(
  { engine, speech }: TimingTools,
  { fileKey, language, durationMs }: Taken,
  { signal, onProgress }: Work,
): Promise<Outcome> {
  // It was turned off since.
  if (speech === undefined) return { ok: false, reason: 'failed' };
  const cut = await engine.cut({ key: fileKey }, { signal }, async (pieces) => {
    const heard: { start: number; end: number; text: string }[] = [];
    for (const [index, { path, start }] of pieces.entries()) {
      signal?.throwIfAborted();
      const answer = await speech.transcribe(path, language);
      if (!answer.ok) return undefined;
      heard.push(...answer.segments.map((one) => ({ ...one, start: start + one.start, end: start + one.end })));
      onProgress?.('encoding', Math.floor((100 * (index + 1)) / pieces.length), {});
    }
    return heard;
  });
  if (!cut.ok) return cut;
  if (cut.result === undefined) return { ok: false, reason: 'refused' };
  const read = readDraft(cut.result, durationMs / 1000);
  return read.lines.length === 0 ? { ok: false, reason: 'nothing-said' } : { ok: true, ...read };
}

const isUnderWay = (id: string) => and(eq(timings.id, id), inArray(timings.state, timingsUnderWay));

const isUnderWayStill = async (db: Db, id: string) => (await db.$count(timings, isUnderWay(id))) > 0;

/** @returns undefined for one that is done, discarded, or of a deleted audio */
async function takeTiming(db: Db, id: string) {
  const [row] = await db
    .select({
      lines: timings.lines,
      source: timings.source,
      attempts: timings.attempts,
      fileKey: audios.fileKey,
      durationMs: audios.durationMs,
      language: sql<string>`coalesce(${audioDrafts.fields} ->> 'language', ${audios.language})`,
    })
    .from(timings)
    .innerJoin(audios, eq(audios.id, timings.audioId))
    .leftJoin(audioDrafts, eq(audioDrafts.audioId, audios.id))
    .where(and(isUnderWay(id), isNull(audios.deletedAt)));
  if (row === undefined) return undefined;
  const { rowCount } = await db
    .update(timings)
    .set({ state: 'running', progress: 0, attempts: sql`${timings.attempts} + 1` })
    .where(isUnderWay(id));
  return rowCount === 1 ? { ...row, attempts: row.attempts + 1 } : undefined;
}

/** @returns false where the audio has another recording by now, or nobody wants the result any more */
async function keep(
  db: Db,
  id: string,
  fileKey: string,
  { lines, times }: { lines: string[]; times: LineTime[] },
): Promise<boolean> {
  const isOfFile = exists(
    db
      .select({ id: audios.id })
      .from(audios)
      .where(and(eq(audios.id, timings.audioId), eq(audios.fileKey, fileKey))),
  );
  const { rowCount } = await db
    .update(timings)
    .set({ state: 'ready', progress: 100, lines, times, timedFile: fileKey })
    .where(and(isUnderWay(id), isOfFile));
  return rowCount === 1;
}

async function refuse(db: Db, id: string, { reason, detail }: SoundRefusal): Promise<void> {
  // The job is tried again.
  if (reason === 'killed') throw new Error(`the script ${detail}`);
  // Waits for the operator, as uploads do.
  if (reason === 'engine-missing')
    return void (await db.update(timings).set({ state: 'waiting', attempts: 0 }).where(isUnderWay(id)));
  const isFile = reason === 'damaged' || reason === 'not-sound' || reason === 'empty' || reason === 'silent';
  await fail(db, id, reason === 'takes-too-much' ? reason : isFile ? 'unreadable' : 'failed');
}

async function fail(db: Db, id: string, failure: TimingFailure): Promise<void> {
  await db.update(timings).set({ state: 'failed', failure }).where(isUnderWay(id));
}

/** @param onGone called once it was discarded or replaced */
function reportProgress(db: Db, id: string, onGone: () => void) {
  let percent = 0;
  let writing: Promise<unknown> = Promise.resolve();
  const watch = setInterval(() => {
    writing = db
      .update(timings)
      .set({ progress: percent })
      .where(isUnderWay(id))
      .then(({ rowCount }) => rowCount === 0 && onGone())
      // Without the database the result cannot be stored either, and that failure is handled.
      .catch(() => undefined);
  }, progressPause);
  return {
    note: (_step: unknown, of: number) => void (percent = of),
    end() {
      clearInterval(watch);
      return writing;
    },
  };
}
