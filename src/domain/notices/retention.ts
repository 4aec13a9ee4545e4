import { and, inArray, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeInTransactions } from '../kernel/purge.ts';
import { contactMonths, networkDays } from './rules.ts';
import { notices } from './tables.ts';

const batchSize = 500;

/**
 * Removes name and email of reporters `contactMonths` after the last decision, when no appeal waits and no mail is due,
 * and the marks of networks after `networkDays`. Number, kind, times and outcome stay for the figures.
 */
export async function forgetReporters(db: Db, signal?: AbortSignal): Promise<number> {
  await db
    .update(notices)
    .set({ network: null })
    .where(and(isNotNull(notices.network), lt(notices.createdAt, sql`now() - make_interval(days => ${networkDays})`)));
  const isOver = sql`${notices.settledAt} < now() - make_interval(months => ${contactMonths})
    and not exists (select from notice_decisions d where d.notice_id = ${notices.id} and d.undone_at is null
      and (d.follow_up_at is not null or d.created_at >= now() - make_interval(months => ${contactMonths})))
    and not exists (select from notice_appeals p where p.notice_id = ${notices.id} and p.settled_at is null)`;
  return purgeInTransactions(
    db,
    batchSize,
    async (tx) => {
      const due = tx
        .select({ id: notices.id })
        .from(notices)
        .where(and(or(isNotNull(notices.email), isNotNull(notices.name)), isOver))
        .limit(batchSize)
        .for('update', { skipLocked: true });
      // The digest is made of both, too.
      const gone = await tx
        .update(notices)
        .set({ name: null, email: null, digest: null })
        .where(inArray(notices.id, due));
      return gone.rowCount ?? 0;
    },
    signal,
  );
}
