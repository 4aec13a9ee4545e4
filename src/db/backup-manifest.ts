import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { isBlobKey } from '#gateways/disk-blobs.ts';
import { hashFile, syncFolder } from '#gateways/local-files.ts';

/** A backup failure that an operator can act on; the message is one line. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.number().int().min(0);
/** Names are used in paths and SQL, so they are restricted. */
const Name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const BlobKey = z.string().refine(isBlobKey);

const BackedFile = z.object({ key: BlobKey, bytes: Count, sha256: Sha256 });
export type BackedFile = z.infer<typeof BackedFile>;

const head = {
  createdAt: z.iso.datetime(),
  siteVersion: z.string(),
  /** Name of the folder with one COPY text file for each table. */
  tablesFolder: z.string().regex(/^tables-[0-9a-z-]+$/),
  migrations: z.array(z.object({ when: z.number().int(), hash: Sha256 })),
  tables: z.array(z.object({ name: Name, columns: z.array(Name), rows: Count, bytes: Count, sha256: Sha256 })),
  sequences: z.array(z.object({ name: Name, value: z.string().regex(/^-?\d+$/) })),
};
const tail = {
  /** Named by rows but missing from the storage; from format 3 on the first ones. */
  missingBlobs: z.array(z.string()),
  /** The generated secret of the site, in the tables' folder; absent when the site gets it from SECRET. */
  secret: z.object({ bytes: Count, sha256: Sha256 }).optional(),
};
/** Before format 3 all files were in the manifest itself, which ends at the longest string of JavaScript. */
const FormerManifest = z.object({
  format: z.literal([1, 2]),
  // The order of the fields is that of its checksum.
  ...head,
  blobs: z.array(BackedFile),
  ...tail,
});
export const BackupManifest = z.object({
  format: z.literal(3),
  ...head,
  ...tail,
  /** Files and their bytes; size and hash of the list of them in the tables' folder. */
  files: z.object({ count: Count, bytes: Count, list: z.object({ bytes: Count, sha256: Sha256 }) }),
});
/** As `readManifest` returns it; `blobs` only of a former format. */
export type BackupManifest = Omit<z.infer<typeof BackupManifest>, 'format' | 'files'> & {
  files: { count: number; bytes: number; list?: { bytes: number; sha256: string } };
  blobs?: BackedFile[];
};

export const manifestName = 'manifest.json';

/** Path of the secret in the backup's folder. */
export function secretIn({ tablesFolder }: Pick<BackupManifest, 'tablesFolder'>): string {
  return `${tablesFolder}/secret`;
}

/** Path of the list of files in the backup's folder. */
export function listIn({ tablesFolder }: Pick<BackupManifest, 'tablesFolder'>): string {
  return `${tablesFolder}/files`;
}

/** Lines for the list, each file in one; in parts that are written at once. */
export async function* listLines(files: AsyncIterable<BackedFile>): AsyncGenerator<string> {
  let lines = '';
  for await (const { key, bytes, sha256 } of files) {
    lines += `${sha256} ${bytes} ${key}\n`;
    if (lines.length < 65_536) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

/** The files of a backup in the order of their keys, however many there are. @throws BackupError for a damaged list */
export async function* readFiles(folder: string, manifest: BackupManifest): AsyncGenerator<BackedFile> {
  if (manifest.blobs !== undefined) {
    yield* manifest.blobs.toSorted((one, other) => (one.key < other.key ? -1 : 1));
    return;
  }
  const source = createReadStream(join(folder, listIn(manifest)), { highWaterMark: 1 << 18 });
  for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
    const [, sha256 = '', bytes, key = ''] = /^([0-9a-f]{64}) (\d+) (\S+)$/.exec(line) ?? [];
    if (!isBlobKey(key)) throw new BackupError(`the backup is damaged: ${listIn(manifest)} cannot be read`);
    yield { key, bytes: Number(bytes), sha256 };
  }
}

export async function writeManifest(folder: string, manifest: z.infer<typeof BackupManifest>): Promise<void> {
  const unfinished = join(folder, `${manifestName}.new-${process.pid}`);
  await pipeline(
    Readable.from([`${JSON.stringify({ checksum: checksumOf(manifest), ...manifest }, undefined, 1)}\n`]),
    createWriteStream(unfinished, { mode: 0o600, flush: true }),
  );
  await rename(unfinished, join(folder, manifestName));
  await syncFolder(folder);
}

/** @throws BackupError when the folder has no complete backup in a format that this version reads */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(undefinedIfMissing);
  if (text === undefined) throw new BackupError(`${folder} holds no finished backup: there is no ${manifestName}`);
  let content: { checksum?: unknown; format?: unknown };
  try {
    content = JSON.parse(text) as typeof content;
  } catch {
    throw new BackupError(`the backup is damaged: ${manifestName} cannot be read`);
  }
  if (typeof content.format === 'number' && content.format > 3)
    throw new BackupError('this backup was made by a newer Sotto; update this one');
  const parsed = z.union([BackupManifest, FormerManifest]).safeParse(content);
  if (!parsed.success || checksumOf(parsed.data) !== content.checksum)
    throw new BackupError(`the backup is damaged: ${manifestName} was modified`);
  const { data } = parsed;
  if (data.format === 3) return data;
  return { ...data, files: { count: data.blobs.length, bytes: data.blobs.reduce((sum, { bytes }) => sum + bytes, 0) } };
}

/** @param manifest parsed, which fixes the order of its fields */
function checksumOf(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}

/**
 * Reads every file of a backup and compares it with the manifest.
 * @throws BackupError naming the first different file
 */
export async function verifyBackup(folder: string, manifest: BackupManifest): Promise<void> {
  for (const { name, bytes, sha256 } of manifest.tables)
    await verifyFile(folder, `${manifest.tablesFolder}/${name}.copy`, bytes, sha256);
  const { secret } = manifest;
  if (secret !== undefined) await verifyFile(folder, secretIn(manifest), secret.bytes, secret.sha256);
  await verifyList(folder, manifest);
  for await (const { key, bytes, sha256 } of readFiles(folder, manifest))
    await verifyFile(folder, `blobs/${key}`, bytes, sha256);
}

/** @throws BackupError for a changed list of files */
export async function verifyList(folder: string, manifest: BackupManifest): Promise<void> {
  const { list } = manifest.files;
  if (list !== undefined) await verifyFile(folder, listIn(manifest), list.bytes, list.sha256);
}

async function verifyFile(folder: string, path: string, bytes: number, sha256: string): Promise<void> {
  const file = await stat(join(folder, path)).catch(undefinedIfMissing);
  if (file === undefined) throw new BackupError(`the backup is damaged: ${path} is missing`);
  if (file.size !== bytes || (await hashFile(join(folder, path))) !== sha256)
    throw new BackupError(`the backup is damaged: ${path} was modified`);
}

/** Returns undefined for a missing file. @throws any other error */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
