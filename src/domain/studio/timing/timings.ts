import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { readScript } from '../../catalogue/cue-rules.ts';
import type { Cue } from '../../catalogue/rules.ts';
import { audios } from '../../catalogue/tables.ts';
import { certainties, type LineTime } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { type Saved, type SaveRefusal, saveAudio } from '../audios/drafts.ts';
import { findEditedAudio } from '../audios/audio-values.ts';
import { editManagedAudio } from '../audios/edit-audio.ts';
import { findManagedAudio, holdAudio } from '../audios/hold-audio.ts';
import { isTimingUnderWay, timingFailures, timingStates, timingsUnderWay } from '../rules.ts';
import { scriptTimings as timings } from '../tables.ts';
import type { QueueParts } from '../uploads/finish-uploads.ts';

/**
 * A script is timed against the recording of its audio by a job. The transcript stays as it is until its creator takes
 * the result, with the certainty of each line. An audio has one timing at a time.
 */

/** This job does it; keys are ids of timings. */
export const timeScriptJob = 'time-script';

export const ScriptTiming = z.object({
  state: z.enum(timingStates),
  progress: z.number().int().describe('Percent'),
  failure: z.enum(timingFailures).nullable(),
  isOutdated: z.boolean().describe('Ready, and the recording was replaced since'),
  lines: z.array(z.string()).describe('The lines of the script'),
  times: z
    .array(z.object({ start: z.number(), end: z.number(), certainty: z.enum(certainties) }))
    .nullable()
    .describe('Seconds, for each line, once it is ready'),
});
export type ScriptTiming = z.output<typeof ScriptTiming>;

type Refused<Reason> = { ok: false; reason: Reason };
/** `line`: of the script, from 1. */
type ScriptRefusal = Refused<'unreadable-script'> & {
  why: 'empty' | 'not-text' | 'too-long' | 'too-many';
  line: number;
};
export type StartTimingResult = { ok: true } | Refused<'not-found'> | ScriptRefusal;

/** Starts over with another script; the same one goes on. */
export async function startTiming(
  { db, addJobs }: QueueParts,
  actor: Actor,
  idOrSlug: string,
  script: string,
): Promise<StartTimingResult> {
  const read = readScript(script);
  if (!read.ok) {
    const { reason, line } = read;
    const why = reason === 'empty' || reason === 'too-long' || reason === 'too-many' ? reason : 'not-text';
    return { ok: false, reason: 'unreadable-script', why, line };
  }
  const { lines } = read;
  const id = await db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, idOrSlug);
    if (audio === undefined) return undefined;
    const [row] = await tx.select().from(timings).where(eq(timings.audioId, audio.id));
    if (row !== undefined && isTimingUnderWay(row.state) && isSameScript(row.lines, lines)) return row.id;
    await tx.delete(timings).where(eq(timings.audioId, audio.id));
    const [added] = await tx
      .insert(timings)
      .values({ id: newId(), audioId: audio.id, lines })
      .returning({ id: timings.id });
    return added?.id;
  });
  if (id === undefined) return { ok: false, reason: 'not-found' };
  await addJobs(timeScriptJob, [id]);
  return { ok: true };
}

const isSameScript = (one: string[], other: string[]) =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** @returns undefined without one, and for an audio that the actor may not change */
export async function findTiming(db: Db, actor: Actor, idOrSlug: string): Promise<ScriptTiming | undefined> {
  const audio = await findManagedAudio(db, actor, idOrSlug);
  if (audio === undefined) return undefined;
  const [row] = await selectTiming(db, audio.id);
  return row;
}

function selectTiming(db: Db, audioId: string) {
  return db
    .select({
      ...pick(timings, 'state', 'progress', 'failure', 'lines', 'times'),
      isOutdated: sql<boolean>`${timings.state} = 'ready' and ${timings.timedFile} <> ${audios.fileKey}`,
    })
    .from(timings)
    .innerJoin(audios, eq(audios.id, timings.audioId))
    .where(eq(timings.audioId, audioId));
}

type NotTaken = Refused<'no-timing' | 'timing-not-ready' | 'outdated-timing'> | Extract<SaveRefusal, { name: string }>;
export type TakeTimingResult = Saved | SaveRefusal | NotTaken;

/**
 * Makes the timed lines the transcript, as an edit in the Studio.
 * @param version the newest version that the editor has seen
 */
export function takeTiming(db: Db, actor: Actor, idOrSlug: string, version: number): Promise<TakeTimingResult> {
  return take(db, actor, idOrSlug, (tx, id, transcript) =>
    saveAudio(tx, actor, id, { version, change: { transcript } }),
  );
}

async function take<Result extends { ok: boolean }>(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  write: (tx: Db, audioId: string, transcript: Cue[]) => Promise<Result>,
): Promise<Result | NotTaken> {
  return db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, idOrSlug);
    if (audio === undefined) return { ok: false, reason: 'not-found', name: idOrSlug };
    const [timing] = await selectTiming(tx, audio.id);
    if (timing === undefined) return { ok: false, reason: 'no-timing' };
    if (timing.times === null) return { ok: false, reason: 'timing-not-ready' };
    if (timing.isOutdated) return { ok: false, reason: 'outdated-timing' };
    const written = await write(tx, audio.id, toCues(timing.lines, timing.times));
    if (written.ok) await tx.delete(timings).where(eq(timings.audioId, audio.id));
    return written;
  });
}

function toCues(lines: string[], times: LineTime[]): Cue[] {
  return lines.flatMap((text, index) => {
    const { start, end, certainty } = times[index] ?? {};
    if (start === undefined || end === undefined) return [];
    return [{ start, end, text, ...(certainty !== undefined && certainty !== 'sure' && { certainty }) }];
  });
}

/**
 * Takes all that are ready, for audios without a transcript; also for listeners at once, as the command line edits.
 * @returns how many, and the audios whose results could not be taken
 */
export async function takeReadyTimings(db: Db, actor: Actor): Promise<{ taken: number; left: string[] }> {
  const ready = await db
    .select({ id: audios.id, slug: audios.slug })
    .from(timings)
    .innerJoin(audios, eq(audios.id, timings.audioId))
    .where(and(eq(timings.state, 'ready'), isNull(audios.deletedAt)))
    .orderBy(timings.id);
  const outcome = { taken: 0, left: [] as string[] };
  for (const { id, slug } of ready) {
    const edited = await findEditedAudio(db, actor, id);
    const isEmpty = edited?.values.transcript === null;
    const write = (tx: Db, audioId: string, transcript: Cue[]) => editManagedAudio(tx, actor, audioId, { transcript });
    if (isEmpty && (await take(db, actor, id, write)).ok) outcome.taken += 1;
    else outcome.left.push(slug);
  }
  return outcome;
}

/** @returns false where there is none, or the actor may not change the audio */
export async function dropTiming(db: Db, actor: Actor, idOrSlug: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, idOrSlug);
    if (audio === undefined) return false;
    const { rowCount } = await tx.delete(timings).where(eq(timings.audioId, audio.id));
    return rowCount === 1;
  });
}

/** Those that are not done, the oldest first, also of dead processes; those of deleted audios wait. */
export async function findWaitingTimings(db: Db, limit = 500): Promise<string[]> {
  const rows = await db
    .select({ id: timings.id })
    .from(timings)
    .innerJoin(audios, eq(audios.id, timings.audioId))
    .where(and(inArray(timings.state, timingsUnderWay), isNull(audios.deletedAt)))
    .orderBy(timings.id)
    .limit(limit);
  return rows.map(({ id }) => id);
}
