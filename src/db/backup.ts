import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Blobs } from '#domain/gateways.ts';
import { callLimits } from '#gateways/call-limits.ts';
import { hashFile, syncFolder } from '#gateways/local-files.ts';
import {
  BackupError,
  BackupManifest,
  manifestName,
  readManifest,
  secretIn,
  undefinedIfMissing,
  writeManifest,
} from './backup-manifest.ts';
import { readBlobReferences } from './blob-columns.ts';
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

export type BackupSummary = {
  tables: number;
  rows: number;
  blobs: number;
  blobBytes: number;
  /** Blobs that were not in the folder yet. */
  copiedBlobs: number;
  missingBlobs: string[];
};

/**
 * Copies the database, in one snapshot, and then every file; files never change once a row names them. The manifest is
 * replaced last and atomically, so that an interrupted backup leaves the previous one valid.
 * @throws BackupError
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { url, blobs, folder, secret, siteVersion, now } = options;
  const earlier = await openFolder(folder);
  const tablesFolder = `tables-${now.toISOString().replace(/[^0-9]/g, '')}-${process.pid}`;
  await mkdir(join(folder, tablesFolder), { mode: 0o700 });
  try {
    const secretFile = await writeSecret(join(folder, secretIn({ tablesFolder })), secret);
    const { references, ...snapshot } = await copyTables(url, join(folder, tablesFolder));
    const { kept, copied } = await copyBlobs(blobs, folder, earlier);
    const there = new Set(kept.map(({ key }) => key));
    const missingBlobs = references.map(({ key }) => key).filter((key) => !there.has(key));
    const manifest = BackupManifest.parse({
      format: 2,
      createdAt: now.toISOString(),
      siteVersion,
      tablesFolder,
      ...snapshot,
      blobs: kept,
      missingBlobs,
      secret: secretFile,
    });
    await writeManifest(folder, manifest);
    await removeOutdated(folder, manifest, earlier);
    return {
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      blobs: kept.length,
      blobBytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
      copiedBlobs: copied,
      missingBlobs,
    };
  } catch (error) {
    await rm(join(folder, tablesFolder), { recursive: true, force: true }).catch(() => undefined);
    throw error;
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
  return readManifest(folder).catch((error: unknown) => {
    if (error instanceof BackupError) return undefined;
    throw error;
  });
}

async function copyTables(url: string, folder: string) {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sotto backup',
    keepAlive: true,
    connectionTimeoutMillis: callLimits.databaseCommand.connectMs,
  });
  client.on('error', () => undefined); // A broken connection also fails its query.
  await client.connect();
  try {
    await client.query(plainSession);
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
    const references = await readBlobReferences(client);
    await client.query('commit');
    await syncFolder(folder);
    return {
      tables,
      // A sequence without a last value is unused, as after the migrations.
      sequences: sequences.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
      migrations,
      references,
    };
  } finally {
    await client.end();
  }
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

async function copyBlobs(blobs: Blobs, folder: string, earlier: BackupManifest | undefined) {
  const known = new Map(earlier?.blobs.map((blob) => [blob.key, blob]));
  const kept: BackupManifest['blobs'] = [];
  let copied = 0;
  for await (const { key, bytes } of blobs.list('')) {
    const path = join(folder, 'blobs', key);
    const there = await stat(path).catch(undefinedIfMissing);
    if (there?.size === bytes) {
      const before = known.get(key);
      kept.push(before?.bytes === bytes ? before : { key, bytes, sha256: await hashFile(path) });
      continue;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = join(folder, 'blobs', `.${process.pid}.new`);
    try {
      const written = await writeMeasured(Readable.fromWeb(blobs.read(key) as NodeReadableStream), unfinished);
      await rename(unfinished, path);
      kept.push({ key, bytes: written.bytes, sha256: written.sha256 });
      copied += 1;
    } catch (error) {
      await rm(unfinished, { force: true });
      // The blob was deleted after it was listed, so the backup does not need it.
      if ((await blobs.stat(key)) !== undefined) throw error;
    }
  }
  for (const path of new Set(kept.map(({ key }) => dirname(join(folder, 'blobs', key))))) await syncFolder(path);
  return { kept, copied };
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
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name === manifest.tablesFolder || name === manifestName || name === 'blobs') continue;
    if (name === earlier?.tablesFolder || (await isAbandoned(path))) await rm(path, { recursive: true, force: true });
  }
  const named = new Set(manifest.blobs.map(({ key }) => key));
  const before = new Set(earlier?.blobs.map(({ key }) => key));
  for (const entry of await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const key = path.slice(join(folder, 'blobs').length + 1).replaceAll('\\', '/');
    if (named.has(key)) continue;
    if (before.has(key) || (await isAbandoned(path))) {
      await rm(path, { force: true });
      await rmdir(dirname(path)).catch(() => undefined); // Fails unless the folder is empty now.
    }
  }
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
