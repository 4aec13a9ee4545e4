import { inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { purgeInTransactions } from '../../kernel/purge.ts';
import { type AudioDecision, type AudioState, type PublishingResult, changeAudio, publishedNow } from './publishing.ts';
import { audios } from '../tables.ts';

/** How long a deletion can be undone (product.md, "Drafts"). */
export const restorableDays = 30;
export const restorableSince = sql`now() - make_interval(days => ${restorableDays})`;
/** Per transaction. */
const batchSize = 100;

/** Hides an audio from everybody; its row, counts and files stay until `purgeDeletedAudios`. */
export function deleteAudio(
  db: Db,
  idOrSlug: string,
  { evenPreview = false }: { evenPreview?: boolean } = {},
): Promise<PublishingResult> {
  const decide = (audio: AudioState): AudioDecision => {
    if (audio.state === 'deleted') return undefined;
    if (audio.isPreview && audio.state === 'published' && !evenPreview) return 'is-preview';
    return { deletedAt: publishedNow, publishedAtDeletion: sql`${audios.publishedAt}`, publishedAt: null };
  };
  return changeAudio(db, idOrSlug, decide, { evenDeleted: true });
}

/** Restores an audio: published since the same day, or a draft. Within a transaction that holds the voice, as publishing. */
export function restoreAudio(
  db: Db,
  idOrSlug: string,
  { by = null }: { by?: string | null } = {},
): Promise<PublishingResult> {
  const decide = ({ deletedAt, publishedAtDeletion }: AudioState): AudioDecision => {
    if (deletedAt === null) return undefined;
    if (Date.parse(deletedAt) <= Date.now() - restorableDays * 86_400_000) return 'not-found';
    const publishedAt = publishedAtDeletion === null ? null : new Date(publishedAtDeletion);
    return { deletedAt: null, publishedAtDeletion: null, publishedAt };
  };
  return changeAudio(db, idOrSlug, decide, { evenDeleted: true, by });
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
