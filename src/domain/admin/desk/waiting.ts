import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isFirst, isWaitingNotice } from './queue.ts';
import { countHeldComments } from './held-comments.ts';
import { countReviews } from './reviews.ts';

/**
 * Counts of the desk, by tab. A further tab has its count here and its line in `web/admin/desk/desk-tabs.ts`; the side
 * bar adds them up.
 */
export async function countWaiting(db: Db) {
  const [{ rows }, audios, comments] = await Promise.all([
    db.execute<{ notices: number; appeals: number }>(sql`
      select (select count(*)::int from notices n where ${isWaitingNotice} and ${isFirst}) as notices,
        (select count(*)::int from notice_appeals where settled_at is null) as appeals`),
    countReviews(db),
    countHeldComments(db),
  ]);
  const { notices = 0, appeals = 0 } = rows[0] ?? {};
  return { notices, review: audios + comments, appeals };
}
export type DeskWaiting = Awaited<ReturnType<typeof countWaiting>>;
