import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Blobs } from '#domain/gateways.ts';
import { backupLock } from '#domain/stored-files.ts';
import { hashFile, syncFolder } from '#gateways/local-files.ts';
import {
  type BackedFile,
  BackupError,
  BackupManifest,
  listIn,
  listLines,
  manifestName,
  readFiles,
  readManifest,
  secretIn,
  undefinedIfMissing,
  verifyList,
  writeManifest,
} from './backup-manifest.ts';
import { namedKeysSql } from './blob-columns.ts';
import { openCommandClient } from './command-client.ts';
import { KeySet } from './key-set.ts';
import { readApplied } from './schema-state.ts';

const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** Fixes the output format of values, whatever the server's settings. */
export const plainSession = [
  `set client_encoding = 'UTF8'`,
  `set datestyle = 'ISO, YMD'`,
  `set intervalstyle = 'postgres'`,
  `set timezone = 'UTC'`,
  'set extra_float_digits = 3',
  `set bytea_output = 'hex'`,
  'set statement_timeout = 0',
  'set idle_in_transaction_session_timeout = 0',
  'set lock_timeout = 0',
].join('; ');

export type BackupOptions = {
  url: string;
  blobs: Blobs;
  /** Created when missing; an existing backup is updated with new files only. */
  folder: string;
  /** The site's secret, if generated: without it the restored site could not decrypt its keys. */
  secret?: string | undefined;
  siteVersion: string;
  now: Date;
};

const maxMissingListed = 100;

/**
 * Copies the database, in one snapshot, and then every file that the snapshot names. Files never change once a row names
 * them, and none is removed from the site meanwhile. The manifest is replaced last and atomically, so that an interrupted
 * backup leaves the previous one valid.
 * @throws BackupError
 */
export async function createBackup(options: BackupOptions) {
  const { url, blobs, folder, secret, siteVersion, now } = options;
  const earlier = await openFolder(folder);
  const tablesFolder = `tables-${now.toISOString().replace(/[^0-9]/g, '')}-${process.pid}`;
  await mkdir(join(folder, tablesFolder), { mode: 0o700 });
  let client: pg.Client | undefined;
  try {
    const secretFile = await writeSecret(join(folder, secretIn({ tablesFolder })), secret);
    client = await openCommandClient(url, 'backup');
    await client.query(plainSession);
    // Held until the last file is copied.
    await client.query('select pg_advisory_lock_shared($1)', [backupLock]);
    const snapshot = await copyTables(client, join(folder, tablesFolder));
    const { missing, missingBlobs, copied, ...files } = await copyFiles({ blobs, folder, tablesFolder, earlier });
    const manifest = BackupManifest.parse({
      format: 3,
      createdAt: now.toISOString(),
      siteVersion,
      tablesFolder,
      ...snapshot,
      files,
      missingBlobs,
      secret: secretFile,
    });
    await writeManifest(folder, manifest);
    await removeOutdated(folder, manifest, earlier);
    return {
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      blobs: files.count,
      blobBytes: files.bytes,
      /** Blobs that were not in the folder yet. */
      copiedBlobs: copied,
      /** Files that are named and were neither on the site nor in the folder; `missingBlobs` has the first ones. */
      missing,
      missingBlobs,
    };
  } catch (error) {
    await rm(join(folder, tablesFolder), { recursive: true, force: true }).catch(() => undefined);
    throw error;
  } finally {
    await client?.end();
  }
}

async function writeSecret(path: string, secret: string | undefined): Promise<BackupManifest['secret']> {
  if (secret === undefined) return undefined;
  const { bytes, sha256 } = await writeMeasured(Readable.from([Buffer.from(secret)]), path);
  return { bytes, sha256 };
}

/** @returns the manifest of the existing backup in the folder */
async function openFolder(folder: string): Promise<BackupManifest | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  const foreign = names.find(
    (name) => name !== 'blobs' && !name.startsWith(manifestName) && !name.startsWith('tables-'),
  );
  if (foreign !== undefined)
    throw new BackupError(
      `${folder} holds other things (${foreign}); name an empty folder, or one with an earlier backup`,
    );
  await mkdir(join(folder, 'blobs'), { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (!names.includes(manifestName)) return undefined;
  // The manifest is damaged: everything is copied again.
  try {
    const earlier = await readManifest(folder);
    await verifyList(folder, earlier);
    return earlier;
  } catch (error) {
    if (error instanceof BackupError) return undefined;
    throw error;
  }
}

async function copyTables(client: pg.Client, folder: string) {
  await client.query('begin isolation level repeatable read read only');
  const { rows: found } = await client.query<{ name: string; columns: string[] }>(
    // Without tables of extensions and generated columns, which PostgreSQL recreates itself.
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by c.oid, c.relname order by c.relname collate "C"`,
  );
  const tables: BackupManifest['tables'] = [];
  for (const { name, columns } of found) {
    const source = client.query(
      copyTo(`copy (select ${columns.map(quote).join(', ')} from public.${quote(name)}) to stdout`),
    );
    tables.push({ name, columns, ...(await writeMeasured(source, join(folder, `${name}.copy`))) });
  }
  const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' order by 1`,
  );
  const migrations = await readApplied(client);
  const names = await namedKeysSql(client);
  await writeMeasured(client.query(copyTo(`copy (${names}) to stdout`)), join(folder, namesFile));
  await client.query('commit');
  await syncFolder(folder);
  return {
    tables,
    // A sequence without a last value is unused, as after the migrations.
    sequences: sequences.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
    migrations,
  };
}

/** @returns size, hash and number of lines, which are rows in COPY's text format */
async function writeMeasured(source: Readable, path: string): Promise<{ rows: number; bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
      done(null, chunk);
    },
  });
  await pipeline(source, measure, createWriteStream(path, { mode: 0o600, flush: true }));
  return { rows, bytes, sha256: hash.digest('hex') };
}

/** In the tables' folder while a backup is made: the keys that its tables name, one a line, in order. */
const namesFile = 'names';

type CopyOptions = {
  blobs: Blobs;
  folder: string;
  tablesFolder: string;
  earlier: BackupManifest | undefined;
};

/** Copies the named files that the folder lacks, and writes the list of all. */
async function copyFiles({ blobs, folder, tablesFolder, earlier }: CopyOptions) {
  const names = join(folder, tablesFolder, namesFile);
  const counts = { count: 0, bytes: 0, copied: 0, missing: 0, missingBlobs: [] as string[] };
  const folders = new Set<string>();
  const findBefore = earlier === undefined ? async () => undefined : inOrder(readFiles(folder, earlier));

  async function* copyEach(): AsyncGenerator<BackedFile> {
    for await (const key of createInterface({ input: createReadStream(names), crlfDelay: Infinity })) {
      const path = join(folder, 'blobs', key);
      const file = (await findThere(path, key)) ?? (await copy(path, key));
      if (file === undefined) {
        counts.missing += 1;
        if (counts.missing <= maxMissingListed) counts.missingBlobs.push(key);
        continue;
      }
      counts.count += 1;
      counts.bytes += file.bytes;
      folders.add(dirname(path));
      yield file;
    }
  }

  async function findThere(path: string, key: string): Promise<BackedFile | undefined> {
    const before = await findBefore(key);
    const stored = await stat(path).catch(undefinedIfMissing);
    if (stored === undefined) return undefined;
    if (before?.bytes === stored.size) return before;
    // Left by an interrupted backup, or damaged.
    const bytes = (await blobs.stat(key))?.bytes;
    return bytes === stored.size ? { key, bytes, sha256: await hashFile(path) } : undefined;
  }

  async function copy(path: string, key: string): Promise<BackedFile | undefined> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = join(folder, 'blobs', `.${process.pid}.new`);
    try {
      const source = Readable.fromWeb(blobs.read(key) as NodeReadableStream);
      const { bytes, sha256 } = await writeMeasured(source, unfinished);
      await rename(unfinished, path);
      counts.copied += 1;
      return { key, bytes, sha256 };
    } catch (error) {
      await rm(unfinished, { force: true });
      if ((await blobs.stat(key)) !== undefined) throw error;
      return undefined;
    }
  }

  const { bytes, sha256 } = await writeMeasured(
    Readable.from(listLines(copyEach())),
    join(folder, listIn({ tablesFolder })),
  );
  await rm(names);
  for (const path of folders) await syncFolder(path);
  await syncFolder(join(folder, tablesFolder));
  return { ...counts, list: { bytes, sha256 } };
}

/** @returns a function that finds a file of ordered ones; its keys must come in order too */
function inOrder(files: AsyncIterator<BackedFile>): (key: string) => Promise<BackedFile | undefined> {
  let next: Promise<IteratorResult<BackedFile, unknown>> | undefined;
  return async (key) => {
    for (;;) {
      next ??= files.next();
      const { done, value } = await next;
      if (done === true || value.key > key) return undefined;
      next = undefined;
      if (value.key === key) return value;
    }
  };
}

/**
 * Removes files that the new manifest does not name: tables of the previous backup, files deleted from the site (they
 * may hold personal data), and remains of interrupted backups after a day.
 */
async function removeOutdated(
  folder: string,
  manifest: BackupManifest,
  earlier: BackupManifest | undefined,
): Promise<void> {
  const oldest = Date.now() - abandonedAfterMs;
  const isAbandoned = async (path: string) =>
    ((await stat(path).catch(undefinedIfMissing))?.mtimeMs ?? Date.now()) < oldest;
  const named = new KeySet(manifest.files.count);
  const before = new KeySet(earlier?.files.count ?? 0);
  for await (const { key } of readFiles(folder, manifest)) named.add(key);
  if (earlier !== undefined) for await (const { key } of readFiles(folder, earlier)) before.add(key);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name === manifest.tablesFolder || name === manifestName || name === 'blobs') continue;
    if (name === earlier?.tablesFolder || (await isAbandoned(path))) await rm(path, { recursive: true, force: true });
  }
  const root = join(folder, 'blobs');
  for await (const entry of await opendir(root, { recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const key = path.slice(root.length + 1).replaceAll('\\', '/');
    if (named.has(key)) continue;
    if (before.has(key) || (await isAbandoned(path))) await rm(path, { force: true });
  }
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
