import { sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import { csvLine } from '../../kernel/csv.ts';
import { workingDaysBetween } from '../../notices/calendar.ts';
import type { NoticeParts } from '../../notices/parts.ts';
import { type NoticeKind, type NoticeVerb, noticeKinds, noticeVerbs } from '../../notices/rules.ts';
import { noticeSetting } from '../../notices/settings.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { addToMonth } from '../rules.ts';

type Parts = Pick<NoticeParts, 'db' | 'settings'>;

type Decided = { received: Date; due: Date; decided: Date; kind: NoticeKind; verb: NoticeVerb };

/** Each notice with its first decision. Reported comments count: removed, warned and suspended are `remove`. */
async function readDecided({ db }: Parts, from: Date, to: Date): Promise<Decided[]> {
  const { rows } = await db.execute<{
    received: string;
    due: string;
    decided: string;
    kind: NoticeKind;
    verb: NoticeVerb;
  }>(sql`
    select n.created_at as received, coalesce(n.due_at, d.created_at) as due, d.created_at as decided, n.kind, d.verb
    from notice_decisions d join notices n on n.id = d.notice_id
    where d.appeal_id is null and d.undone_at is null and d.created_at >= ${from.toISOString()} and d.created_at < ${to.toISOString()}
    union all
    select coalesce((select min(r.created_at) from comment_reports r where r.decision_id = d.id), d.created_at),
      coalesce(n.due_at, d.created_at), d.created_at, 'rules', case d.verb when 'keep' then 'keep' else 'remove' end
    from comment_decisions d left join notices n on n.of_reports and n.subject_id = d.comment_id
    where d.undone_at is null and d.created_at >= ${from.toISOString()} and d.created_at < ${to.toISOString()}`);
  return rows.map(({ received, due, decided, ...row }) => ({
    ...row,
    received: new Date(received),
    due: new Date(due),
    decided: new Date(decided),
  }));
}

function median(values: number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const monthOf = (date: Date) => date.toISOString().slice(0, 7);
const startOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** Figures of the overview: of the last ninety days, and of the ninety before. */
export async function findDeskFigures(parts: Parts, actor: Actor) {
  administratorsOnly(actor, 'desk');
  const now = new Date();
  const day = 86_400_000;
  const [current, before, { rows }] = await Promise.all([
    readDecided(parts, new Date(now.getTime() - 90 * day), now),
    readDecided(parts, new Date(now.getTime() - 180 * day), new Date(now.getTime() - 90 * day)),
    parts.db.execute<{ overdue: number; since: string | null; first: string | null; last: string | null }>(sql`
      select (select count(*)::int from notices where settled_at is null and due_at <= now()) as overdue,
        (select min(due_at) from notices where settled_at is null and due_at <= now()) as since,
        (select min(created_at) from notices) as first,
        (select max(created_at) from notice_decisions where undone_at is null) as last`),
  ]);
  const calendar = parts.settings.read(noticeSetting);
  const days = (list: Decided[]) =>
    median(list.map(({ received, decided }) => workingDaysBetween(received, decided, calendar)));
  const [state] = rows;
  const months: string[] = [];
  const oldest = state === undefined || state.first === null ? undefined : monthOf(new Date(state.first));
  for (
    let month = addToMonth(monthOf(now), -1);
    oldest !== undefined && month >= oldest && months.length < 24;
    month = addToMonth(month, -1)
  )
    months.push(month);
  return {
    asOf: now,
    overdue: state?.overdue ?? 0,
    overdueSince: state === undefined || state.since === null ? null : new Date(state.since),
    lastDecision: state === undefined || state.last === null ? null : new Date(state.last),
    days: days(current),
    daysBefore: days(before),
    decided: current.length,
    punctual: current.filter(({ decided, due }) => decided <= due).length,
    /** Months with a report, newest first. */
    months,
  };
}
export type DeskFigures = Awaited<ReturnType<typeof findDeskFigures>>;

/** Rows of a report on notices: name, value. */
export type ReportRow = [name: string, value: number | string];

/**
 * The report of a month (`2026-10`), or the figures of a year (`2026`) that a site has to publish (DSA, article 15).
 * Heads stay English, as in all files for programs.
 */
export async function findNoticeReport(parts: Parts, actor: Actor, period: string): Promise<ReportRow[]> {
  administratorsOnly(actor, 'desk');
  const isYear = /^20\d\d$/.test(period);
  const from = isYear ? startOf(`${period}-01`) : startOf(period);
  const to = isYear ? startOf(`${Number(period) + 1}-01`) : startOf(addToMonth(period, 1));
  const within = (column: ReturnType<typeof sql>) =>
    sql`${column} >= ${from.toISOString()} and ${column} < ${to.toISOString()}`;
  const [decided, { rows: received }, { rows: appeals }, { rows: others }] = await Promise.all([
    readDecided(parts, from, to),
    parts.db.execute<{ kind: NoticeKind; total: number }>(
      sql`select kind, count(*)::int as total from notices where ${within(sql`created_at`)} group by kind`,
    ),
    parts.db.execute<{ given: number; decided: number; changed: number }>(sql`
      select (select count(*)::int from notice_appeals where ${within(sql`created_at`)}) as given,
        (select count(*)::int from notice_decisions where appeal_id is not null and undone_at is null and ${within(sql`created_at`)}) as decided,
        (select count(*)::int from notice_decisions d where d.appeal_id is not null and d.undone_at is null and ${within(sql`d.created_at`)}
          and d.verb <> (select f.verb from notice_decisions f where f.notice_id = d.notice_id and f.appeal_id is null
            and f.undone_at is null order by f.id limit 1)) as changed`),
    parts.db.execute<{ hidden: number; overdue: number; suspended: number }>(sql`
      select (select count(*)::int from notices where hidden_by in ('kind', 'consent') and ${within(sql`hidden_at`)}) as hidden,
        (select count(*)::int from notices where hidden_by = 'overdue' and ${within(sql`hidden_at`)}) as overdue,
        (select count(*)::int from comment_decisions where verb = 'suspend' and undone_at is null and ${within(sql`created_at`)}) as suspended`),
  ]);
  const calendar = parts.settings.read(noticeSetting);
  const days = median(decided.map((one) => workingDaysBetween(one.received, one.decided, calendar)));
  const punctual = decided.filter((one) => one.decided <= one.due).length;
  const total = (kind: NoticeKind) => received.find((row) => row.kind === kind)?.total ?? 0;
  return [
    ['Period', period],
    ['Notices received', noticeKinds.reduce((sum, kind) => sum + total(kind), 0)],
    ...noticeKinds.map((kind): ReportRow => [`Notices received, ${kind}`, total(kind)]),
    ['Notices decided', decided.length],
    ...noticeVerbs.map((verb): ReportRow => [
      `Notices decided, ${verb}`,
      decided.filter((one) => one.verb === verb).length,
    ]),
    ['Median working days to a decision', days ?? ''],
    ['Decided in time', punctual],
    ['Decided in time, percent', decided.length === 0 ? '' : Math.round((100 * punctual) / decided.length)],
    ['Hidden until decided', others[0]?.hidden ?? 0],
    ['Hidden because overdue', others[0]?.overdue ?? 0],
    ['Accounts suspended for a comment', others[0]?.suspended ?? 0],
    ['Decided by automatic means', 0],
    ['Appeals received', appeals[0]?.given ?? 0],
    ['Appeals decided', appeals[0]?.decided ?? 0],
    ['Decisions changed by an appeal', appeals[0]?.changed ?? 0],
  ];
}

export async function exportNoticeReport(parts: Parts, actor: Actor, period: string): Promise<string> {
  const rows = await findNoticeReport(parts, actor, period);
  return [csvLine(['Name', 'Value']), ...rows.map(csvLine)].join('');
}
