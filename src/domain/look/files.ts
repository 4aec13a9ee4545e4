import { createHash } from 'node:crypto';
import { and, lt, not, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { siteSettings } from '../settings/tables.ts';
import { type FileTools, storeFile } from '../stored-files.ts';
import { lookFiles } from './tables.ts';

export type LookFileType = 'svg' | 'png' | 'webp' | 'jpg';

export const lookFileMimes: Record<LookFileType, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

/** Long enough for an uploaded picture whose change is still being saved. */
const keptMs = 24 * 60 * 60 * 1000;

export function keyOf(content: Uint8Array, type: string): string {
  return `look/${createHash('sha256').update(content).digest('hex')}.${type}`;
}

/** Stores a picture of the look under its content hash. @returns its key */
export async function keepLookFile({ db, blobs }: FileTools, content: Uint8Array, type: LookFileType): Promise<string> {
  const key = keyOf(content, type);
  await storeFile({ db, blobs }, { key, bytes: content.byteLength }, () => blobs.write(key, content));
  await db
    .insert(lookFiles)
    .values({ fileKey: key, bytes: content.byteLength })
    .onConflictDoUpdate({ target: lookFiles.fileKey, set: { createdAt: sql`now()` } });
  return key;
}

/** Deletes pictures that no setting names any more, after a day. @returns the number of pictures */
export async function purgeLookFiles(db: Db, now = new Date()): Promise<number> {
  const isNamed = sql`exists (select from ${siteSettings} where strpos(${siteSettings.value}::text, ${lookFiles.fileKey}) > 0)`;
  const { rowCount } = await db
    .delete(lookFiles)
    .where(and(lt(lookFiles.createdAt, new Date(now.getTime() - keptMs)), not(isNamed)));
  return rowCount ?? 0;
}
