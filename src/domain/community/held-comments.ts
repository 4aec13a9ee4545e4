import { and, desc, eq, sql } from 'drizzle-orm';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isKept, isWaiting } from './comment-visibility.ts';
import { type HeldReason, heldDays, heldReasons } from './rules.ts';
import { comments } from './tables.ts';
import { isForDesk, isOfVoice } from './voice-comments.ts';

const atOnce = 1000;

/** How many of the newest comments wait for the creator, by reason; those at the desk are not theirs to show. */
export async function countHeldReasons(db: Db, voiceId: string): Promise<Record<HeldReason, number>> {
  const newest = db
    .select({ heldFor: sql<HeldReason>`coalesce(${comments.heldFor}, 'link')`.as('held_for') })
    .from(comments)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .where(and(isOfVoice(voiceId), isKept(), isWaiting(), sql`not ${isForDesk()}`))
    .orderBy(desc(comments.id))
    .limit(atOnce)
    .as('newest');
  const rows = await db
    .select({ heldFor: newest.heldFor, count: sql<number>`count(*)::int` })
    .from(newest)
    .groupBy(newest.heldFor);
  const counts = new Map(rows.map(({ heldFor, count }) => [heldFor, count]));
  return Object.fromEntries(heldReasons.map((reason) => [reason, counts.get(reason) ?? 0])) as Record<
    HeldReason,
    number
  >;
}

/** Comments that nobody of the voice has answered in time stay hidden; those at the desk wait on. @returns how many */
export async function settleHeldComments(db: Db, signal?: AbortSignal): Promise<number> {
  let settled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const isDue = and(
      comments.waitsForCreator,
      sql`${comments.hiddenAt} < now() - make_interval(days => ${heldDays})`,
      sql`not ${isForDesk()}`,
    );
    const { rowCount } = await db
      .update(comments)
      .set({ waitsForCreator: false })
      .where(
        and(
          sql`${comments.id} in (select id from comments where ${isDue} limit ${atOnce} for update skip locked)`,
          isDue,
        ),
      );
    settled += rowCount ?? 0;
    if ((rowCount ?? 0) < atOnce) return settled;
  }
}
