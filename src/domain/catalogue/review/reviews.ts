import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { audios, reviews } from '../tables.ts';
import type { NeededReview } from './needs-review.ts';

export type Sent = NeededReview & {
  /** Id of the user; null: the command line. */
  by: string | null;
  /** Chosen time of publication; null: at once. */
  publishAt: Date | null;
};

const isOpen = (audioId: string) => and(eq(reviews.audioId, audioId), isNull(reviews.decision));

/** The review that waits for a decision. */
export async function findOpenReview(tx: Db, audioId: string) {
  const [open] = await tx.select().from(reviews).where(isOpen(audioId));
  return open;
}

/**
 * Sends a locked audio for review. One that waits already keeps its place, unless its sound is another.
 * @returns whether anything changed
 */
export async function sendForReview(tx: Db, audioId: string, { by, publishAt, cause, nth }: Sent): Promise<boolean> {
  const [audio] = await tx.select({ fileKey: audios.fileKey }).from(audios).where(eq(audios.id, audioId));
  if (audio === undefined) return false;
  const open = await findOpenReview(tx, audioId);
  if (open?.sound === audio.fileKey) {
    if (open.publishAt?.getTime() === publishAt?.getTime()) return false;
    await tx.update(reviews).set({ publishAt }).where(eq(reviews.id, open.id));
    return true;
  }
  if (open !== undefined) await withdrawReview(tx, audioId);
  await tx.insert(reviews).values({ id: newId(), audioId, cause, nth, sound: audio.fileKey, sentBy: by, publishAt });
  await tx.update(audios).set({ reviewState: 'waiting' }).where(eq(audios.id, audioId));
  return true;
}

/** Ends the review that waits, if there is one, without a decision about the audio. */
export async function withdrawReview(tx: Db, audioId: string): Promise<void> {
  await tx
    .update(reviews)
    .set({ decision: 'withdrawn', decidedAt: sql`now()` })
    .where(isOpen(audioId));
}
