import { and, eq, sql } from 'drizzle-orm';
import type { Blobs, SoundEngine } from '../../gateways.ts';
import type { Db } from '../../kernel/db.ts';
import { storeFile } from '../../stored-files.ts';
import { clips } from './tables.ts';

export type ClipTools = { db: Db; blobs: Blobs; engine: SoundEngine };

/** Then it fails, so that a recording that always ends its program is not tried for ever. */
const maxAttempts = 3;

const isWaiting = (id: string) => and(eq(clips.id, id), eq(clips.state, 'waiting'));

/** Cuts a clip out of its recording. May be killed and repeated at any moment. */
export async function makeClip({ db, blobs, engine }: ClipTools, id: string, signal?: AbortSignal): Promise<void> {
  const [clip] = await db
    .update(clips)
    .set({ attempts: sql`${clips.attempts} + 1` })
    .where(isWaiting(id))
    .returning();
  if (clip === undefined) return;
  const end = (to: Partial<typeof clips.$inferInsert>) => db.update(clips).set(to).where(isWaiting(id));
  const { recording, startMs, endMs, attempts } = clip;
  if (attempts > maxAttempts || (await blobs.stat(recording)) === undefined)
    return void (await end({ state: 'failed' }));
  const part = { start: startMs / 1000, seconds: (endMs - startMs) / 1000 };
  const made = await engine.clip({ key: recording }, part, { signal }, async ({ path, bytes, sha256, extension }) => {
    const key = `audio/${sha256.slice(0, 20)}${extension}`;
    await storeFile({ db, blobs }, { key, bytes }, () => blobs.importFile(key, path));
    return { fileKey: key, fileBytes: bytes };
  });
  if (made.ok) await end({ state: 'ready', ...made.result });
  // The job is tried again.
  else if (made.reason === 'killed') throw new Error(`a clip ${made.detail}`);
  // Waits for the operator, as uploads do.
  else if (made.reason === 'engine-missing') await end({ attempts: 0 });
  else await end({ state: 'failed' });
}
