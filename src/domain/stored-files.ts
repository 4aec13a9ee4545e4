import { sql } from 'drizzle-orm';
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { Blobs } from './gateways.ts';
import type { Db } from './kernel/db.ts';
import { DomainError } from './kernel/errors.ts';
import { refuseInTransaction } from './kernel/open-transaction.ts';
import { waitOutsideSlot } from './kernel/worker-slot.ts';

/**
 * Each file of the site. `arriving`: its row is there, and it is being written; `kept`: another row names it; `unused`: a
 * row stopped naming it; `removing`: one process is removing it. Triggers write `kept` and `unused` (decision 064).
 */
export const storedFiles = pgTable('stored_files', {
  key: text().primaryKey(),
  kind: text()
    .notNull()
    .generatedAlwaysAs(sql`split_part(key, '/', 1)`),
  state: text({ enum: ['arriving', 'kept', 'unused', 'removing'] }).notNull(),
  since: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});

/** Every column with the key of a file, and the column with its size, if any. */
export const fileColumns: readonly { table: string; key: string; bytes?: string }[] = [
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
  { table: 'feed_import_items', key: 'image_key' },
  { table: 'feed_imports', key: 'archive_key' },
  { table: 'moved_in_files', key: 'file_key', bytes: 'bytes' },
  { table: 'clips', key: 'file_key', bytes: 'file_bytes' },
];

/** Folders of the storage in which the site keeps its files; it leaves others alone. */
const fileFolders = ['archives', 'audio', 'images', 'look', 'originals'];

export type FileTools = {
  db: Db;
  blobs: Blobs;
  /** Nothing is stored, for work that is rolled back. */
  isDryRun?: boolean | undefined;
};

/** Long enough for each process that is about to name a file, and for a backup to be repeated. */
const unusedHours = 48;
/** A process that removes files and is silent for this long has died. */
const removalMinutes = 10;

/**
 * Stores a file that a transaction will name next. Its row comes first, so that the file is removed when that never
 * happens. Keys are hashes of the content: a file that is there already is not written again.
 * @throws DomainError `server/unavailable` while the same file is being removed
 */
export async function storeFile(
  { db, blobs, isDryRun }: FileTools,
  { key, bytes }: { key: string; bytes: number },
  write: () => Promise<unknown>,
): Promise<void> {
  if (isDryRun) return;
  refuseInTransaction('The storage of files');
  await expectFile(db, key);
  await waitOutsideSlot(async () => {
    if ((await blobs.stat(key))?.bytes !== bytes) await write();
  });
}

async function expectFile(db: Db, key: string): Promise<void> {
  // A read of its state beside this one would miss a row that names it meanwhile.
  const { rows } = await db.execute(sql`
    insert into stored_files as f (key, state) values (${key}, 'arriving')
    on conflict (key) do update set since = now(), state = case f.state when 'kept' then 'kept' else 'arriving' end
      where f.state <> 'removing' or f.since < now() - make_interval(mins => ${removalMinutes})
    returning key`);
  if (rows.length === 0) throw new DomainError('server/unavailable');
}

/** Files that are removed at once. */
const batch = 20;

/** Held shared by backups, which copy each file that their copy of the database names. */
export const backupLock = 7_150_692;

/** Held shared by the version before while it names files. Goes with the next release, and so does `waitForNaming`. */
const formerLock = 7_150_687;

/**
 * Removes files that nothing has named for 48 hours, except while a backup is made.
 * @returns the number of files
 * @throws the first failure of the storage, after the other files of its batch; the rest is left to the next call
 */
export async function removeUnusedFiles({ db, blobs }: FileTools, signal?: AbortSignal): Promise<number> {
  refuseInTransaction('The storage of files');
  let removed = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { taken, gone } = await db.transaction(takeUnused);
    if (taken === 0) return removed;
    const outcomes = await Promise.allSettled(gone.map((key) => blobs.remove(key)));
    const done = gone.filter((_key, index) => outcomes[index]?.status === 'fulfilled');
    await db.transaction(async (tx) => {
      await waitForNaming(tx);
      await tx.execute(sql`delete from stored_files where key = ${anyOf(done)} and state = 'removing'`);
    });
    removed += done.length;
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** Marks unused files as `removing`, after which no row can name them. @returns how many were looked at, and their keys */
async function takeUnused(tx: Db): Promise<{ taken: number; gone: string[] }> {
  const { rows: free } = await tx.execute<{ isFree: boolean }>(
    sql`select pg_try_advisory_xact_lock(${backupLock}) as "isFree"`,
  );
  if (free[0]?.isFree !== true) return { taken: 0, gone: [] };
  await waitForNaming(tx);
  const { rows } = await tx.execute<{ key: string }>(sql`
    select key from stored_files
    where state <> 'kept' and since < now() - make_interval(mins => ${removalMinutes})
      and (state = 'removing' or since < now() - make_interval(hours => ${unusedHours}))
    order by since limit ${batch} for update skip locked`);
  const keys = rows.map(({ key }) => key);
  if (keys.length === 0) return { taken: 0, gone: [] };
  // Several rows may have named one. Each column has an index for this.
  const selects = fileColumns.map(
    ({ table, key }) =>
      sql`select ${sql.identifier(key)} as key from ${sql.identifier(table)} where ${sql.identifier(key)} = ${anyOf(keys)}`,
  );
  const { rows: named } = await tx.execute<{ key: string }>(sql.join(selects, sql` union `));
  const kept = new Set(named.map(({ key }) => key));
  await tx.execute(sql`update stored_files set state = 'kept', since = now() where key = ${anyOf([...kept])}`);
  const gone = keys.filter((key) => !kept.has(key));
  await tx.execute(sql`update stored_files set state = 'removing', since = now() where key = ${anyOf(gone)}`);
  return { taken: keys.length, gone };
}

async function waitForNaming(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${formerLock})`);
}

/** Entered at once. */
const page = 1000;

/**
 * Enters files of the storage that have no row as unused: those of the version before, or of a restored database.
 * @returns the number of files
 */
export async function enterUnknownFiles({ db, blobs }: FileTools, signal?: AbortSignal): Promise<number> {
  refuseInTransaction('The storage of files');
  let entered = 0;
  let keys: string[] = [];
  const enter = async () => {
    signal?.throwIfAborted();
    const { rowCount } = await db.execute(sql`
      insert into stored_files (key, state) select key, 'unused' from unnest(${sql.param(keys)}::text[]) key
      where not exists (select from stored_files s where s.key = key.key) on conflict do nothing`);
    entered += rowCount ?? 0;
    keys = [];
  };
  for (const folder of fileFolders)
    for await (const { key } of blobs.list(`${folder}/`)) {
      keys.push(key);
      if (keys.length === page) await enter();
    }
  if (keys.length > 0) await enter();
  return entered;
}

function anyOf(keys: string[]) {
  return sql`any(${sql.param(keys)}::text[])`;
}
