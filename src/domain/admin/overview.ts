import { sql } from 'drizzle-orm';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { AdminParts } from './admin-parts.ts';
import { administratorsOnly } from './administrators-only.ts';
import type { JobCounts } from './operations.ts';

/** How the site is doing. Days are UTC; money is cents; every figure is a sum that names nobody. */
export type Overview = {
  asOf: Date;
  currency: string;
  /** `joined` and `left` in the last 28 days. */
  subscribers: { now: number; joined: number; left: number };
  trials: number;
  /** Monthly price of all running subscriptions before discounts; yearly ones count a twelfth. */
  monthlyRevenue: number;
  failedPayments: { count: number; amount: number };
  /** For each: the last 28 days, oldest first, and the sum of the 28 before. */
  income: Days;
  hours: Days;
  newUsers: Days;
  plays: number;
  waits: {
    reports: { count: number; oldest: Date | null };
    mails: { count: number; oldest: Date | null };
    paymentEvents: { count: number; oldest: Date | null };
    voicesWithoutOwner: { count: number; first: string | null };
    deletions: { count: number; next: Date | null };
  };
  health: {
    /** Bytes, and milliseconds that one query took. */
    database: { bytes: number; milliseconds: number };
    recordings: { count: number; bytes: number };
    lastPaymentEvent: Date | null;
    /** Undefined where only the domain runs. */
    jobs: JobCounts | undefined;
    isSearchReady: boolean | undefined;
    version: string | undefined;
  };
};

export type Days = { days: number[]; before: number };

const span = 28;

export async function findOverview({ db, operations }: AdminParts, actor: Actor): Promise<Overview> {
  administratorsOnly(actor);
  const [money, income, hours, newUsers, waits, stored, database, jobs] = await Promise.all([
    countSubscriptions(db),
    byDay(
      db,
      sql`select date_trunc('day', paid_at at time zone 'UTC') as day, amount_paid as value from invoices
        where paid_at >= ${firstDay} and status = 'paid'`,
    ),
    byDay(
      db,
      sql`select date_trunc('day', day at time zone 'UTC') as day, milliseconds / 3600000.0 as value from listened_seconds
        where day >= ${firstDay}`,
    ),
    byDay(
      db,
      sql`select date_trunc('day', created_at at time zone 'UTC') as day, 1 as value from users
        where created_at >= ${firstDay}`,
    ),
    countWaiting(db),
    countStored(db),
    measureDatabase(db),
    operations?.readJobs(),
  ]);
  const { lastPaymentEvent, plays, ...recordings } = stored;
  return {
    asOf: new Date(),
    ...money,
    income,
    hours,
    newUsers,
    plays,
    waits,
    health: {
      database,
      recordings,
      lastPaymentEvent,
      jobs,
      isSearchReady: operations?.isSearchReady(),
      version: operations?.version,
    },
  };
}

/** Midnight, UTC, of the first of the days before. */
const firstDay = sql`((date_trunc('day', now() at time zone 'UTC') - make_interval(days => ${2 * span - 1})) at time zone 'UTC')`;

/** @param source rows of `day` and `value` */
async function byDay(db: Db, source: ReturnType<typeof sql>): Promise<Days> {
  const { rows } = await db.execute<{ value: number }>(sql`
    select coalesce(sum(s.value), 0)::float8 as value
    from generate_series(date_trunc('day', now() at time zone 'UTC') - make_interval(days => ${2 * span - 1}),
      date_trunc('day', now() at time zone 'UTC'), interval '1 day') as d(day)
    left join (${source}) s on s.day = d.day
    group by d.day order by d.day`);
  const values = rows.map(({ value }) => value);
  return { days: values.slice(span), before: values.slice(0, span).reduce((sum, value) => sum + value, 0) };
}

async function countSubscriptions(
  db: Db,
): Promise<Pick<Overview, 'currency' | 'subscribers' | 'trials' | 'monthlyRevenue' | 'failedPayments'>> {
  const { rows } = await db.execute<{
    now: number;
    joined: number;
    left: number;
    trials: number;
    monthly: number;
    overdue: number;
    owed: number;
    currency: string | null;
  }>(sql`
    select count(*) filter (where status in ('active', 'past-due'))::int as now,
      count(*) filter (where status in ('active', 'past-due')
        and coalesce(trial_ends_at, started_at) > now() - interval '28 days')::int as joined,
      (select count(*)::int from subscriptions e where e.status = 'ended'
        and e.ends_at > now() - interval '28 days' and e.ends_at > coalesce(e.trial_ends_at, e.started_at)) as left,
      count(*) filter (where status = 'trialing')::int as trials,
      coalesce(sum(case period when 'year' then amount / 12.0 else amount end)
        filter (where status in ('active', 'past-due')), 0)::float8 as monthly,
      count(*) filter (where status = 'past-due')::int as overdue,
      (select coalesce(sum(i.amount_due), 0)::int from invoices i join subscriptions o on o.user_id = i.user_id
        where o.status = 'past-due' and i.status = 'open') as owed,
      max(currency) as currency
    from subscriptions where status <> 'ended'`);
  const [row] = rows;
  return {
    currency: row?.currency ?? 'usd',
    subscribers: { now: row?.now ?? 0, joined: row?.joined ?? 0, left: row?.left ?? 0 },
    trials: row?.trials ?? 0,
    monthlyRevenue: Math.round(row?.monthly ?? 0),
    failedPayments: { count: row?.overdue ?? 0, amount: row?.owed ?? 0 },
  };
}

async function countWaiting(db: Db): Promise<Overview['waits']> {
  const [row] = (
    await db.execute<{
      reports: number;
      oldestReport: string | null;
      mails: number;
      oldestMail: string | null;
      events: number;
      oldestEvent: string | null;
      orphans: number;
      orphan: string | null;
      deletions: number;
      nextDeletion: string | null;
    }>(sql`
    select r.count as reports, r.oldest as "oldestReport", m.count as mails, m.oldest as "oldestMail",
      e.count as events, e.oldest as "oldestEvent", v.count as orphans, v.first as orphan,
      d.count as deletions, d.next as "nextDeletion"
    from
      (select count(distinct comment_id)::int as count, min(created_at) as oldest from comment_reports
        where settled_at is null) r,
      (select count(*)::int as count, min(kept_at) as oldest from outgoing_mails) m,
      (select count(*)::int as count, min(received_at) as oldest from payment_events where status = 'failed') e,
      (select count(*)::int as count, min(name) as first from voices o
        where not exists (select from voice_owners w where w.voice_id = o.id)) v,
      (select count(*)::int as count, min(due_at) as next from account_deletions) d`)
  ).rows;
  const at = (text: string | null | undefined) => (text ? new Date(text) : null);
  return {
    reports: { count: row?.reports ?? 0, oldest: at(row?.oldestReport) },
    mails: { count: row?.mails ?? 0, oldest: at(row?.oldestMail) },
    paymentEvents: { count: row?.events ?? 0, oldest: at(row?.oldestEvent) },
    voicesWithoutOwner: { count: row?.orphans ?? 0, first: row?.orphan ?? null },
    deletions: { count: row?.deletions ?? 0, next: at(row?.nextDeletion) },
  };
}

async function countStored(
  db: Db,
): Promise<{ count: number; bytes: number; plays: number; lastPaymentEvent: Date | null }> {
  const { rows } = await db.execute<{ count: number; bytes: number; plays: number; last: string | null }>(sql`
    select (select count(*)::int from audios where deleted_at is null) as count,
      (select coalesce(sum(file_bytes), 0)::float8 from audios where deleted_at is null) as bytes,
      (select coalesce(sum(plays), 0)::float8 from audio_counts) as plays,
      (select max(received_at) from payment_events) as last`);
  const { count = 0, bytes = 0, plays = 0, last = null } = rows[0] ?? {};
  return { count, bytes, plays, lastPaymentEvent: last === null ? null : new Date(last) };
}

async function measureDatabase(db: Db): Promise<{ bytes: number; milliseconds: number }> {
  const start = performance.now();
  const { rows } = await db.execute<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return { bytes: rows[0]?.bytes ?? 0, milliseconds: Math.max(1, Math.round(performance.now() - start)) };
}
