import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import type { Blobs } from '#domain/gateways.ts';
import { isBlobKey } from '#gateways/disk-blobs.ts';
import { readBlobReferences } from './blob-columns.ts';
import { readApplied } from './schema-state.ts';

/** Something about a backup that an operator can understand and act on, in one line. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.number().int().min(0);
/** Names become paths and SQL: nothing in them may lead elsewhere. */
const Name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const BlobKey = z.string().refine(isBlobKey);

export const BackupManifest = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  siteVersion: z.string(),
  /** Name of the folder with one COPY text file for each table. */
  tablesFolder: z.string().regex(/^tables-[0-9a-z-]+$/),
  migrations: z.array(z.object({ when: z.number().int(), hash: Sha256 })),
  tables: z.array(z.object({ name: Name, columns: z.array(Name), rows: Count, bytes: Count, sha256: Sha256 })),
  sequences: z.array(z.object({ name: Name, value: z.string().regex(/^-?\d+$/) })),
  blobs: z.array(z.object({ key: BlobKey, bytes: Count, sha256: Sha256 })),
  /** Named by rows, and not there when the backup was made. */
  missingBlobs: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

const manifestName = 'manifest.json';
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** The session prints values in one way, whatever the server's settings are. */
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
  /** Made when missing; the same folder again copies only what is new. */
  folder: string;
  siteVersion: string;
  now: Date;
};

export type BackupSummary = {
  tables: number;
  rows: number;
  blobs: number;
  blobBytes: number;
  /** Of the blobs, those that were not in the folder before. */
  copiedBlobs: number;
  missingBlobs: string[];
};

/**
 * Writes a consistent copy of the database and of every file, while the site runs or not. The tables are of one
 * snapshot; files are never changed once a row names them, so they are copied after it. The folder's manifest is
 * replaced last and at once: broken off anywhere, the folder still holds the backup it held before.
 * @throws BackupError
 */
export async function createBackup({ url, blobs, folder, siteVersion, now }: BackupOptions): Promise<BackupSummary> {
  const earlier = await openFolder(folder);
  const tablesFolder = `tables-${now.toISOString().replace(/[^0-9]/g, '')}-${process.pid}`;
  await mkdir(join(folder, tablesFolder), { mode: 0o700 });
  try {
    const { references, ...snapshot } = await copyTables(url, join(folder, tablesFolder));
    const { kept, copied } = await copyBlobs(blobs, folder, earlier);
    const there = new Set(kept.map(({ key }) => key));
    const missingBlobs = references.map(({ key }) => key).filter((key) => !there.has(key));
    const manifest = BackupManifest.parse({
      format: 1,
      createdAt: now.toISOString(),
      siteVersion,
      tablesFolder,
      ...snapshot,
      blobs: kept,
      missingBlobs,
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

/** @returns the manifest of the backup that is in the folder already */
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
  // A damaged manifest vouches for nothing: everything is then copied, or read, again.
  return readManifest(folder).catch((error: unknown) => {
    if (error instanceof BackupError) return undefined;
    throw error;
  });
}

async function copyTables(url: string, folder: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'sotto backup', keepAlive: true });
  client.on('error', () => undefined); // A connection that breaks fails its query as well.
  await client.connect();
  try {
    await client.query(plainSession);
    await client.query('begin isolation level repeatable read read only');
    const { rows: found } = await client.query<{ name: string; columns: string[] }>(
      // Extensions bring their own tables back; generated columns make themselves.
      `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
       group by c.oid, c.relname order by c.relname collate "C"`,
    );
    const tables: BackupManifest['tables'] = [];
    for (const { name, columns } of found) {
      const source = client.query(
        copyTo(`copy (select ${columns.map(quote).join(', ')} from only public.${quote(name)}) to stdout`),
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
      // A sequence without a last value has not been used: the migration makes it so.
      sequences: sequences.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
      migrations,
      references,
    };
  } finally {
    await client.end();
  }
}

/** @returns what was written; a row of COPY's text format is a line */
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
    const there = await stat(path).catch(absent);
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
      // Deleted from the site since it was listed: then no row of a later snapshot names it.
      if ((await blobs.stat(key)) !== undefined) throw error;
    }
  }
  for (const path of new Set(kept.map(({ key }) => dirname(join(folder, 'blobs', key))))) await syncFolder(path);
  return { kept, copied };
}

async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const unfinished = join(folder, `${manifestName}.new-${process.pid}`);
  await pipeline(
    Readable.from([`${JSON.stringify({ checksum: checksumOf(manifest), ...manifest }, undefined, 1)}\n`]),
    createWriteStream(unfinished, { mode: 0o600, flush: true }),
  );
  await rename(unfinished, join(folder, manifestName));
  await syncFolder(folder);
}

/** @param manifest as parsed, since its fields then stand in one order */
function checksumOf(manifest: BackupManifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}

/**
 * What the new manifest no longer names: the tables of the backup before, files that the site has deleted since (with
 * whatever of a person was in them), and what was broken off a day ago or more.
 */
async function removeOutdated(
  folder: string,
  manifest: BackupManifest,
  earlier: BackupManifest | undefined,
): Promise<void> {
  const oldest = Date.now() - abandonedAfterMs;
  const isAbandoned = async (path: string) => ((await stat(path).catch(absent))?.mtimeMs ?? Date.now()) < oldest;
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
      await rmdir(dirname(path)).catch(() => undefined); // Only when it is empty now.
    }
  }
}

/** @throws BackupError when the folder holds no finished backup of a kind this version reads */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(absent);
  if (text === undefined) throw new BackupError(`${folder} holds no finished backup: there is no ${manifestName}`);
  let content: { checksum?: unknown; format?: unknown };
  try {
    content = JSON.parse(text) as typeof content;
  } catch {
    throw new BackupError(`the backup is damaged: ${manifestName} cannot be read`);
  }
  if (typeof content.format === 'number' && content.format > 1)
    throw new BackupError('this backup was made by a newer Sotto; update this one');
  const parsed = BackupManifest.safeParse(content);
  if (!parsed.success || checksumOf(parsed.data) !== content.checksum)
    throw new BackupError(`the backup is damaged: ${manifestName} is not as it was written`);
  return parsed.data;
}

/**
 * Reads every file of a backup and compares it with what was written.
 * @throws BackupError naming the first that differs
 */
export async function verifyBackup(folder: string, manifest: BackupManifest): Promise<void> {
  for (const { name, bytes, sha256 } of manifest.tables)
    await verifyFile(folder, `${manifest.tablesFolder}/${name}.copy`, bytes, sha256);
  for (const { key, bytes, sha256 } of manifest.blobs) await verifyFile(folder, `blobs/${key}`, bytes, sha256);
}

async function verifyFile(folder: string, path: string, bytes: number, sha256: string): Promise<void> {
  const found = await stat(join(folder, path)).catch(absent);
  if (found === undefined) throw new BackupError(`the backup is damaged: ${path} is missing`);
  if (found.size !== bytes || (await hashFile(join(folder, path))) !== sha256)
    throw new BackupError(`the backup is damaged: ${path} is not as it was written`);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file systems journal names by themselves.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
