import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { type NeededReview, findNeededReview, wasCleared, wasPublic } from '../review/needs-review.ts';
import { findOpenReview, sendForReview } from '../review/reviews.ts';
import { findReviewMode } from '../review/settings.ts';
import { audios } from '../tables.ts';
import { findMissingFacets } from '../facets/tags-of-audios.ts';
import { type ChainGap, findChainGap } from './chain.ts';

/** Keeps an audio from becoming public. */
export type Obstacle =
  | { reason: 'in-review'; review: NeededReview }
  | { reason: 'incomplete-chain'; gap: ChainGap }
  /** Names of required facets of which it has no tag. */
  | { reason: 'missing-facet'; facets: string[] };

/** @returns undefined when this audio may be public */
type Condition = (tx: Db, audioId: string) => Promise<Obstacle | undefined>;

/** Asked of what is published for the first time alone: an Undo, a restoration or a review brings the rest back as it was. */
const hasRequiredFacets: Condition = async (tx, audioId) => {
  if ((await tx.$count(audios, sql`${audios.id} = ${audioId} and ${wasPublic('audios')}`)) > 0) return undefined;
  const facets = await findMissingFacets(tx, audioId);
  return facets.length > 0 ? { reason: 'missing-facet', facets } : undefined;
};

/**
 * Conditions of publication, in the order in which they are told. A new one is a function in this list, with its reason
 * in `Obstacle`. `changeAudio` refuses every act that publishes (publish, schedule, restore, acts on many, imports,
 * Undo) with that reason, which needs its code in `publishingRefusals`; audios that need a review wait for it instead.
 * When an audio that may be public loses its condition, call `holdBack`; when it has it again, `publishAudio`.
 * `test/publication-gate.test.ts` tries every way.
 */
const conditions: readonly Condition[] = [
  async (tx, audioId) => {
    const gap = await findChainGap(tx, audioId);
    return gap && { reason: 'incomplete-chain', gap };
  },
  hasRequiredFacets,
  async (tx, audioId) => {
    const review = await findNeededReview(tx, audioId);
    return review && { reason: 'in-review', review };
  },
];

/** The one decision whether an audio may become public, or stay so. Within the transaction that locks it. */
export async function findObstacle(tx: Db, audioId: string, asked = conditions): Promise<Obstacle | undefined> {
  for (const condition of asked) {
    const obstacle = await condition(tx, audioId);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

const lastTime = sql`coalesce(${audios.publishedAt}, ${audios.publishedWhileHidden}, ${audios.publishedAtDeletion})`;

/** Columns of an audio that listeners do not see, with the date that publishing restores. */
export const heldBack = {
  publishedAt: null,
  publishedWhileHidden: null,
  publishedAtDeletion: null,
  firstPublishedAt: sql`coalesce(${audios.firstPublishedAt},
    case when ${lastTime} <= coalesce(${audios.deletedAt}, now()) then ${lastTime} end)`,
};

/**
 * Hides a locked audio that is public or scheduled while an obstacle keeps it from being so, and sends it for review if
 * that is what it needs.
 * @param by id of the user whose change it was. @returns the obstacle, if there is one
 */
export async function holdBack(tx: Db, audioId: string, by: string | null): Promise<Obstacle | undefined> {
  const [audio] = await tx
    .select({
      at: sql<Date | null>`coalesce(${audios.publishedAt}, ${audios.publishedWhileHidden})`.mapWith(audios.publishedAt),
    })
    .from(audios)
    .where(eq(audios.id, audioId));
  if (audio === undefined || audio.at === null) return undefined;
  const obstacle = await findObstacle(
    tx,
    audioId,
    conditions.filter((one) => one !== hasRequiredFacets),
  );
  if (obstacle === undefined) return undefined;
  if (obstacle.reason === 'in-review')
    await sendForReview(tx, audioId, { ...obstacle.review, by, publishAt: laterThanNow(audio.at) });
  await tx.update(audios).set(heldBack).where(eq(audios.id, audioId));
  return obstacle;
}

/** Null for a time that has come. */
export function laterThanNow(at: Date): Date | null {
  return at > new Date() ? at : null;
}

/** For a locked audio whose sound was replaced: listeners hear it after a review, and a review that waits starts again. */
export async function noteNewSound(tx: Db, audioId: string, by: string | null): Promise<void> {
  const open = await findOpenReview(tx, audioId);
  if ((await findReviewMode(tx)) !== 'off')
    await tx
      .update(audios)
      .set({ hasNewSound: true })
      .where(sql`${audios.id} = ${audioId} and ${wasCleared('audios')}`);
  if (open === undefined) await holdBack(tx, audioId, by);
  else await sendForReview(tx, audioId, { cause: open.cause, nth: open.nth, by, publishAt: open.publishAt });
}
