import { sql } from 'drizzle-orm';
import { imageUrl } from '../../catalogue/audios.ts';
import type { Actor } from '../../kernel/actor.ts';
import { Instant } from '../../kernel/forms.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { type Clock, clockOf, dueSql } from '../../notices/calendar.ts';
import type { NoticeParts } from '../../notices/parts.ts';
import type { NoticeKind, NoticeSubject } from '../../notices/rules.ts';
import { noticeSetting } from '../../notices/settings.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { DeskFilter } from '../rules.ts';

type DeskParts = Pick<NoticeParts, 'db' | 'settings'>;

/** A notice in the queue, with the others about the same content and of the same kind, which are decided together. */
export type QueuedNotice = {
  id: string;
  subject: { type: NoticeSubject; name: string; by: string | null; imageUrl: string | null };
  kind: NoticeKind;
  /** The beginning of what was written, or of the comment. */
  text: string | null;
  reports: number;
  state: 'visible' | 'hidden' | 'overdue';
  createdAt: string;
  clock: Clock;
};

const isOf: Record<DeskFilter, ReturnType<typeof sql>> = {
  audio: sql`n.subject_type = 'audio'`,
  comment: sql`n.subject_type = 'comment'`,
  people: sql`n.subject_type in ('user', 'voice', 'user-playlist')`,
  // Those that no job has dated yet are of the last minutes.
  overdue: sql`n.due_at <= now()`,
};

/** The first of each group: the one that is due first. */
export const isFirst = sql`not exists (select from notices o where o.settled_at is null and o.subject_id = n.subject_id
  and o.subject_type = n.subject_type and o.kind = n.kind and o.of_reports = n.of_reports and (o.due_at, o.id) < (n.due_at, n.id))`;
/** Notices without a due date yet are each alone in their group. */
export const isWaitingNotice = sql`n.settled_at is null
  and (not n.of_reports or exists (select from comments c where c.id = n.subject_id and c.reported_at is not null))`;

type Row = Omit<QueuedNotice, 'subject' | 'clock' | 'createdAt'> & {
  type: NoticeSubject;
  name: string;
  by: string | null;
  imageKey: string | null;
  createdAt: string;
  due: string;
};

/** Due first. */
export async function listNotices(
  { db, settings }: DeskParts,
  actor: Actor,
  filter: DeskFilter | undefined,
  query: PageQuery,
): Promise<Page<QueuedNotice>> {
  administratorsOnly(actor, 'desk');
  const after = decodeCursor('desk-notices', query.cursor, Instant);
  const calendar = settings.read(noticeSetting);
  const due = dueSql(calendar);
  const { rows } = await db.execute<Row>(sql`
    select n.id, n.subject_type as type, n.subject_name as name, n.kind, n.created_at as "createdAt", ${due} as due,
      coalesce(v.name, under.title) as by, coalesce(a.image_key, own.image_key) as "imageKey",
      left(coalesce(n.details, c.text), 200) as text,
      case when n.of_reports then (select count(*)::int from comment_reports r where r.comment_id = n.subject_id and r.settled_at is null)
        else (select count(*)::int from notices o where o.settled_at is null and (o.id = n.id or (o.subject_id = n.subject_id
          and o.subject_type = n.subject_type and o.kind = n.kind and not o.of_reports))) end as reports,
      case when n.hidden_by = 'overdue' then 'overdue' when n.hidden_at is not null or c.is_held then 'hidden' else 'visible' end as state
    from notices n
    left join audios a on n.subject_type = 'audio' and a.id = n.subject_id
    left join voices own on n.subject_type = 'voice' and own.id = n.subject_id
    left join comments c on n.subject_type = 'comment' and c.id = n.subject_id
    left join audios under on under.id = c.audio_id
    left join voices v on v.id = a.voice_id
    where ${isWaitingNotice} and ${isFirst} and ${filter === undefined ? sql`true` : isOf[filter]}
      and ${
        after === undefined
          ? sql`true`
          : sql`(${due}, n.number) > (${after.value}::timestamptz,
        coalesce((select number from notices where id = ${after.id}), 0))`
      }
    order by due, n.number limit ${query.limit + 1}`);
  const now = new Date();
  return toPage(
    rows,
    query.limit,
    ({ type, name, by, imageKey, createdAt, due, ...row }) => ({
      ...row,
      createdAt: new Date(createdAt).toISOString(),
      subject: { type, name, by, imageUrl: imageUrl(imageKey) },
      clock: clockOf({ createdAt: new Date(createdAt), dueAt: new Date(due) }, now, calendar),
    }),
    ({ due, id }) => encodeCursor('desk-notices', { value: new Date(due).toISOString(), id }),
  );
}

/** How many each filter leaves. */
export async function countNotices({ db }: DeskParts, actor: Actor) {
  administratorsOnly(actor, 'desk');
  const count = (filter: DeskFilter) => sql`(count(*) filter (where ${isOf[filter]}))::int`;
  const { rows } = await db.execute<Record<DeskFilter | 'all', number>>(sql`
    select count(*)::int as all, ${count('audio')} as audio, ${count('comment')} as comment, ${count('people')} as people,
      ${count('overdue')} as overdue
    from notices n where ${isWaitingNotice} and ${isFirst}`);
  return rows[0] ?? { all: 0, audio: 0, comment: 0, people: 0, overdue: 0 };
}

export type QueuedAppeal = {
  noticeId: string;
  number: number;
  createdAt: string;
  name: string;
  type: NoticeSubject;
  kind: NoticeKind;
  side: 'reporter' | 'owner';
  reasons: string | null;
  clock: Clock;
  /** The actor decided before, so someone else has to. */
  isOwn: boolean;
};

export async function listAppeals({ db, settings }: DeskParts, actor: Actor): Promise<QueuedAppeal[]> {
  administratorsOnly(actor, 'desk');
  const own = actor.kind === 'user' ? actor.id : null;
  const { rows } = await db.execute<Omit<QueuedAppeal, 'clock'> & { given: string; due: string }>(sql`
    select n.id as "noticeId", n.number::int as number, n.created_at as "createdAt", n.subject_name as name, n.subject_type as type,
      n.kind, p.side, left(p.reasons, 200) as reasons, p.created_at as given, p.due_at as due,
      exists (select from notice_decisions d where d.notice_id = n.id and d.undone_at is null and d.decided_by = ${own}) as "isOwn"
    from notice_appeals p join notices n on n.id = p.notice_id
    where p.settled_at is null order by p.due_at, p.id limit 100`);
  const calendar = settings.read(noticeSetting);
  const now = new Date();
  return rows.map(({ given, due, createdAt, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    clock: clockOf({ createdAt: new Date(given), dueAt: new Date(due) }, now, calendar),
  }));
}

/** Decisions in force, newest first. */
export async function listDecided({ db }: DeskParts, actor: Actor, query: PageQuery) {
  administratorsOnly(actor, 'desk');
  const after = decodeCursor('desk-decided', query.cursor, Instant);
  const { rows } = await db.execute<{
    id: string;
    noticeId: string;
    number: number;
    received: string;
    name: string;
    type: NoticeSubject;
    kind: NoticeKind;
    verb: 'keep' | 'hide' | 'remove';
    isAppeal: boolean;
    by: string | null;
    at: string;
  }>(sql`
    select d.id, n.id as "noticeId", n.number::int as number, n.created_at as received, n.subject_name as name,
      n.subject_type as type, n.kind, d.verb, d.appeal_id is not null as "isAppeal", u.username as by, d.created_at as at
    from notice_decisions d join notices n on n.id = d.notice_id left join users u on u.id = d.decided_by
    where d.undone_at is null
      and ${after === undefined ? sql`true` : sql`(d.created_at, d.id) < (${after.value}::timestamptz, ${after.id}::uuid)`}
    order by d.created_at desc, d.id desc limit ${query.limit + 1}`);
  return toPage(
    rows,
    query.limit,
    ({ at, received, ...row }) => ({
      ...row,
      at: new Date(at).toISOString(),
      received: new Date(received).toISOString(),
    }),
    ({ at, id }) => encodeCursor('desk-decided', { value: new Date(at).toISOString(), id }),
  );
}
