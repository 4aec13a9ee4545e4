import { type SQL, desc, sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import type { SignUpSource } from '../../identity/rules.ts';
import { listSignUpSources } from '../../identity/sign-up-sources.ts';
import type { Db } from '../../kernel/db.ts';
import type { SiteAdminParts } from '../admin-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { type OverviewPeriod, maxWaiting } from '../rules.ts';
import { isPausedSql } from '../../membership/entitlement.ts';
import { pauses } from '../../membership/keeping/tables.ts';
import { moneyOf } from './overview-money.ts';
import { isWithoutText } from '../../studio/audios/audio-list.ts';
import { stateConditions } from '../../studio/managed-page.ts';
import { type KeptPlaying, readKeptPlaying } from '../../studio/figures/kept-playing.ts';
import { type SiteDay, readSiteDays } from './site-days.ts';
import { siteBackups } from '../tables.ts';

export type Days = { days: number[]; before: number };

const weeks = 12;

/** How the site is doing. Days are UTC; money is in the smallest unit, by currency; every figure is a sum that names nobody. */
export async function findOverview(
  { db, operations, search }: Pick<SiteAdminParts, 'db' | 'operations' | 'search'>,
  actor: Actor,
  period: OverviewPeriod = '28',
) {
  administratorsOnly(actor);
  const [days, keeping, waits, lastPaymentEvent, database, jobs, storage, index, backup] = await Promise.all([
    readSiteDays(db),
    countKept(db),
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
    keeping,
    newUserSources: await findSources(db, days, figures),
    keptPlaying: await findKeptPlaying(db, days, figures),
    waits,
    /** `storage`, `index`, `jobs`, `version`: undefined outside the site process, or when unknown. */
    health: {
      database,
      storage,
      index,
      /** The newest backup made by the site; undefined: the site makes none. */
      backup,
      recordings: { count: days.at(-1)?.audios ?? 0, bytes: days.at(-1)?.fileBytes ?? 0 },
      lastPaymentEvent,
      jobs,
      version: operations?.version,
    },
  };
}
export type Overview = Awaited<ReturnType<typeof findOverview>>;

/** Those who have paused now, and those who took the offer to stay within a year. */
async function countKept(db: Db): Promise<{ paused: number; stayed: number }> {
  const { rows } = await db.execute<{ paused: number; stayed: number }>(sql`
    select (select count(*)::int from ${pauses} where ${pauses.endedAt} is null and ${isPausedSql(pauses.userId)}) as paused,
      (select count(*)::int from stay_offers where state = 'done' and created_at > now() - interval '1 year') as stayed`);
  return rows[0] ?? { paused: 0, stayed: 0 };
}

type Figure = { [Name in keyof SiteDay]: SiteDay[Name] extends number ? Name : never }[keyof SiteDay];

const sumOf = (days: SiteDay[], figure: Figure) => days.reduce((sum, day) => sum + day[figure], 0);

/**
 * First day of the period and of its comparison period; a month is compared with the same days of the previous month.
 */
export function boundsOf(all: SiteDay[], period: OverviewPeriod): { first: number; days: number; before: number } {
  if (period !== 'month') {
    const days = Number(period);
    return { first: all.length - days, days, before: all.length - 2 * days };
  }
  const month = all.at(-1)?.day.slice(0, 7) ?? '';
  const first = all.findIndex(({ day }) => day.startsWith(month));
  const former = all[first - 1]?.day.slice(0, 7) ?? '';
  return { first, days: all.length - first, before: all.findIndex(({ day }) => day.startsWith(former)) };
}

type Sources = { source: SignUpSource | 'unknown'; users: number }[];

/** New users of the period by sign-up source, most first; `unknown`: created another way, or not counted. */
async function findSources(db: Db, all: SiteDay[], { newUsers }: { newUsers: Days }): Promise<Sources> {
  const from = all.at(-newUsers.days.length)?.day;
  if (from === undefined) return [];
  const known = await listSignUpSources(db, from);
  // Users deleted since are counted by source, but not among the new users.
  const unknown =
    newUsers.days.reduce((sum, users) => sum + users, 0) - known.reduce((sum, { users }) => sum + users, 0);
  return unknown > 0 ? [...known, { source: 'unknown', users: unknown }] : known;
}

/** In the days of the period; see `readKeptPlaying`. */
function findKeptPlaying(db: Db, all: SiteDay[], { newUsers }: { newUsers: Days }): Promise<KeptPlaying> {
  const days = newUsers.days.length;
  const [from = '', to = ''] = [all.at(-days)?.day, all.at(-1)?.day];
  return readKeptPlaying(db, null, { from, to, days, offered: undefined }, new Date());
}

/** @param all at least 181 days, oldest first; the last one is today */
function figuresOf(all: SiteDay[], period: OverviewPeriod) {
  const bounds = boundsOf(all, period);
  const days = all.slice(bounds.first);
  // The month before may be shorter.
  const before = all.slice(bounds.before, Math.min(bounds.before + bounds.days, bounds.first));
  const today = all.at(-1);
  const valuesOf = (figure: Figure) => days.map((day) => day[figure]);
  /** The days of the period, oldest first, and the sum of as many days before. */
  const byDay = (valueOf: (day: SiteDay) => number): Days => ({
    days: days.map(valueOf),
    before: before.reduce((sum, day) => sum + valueOf(day), 0),
  });
  const joined = sumOf(days, 'joined');
  const left = sumOf(days, 'left');
  const now = today?.subscribers ?? 0;
  const month = today?.day.slice(0, 7) ?? '';
  const ofMonth = all.filter(({ day }) => day.startsWith(month));
  return {
    asOf: today?.computedAt ?? new Date(),
    period,
    /** `joined` and `left` in the period, `atStart` before it; `leftOfStart`: who left among those. */
    subscribers: {
      now,
      joined,
      left,
      atStart: all[bounds.first - 1]?.subscribers ?? Math.max(0, now - joined + left),
      leftOfStart: today?.leftOfStart[period] ?? 0,
    },
    trials: today?.trials ?? 0,
    failedPayments: today?.pastDue ?? 0,
    /** At the end of each day of the period, oldest first. */
    stocks: {
      subscribers: valuesOf('subscribers'),
      trials: valuesOf('trials'),
      failedPayments: valuesOf('pastDue'),
    },
    /** Share of the subscribers who left on each of these days, in percent. */
    churn: days.map((day, index) => {
      const atStart = all[bounds.first + index - 1]?.subscribers ?? 0;
      return atStart === 0 ? 0 : (100 * (day.left - day.leftOnJoining)) / atStart;
    }),
    plays: byDay(({ plays }) => plays),
    hours: byDay(({ heardMs }) => heardMs / 3_600_000),
    newUsers: byDay(({ newUsers }) => newUsers),
    /** Subscribers at the end of each week, oldest first; the last one is today. */
    weeks: all
      .filter((_, index) => (all.length - 1 - index) % 7 === 0)
      .slice(-weeks - 1)
      .map(({ day, subscribers }) => ({ day, subscribers })),
    /** The month of `revenue`, so far. */
    month,
    /** In each currency with money in these days, the site's own first. */
    money: moneyOf({ days, before, ofMonth }, today?.currency ?? 'usd'),
  };
}

/** The oldest ones, and their number up to the displayed limit. */
const oldest = (rows: SQL) =>
  sql`(select count(*)::int as count, min(at) as oldest from (${rows} limit ${maxWaiting + 1}) waiting)`;

/** Counts go up to `maxWaiting + 1`. */
async function countWaiting(db: Db) {
  type Counts = Record<'reports' | 'mails' | 'events' | 'orphans' | 'deletions' | 'textless', number>;
  type Firsts = Record<'oldestReport' | 'oldestMail' | 'oldestEvent' | 'orphan' | 'nextDeletion', string | null>;
  const { rows } = await db.execute<Counts & Firsts>(sql`
    select r.count as reports, r.oldest as "oldestReport", m.count as mails, m.oldest as "oldestMail",
      e.count as events, e.oldest as "oldestEvent", v.count as orphans, v.first as orphan,
      d.count as deletions, d.next as "nextDeletion", t.count as textless
    from
      ${oldest(sql`select reported_at as at from comments where reported_at is not null order by reported_at`)} r,
      ${oldest(sql`select kept_at as at from outgoing_mails order by kept_at`)} m,
      ${oldest(sql`select received_at as at from payment_events where status = 'failed' order by received_at`)} e,
      (select count(*)::int as count, (array_agg(name))[1] as first from (select name from voices o
        where deleted_at is null and not exists (select from voice_owners w where w.voice_id = o.id)
        order by sort_name, id limit ${maxWaiting + 1}) orphans) v,
      (select count(*)::int as count, min(due_at) as next from account_deletions) d,
      (select count(*)::int as count from (select from audios a
        where ${stateConditions.published} and ${isWithoutText} limit ${maxWaiting + 1}) textless) t`);
  const [row] = rows;
  const at = (text: string | null | undefined) => (text ? new Date(text) : null);
  return {
    reports: { count: row?.reports ?? 0, oldest: at(row?.oldestReport) },
    mails: { count: row?.mails ?? 0, oldest: at(row?.oldestMail) },
    paymentEvents: { count: row?.events ?? 0, oldest: at(row?.oldestEvent) },
    voicesWithoutOwner: { count: row?.orphans ?? 0, first: row?.orphan ?? null },
    deletions: { count: row?.deletions ?? 0, next: at(row?.nextDeletion) },
    /** Published audios whose words cannot be read. */
    audiosWithoutText: { count: row?.textless ?? 0 },
  };
}

async function findLastPaymentEvent(db: Db): Promise<Date | null> {
  const { rows } = await db.execute<{ last: string | null }>(sql`select max(received_at) as last from payment_events`);
  return rows[0]?.last ? new Date(rows[0].last) : null;
}

async function findLastBackup(db: Db) {
  const rows = await db.select().from(siteBackups).orderBy(desc(siteBackups.askedAt), desc(siteBackups.id)).limit(50);
  const done = rows.find(({ state }) => state === 'done');
  return {
    last: done === undefined ? null : { at: done.finishedAt ?? done.askedAt, bytes: done.fileBytes ?? 0 },
    hasFailed: rows[0]?.state === 'failed',
    isIncomplete: done !== undefined && done.failure !== null,
  };
}

/** Size in bytes, and the time of one query. */
async function measureDatabase(db: Db) {
  const start = performance.now();
  const { rows } = await db.execute<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return { bytes: rows[0]?.bytes ?? 0, milliseconds: Math.max(1, Math.round(performance.now() - start)) };
}
