import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Blobs, IncomingFiles } from '../../gateways.ts';
import type { Db } from '../../kernel/db.ts';
import { purgeOldLeases, withLease } from '../../kernel/leases.ts';
import { storeFile } from '../../stored-files.ts';
import { enterImport, importFeedJob } from '../feed-imports/imports.ts';
import type { QueueParts } from '../queue-parts.ts';
import { uploadExtensionOf } from '../rules.ts';
import { uploads } from '../tables.ts';
import { findAuthor } from './process-upload.ts';
import { uploadLeases } from './upload-locks.ts';

/** Storage of incoming and of complete files. */
export type UploadTools = { blobs: Blobs; incoming: IncomingFiles };

/** This job turns the file into an audio; keys are ids of uploads. */
export const processUploadJob = 'process-upload';

/**
 * Stores a completely received file as a blob, and starts its processing. Idempotent, so it can be called again after a
 * crash, and by several processes at once.
 * @returns false when it is incomplete, or another process is working on it
 */
export async function finishUpload(
  parts: QueueParts,
  id: string,
  tools: UploadTools,
  signal?: AbortSignal,
): Promise<boolean> {
  const { db } = parts;
  const isFinished = await withLease(db, uploadLeases, id, () => keepWhole(db, id, tools, signal), { patience: 2000 });
  if (isFinished !== true) return false;
  await tools.incoming.remove(id);
  const { rows } = await db.execute<{ id: string }>(sql`
    select i.id from uploads u join feed_imports i on i.voice_id = u.voice_id
    where u.id = ${id} and u.choices ? 'isArchive' and i.state = 'reading'`);
  if (rows[0] === undefined) await queueUpload(parts, id);
  else await parts.addJobs(importFeedJob, [rows[0].id]);
  return true;
}

/** Behind the creator's other files, so that many or long ones of one creator hold nobody else up. */
export async function queueUpload({ db, addJobs }: QueueParts, id: string): Promise<void> {
  const { rows } = await db.execute<{ turn: number; group: string }>(sql`
    select own.voice_id as "group", (
      select count(*)::int from uploads other
      where other.voice_id = own.voice_id and other.id <> own.id and other.state in ('waiting', 'processing')) as turn
    from uploads own where own.id = ${id}`);
  await addJobs(processUploadJob, [id], rows[0]);
}

async function keepWhole(db: Db, id: string, { incoming, blobs }: UploadTools, signal?: AbortSignal): Promise<boolean> {
  const isComing = and(eq(uploads.id, id), eq(uploads.state, 'uploading'), isNull(uploads.removedAt));
  const [row] = await db.select().from(uploads).where(isComing);
  if (row === undefined || (await incoming.received(id)) !== row.bytes) return false;
  const sha256 = await incoming.hash(id, signal);
  const isArchive = row.choices.isArchive === true;
  const [folder, extension] = isArchive ? ['archives', 'zip'] : ['originals', uploadExtensionOf(row.fileName) ?? 'bin'];
  const key = `${folder}/${sha256.slice(0, 20)}.${extension}`;
  await storeFile({ db, blobs }, { key, bytes: row.bytes }, () => incoming.keepAs(id, key, sha256));
  if (isArchive) return db.transaction((tx) => enterArchive(tx, row, key));
  const { rowCount } = await db
    .update(uploads)
    .set({ state: 'waiting', originalKey: key, progress: 0, updatedAt: sql`now()` })
    .where(isComing);
  return rowCount === 1;
}

/** The end of its upload is the beginning of its import. @returns whether it was this call that ended it */
async function enterArchive(tx: Db, row: typeof uploads.$inferSelect, key: string): Promise<boolean> {
  const isComing = and(eq(uploads.id, row.id), eq(uploads.state, 'uploading'), isNull(uploads.removedAt));
  const { rowCount } = await tx
    .update(uploads)
    .set({ state: 'ready', progress: 100, updatedAt: sql`now()` })
    .where(isComing);
  if (rowCount !== 1) return false;
  const author = await findAuthor(tx, row);
  const source = { archiveName: row.fileName, archiveKey: key };
  const entered = author && (await enterImport(tx, author.actor, row.voiceId, source));
  if (entered?.ok !== true)
    await tx
      .update(uploads)
      .set({ state: 'failed', failure: 'failed', failureDetail: entered?.reason ?? 'not-found' })
      .where(eq(uploads.id, row.id));
  return true;
}

/** Ids of uploads without recent bytes, oldest first: some are complete, but their process died. */
export async function findIdleUploads(db: Db, limit = 500): Promise<string[]> {
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(
      and(
        eq(uploads.state, 'uploading'),
        isNull(uploads.removedAt),
        sql`${uploads.updatedAt} < now() - interval '1 minute'`,
      ),
    )
    .orderBy(uploads.updatedAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Finishes uploads that dead processes left. @returns the number of uploads */
export async function finishIdleUploads(parts: QueueParts, tools: UploadTools, signal?: AbortSignal): Promise<number> {
  let finished = 0;
  for (const id of await findIdleUploads(parts.db)) {
    signal?.throwIfAborted();
    if (await finishUpload(parts, id, tools, signal)) finished += 1;
  }
  return finished;
}

const day = "interval '1 day'";
/** Days that an incomplete file is kept so that its creator can resume it. */
const unfinishedDays = 7;
/** Days that a failed file, and any row, is kept. */
const keptDays = 30;
const batch = 200;

/**
 * Purges unneeded files: incomplete ones after a week, failed ones after a month, removed ones at once, and files
 * without a row. Rows stay for at least two days, because the daily limits count them.
 * @returns the number of uploads
 */
export async function purgeUploads(
  db: Db,
  { incoming }: Pick<UploadTools, 'incoming'>,
  signal?: AbortSignal,
): Promise<number> {
  const isOver = sql`(${uploads.removedAt} is not null
    or (${uploads.state} = 'uploading' and ${uploads.updatedAt} < now() - ${unfinishedDays} * ${sql.raw(day)})
    or (${uploads.state} in ('failed', 'ready') and ${uploads.updatedAt} < now() - ${keptDays} * ${sql.raw(day)}))`;
  let gone = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    signal?.throwIfAborted();
    const rows = await db
      .select({ id: uploads.id })
      .from(uploads)
      .where(sql`${isOver} and ${uploads.id} > ${after}`)
      .orderBy(uploads.id)
      .limit(batch);
    for (const { id } of rows) {
      signal?.throwIfAborted();
      const isDone = await withLease(db, uploadLeases, id, async () => {
        // Unless it was resumed or retried since it was listed.
        const current = sql`${uploads.id} = ${id} and ${isOver}`;
        if ((await db.$count(uploads, current)) === 0) return false;
        await incoming.remove(id);
        const emptied = await db.update(uploads).set({ originalKey: null }).where(current);
        if (emptied.rowCount === 0) return false;
        const { rowCount } = await db
          .delete(uploads)
          .where(sql`${current} and ${uploads.createdAt} < now() - 2 * ${sql.raw(day)}`);
        return rowCount === 1;
      });
      if (isDone === true) gone += 1;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) break;
    after = last.id;
  }
  await removeStrays(db, incoming, signal);
  await purgeOldLeases(db, uploadLeases, signal);
  return gone;
}

/** Files without a row that needs them, such as after a crash between two steps. */
async function removeStrays(db: Db, incoming: IncomingFiles, signal: AbortSignal | undefined): Promise<void> {
  const dayAgo = Date.now() - 24 * 60 * 60 * 1000;
  for await (const { id, changedAt } of incoming.list()) {
    signal?.throwIfAborted();
    if (changedAt.getTime() > dayAgo) continue;
    const isNeeded = and(eq(uploads.id, id), eq(uploads.state, 'uploading'), isNull(uploads.removedAt));
    if ((await db.$count(uploads, isNeeded)) === 0) await incoming.remove(id);
  }
}
