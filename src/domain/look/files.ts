import { createHash } from 'node:crypto';
import { and, lt, sql } from 'drizzle-orm';
import { holdBlobs, inStorageTurn, removeUnusedBlobs } from '../blob-columns.ts';
import type { Blobs } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';
import { siteSettings } from '../settings/tables.ts';
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
export async function keepLookFile(
  { db, blobs }: { db: Db; blobs: Blobs },
  content: Uint8Array,
  type: LookFileType,
): Promise<string> {
  const key = keyOf(content, type);
  const keep = async (tx: Db) => {
    await holdBlobs(tx);
    if ((await blobs.stat(key))?.bytes !== content.byteLength) await blobs.write(key, content);
    await tx
      .insert(lookFiles)
      .values({ fileKey: key, bytes: content.byteLength })
      .onConflictDoUpdate({ target: lookFiles.fileKey, set: { createdAt: sql`now()` } });
  };
  await inStorageTurn(() => db.transaction(keep));
  return key;
}

/** Deletes pictures that no setting names any more, after a day. @returns the number of pictures */
export async function purgeLookFiles({ db, blobs }: { db: Db; blobs: Blobs }, now = new Date()): Promise<number> {
  const gone = await db
    .delete(lookFiles)
    .where(
      and(
        lt(lookFiles.createdAt, new Date(now.getTime() - keptMs)),
        sql`not exists (select from ${siteSettings} where strpos(${siteSettings.value}::text, ${lookFiles.fileKey}) > 0)`,
      ),
    )
    .returning({ key: lookFiles.fileKey });
  await removeUnusedBlobs(
    db,
    blobs,
    gone.map(({ key }) => key),
  );
  return gone.length;
}
