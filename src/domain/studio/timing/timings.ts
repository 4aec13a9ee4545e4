import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Cue } from '../../catalogue/rules.ts';
import { audios } from '../../catalogue/tables.ts';
import { type LineTime, certainties } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { type Saved, type SaveRefusal, saveAudio } from '../audios/drafts.ts';
import { findDraft, merged, readValues } from '../audios/audio-values.ts';
import { editManagedAudio } from '../audios/edit-audio.ts';
import { findManagedAudio, holdAudio } from '../audios/hold-audio.ts';
import {
  type TimingSource,
  isTimingUnderWay,
  maxWaitingScripts,
  timingFailures,
  timingSources,
  timingStates,
  timingsUnderWay,
} from '../rules.ts';
import { scriptTimings as timings } from '../tables.ts';
import { type ScriptRefusal, readLines } from '../script-lines.ts';
import type { QueueParts } from '../queue-parts.ts';

/**
 * A script is timed against the recording of its audio by a job. The transcript stays as it is until its creator takes
 * the result, with the certainty of each line. An audio has one timing at a time.
 */

/** This job does it; keys are ids of timings. */
export const timeScriptJob = 'time-script';

export const ScriptTiming = z.object({
  source: z.enum(timingSources).describe('`speech`: a draft by a speech service'),
  state: z.enum(timingStates),
  progress: z.number().int().describe('Percent'),
  failure: z.enum(timingFailures).nullable(),
  isOutdated: z.boolean().describe('Ready, and the recording was replaced since'),
  lines: z.array(z.string()).describe('The lines of the script; of a draft, once it is ready'),
  times: z
    .array(z.object({ start: z.number(), end: z.number(), certainty: z.enum(certainties) }))
    .nullable()
    .describe('Seconds, for each line, once it is ready'),
});
export type ScriptTiming = z.output<typeof ScriptTiming>;

type Refused<Reason extends string> = Reason extends string ? { ok: false; reason: Reason } : never;
export type StartTimingResult = { ok: true } | Refused<'not-found' | 'too-many-scripts' | 'has-timing'> | ScriptRefusal;

/**
 * Starts over with another script; the same one goes on.
 * @param options.keepsFormer a script that waits, is timed or is ready stays, and the new one is refused
 */
export async function startTiming(
  parts: QueueParts,
  actor: Actor,
  idOrSlug: string,
  script: string,
  { keepsFormer = false } = {},
): Promise<StartTimingResult> {
  const read = readLines(script);
  if (!read.ok) return read;
  return start(parts, actor, idOrSlug, { lines: read.lines, source: 'script', keepsFormer });
}

/** Has a speech service draft the transcript; a draft that is under way goes on. */
export async function startDraft(parts: QueueParts, actor: Actor, idOrSlug: string) {
  return start(parts, actor, idOrSlug, { lines: [], source: 'speech', keepsFormer: false });
}

type Wanted = { lines: string[]; source: TimingSource; keepsFormer: boolean };

async function start(
  { db, addJobs }: QueueParts,
  actor: Actor,
  idOrSlug: string,
  { lines, source, keepsFormer }: Wanted,
): Promise<Exclude<StartTimingResult, ScriptRefusal>> {
  const started = await db.transaction(async (tx) => {
    // The creator's scripts are counted.
    const audio = await holdAudio(tx, actor, idOrSlug, { withVoice: true });
    if (audio === undefined) return { ok: false, reason: 'not-found' } as const;
    const [row] = await tx.select().from(timings).where(eq(timings.audioId, audio.id));
    if (row !== undefined && keepsFormer && row.state !== 'failed') return { ok: false, reason: 'has-timing' } as const;
    const turn = await countOthers(tx, audio);
    const place = { turn, group: audio.voiceId };
    const isSame = row?.source === source && isSameScript(row.lines, lines);
    if (isSame && isTimingUnderWay(row.state)) return { ok: true, id: row.id, place } as const;
    if (turn >= maxWaitingScripts && actor.kind !== 'operator')
      return { ok: false, reason: 'too-many-scripts' } as const;
    await tx.delete(timings).where(eq(timings.audioId, audio.id));
    const id = newId();
    await tx.insert(timings).values({ id, audioId: audio.id, lines, source });
    return { ok: true, id, place } as const;
  });
  if (!started.ok) return started;
  await addJobs(timeScriptJob, [started.id], started.place);
  return { ok: true };
}

/** Scripts of the creator that are not timed yet, without that of this audio. */
async function countOthers(tx: Db, { id, voiceId }: { id: string; voiceId: string }): Promise<number> {
  const [count] = await tx
    .select({ others: sql<number>`count(*)::int` })
    .from(timings)
    .innerJoin(audios, eq(audios.id, timings.audioId))
    .where(and(isWaiting, eq(audios.voiceId, voiceId), ne(audios.id, id)));
  return count?.others ?? 0;
}

/** That of a deleted audio waits, too, but for its restoration. */
const isWaiting = and(inArray(timings.state, timingsUnderWay), isNull(audios.deletedAt));

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
      ...pick(timings, 'source', 'state', 'progress', 'failure', 'lines', 'times'),
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
  /** Under the lock of the audio, whose creator may write a transcript at the same time. */
  async function write(tx: Db, audioId: string, transcript: Cue[]) {
    const { transcript: written } = merged(await readValues(tx, audioId), await findDraft(tx, audioId));
    if (written !== null) return { ok: false as const, reason: 'has-transcript' as const };
    return editManagedAudio(tx, actor, audioId, { transcript });
  }
  for (const { id, slug } of ready) {
    const { ok } = await take(db, actor, id, write);
    if (ok) outcome.taken += 1;
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

/**
 * Those that are not done, also of dead processes: the first of each creator, then the second of each. Those of deleted
 * audios wait.
 */
export async function findWaitingTimings(db: Db, limit = 500): Promise<{ id: string; voiceId: string }[]> {
  const turn = sql`row_number() over (partition by ${audios.voiceId} order by ${timings.id})`;
  return db
    .select({ id: timings.id, voiceId: audios.voiceId })
    .from(timings)
    .innerJoin(audios, eq(audios.id, timings.audioId))
    .where(isWaiting)
    .orderBy(turn, timings.id)
    .limit(limit);
}
