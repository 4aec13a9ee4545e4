import type { AnyColumn, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { memberships } from './tables.ts';

/** Whether the user of that row may hear everything, as a column of a query. */
export function isSubscribedSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`exists (select from memberships m where m.user_id = ${userId} and m.gift_until > now())`;
}

/**
 * Adds time without charge to what is there already (product.md, "Paying").
 * @returns when it ends
 */
export async function giveMonths(db: Db, userId: string, months: number): Promise<Date> {
  const after = (start: SQL) => sql`${start} + make_interval(months => ${months})`;
  const [row] = await db
    .insert(memberships)
    .values({ userId, giftUntil: after(sql`now()`) })
    .onConflictDoUpdate({
      target: memberships.userId,
      set: { giftUntil: after(sql`greatest(now(), coalesce(memberships.gift_until, now()))`) },
    })
    .returning({ giftUntil: memberships.giftUntil });
  if (!row?.giftUntil) throw new Error('the gift was not written');
  return row.giftUntil;
}
