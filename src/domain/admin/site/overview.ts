import type { SQL } from 'drizzle-orm';
import { desc, sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import type { SignUpSource } from '../../identity/rules.ts';
import { listSignUpSources } from '../../identity/sign-up-sources.ts';
import type { Db } from '../../kernel/db.ts';
import type { SiteAdminParts } from '../admin-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { OverviewPeriod } from '../rules.ts';
import { maxWaiting } from '../rules.ts';
import type { SiteDay } from './site-days.ts';
import { readSiteDays } from './site-days.ts';
import type { JobCounts } from '../operations.ts';
import { siteBackups } from '../tables.ts';

/** How the site is doing. Days are UTC; money is cents; every figure is a sum that names nobody. */
export type Overview = {
  asOf: Date;
  period: OverviewPeriod;
  currency: string;
  /** `joined` and `left` in the period, `atStart` before it; `leftOfStart`: who left among those. */
  subscribers: { now: number; joined: number; left: number; atStart: number; leftOfStart: number };
  trials: number;
  /** Monthly price of all running subscriptions before discounts; a yearly one counts as a twelfth of its price. */
  monthlyRevenue: number;
  failedPayments: { count: number; amount: number };
  /** At the end of each day of the period, oldest first. */
  stocks: Record<'subscribers' | 'trials' | 'monthlyRevenue' | 'failedPayments', number[]>;
  /** Share of the subscribers who left on each of these days, in percent. */
  churn: number[];
  /** For each: the days of the period, oldest first, and the sum of as many days before. */
  income: Days;
  plays: Days;
  hours: Days;
  newUsers: Days;
  /** New users of the period by sign-up source, most first; `unknown`: created another way, or not counted. */
  newUserSources: { source: SignUpSource | 'unknown'; users: number }[];
  /** Subscribers at the end of each week, oldest first; the last one is today. */
  weeks: { day: string; subscribers: number }[];
  /** This month so far, from its first day. */
  revenue: {
    month: string;
    monthly: Income;
    yearly: Income;
    giftCards: Income;
    /** Refunded. */
    refunds: Income;
    total: number;
  };
  /** Counts go up to `maxWaiting + 1`. */
  waits: {
    reports: { count: number; oldest: Date | null };
    mails: { count: number; oldest: Date | null };
    paymentEvents: { count: number; oldest: Date | null };
    voicesWithoutOwner: { count: number; first: string | null };
    deletions: { count: number; next: Date | null };
  };
  health: {
    /** Size in bytes, and the time of one query. */
    database: { bytes: number; milliseconds: number };
    /** Undefined outside the site process, or when unknown. */
    storage: { kind: 'disk' | 'object-storage'; freeBytes: number | undefined } | undefined;
    index: { documents?: number | undefined; isBuilding: boolean } | undefined;
    /** The newest backup made by the site; undefined: the site makes none. */
    backup: { last: { at: Date; bytes: number } | null; hasFailed: boolean; isIncomplete: boolean } | undefined;
    recordings: { count: number; bytes: number };
    lastPaymentEvent: Date | null;
    /** Undefined outside the site process. */
    jobs: JobCounts | undefined;
    isSearchReady: boolean | undefined;
    version: string | undefined;
  };
};

export type Days = { days: number[]; before: number };
export type Income = { count: number; amount: number };

const weeks = 12;

export async function findOverview(
  { db, operations, search }: Pick<SiteAdminParts, 'db' | 'operations' | 'search'>,
  actor: Actor,
  period: OverviewPeriod = '28',
): Promise<Overview> {
  administratorsOnly(actor);
  const [days, waits, lastPaymentEvent, database, jobs, storage, index, backup] = await Promise.all([
    readSiteDays(db),
    countWaiting(db),
    findLastPaymentEvent(db),
    measureDatabase(db),
    operations?.readJobs(),
    operations?.system?.storage().catch(() => undefined),
    search?.state(),
    operations?.system?.startBackup === undefined ? undefined : findLastBackup(db),
  ]);
  const figures = figuresOf(days, period);
  return {
    ...figures,
    newUserSources: await findSources(db, days, figures),
    waits,
    health: {
      database,
      storage,
      index,
      backup,
      recordings: { count: days.at(-1)?.audios ?? 0, bytes: days.at(-1)?.fileBytes ?? 0 },
      lastPaymentEvent,
      jobs,
      isSearchReady: operations?.isSearchReady(),
      version: operations?.version,
    },
  };
}

const sumOf = (days: SiteDay[], valueOf: (day: SiteDay) => number) => days.reduce((sum, day) => sum + valueOf(day), 0);

/**
 * First day of the period and of its comparison period; a month is compared with the same days of the previous month.
 */
function boundsOf(all: SiteDay[], period: OverviewPeriod): { first: number; days: number; before: number } {
  if (period !== 'month') {
    const days = Number(period);
    return { first: all.length - days, days, before: all.length - 2 * days };
  }
  const month = all.at(-1)?.day.slice(0, 7) ?? '';
  const first = all.findIndex(({ day }) => day.startsWith(month));
  const former = all[first - 1]?.day.slice(0, 7) ?? '';
  return { first, days: all.length - first, before: all.findIndex(({ day }) => day.startsWith(former)) };
}

type Figures = Omit<Overview, 'waits' | 'health' | 'newUserSources'>;

async function findSources(db: Db, all: SiteDay[], { newUsers }: Figures): Promise<Overview['newUserSources']> {
  const from = all.at(-newUsers.days.length)?.day;
  if (from === undefined) return [];
  const known = await listSignUpSources(db, from);
  // Users deleted since are counted by source, but not among the new users.
  const unknown =
    newUsers.days.reduce((sum, users) => sum + users, 0) - known.reduce((sum, { users }) => sum + users, 0);
  return unknown > 0 ? [...known, { source: 'unknown', users: unknown }] : known;
}

/** @param all at least 181 days, oldest first; the last one is today */
function figuresOf(all: SiteDay[], period: OverviewPeriod): Figures {
  const bounds = boundsOf(all, period);
  const days = all.slice(bounds.first);
  // The month before may be shorter.
  const before = all.slice(bounds.before, Math.min(bounds.before + bounds.days, bounds.first));
  const today = all.at(-1);
  const byDay = (valueOf: (day: SiteDay) => number): Days => ({
    days: days.map(valueOf),
    before: sumOf(before, valueOf),
  });
  const joined = sumOf(days, (day) => day.joined);
  const left = sumOf(days, (day) => day.left);
  const now = today?.subscribers ?? 0;
  const month = today?.day.slice(0, 7) ?? '';
  const ofMonth = all.filter(({ day }) => day.startsWith(month));
  const income = (count: (day: SiteDay) => number, amount: (day: SiteDay) => number): Income => ({
    count: sumOf(ofMonth, count),
    amount: sumOf(ofMonth, amount),
  });
  const monthly = income(
    (day) => day.monthlyPayments,
    (day) => day.monthlyIncome,
  );
  const yearly = income(
    (day) => day.yearlyPayments,
    (day) => day.yearlyIncome,
  );
  const giftCards = income(
    (day) => day.giftCards,
    (day) => day.giftIncome,
  );
  const refunds = income(
    (day) => day.refunds,
    (day) => day.refunded,
  );
  return {
    asOf: today?.computedAt ?? new Date(),
    period,
    currency: today?.currency ?? 'usd',
    subscribers: {
      now,
      joined,
      left,
      atStart: all[bounds.first - 1]?.subscribers ?? Math.max(0, now - joined + left),
      leftOfStart: today?.leftOfStart[period] ?? 0,
    },
    trials: today?.trials ?? 0,
    monthlyRevenue: today?.monthlyRevenue ?? 0,
    failedPayments: { count: today?.pastDue ?? 0, amount: today?.pastDueAmount ?? 0 },
    stocks: {
      subscribers: days.map((day) => day.subscribers),
      trials: days.map((day) => day.trials),
      monthlyRevenue: days.map((day) => day.monthlyRevenue),
      failedPayments: days.map((day) => day.pastDue),
    },
    churn: days.map((day, index) => {
      const atStart = all[bounds.first + index - 1]?.subscribers ?? 0;
      return atStart === 0 ? 0 : (100 * (day.left - day.leftOnJoining)) / atStart;
    }),
    income: byDay((day) => day.monthlyIncome + day.yearlyIncome + day.giftIncome - day.refunded),
    plays: byDay((day) => day.plays),
    hours: byDay((day) => day.heardMs / 3_600_000),
    newUsers: byDay((day) => day.newUsers),
    weeks: all
      .filter((_, index) => (all.length - 1 - index) % 7 === 0)
      .slice(-weeks - 1)
      .map(({ day, subscribers }) => ({ day, subscribers })),
    revenue: {
      month,
      monthly,
      yearly,
      giftCards,
      refunds,
      total: monthly.amount + yearly.amount + giftCards.amount - refunds.amount,
    },
  };
}

/** The oldest ones, and their number up to the displayed limit. */
const oldest = (rows: SQL) =>
  sql`(select count(*)::int as count, min(at) as oldest from (${rows} limit ${maxWaiting + 1}) waiting)`;

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
      ${oldest(sql`select reported_at as at from comments where reported_at is not null order by reported_at`)} r,
      ${oldest(sql`select kept_at as at from outgoing_mails order by kept_at`)} m,
      ${oldest(sql`select received_at as at from payment_events where status = 'failed' order by received_at`)} e,
      (select count(*)::int as count, (array_agg(name))[1] as first from (select name from voices o
        where deleted_at is null and not exists (select from voice_owners w where w.voice_id = o.id)
        order by sort_name, id limit ${maxWaiting + 1}) orphans) v,
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

async function findLastPaymentEvent(db: Db): Promise<Date | null> {
  const { rows } = await db.execute<{ last: string | null }>(sql`select max(received_at) as last from payment_events`);
  return rows[0]?.last ? new Date(rows[0].last) : null;
}

async function findLastBackup(db: Db): Promise<NonNullable<Overview['health']['backup']>> {
  const rows = await db.select().from(siteBackups).orderBy(desc(siteBackups.askedAt), desc(siteBackups.id)).limit(50);
  const done = rows.find(({ state }) => state === 'done');
  return {
    last: done === undefined ? null : { at: done.finishedAt ?? done.askedAt, bytes: done.fileBytes ?? 0 },
    hasFailed: rows[0]?.state === 'failed',
    isIncomplete: done !== undefined && done.failure !== null,
  };
}

async function measureDatabase(db: Db): Promise<{ bytes: number; milliseconds: number }> {
  const start = performance.now();
  const { rows } = await db.execute<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return { bytes: rows[0]?.bytes ?? 0, milliseconds: Math.max(1, Math.round(performance.now() - start)) };
}
