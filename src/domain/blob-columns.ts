import { sql } from 'drizzle-orm';
import type { Db } from './kernel/db.ts';
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

/** Blocks the removal of blobs until the transaction ends, so that a row that names one can be written. */
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
    await db.transaction(async (tx) => {
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
    });
  }
}
