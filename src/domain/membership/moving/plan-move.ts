import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { ProviderName } from '../capabilities.ts';
import { graceDaysSql, pausedFromSql } from '../entitlement.ts';
import { isAtProvider } from '../hosted/hosted-id.ts';
import { type PaymentProviders, findProvider } from '../payment-providers.ts';
import type { MovedKind } from './tables.ts';

/** Subscriptions, as `s`, that still unlock something or renew. Those that wait for the bank do neither. */
export const isMovable = sql`s.status in ('trialing', 'active', 'past-due') and (s.ends_at is null or s.ends_at > now())`;

export const kindSql = sql<MovedKind>`case when s.ends_at is not null then 'cancelled' else s.status end`;

/**
 * End of the access that a subscription, as `s`, gives, whatever its provider says from now on; null when it gives none.
 * A charge that should have come already, but is not known, counts as one that failed now. A pause is over, and gave none.
 */
export const keptUntilSql = sql<Date | null>`case
  when s.status = 'past-due' then least(s.ends_at,
    case when s.unpaid_since + make_interval(days => ${graceDaysSql}) > now()
      then s.unpaid_since + make_interval(days => ${graceDaysSql}) end)
  when s.ends_at is not null then s.ends_at
  when s.status = 'trialing' and ${pausedFromSql} is not null then greatest(${pausedFromSql}, now())
  when s.period_ends_at > now() then s.period_ends_at
  else now() + make_interval(days => greatest(${graceDaysSql}, 1)) end`;

export type MovePlan = {
  from: ProviderName;
  to: ProviderName;
  /** `site`: this site asks the provider. `subscriber`: only they can, and are asked to. `none`: nothing renews there. `gone`: the provider cannot be asked. */
  stoppedBy: 'site' | 'subscriber' | 'none' | 'gone';
  kinds: { kind: MovedKind; count: number; paidDays: number }[];
  /** Those that have gift time behind the paid time. */
  withGiftTime: number;
  /** They wait for the bank and are left. */
  confirming: number;
  /** Whole days of access that are kept, gift time included. */
  paidDays: number;
};

/** A dry run: counts, and changes nothing. */
export async function planMove(
  { db, payments }: { db: Db; payments: PaymentProviders },
  from: ProviderName,
  to: ProviderName,
): Promise<MovePlan> {
  const { rows } = await db.execute<{ kind: MovedKind; count: number; gifts: number; days: number }>(sql`
    select kind, count(*)::int as count, count(*) filter (where gift_until > kept_until)::int as gifts,
      coalesce(sum(floor(extract(epoch from greatest(kept_until, gift_until) - now()) / 86400)), 0)::float8 as days
    from (select ${kindSql} as kind, ${keptUntilSql} as kept_until,
        case when m.gift_until > now() then m.gift_until end as gift_until
      from subscriptions s left join memberships m on m.user_id = s.user_id
      where ${isAtProvider(sql`s.subscription_id`, from)} and ${isMovable}) movable
    group by kind order by kind`);
  const { rows: waiting } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from subscriptions s
    where ${isAtProvider(sql`s.subscription_id`, from)} and s.status = 'confirming'`);
  const cancel = findProvider(payments, from)?.capabilities.cancel;
  const sum = (of: 'gifts' | 'days') => rows.reduce((total, row) => total + row[of], 0);
  return {
    from,
    to,
    stoppedBy: cancel === undefined ? 'gone' : cancel === 'api' ? 'site' : cancel === 'page' ? 'subscriber' : 'none',
    kinds: rows.map(({ kind, count, days }) => ({ kind, count, paidDays: days })),
    withGiftTime: sum('gifts'),
    confirming: waiting[0]?.count ?? 0,
    paidDays: sum('days'),
  };
}
