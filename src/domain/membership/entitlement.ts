import type { AnyColumn, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { defaultGraceDays } from './rules.ts';
import { memberships } from './tables.ts';

/** The setting, as PostgreSQL reads it: once for a query, and only for a row that needs it. */
export const graceDaysSql = sql<number>`coalesce((select (value ->> 'graceDays')::int from site_settings where key = 'membership'), ${sql.raw(String(defaultGraceDays))})`;

/**
 * Whether the user of that row may hear everything, as a query column (product.md, "Who may hear what"). The only
 * definition; read with the session and never cached, so that a change applies with the next request.
 */
export function isSubscribedSql(userId: AnyColumn): SQL<boolean> {
  const isPaidFor = sql`s.status in ('trialing', 'active') or (s.status = 'past-due' and s.unpaid_since > now() - make_interval(days => ${graceDaysSql}))`;
  return sql<boolean>`(exists (select from memberships m where m.user_id = ${userId} and m.gift_until > now())
    or exists (select from subscriptions s where s.user_id = ${userId} and (s.ends_at is null or s.ends_at > now()) and (${isPaidFor})))`;
}

/** Whether the user of that row has a subscription that has not ended, as a query column; gift time is none. */
export function hasSubscriptionSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`(exists (select from subscriptions s where s.user_id = ${userId}
    and s.status in ('trialing', 'active', 'past-due') and (s.ends_at is null or s.ends_at > now())))`;
}

/** Whether the last charge of the user of that row failed, as a query column. */
export function isPastDueSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`(exists (select from subscriptions s where s.user_id = ${userId} and s.status = 'past-due'))`;
}

/** When that access ends, as a query column; null for users without access. @param latest also when no end is known */
export function entitledUntilSql(userId: AnyColumn, latest: SQL): SQL<string | null> {
  const paidUntil = sql`case when s.status = 'past-due' then s.unpaid_since + make_interval(days => ${graceDaysSql}) else 'infinity' end`;
  return sql`case when ${isSubscribedSql(userId)} then least(${latest}, greatest(
    (select m.gift_until from memberships m where m.user_id = ${userId}),
    (select least(s.ends_at, ${paidUntil}) from subscriptions s where s.user_id = ${userId} and s.status in ('trialing', 'active', 'past-due')))) end`;
}

/**
 * Whether the user of that row hears by a free trial, as a query column. After a first payment the provider's
 * `trialing` only means that the next charge was moved.
 */
export function isInTrialSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`(exists (select from subscriptions s where s.user_id = ${userId} and s.status = 'trialing')
    and not exists (select from memberships m where m.user_id = ${userId} and m.gift_until > now())
    and not exists (select from invoices i where i.user_id = ${userId} and i.amount_paid > 0))`;
}

/**
 * Adds free time to the user's gift time (product.md, "Paying").
 * @param paidUntil end of the paid time of a subscription that does not renew; the free time starts after it
 * @returns when the free time ends
 */
export async function giveMonths(db: Db, userId: string, months: number, paidUntil = new Date(0)): Promise<Date> {
  const begin = sql`greatest(now(), ${paidUntil.toISOString()}::timestamptz)`;
  const after = (start: SQL) => sql`${start} + make_interval(months => ${months})`;
  const [row] = await db
    .insert(memberships)
    .values({ userId, giftUntil: after(begin) })
    .onConflictDoUpdate({
      target: memberships.userId,
      set: { giftUntil: after(sql`greatest(${begin}, memberships.gift_until)`) },
    })
    .returning({ giftUntil: memberships.giftUntil });
  if (!row?.giftUntil) throw new Error('the gift was not written');
  return row.giftUntil;
}
