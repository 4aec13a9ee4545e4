import { and, asc, desc, eq, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { holdVoicesOf } from '../../catalogue/editing/hold-voices.ts';
import { audios } from '../../catalogue/tables.ts';
import { users } from '../../identity/tables.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { orRefusal, Refused } from '../../kernel/refused.ts';
import { bulkActItems, startedBulkActs } from '../../studio/tables.ts';
import type { QueueParts } from '../../studio/queue-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { readAudioFilter } from './audio-filters.ts';
import { selectFiltered } from './audio-list.ts';
import { type BulkSubject, type ItemOutcome, actOnAudio, nameSubject, undoOnAudio } from './bulk-verbs.ts';
import type { BulkActForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { type BulkVerb, bulkVerbs, maxBulkAudios } from '../rules.ts';

/**
 * Acts on many audios (decision 030). Starting an act stores the ids; a job processes them in small batches, each in
 * one transaction with its outcomes, so that a killed process repeats and loses nothing.
 */

const Id = z.uuid().toLowerCase();

export const BulkActState = z.object({
  id: Id,
  verb: z.enum([...bulkVerbs, 'undo']),
  /** Username; null: the command line, or a deleted account. */
  by: z.string().nullable(),
  subject: z.array(z.string()).describe('Names of the added or removed items, or the value that is set'),
  state: z.enum(['waiting', 'running', 'stopped', 'done']),
  /** Stops after the current batch. */
  isStopping: z.boolean(),
  total: z.number(),
  changed: z.number(),
  sentForReview: z.number().describe('Changed ones that wait for a review by it, and are not public yet'),
  unchanged: z.number().describe('Already in that state'),
  refused: z.number(),
  refusals: z
    .array(z.object({ id: Id, title: z.string().nullable(), reason: z.string() }))
    .describe('The first of them'),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type BulkActState = z.output<typeof BulkActState>;

type StartRefusal = { ok: false; reason: 'not-found' | 'too-many' | 'nothing' | 'gone' };
export type StartOutcome = { ok: true; id: string; total: number } | StartRefusal;

/** Name of the job, whose key is the act's id. */
export const bulkActJob = 'run-bulk-act';
const batchSize = 20;
const maxRefusals = 20;
const keptDays = 30;

/** Stores an act and its audio ids; `runBulkAct` executes it. */
export async function startBulkAct(db: Db, actor: Actor, form: BulkActForm): Promise<StartOutcome> {
  administratorsOnly(actor);
  const { verb, ids, filter, categoryIds, tags, playlistId, language, syntheticVoice } = form;
  const subject: BulkSubject = {
    ...(categoryIds && { categoryIds }),
    ...(tags && { tags }),
    ...(playlistId && { playlistId }),
    ...(language !== undefined && { language }),
    ...(syntheticVoice !== undefined && { syntheticVoice }),
  };
  const names = await nameSubject(db, subject);
  if (names.length < (categoryIds?.length ?? (playlistId === undefined ? 0 : 1))) return { ok: false, reason: 'gone' };
  const source =
    ids === undefined
      ? selectFiltered(await readAudioFilter(db, filter ?? {}))
      : sql`select unnest(${sql.param(ids)}::uuid[]) as id`;
  return start(db, actor, { verb, subject, filter: filter ?? null, source, names });
}

/** Starts an act that undoes a finished one. */
export async function undoBulkAct(db: Db, actor: Actor, id: string): Promise<StartOutcome> {
  administratorsOnly(actor);
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  const [act] = await db.select().from(startedBulkActs).where(eq(startedBulkActs.id, id));
  const isFinished = act?.state === 'done' || act?.state === 'stopped';
  if (act === undefined || !isFinished || act.verb === 'undo') return { ok: false, reason: 'not-found' };
  const source = sql`select audio_id as id from bulk_act_items where bulk_act_id = ${id} and outcome = 'changed'`;
  const names = await nameSubject(db, act.subject as BulkSubject);
  return start(db, actor, { verb: 'undo', subject: { undoes: id }, filter: null, source, names });
}

async function start(
  db: Db,
  actor: Actor,
  {
    verb,
    subject,
    filter,
    source,
    names,
  }: {
    verb: BulkVerb | 'undo';
    subject: BulkSubject;
    filter: Record<string, unknown> | null;
    source: ReturnType<typeof sql>;
    names: string[];
  },
): Promise<StartOutcome> {
  const id = newId();
  return orRefusal<StartOutcome>(db, async (tx) => {
    await tx.insert(startedBulkActs).values({
      id,
      verb,
      subject,
      filter,
      actorId: actor.kind === 'user' ? actor.id : null,
      actorRole: actor.kind === 'operator' ? 'operator' : 'admin',
      total: 0,
    });
    const { rowCount } = await tx.execute(sql`
      insert into bulk_act_items (bulk_act_id, audio_id)
      select ${id}::uuid, chosen.id from (${source}) chosen limit ${maxBulkAudios + 1} on conflict do nothing`);
    const total = rowCount ?? 0;
    if (total === 0) throw new Refused<StartRefusal>({ ok: false, reason: 'nothing' });
    if (total > maxBulkAudios) throw new Refused<StartRefusal>({ ok: false, reason: 'too-many' });
    await tx.update(startedBulkActs).set({ total }).where(eq(startedBulkActs.id, id));
    await recordByOperator(tx, actor, {
      action: 'bulk-act.start',
      subject: { type: 'bulk-act', id, name: verb },
      after: {
        audios: total,
        ...(names.length > 0 && { of: names }),
        ...(filter && { filter }),
        ...(subject.undoes && { undoes: subject.undoes }),
      },
    });
    return { ok: true, id, total };
  });
}

/** Milliseconds within which a started act is finished at once; a job carries on with a larger one. */
const atOnceMs = 1500;

export async function beginBulkAct(
  { db, addJobs }: QueueParts,
  actor: Actor,
  started: StartOutcome,
): Promise<BulkActState | StartRefusal | undefined> {
  if (!started.ok) return started;
  // The job tries again what fails, and reports it.
  await runBulkAct(db, started.id, { until: Date.now() + atOnceMs }).catch(() => undefined);
  const act = await findBulkAct(db, actor, started.id);
  if (act?.finishedAt !== null) return act;
  await addJobs(bulkActJob, [act.id]);
  return findBulkAct(db, actor, act.id);
}

/**
 * Executes an act until it is finished or stopped. Safe to repeat, and to run twice at once.
 * @param until stops before the next batch after this time in milliseconds since 1970, and leaves the rest to a job
 */
export async function runBulkAct(
  db: Db,
  id: string,
  { signal, until = Infinity }: { signal?: AbortSignal | undefined; until?: number } = {},
): Promise<void> {
  while (Date.now() < until) {
    signal?.throwIfAborted();
    if (!(await runBatch(db, id))) return;
  }
}

/** @returns whether there may be more to do */
async function runBatch(db: Db, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [act] = await tx.select().from(startedBulkActs).where(eq(startedBulkActs.id, id)).for('no key update');
    if (act === undefined || act.state === 'done' || act.state === 'stopped') return false;
    const actor = await findActor(tx, act);
    const finish = async (state: 'done' | 'stopped') => {
      await tx
        .update(startedBulkActs)
        .set({ state, finishedAt: sql`now()` })
        .where(eq(startedBulkActs.id, id));
      return false;
    };
    // Stops when the user who started the act is no longer an operator.
    if (act.stopRequestedAt !== null || actor === undefined) return finish('stopped');
    const items = await tx
      .select({ audioId: bulkActItems.audioId })
      .from(bulkActItems)
      .where(and(eq(bulkActItems.bulkActId, id), isNull(bulkActItems.outcome)))
      // In id order everywhere, so that two acts on the same audios do not deadlock.
      .orderBy(asc(bulkActItems.audioId))
      .limit(batchSize);
    if (items.length === 0) return finish('done');
    const ids = items.map(({ audioId }) => audioId);
    if (['publish', 'restore', 'undo'].includes(act.verb)) await holdVoicesOf(tx, inArray(audios.id, ids));
    const counted = { changed: 0, unchanged: 0, refused: 0 };
    for (const audioId of ids) {
      const { outcome, before, isSent = false } = await actOnItem(tx, actor, audioId, act);
      counted[outcome === 'changed' || outcome === 'unchanged' ? outcome : 'refused'] += 1;
      await tx
        .update(bulkActItems)
        .set({ outcome, before: outcome === 'changed' ? storedOf(before, isSent) : null })
        .where(and(eq(bulkActItems.bulkActId, id), eq(bulkActItems.audioId, audioId)));
    }
    await tx
      .update(startedBulkActs)
      .set({
        state: 'running',
        startedAt: sql`coalesce(${startedBulkActs.startedAt}, now())`,
        changed: sql`${startedBulkActs.changed} + ${counted.changed}`,
        unchanged: sql`${startedBulkActs.unchanged} + ${counted.unchanged}`,
        refused: sql`${startedBulkActs.refused} + ${counted.refused}`,
      })
      .where(eq(startedBulkActs.id, id));
    // The last batch also finishes the act, so that waiting callers see its end.
    return items.length < batchSize ? finish('done') : true;
  });
}

type Started = typeof startedBulkActs.$inferSelect;

async function findActor(tx: Db, { actorId, actorRole }: Started): Promise<Actor | undefined> {
  if (actorRole === 'operator') return operator;
  if (actorId === null) return undefined;
  const [user] = await tx
    .select({ isAdmin: users.isAdmin, suspendedAt: users.suspendedAt })
    .from(users)
    .where(eq(users.id, actorId));
  if (user?.isAdmin !== true || user.suspendedAt !== null) return undefined;
  return { kind: 'user', id: actorId, isSubscribed: false, isComplete: true, isAdmin: true };
}

async function actOnItem(tx: Db, actor: Actor, audioId: string, act: Started): Promise<ItemOutcome> {
  const { verb, subject } = act as { verb: BulkVerb | 'undo'; subject: BulkSubject };
  try {
    // A savepoint per audio: one failure does not affect the others.
    return await tx.transaction(async (inner) => {
      if (verb !== 'undo') return actOnAudio(inner, actor, audioId, { verb, subject });
      const [done] = await inner
        .select({ verb: startedBulkActs.verb, subject: startedBulkActs.subject, before: bulkActItems.before })
        .from(startedBulkActs)
        .innerJoin(bulkActItems, eq(bulkActItems.bulkActId, startedBulkActs.id))
        .where(and(eq(startedBulkActs.id, subject.undoes ?? ''), eq(bulkActItems.audioId, audioId)));
      if (done === undefined) return { outcome: 'not-found' };
      return undoOnAudio(inner, actor, audioId, { ...done, verb: done.verb as BulkVerb });
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'words/refused') return { outcome: 'refused-word' };
    if (isOfData(error)) return { outcome: 'failed' };
    throw error;
  }
}

/** SQLSTATE classes 22 and 23 (PostgreSQL, appendix A): a retry cannot succeed. */
function isOfData(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}

/** @returns false for an unknown or finished act */
export async function stopBulkAct(db: Db, actor: Actor, id: string): Promise<boolean> {
  administratorsOnly(actor);
  if (!isId(id)) return false;
  return db.transaction(async (tx) => {
    const [stopped] = await tx
      .update(startedBulkActs)
      .set({ stopRequestedAt: sql`coalesce(${startedBulkActs.stopRequestedAt}, now())` })
      .where(and(eq(startedBulkActs.id, id), inArray(startedBulkActs.state, ['waiting', 'running'])))
      .returning({ verb: startedBulkActs.verb });
    if (stopped === undefined) return false;
    await recordByOperator(tx, actor, {
      action: 'bulk-act.stop',
      subject: { type: 'bulk-act', id, name: stopped.verb },
    });
    return true;
  });
}

/** Acts that can send an audio for review. */
const sending: ReadonlySet<string> = new Set<BulkActState['verb']>(['publish', 'restore', 'undo']);

/** Kept beside what undoing needs. */
function storedOf(before: Record<string, unknown> | undefined, isSent: boolean): Record<string, unknown> | null {
  return isSent ? { ...before, isSent } : (before ?? null);
}

function selectActs(db: Db) {
  return db
    .select({ act: startedBulkActs, by: users.username })
    .from(startedBulkActs)
    .leftJoin(users, eq(users.id, startedBulkActs.actorId))
    .$dynamic();
}

async function toState(db: Db, { act, by }: { act: Started; by: string | null }): Promise<BulkActState> {
  const { id, total, changed, unchanged, refused, state } = act;
  const sentForReview = sending.has(act.verb)
    ? await db.$count(bulkActItems, and(eq(bulkActItems.bulkActId, id), sql`${bulkActItems.before} ? 'isSent'`))
    : 0;
  const refusals =
    refused === 0
      ? []
      : await db
          .select({ id: bulkActItems.audioId, title: audios.title, reason: sql<string>`${bulkActItems.outcome}` })
          .from(bulkActItems)
          .leftJoin(audios, eq(audios.id, bulkActItems.audioId))
          .where(and(eq(bulkActItems.bulkActId, id), notInArray(bulkActItems.outcome, ['changed', 'unchanged'])))
          .orderBy(asc(bulkActItems.audioId))
          .limit(maxRefusals);
  const isOpen = state === 'waiting' || state === 'running';
  return {
    id,
    verb: act.verb as BulkActState['verb'],
    by,
    subject: await nameSubject(db, act.subject as BulkSubject),
    state,
    isStopping: isOpen && act.stopRequestedAt !== null,
    total,
    changed,
    sentForReview,
    unchanged,
    refused,
    refusals,
    createdAt: act.createdAt.toISOString(),
    finishedAt: act.finishedAt?.toISOString() ?? null,
  };
}

export async function findBulkAct(db: Db, actor: Actor, id: string): Promise<BulkActState | undefined> {
  administratorsOnly(actor);
  if (!isId(id)) return undefined;
  const [row] = await selectActs(db).where(eq(startedBulkActs.id, id));
  return row && toState(db, row);
}

/** Unfinished acts of all operators, most recently started first. */
export async function listOpenBulkActs(db: Db, actor: Actor): Promise<BulkActState[]> {
  administratorsOnly(actor);
  const rows = await selectActs(db)
    .where(inArray(startedBulkActs.state, ['waiting', 'running']))
    .orderBy(desc(startedBulkActs.id))
    .limit(5);
  return Promise.all(rows.map((row) => toState(db, row)));
}

/** Ids of acts whose job may be missing, for example of acts that were started while the jobs were down. */
export async function findWaitingBulkActs(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: startedBulkActs.id })
    .from(startedBulkActs)
    .where(inArray(startedBulkActs.state, ['waiting', 'running']))
    .orderBy(asc(startedBulkActs.id))
    .limit(100);
  return rows.map(({ id }) => id);
}

/** Deletes finished acts, which can then no longer be undone. @returns the number of acts */
export async function purgeBulkActs(db: Db): Promise<number> {
  const { rowCount } = await db
    .delete(startedBulkActs)
    .where(lt(startedBulkActs.finishedAt, sql`now() - make_interval(days => ${keptDays})`));
  return rowCount ?? 0;
}
