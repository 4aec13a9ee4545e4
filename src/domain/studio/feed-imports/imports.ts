import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { categories, voices } from '../../catalogue/tables.ts';
import { type Actor, type ActorRole, userIdOf } from '../../kernel/actor.ts';
import { auditEntries, recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { roleIn } from '../../kernel/rules.ts';
import { feedImportItems as items, feedImports as imports } from '../tables.ts';
import type { QueueParts } from '../queue-parts.ts';
import type { FeedImportRun, FeedSource, ItemChoice } from './forms.ts';
import { hashOfCode } from './owner-code.ts';
import { maxFeedImportsPerDay, maxWrongCodes } from './rules.ts';

/**
 * A feed of another host becomes audios (decision 099): it is read to a plan, its owner confirms, and a job loads the files.
 * A creator has one import at a time. Everything is told by rows, so that a killed job is simply run again.
 */

/** This job reads feeds and loads their files; keys are ids of imports. */
export const importFeedJob = 'import-feed';

export type FeedImportRow = typeof imports.$inferSelect;
type Refused<Reason> = { ok: false; reason: Reason };

/** A file of it waits to become an audio, which needs the import. */
const hasArrived = sql`exists (select from feed_import_items i
  join uploads u on u.id = i.upload_id
  where i.import_id = feed_imports.id and i.outcome = 'arrived' and u.state in ('waiting', 'processing'))`;

/** A feed, or an archive that is stored. */
export type ImportSource = Pick<
  typeof imports.$inferInsert,
  'url' | 'content' | 'archiveName' | 'archiveKey' | 'archiveFolder' | 'runsAlone' | 'choices'
>;

export type StartedImport = { ok: true; id: string } | Refused<'not-found' | 'import-under-way' | 'too-many-imports'>;

/** Replaces the creator's former import. */
export function startFeedImport(parts: QueueParts, actor: Actor, voiceId: string, { url, feed }: FeedSource) {
  return startImport(parts, actor, voiceId, { url: url ?? null, content: feed ?? null });
}

/** The same with a source that is stored already. */
export async function startImport(
  { db, addJobs }: QueueParts,
  actor: Actor,
  voiceId: string,
  source: ImportSource,
): Promise<StartedImport> {
  const started = await db.transaction((tx) => enterImport(tx, actor, voiceId, source));
  if (started.ok) await addJobs(importFeedJob, [started.id]);
  return started;
}

/** Within a transaction; a job finds it within a minute. */
export async function enterImport(tx: Db, actor: Actor, voiceId: string, source: ImportSource): Promise<StartedImport> {
  const role = isId(voiceId) ? roleIn(actor, voiceId) : undefined;
  if (role === undefined) return { ok: false, reason: 'not-found' };
  // Two at once run in sequence.
  const [voice] = await tx
    .select({ name: voices.name })
    .from(voices)
    .where(and(eq(voices.id, voiceId), isNull(voices.mergedInto), isNull(voices.deletedAt)))
    .for('no key update');
  if (voice === undefined) return { ok: false, reason: 'not-found' };
  const [former] = await tx
    .select({ isUnderWay: sql<boolean>`${imports.state} = 'running' or ${hasArrived}` })
    .from(imports)
    .where(eq(imports.voiceId, voiceId));
  if (former?.isUnderWay) return { ok: false, reason: 'import-under-way' };
  const isByOperator = role === 'operator' || role === 'admin';
  if (!isByOperator && (await countStarts(tx, voiceId)) >= maxFeedImportsPerDay)
    return { ok: false, reason: 'too-many-imports' };
  await tx.delete(imports).where(eq(imports.voiceId, voiceId));
  const id = newId();
  await tx.insert(imports).values({ id, voiceId, userId: userIdOf(actor), isByOperator, ...source });
  await record(tx, actor, { role, id, voiceId, name: source.url ?? source.archiveName ?? voice.name }, 'start');
  return { ok: true, id };
}

function countStarts(tx: Db, voiceId: string): Promise<number> {
  return tx.$count(
    auditEntries,
    and(
      eq(auditEntries.voiceId, voiceId),
      eq(auditEntries.action, 'feed-import.start'),
      sql`${auditEntries.createdAt} > now() - interval '1 day'`,
    ),
  );
}

type Acted = { role: ActorRole; id: string; voiceId: string; name: string };

function record(
  tx: Db,
  actor: Actor,
  { role, id, voiceId, name }: Acted,
  verb: 'start' | 'confirm' | 'run' | 'choose' | 'stop' | 'drop',
  after?: Record<string, unknown>,
): Promise<void> {
  return recordChange(tx, {
    actor,
    role,
    action: `feed-import.${verb}`,
    subject: { type: 'feed-import', id, name },
    voiceId,
    ...(after && { after }),
  });
}

/** Locks an import that the actor may change. */
async function act<Reason extends string>(
  db: Db,
  actor: Actor,
  id: string,
  run: (tx: Db, row: FeedImportRow, acted: Acted) => Promise<Reason | undefined>,
): Promise<{ ok: true } | Refused<Reason | 'not-found'>> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  const refusal = await db.transaction(async (tx) => {
    const [row] = await tx.select().from(imports).where(eq(imports.id, id)).for('update');
    const role = row && roleIn(actor, row.voiceId);
    if (row === undefined || role === undefined) return 'not-found' as const;
    return run(tx, row, { role, id, voiceId: row.voiceId, name: row.title || (row.url ?? row.archiveName ?? '') });
  });
  return refusal === undefined ? { ok: true } : { ok: false, reason: refusal };
}

const at = (id: string) => eq(imports.id, id);

/** The code from the mail to the feed's owner. */
export function confirmFeedImport(db: Db, actor: Actor, id: string, code: string) {
  return act(db, actor, id, async (tx, row, acted) => {
    if (row.state !== 'asking' || row.codeUntil === null || row.codeUntil < new Date())
      return 'import-too-late' as const;
    if (hashOfCode(id, code) !== row.codeHash) {
      const tries = row.tries + 1;
      const isOver = tries >= maxWrongCodes;
      await tx
        .update(imports)
        .set({ tries, ...(isOver && { state: 'failed' as const, failure: 'wrong-codes' as const, codeHash: null }) })
        .where(at(id));
      return 'wrong-feed-code' as const;
    }
    await tx
      .update(imports)
      .set({ state: 'planned', codeHash: null, codeUntil: null, confirmedAt: sql`now()` })
      .where(at(id));
    await record(tx, actor, acted, 'confirm');
    return undefined;
  });
}

/** Begins, or goes on with what was stopped, failed or left out. */
export async function runFeedImport({ db, addJobs }: QueueParts, actor: Actor, id: string, form: FeedImportRun) {
  const { leftOut, ...choices } = form;
  const result = await act(db, actor, id, async (tx, row, acted) => {
    if (!['planned', 'stopped', 'done'].includes(row.state)) return 'import-too-late' as const;
    // All that it holds is here, and the archive is gone.
    if (row.archiveName !== null && row.archiveKey === null) return 'import-too-late' as const;
    if (choices.categoryId !== undefined && (await tx.$count(categories, isListed(choices.categoryId))) === 0)
      return 'unknown-category' as const;
    const isOf = eq(items.importId, id);
    await tx
      .update(items)
      .set({ outcome: null, failure: null, detail: null, attempts: 0, uploadId: null })
      .where(and(isOf, inArray(items.outcome, leftOut === undefined ? ['failed'] : ['failed', 'left-out'])));
    if (leftOut !== undefined && leftOut.length > 0)
      await tx
        .update(items)
        .set({ outcome: 'left-out' })
        .where(and(isOf, isNull(items.outcome), isNull(items.obstacle), inArray(items.position, leftOut)));
    await tx
      .update(imports)
      .set({ state: 'running', choices, startedAt: sql`now()`, finishedAt: null })
      .where(at(id));
    await record(tx, actor, acted, 'run', { ...choices, ...(leftOut && { leftOut: leftOut.length }) });
    return undefined;
  });
  if (result.ok) await addJobs(importFeedJob, [id]);
  return result;
}

const isListed = (categoryId: string) => and(eq(categories.id, categoryId), isNull(categories.deletedAt));

/** Leaves out what has not begun to come, or takes it in again, while an import runs or is stopped. */
export function chooseFeedItems(db: Db, actor: Actor, id: string, { positions, comes }: ItemChoice) {
  return act(db, actor, id, async (tx, { state }, acted) => {
    if (state !== 'running' && state !== 'stopped') return 'import-too-late' as const;
    const { rowCount } = await tx
      .update(items)
      .set({ outcome: comes ? null : 'left-out' })
      .where(
        and(
          eq(items.importId, id),
          inArray(items.position, positions),
          comes ? eq(items.outcome, 'left-out') : isNull(items.outcome),
          isNull(items.obstacle),
        ),
      );
    if ((rowCount ?? 0) > 0) await record(tx, actor, acted, 'choose', { comes, items: rowCount });
    return undefined;
  });
}

/** Audios stay, and files that have arrived become audios. */
export function stopFeedImport(db: Db, actor: Actor, id: string) {
  return act(db, actor, id, async (tx, row, acted) => {
    if (row.state !== 'running') return 'import-too-late' as const;
    await tx
      .update(imports)
      .set({ state: 'stopped', finishedAt: sql`now()` })
      .where(at(id));
    await record(tx, actor, acted, 'stop');
    return undefined;
  });
}

/** Forgets the plan; audios stay. */
export function dropFeedImport(db: Db, actor: Actor, id: string) {
  return act(db, actor, id, async (tx, row, acted) => {
    if (row.state === 'running') return 'import-under-way' as const;
    if ((await tx.$count(imports, and(at(id), hasArrived))) > 0) return 'import-under-way' as const;
    await tx.delete(imports).where(at(id));
    await record(tx, actor, acted, 'drop');
    return undefined;
  });
}

/** Imports that a job has to work on, also those of dead processes. */
export async function findWaitingImports(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: imports.id })
    .from(imports)
    .where(inArray(imports.state, ['reading', 'running']))
    .orderBy(imports.id)
    .limit(100);
  return rows.map(({ id }) => id);
}

/** Days that a plan, and the outcome of an import, is kept. */
const keptDays = 90;

/** Deletes old imports; audios, GUIDs and old paths stay. @returns the number of imports */
export async function purgeFeedImports(db: Db): Promise<number> {
  const { rowCount } = await db
    .delete(imports)
    .where(
      sql`${imports.updatedAt} < now() - make_interval(days => ${keptDays}) and ${imports.state} <> 'running' and not ${hasArrived}`,
    );
  return rowCount ?? 0;
}
