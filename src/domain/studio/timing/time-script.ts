import { and, eq, exists, inArray, isNull, sql } from 'drizzle-orm';
import { withoutSpeakers } from '../../catalogue/cue-rules.ts';
import { audios } from '../../catalogue/tables.ts';
import type { Blobs, LineTime, SoundEngine, SoundRefusal } from '../../gateways.ts';
import type { Db } from '../../kernel/db.ts';
import { type TimingFailure, timingsUnderWay } from '../rules.ts';
import { audioDrafts, scriptTimings as timings } from '../tables.ts';

export type TimingTools = { db: Db; blobs: Blobs; engine: SoundEngine };

/** Then it fails, so that a recording that always ends its process is not tried for ever. */
const maxAttempts = 5;
/** Milliseconds between two updates of the progress, by which a program learns that nobody wants it any more. */
const progressPause = 1000;

/**
 * Times a script against its recording. May be killed and repeated at any moment; the result of a script that was
 * replaced or discarded meanwhile is dropped, and a recording that was replaced is read again.
 */
export async function timeScript(tools: TimingTools, id: string, signal?: AbortSignal): Promise<void> {
  const { db, blobs, engine } = tools;
  const taken = await takeTiming(db, id);
  if (taken === undefined) return;
  const { fileKey, lines, language, attempts } = taken;
  if (attempts > maxAttempts || (await blobs.stat(fileKey)) === undefined) return fail(db, id, 'failed');
  const gone = new AbortController();
  const progress = reportProgress(db, id, () => gone.abort());
  let outcome: Awaited<ReturnType<SoundEngine['time']>>;
  try {
    outcome = await engine.time(
      { key: fileKey },
      { lines: withoutSpeakers(lines), language },
      { signal: AbortSignal.any([gone.signal, ...(signal === undefined ? [] : [signal])]), onProgress: progress.note },
    );
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  } finally {
    await progress.end();
  }
  if (!outcome.ok) return refuse(db, id, outcome);
  if (!(await keep(db, id, fileKey, outcome.times)) && (await isUnderWayStill(db, id)))
    throw new Error('its recording was replaced meanwhile');
}

const isUnderWay = (id: string) => and(eq(timings.id, id), inArray(timings.state, timingsUnderWay));

const isUnderWayStill = async (db: Db, id: string) => (await db.$count(timings, isUnderWay(id))) > 0;

/** @returns undefined for one that is done, discarded, or of a deleted audio */
async function takeTiming(db: Db, id: string) {
  const [row] = await db
    .select({
      lines: timings.lines,
      attempts: timings.attempts,
      fileKey: audios.fileKey,
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
async function keep(db: Db, id: string, fileKey: string, times: LineTime[]): Promise<boolean> {
  const isOfFile = exists(
    db
      .select({ id: audios.id })
      .from(audios)
      .where(and(eq(audios.id, timings.audioId), eq(audios.fileKey, fileKey))),
  );
  const { rowCount } = await db
    .update(timings)
    .set({ state: 'ready', progress: 100, times, timedFile: fileKey })
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
