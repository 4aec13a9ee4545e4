import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
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

export const BackupManifest = z.object({
  /** Version 2 may contain the secret. */
  format: z.literal([1, 2]),
  createdAt: z.iso.datetime(),
  siteVersion: z.string(),
  /** Name of the folder with one COPY text file for each table. */
  tablesFolder: z.string().regex(/^tables-[0-9a-z-]+$/),
  migrations: z.array(z.object({ when: z.number().int(), hash: Sha256 })),
  tables: z.array(z.object({ name: Name, columns: z.array(Name), rows: Count, bytes: Count, sha256: Sha256 })),
  sequences: z.array(z.object({ name: Name, value: z.string().regex(/^-?\d+$/) })),
  blobs: z.array(z.object({ key: BlobKey, bytes: Count, sha256: Sha256 })),
  /** Named by rows but missing from the blob store. */
  missingBlobs: z.array(z.string()),
  /** The generated secret of the site, in the tables' folder; absent when the site gets it from SECRET. */
  secret: z.object({ bytes: Count, sha256: Sha256 }).optional(),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export const manifestName = 'manifest.json';

/** Path of the secret in the backup's folder. */
export function secretIn({ tablesFolder }: Pick<BackupManifest, 'tablesFolder'>): string {
  return `${tablesFolder}/secret`;
}

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
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
  if (typeof content.format === 'number' && content.format > 2)
    throw new BackupError('this backup was made by a newer Sotto; update this one');
  const parsed = BackupManifest.safeParse(content);
  if (!parsed.success || checksumOf(parsed.data) !== content.checksum)
    throw new BackupError(`the backup is damaged: ${manifestName} was modified`);
  return parsed.data;
}

/** @param manifest parsed, which fixes the order of its fields */
function checksumOf(manifest: BackupManifest): string {
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
  for (const { key, bytes, sha256 } of manifest.blobs) await verifyFile(folder, `blobs/${key}`, bytes, sha256);
}

async function verifyFile(folder: string, path: string, bytes: number, sha256: string): Promise<void> {
  const found = await stat(join(folder, path)).catch(undefinedIfMissing);
  if (found === undefined) throw new BackupError(`the backup is damaged: ${path} is missing`);
  if (found.size !== bytes || (await hashFile(join(folder, path))) !== sha256)
    throw new BackupError(`the backup is damaged: ${path} was modified`);
}

/** Returns undefined for a missing file. @throws any other error */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
