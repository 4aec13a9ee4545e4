import { eq, sql } from 'drizzle-orm';
import { boundsOf, countedSql } from '../admin/money/ledger-sums.ts';
import { poolsOf } from '../admin/money/month-lines.ts';
import { payoutSetting, readFurtherPools } from '../admin/money/payouts.ts';
import { payoutMonths } from '../admin/tables.ts';
import type { Db } from '../kernel/db.ts';
import { findMembershipSettings } from '../membership/settings.ts';
import { findSetting } from '../settings/change-setting.ts';
import type { Amounts } from './rules.ts';

/** Facts that all creators of a month have in common. */
export type MonthFacts = {
  /** `2026-10` */
  month: string;
  /** Null: open. */
  lockedAt: Date | null;
  /** The month’s own; pools may be in others, too. */
  currency: string;
  /** By currency; of an open month without a pool, those of the last locked month. */
  pools: Amounts;
  /** The pools are those of the month before that was locked last; null: its own, or none is known. */
  poolsOf: string | null;
  countsTrials: boolean;
  /** Heard of all creators. */
  milliseconds: number;
  root: string | null;
  /** Day by which it is paid; null: open, or locked by a former version. */
  dueOn: string | null;
};

/** @param month `2026-10`; the caller has checked that it has begun */
export async function readMonth(db: Db, month: string): Promise<MonthFacts> {
  const [row] = await db
    .select()
    .from(payoutMonths)
    .where(eq(payoutMonths.month, `${month}-01`));
  const isLocked = (row?.lockedAt ?? null) !== null;
  const currency = row?.currency ?? (await findMembershipSettings(db)).currency;
  const countsTrials = row?.countsTrials ?? (await findSetting(db, payoutSetting)).value.countsTrials;
  const further = await readFurtherPools(db, month, { currency, isLocked });
  const pools = poolsOf({ pool: row?.pool ?? null, currency, further });
  const last = isLocked || (row?.pool ?? null) !== null ? undefined : await readLastPools(db, month);
  return {
    month,
    lockedAt: row?.lockedAt ?? null,
    currency,
    pools: { ...last?.pools, ...pools },
    poolsOf: last?.month ?? null,
    countsTrials,
    milliseconds: isLocked ? await sumLocked(db, month) : await sumOpen(db, month, countsTrials),
    root: row?.root ?? null,
    dueOn: row?.dueOn ?? null,
  };
}

async function readLastPools(db: Db, before: string): Promise<{ month: string; pools: Amounts } | undefined> {
  const { rows } = await db.execute<{ month: string; currency: string; pool: number }>(sql`
    with last as (
      select month, currency, pool from payout_months
      where locked_at is not null and month < ${`${before}-01`} order by month desc limit 1)
    select to_char(month, 'YYYY-MM') as month, currency, pool::float8 as pool from last
    union all
    select to_char(p.month, 'YYYY-MM'), p.currency, p.pool::float8 from payout_pools p join last l on l.month = p.month`);
  const [first] = rows;
  return first && { month: first.month, pools: Object.fromEntries(rows.map(({ currency, pool }) => [currency, pool])) };
}

async function sumLocked(db: Db, month: string): Promise<number> {
  const { rows } = await db.execute<{ sum: number }>(sql`
    select coalesce(sum(milliseconds), 0)::float8 as sum from payout_shares where month = ${`${month}-01`}`);
  return rows[0]?.sum ?? 0;
}

/** @param voiceId of that creator alone */
export async function sumOpen(db: Db, month: string, countsTrials: boolean, voiceId?: string): Promise<number> {
  const { start, end } = boundsOf(month);
  const ofVoice = voiceId === undefined ? sql`` : sql`and voice_id = ${voiceId}`;
  const { rows } = await db.execute<{ sum: number }>(sql`
    select coalesce(sum(counted), 0)::float8 as sum from (
      select ${countedSql('s', countsTrials)} as counted
      from summed_voice_seconds s where month = ${`${month}-01`} ${ofVoice}
      union all
      select ${countedSql('l', countsTrials)} from late_seconds l where day >= ${start} and day < ${end} ${ofVoice}) parts`);
  return rows[0]?.sum ?? 0;
}
