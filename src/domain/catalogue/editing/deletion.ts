import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { purgeInTransactions } from '../../kernel/purge.ts';
import type { AudioState } from './publishing.ts';
import { findAudioState, publishedNow } from './publishing.ts';
import { audios } from '../tables.ts';

/** How long a deletion can be undone (product.md, "Drafts"). */
export const restorableDays = 30;
export const restorableSince = sql`now() - make_interval(days => ${restorableDays})`;
/** Per transaction. */
const batchSize = 100;

export type DeletionResult =
  | { ok: true; audio: AudioState; changed: boolean }
  | { ok: false; reason: 'not-found' | 'is-preview' };

/** Hides an audio from everybody; its row, counts and files stay until `purgeDeletedAudios`. */
export async function deleteAudio(
  db: Db,
  idOrSlug: string,
  { evenPreview = false }: { evenPreview?: boolean } = {},
): Promise<DeletionResult> {
  return change(db, idOrSlug, async (tx, audio) => {
    if (audio.state === 'deleted') return false;
    if (audio.isPreview && audio.state === 'published' && !evenPreview) return 'is-preview';
    await tx
      .update(audios)
      .set({ deletedAt: publishedNow, publishedAtDeletion: sql`${audios.publishedAt}`, publishedAt: null })
      .where(eq(audios.id, audio.id));
    return true;
  });
}

/** Restores an audio: published since the same day, or a draft. Within a transaction that holds the voice, as publishing. */
export async function restoreAudio(db: Db, idOrSlug: string): Promise<DeletionResult> {
  const restore = async (tx: Db, audio: AudioState) => {
    if (audio.state !== 'deleted') return false;
    const { rowCount } = await tx
      .update(audios)
      .set({ deletedAt: null, publishedAtDeletion: null, publishedAt: sql`${audios.publishedAtDeletion}` })
      .where(and(eq(audios.id, audio.id), gt(audios.deletedAt, restorableSince)));
    return rowCount === 1 ? true : 'not-found';
  };
  return change(db, idOrSlug, restore);
}

/** @param act returns whether it changed anything, or the reason why it cannot */
async function change(
  db: Db,
  idOrSlug: string,
  act: (tx: Db, audio: AudioState) => Promise<boolean | 'not-found' | 'is-preview'>,
): Promise<DeletionResult> {
  return db.transaction(async (tx) => {
    const found = await findAudioState(tx, idOrSlug, { evenDeleted: true });
    if (found === undefined) return { ok: false, reason: 'not-found' };
    await tx.execute(sql`select from audios where id = ${found.id} for no key update`);
    const audio = await findAudioState(tx, found.id, { evenDeleted: true });
    if (audio === undefined) return { ok: false, reason: 'not-found' };
    const outcome = await act(tx, audio);
    if (typeof outcome === 'string') return { ok: false, reason: outcome };
    const now = await findAudioState(tx, audio.id, { evenDeleted: true });
    return { ok: true, audio: now ?? audio, changed: outcome };
  });
}

/** Purges audios that were deleted 30 or more days ago; nothing names their files any more. @returns the number of audios */
export async function purgeDeletedAudios(db: Db, signal?: AbortSignal): Promise<number> {
  return purgeInTransactions(db, batchSize, purgeBatch, signal);
}

async function purgeBatch(tx: Db): Promise<number> {
  const due = tx
    .select({ id: audios.id })
    .from(audios)
    .where(lt(audios.deletedAt, restorableSince))
    .limit(batchSize)
    .for('update', { skipLocked: true });
  const { rowCount } = await tx.delete(audios).where(inArray(audios.id, due));
  return rowCount ?? 0;
}
