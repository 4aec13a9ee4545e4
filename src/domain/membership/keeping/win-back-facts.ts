import { type AnyColumn, type SQL, and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isSubscribedSql } from '../entitlement.ts';
import type { CustomerFacts } from '../payment-provider.ts';
import { currentOf } from '../sync/current.ts';
import { winBacks } from './win-back-tables.ts';

/**
 * Whether the user of that row gets emails about news, has no access and nothing against the site, as a query column:
 * never after a chargeback, a suspension, or a request to delete the account. @param userId not of a table named `s`, as subqueries are
 */
export function mayBeWonBackSql(userId: AnyColumn | SQL): SQL {
  return sql`(exists (select from users u join notification_preferences p on p.user_id = u.id
      where u.id = ${userId} and u.email is not null and u.suspended_at is null and p.email <> 'off')
    and not exists (select from account_deletions d where d.user_id = ${userId})
    and not exists (select from invoices i where i.user_id = ${userId} and i.is_disputed)
    and not ${isSubscribedSql(userId)})`;
}

/** @returns undefined when the receiver must not be written to any more, or has come back */
export async function findWinBack(db: Db, id: string) {
  const [row] = await db
    .select()
    .from(winBacks)
    .where(
      and(
        eq(winBacks.id, id),
        isNull(winBacks.usedAt),
        gt(winBacks.expiresAt, sql`now()`),
        mayBeWonBackSql(winBacks.userId),
      ),
    );
  return row;
}

/** Notes with each sync whether the user came back with their code. */
export async function noteUsedWinBack(db: Db, userId: string, facts: CustomerFacts): Promise<void> {
  const ids = facts.invoices.flatMap(({ promoCodeIds }) => promoCodeIds);
  const code = currentOf(facts)?.discount?.code;
  if (ids.length === 0 && !code) return;
  await db
    .update(winBacks)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(winBacks.userId, userId),
        isNull(winBacks.usedAt),
        or(ids.length > 0 ? inArray(winBacks.promoCodeId, ids) : undefined, code ? eq(winBacks.code, code) : undefined),
      ),
    );
}

export type WinBackFigures = { sent: number; used: number };

export async function countWinBacks(db: Db): Promise<WinBackFigures> {
  const [row] = await db
    .select({ sent: sql<number>`count(*)::int`, used: sql<number>`count(${winBacks.usedAt})::int` })
    .from(winBacks)
    .where(eq(winBacks.state, 'made'));
  return row ?? { sent: 0, used: 0 };
}
