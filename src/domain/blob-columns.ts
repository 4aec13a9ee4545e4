import { sql } from 'drizzle-orm';
import type { Db } from './kernel/db.ts';
import { DomainError } from './kernel/errors.ts';
import { waitOutsideSlot } from './kernel/worker-slot.ts';
import type { Blobs } from './gateways.ts';

/** Every column with the key of a blob, and the column with its size, if any. */
export const blobColumns: readonly { table: string; key: string; bytes?: string }[] = [
  { table: 'audios', key: 'file_key', bytes: 'file_bytes' },
  { table: 'audios', key: 'image_key' },
  { table: 'voices', key: 'image_key' },
  { table: 'categories', key: 'image_key' },
  { table: 'series', key: 'image_key' },
  { table: 'playlists', key: 'image_key' },
  { table: 'deleted_series', key: 'image_key' },
  { table: 'articles', key: 'image_key' },
  { table: 'articles', key: 'picture_key' },
  { table: 'recordings', key: 'file_key' },
  { table: 'recordings', key: 'original_key', bytes: 'original_bytes' },
  { table: 'recordings', key: 'small_key', bytes: 'small_bytes' },
  { table: 'uploads', key: 'original_key' },
  { table: 'audio_drafts', key: 'image_key' },
  { table: 'audio_drafts', key: 'source_key' },
  { table: 'look_files', key: 'file_key', bytes: 'bytes' },
];

const blobLock = 7_150_687;

/** Transactions of one process that call the storage at once: a silent one must leave connections to everybody else. */
const mostAtOnce = 2;
const patienceMs = 10_000;
let inside = 0;
const waiting = new Set<() => void>();

function nextTurn(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    waiting.delete(enter);
    reject(new DomainError('server/unavailable'));
  }, patienceMs);
  const enter = () => {
    clearTimeout(timer);
    waiting.delete(enter);
    resolve();
  };
  waiting.add(enter);
  return promise;
}

/**
 * Around a transaction that calls the storage of files.
 * @throws DomainError `server/unavailable` when others take too long
 */
export async function inStorageTurn<Result>(act: () => Promise<Result>): Promise<Result> {
  let isInside = inside < mostAtOnce;
  if (isInside) inside += 1;
  try {
    if (!isInside)
      await waitOutsideSlot(async () => {
        await nextTurn();
        isInside = true;
      });
    return await act();
  } finally {
    const [enter] = waiting;
    if (isInside && enter !== undefined) enter();
    else if (isInside) inside -= 1;
  }
}

/**
 * Blocks the removal of blobs until the transaction ends, so that a row that names one can be written. Within
 * `inStorageTurn`.
 */
export async function holdBlobs(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${blobLock})`);
}

/** Blobs per transaction, which must be short: it blocks the writing of rows with blobs, and may not be idle for 30 s. */
const batch = 20;

/** Removes blobs that no row names. Keys are content hashes, so several rows may share one. */
export async function removeUnusedBlobs(db: Db, blobs: Blobs, keys: string[]): Promise<void> {
  const distinct = [...new Set(keys)];
  for (let from = 0; from < distinct.length; from += batch) {
    const next = distinct.slice(from, from + batch);
    const remove = async (tx: Db) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${blobLock})`);
      const wanted = sql`any(${sql.param(next)}::text[])`;
      const selects = blobColumns.map(
        ({ table, key }) =>
          sql`select ${sql.identifier(key)} as key from ${sql.identifier(table)} where ${sql.identifier(key)} = ${wanted}`,
      );
      const { rows } = await tx.execute<{ key: string }>(sql.join(selects, sql` union `));
      const used = new Set(rows.map(({ key }) => key));
      const removals = next.filter((key) => !used.has(key)).map((key) => blobs.remove(key));
      // None may go on after the transaction, when a row may name its key again.
      for (const removal of await Promise.allSettled(removals)) if (removal.status === 'rejected') throw removal.reason;
    };
    await inStorageTurn(() => db.transaction(remove));
  }
}
