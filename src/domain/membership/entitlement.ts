import { type AnyColumn, type SQL, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { addMonths } from '../kernel/calendar/months.ts';
import { defaultGraceDays } from './rules.ts';
import { memberships } from './tables.ts';

/** The setting, as PostgreSQL reads it: once for a query, and only for a row that needs it. */
export const graceDaysSql = sql<number>`coalesce((select (value ->> 'graceDays')::int from site_settings where key = 'membership'), ${sql.raw(String(defaultGraceDays))})`;

/** Whether a subscription that its provider calls free, as `s`, is paused. */
const isPaused = sql`exists (select from pauses p where p.subscription_id = s.subscription_id and p.applied_at is not null
  and p.from_at <= now() and p.until_at > now() and p.ended_at is null)`;

/** Whether the subscription of the user of that row is paused now, as a query column. */
export function isPausedSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`(exists (select from subscriptions s where s.user_id = ${userId} and s.status = 'trialing' and ${isPaused}))`;
}

/** Whether the charge that should have ended a pause of a subscription, as `s`, before its time has failed. */
const isUnpaidAfterPause = sql`exists (select from pauses p where p.subscription_id = s.subscription_id
  and p.ending_at >= p.from_at and s.unpaid_since < p.ending_at + interval '1 day')`;

/** When a subscription that its provider calls free, as `s`, is paused, or will be; null when it will not. */
export const pausedFromSql = sql`(select min(p.from_at) from pauses p where p.subscription_id = s.subscription_id
  and p.applied_at is not null and p.until_at > now() and p.ended_at is null)`;

/**
 * Whether the user of that row may hear everything, as a query column (product.md, "Who may hear what"). The only
 * definition; read with the session and never cached, so that a change applies with the next request.
 */
export function isSubscribedSql(userId: AnyColumn | SQL): SQL<boolean> {
  const isPaidFor = sql`s.status = 'active' or (s.status = 'trialing' and not ${isPaused})
    or (s.status = 'past-due' and s.unpaid_since > now() - make_interval(days => ${graceDaysSql}) and not ${isUnpaidAfterPause})`;
  return sql<boolean>`(exists (select from memberships m where m.user_id = ${userId} and m.gift_until > now())
    or exists (select from subscriptions s where s.user_id = ${userId} and (s.ends_at is null or s.ends_at > now()) and (${isPaidFor})))`;
}

/** Whether the user of that row has a subscription that has not ended, as a query column; gift time is none. */
export function hasSubscriptionSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`(exists (select from subscriptions s where s.user_id = ${userId}
    and s.status in ('trialing', 'active', 'past-due') and (s.ends_at is null or s.ends_at > now())))`;
}

/** Whether the last charge of the user of that row failed, or the subscription is paused now, as a query column. */
export function holdSql(userId: AnyColumn): SQL<'past-due' | 'paused' | null> {
  return sql`(select case when s.status = 'past-due' then 'past-due' when s.status = 'trialing' and ${isPaused} then 'paused' end
    from subscriptions s where s.user_id = ${userId})`;
}

/** Since when that holds, as a query column; what it says of a user without a hold means nothing. */
export function holdSinceSql(userId: AnyColumn): SQL<string | null> {
  return sql`(select coalesce(s.unpaid_since,
    (select max(p.from_at) from pauses p where p.subscription_id = s.subscription_id and p.from_at <= now()))
    from subscriptions s where s.user_id = ${userId})`;
}

/** When that access ends, as a query column; null for users without access. @param latest also when no end is known */
export function entitledUntilSql(userId: AnyColumn, latest: SQL): SQL<string | null> {
  const paidUntil = sql`case s.status
    when 'past-due' then case when ${isUnpaidAfterPause} then s.unpaid_since else s.unpaid_since + make_interval(days => ${graceDaysSql}) end
    when 'trialing' then coalesce(${pausedFromSql}, 'infinity') else 'infinity' end`;
  return sql`case when ${isSubscribedSql(userId)} then least(${latest}, greatest(
    (select m.gift_until from memberships m where m.user_id = ${userId}),
    (select least(s.ends_at, ${paidUntil}) from subscriptions s where s.user_id = ${userId} and s.status in ('trialing', 'active', 'past-due')))) end`;
}

/**
 * Whether the user of that row hears by a free trial, as a query column. After a first payment or a pause, and with months
 * of a gift card or of an operator ahead, the provider's `trialing` only means that the next charge was moved.
 */
export function isInTrialSql(userId: AnyColumn): SQL<boolean> {
  return sql<boolean>`(exists (select from subscriptions s where s.user_id = ${userId} and s.status = 'trialing')
    and not exists (select from memberships m where m.user_id = ${userId} and m.gift_until > now())
    and not exists (select from invoices i where i.user_id = ${userId} and i.amount_paid > 0)
    and not exists (select from pauses p where p.user_id = ${userId} and p.applied_at is not null)
    and not exists (select from gift_cards g where g.redeemed_by = ${userId} and g.charge_until > now())
    and not exists (select from given_months n where n.user_id = ${userId} and n.charge_until > now() and n.taken_back_at is null))`;
}

/**
 * Adds free time to the user's gift time (product.md, "Paying").
 * @param paidUntil end of the paid time of a subscription; the free time starts after it
 * @returns the time that was added
 */
export async function addGiftTime(
  db: Db,
  userId: string,
  months: number,
  paidUntil = new Date(0),
): Promise<{ from: Date; until: Date }> {
  return db.transaction(async (tx) => {
    await tx.insert(memberships).values({ userId }).onConflictDoNothing();
    const isUser = eq(memberships.userId, userId);
    const [row] = await tx
      .select({ giftUntil: memberships.giftUntil })
      .from(memberships)
      .where(isUser)
      .for('no key update');
    const from = new Date(Math.max(Date.now(), paidUntil.getTime(), row?.giftUntil?.getTime() ?? 0));
    const until = addMonths(from, months);
    await tx.update(memberships).set({ giftUntil: until }).where(isUser);
    return { from, until };
  });
}

/** As `addGiftTime`. @returns when the free time ends */
export async function giveMonths(db: Db, userId: string, months: number): Promise<Date> {
  return (await addGiftTime(db, userId, months)).until;
}

export async function findGiftUntil(db: Db, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ giftUntil: memberships.giftUntil })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  return row?.giftUntil ?? null;
}

/** The provider is not asked again for a day. */
export async function noteRefusedCharge(db: Db, userId: string): Promise<void> {
  await db
    .update(memberships)
    .set({ chargeRefusedAt: sql`now()` })
    .where(eq(memberships.userId, userId));
}
