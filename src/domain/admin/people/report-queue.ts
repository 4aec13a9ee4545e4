import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { imageUrl } from '../../catalogue/audios.ts';
import type { DecisionVerb, ReportReason } from '../../community/rules.ts';
import { warningDays } from '../../community/rules.ts';
import { avatarColorOf } from '../../identity/rules.ts';
import type { AvatarColor } from '../../identity/rules.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page } from '../../kernel/pages.ts';
import { Instant } from '../../kernel/forms.ts';
import { decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { canAdminister } from '../rules.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

/** A reported comment in the queue. */
export type OpenReport = {
  /** Id of the comment. */
  id: string;
  username: string | null;
  text: string;
  isHeld: boolean;
  /** ISO 8601; the first open report. */
  reportedAt: string;
  reports: number;
  /** The reason given most often. */
  reason: ReportReason;
};

/** A decision in the history, newest first. */
export type PastDecision = {
  id: string;
  commentId: string | null;
  verb: DecisionVerb;
  text: string;
  note: string | null;
  username: string | null;
  audioTitle: string | null;
  /** Username of the operator; null on the command line, or for an account that was deleted. */
  by: string | null;
  at: string;
  undoneAt: string | null;
  /** The latest decision on its comment, and not undone. */
  canUndo: boolean;
};

/** Longest waiting first. */
export async function listOpenReports(db: Db, actor: Actor, query: PageQuery): Promise<Page<OpenReport>> {
  if (!canAdminister(actor)) return { items: [], nextCursor: undefined };
  const after = decodeCursor('open-reports', query.cursor, Instant);
  const { rows } = await db.execute<Omit<OpenReport, 'reportedAt'> & { reported: string }>(sql`
    select c.id, u.username, c.text, c.is_held as "isHeld", c.reported_at as reported, given.reports, given.reason
    from comments c left join users u on u.id = c.user_id
    cross join lateral (select sum(total)::int as reports, (array_agg(reason order by total desc, reason))[1] as reason
      from (select reason, count(*) as total from comment_reports
        where comment_id = c.id and settled_at is null group by reason) by_reason) given
    where c.reported_at is not null
      and ${after === undefined ? sql`true` : sql`(c.reported_at, c.id) > (${after.value}::timestamptz, ${after.id}::uuid)`}
    order by c.reported_at, c.id limit ${query.limit + 1}`);
  return toPage(
    rows,
    query.limit,
    ({ reported, ...row }) => ({ ...row, reportedAt: new Date(reported).toISOString() }),
    ({ reported, id }) => encodeCursor('open-reports', { value: new Date(reported).toISOString(), id }),
  );
}

/** Counting stops at `max`. */
export async function countOpenReports(db: Db, max = 1000): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from (select from comments where reported_at is not null limit ${max}) waiting`);
  return rows[0]?.total ?? 0;
}

const decisionColumns = sql`d.id, d.comment_id as "commentId", d.verb, d.text, d.note, u.username, a.title as "audioTitle",
  op.username as by, d.created_at as at, d.undone_at as "undoneAt",
  d.undone_at is null and not exists (select from comment_decisions later
    where later.comment_id = d.comment_id and later.id > d.id and later.undone_at is null) as "canUndo"`;
const decisionJoins = sql`comment_decisions d join users u on u.id = d.user_id
  left join audios a on a.id = d.audio_id left join users op on op.id = d.decided_by`;

type DecisionRow = Omit<PastDecision, 'at' | 'undoneAt'> & { at: string; undoneAt: string | null };

function toDecision({ at, undoneAt, ...row }: DecisionRow): PastDecision {
  return { ...row, at: new Date(at).toISOString(), undoneAt: undoneAt && new Date(undoneAt).toISOString() };
}

/** Newest first. */
export async function listDecisions(db: Db, actor: Actor, query: PageQuery): Promise<Page<PastDecision>> {
  if (!canAdminister(actor)) return { items: [], nextCursor: undefined };
  const after = decodeCursor('decisions', query.cursor, z.literal(''));
  const { rows } = await db.execute<DecisionRow>(sql`
    select ${decisionColumns} from ${decisionJoins}
    where ${after === undefined ? sql`true` : sql`d.id < ${after.id}`} order by d.id desc limit ${query.limit + 1}`);
  return toPage(rows, query.limit, toDecision, ({ id }) => encodeCursor('decisions', { value: '', id }));
}

export type ThreadComment = {
  id: string;
  username: string | null;
  color: AvatarColor;
  icon: string | null;
  /** Null after deletion. */
  text: string | null;
  state: 'shown' | 'held' | 'removed' | 'deleted';
  at: string;
};

/** A report with its reason. Reporters are named only when they manage the voice. */
export type GivenReason = {
  reason: ReportReason;
  details: string | null;
  at: string;
  /** An owner or editor of the audio's voice. */
  ofVoice: boolean;
  /** Earlier decided reports by the same listener, and how many of them led to a removal. */
  decided: number;
  upheld: number;
};

/** A reported comment with what an operator needs to decide. */
export type ReportDetail = {
  id: string;
  audio: { slug: string; title: string; imageUrl: string | null; isPublished: boolean };
  voice: { name: string; imageUrl: string | null };
  /** The comment among its neighbours, oldest first. */
  thread: ThreadComment[];
  reports: number;
  /** The first 20. */
  given: GivenReason[];
  author: {
    id: string;
    username: string | null;
    joinedAt: string;
    isSubscribed: boolean;
    isSuspended: boolean;
    isAdmin: boolean;
    comments: number;
    reportedBefore: number;
    /** Warnings of the last 90 days that were not undone. */
    warnings: number;
    history: PastDecision[];
  };
  suggestion: DecisionVerb | undefined;
};

/** Around a reported reply, on each side. */
const neighbours = 2;
const maxReasons = 20;

/** @returns undefined for a comment without an open report */
export async function findReport(
  { db, isSubscribed }: { db: Db; isSubscribed(userId: string): Promise<boolean> },
  actor: Actor,
  id: string,
): Promise<ReportDetail | undefined> {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const { rows } = await db.execute<{
    id: string;
    parentId: string | null;
    userId: string;
    audio: { slug: string; title: string; imageKey: string | null; isPublished: boolean };
    voice: { id: string; name: string; imageKey: string | null };
    username: string | null;
    joined: string;
    isSuspended: boolean;
    isAdmin: boolean;
    comments: number;
    reportedBefore: number;
    warnings: number;
    removals: number;
    reports: number;
  }>(sql`
    select c.id, c.parent_id as "parentId", c.user_id as "userId",
      json_build_object('slug', a.slug, 'title', a.title, 'imageKey', a.image_key,
        'isPublished', coalesce(a.published_at <= now(), false)) as audio,
      json_build_object('id', v.id, 'name', v.name, 'imageKey', v.image_key) as voice,
      u.username, u.created_at as joined, u.suspended_at is not null as "isSuspended", u.is_admin as "isAdmin",
      (select count(*)::int from comments own where own.user_id = u.id) as comments,
      (select count(distinct coalesce(d.comment_id, d.id))::int from comment_decisions d
        where d.user_id = u.id and d.comment_id is distinct from c.id) as "reportedBefore",
      (select count(*)::int from comment_decisions d where d.user_id = u.id and d.verb = 'warn' and d.undone_at is null
        and d.created_at > now() - make_interval(days => ${warningDays})) as warnings,
      (select count(*)::int from comment_decisions d where d.user_id = u.id and d.verb <> 'keep' and d.undone_at is null
        and d.created_at > now() - make_interval(days => ${warningDays})) as removals,
      (select count(*)::int from comment_reports r where r.comment_id = c.id and r.settled_at is null) as reports
    from comments c join users u on u.id = c.user_id join audios a on a.id = c.audio_id join voices v on v.id = a.voice_id
    where c.id = ${id} and c.reported_at is not null`);
  const [row] = rows;
  if (row === undefined) return undefined;
  const [thread, given, history, subscribed] = await Promise.all([
    listNeighbours(db, row),
    listGiven(db, id, row.voice.id),
    db.execute<DecisionRow>(sql`
      select ${decisionColumns} from ${decisionJoins} where d.user_id = ${row.userId} order by d.id desc limit 10`),
    isSubscribed(row.userId),
  ]);
  const { audio, voice, warnings, removals } = row;
  return {
    id: row.id,
    audio: { slug: audio.slug, title: audio.title, imageUrl: imageUrl(audio.imageKey), isPublished: audio.isPublished },
    voice: { name: voice.name, imageUrl: imageUrl(voice.imageKey) },
    thread,
    reports: row.reports,
    given,
    author: {
      id: row.userId,
      username: row.username,
      joinedAt: new Date(row.joined).toISOString(),
      isSubscribed: subscribed,
      isSuspended: row.isSuspended,
      isAdmin: row.isAdmin,
      comments: row.comments,
      reportedBefore: row.reportedBefore,
      warnings,
      history: history.rows.map(toDecision),
    },
    suggestion: warnings > 0 && !row.isAdmin ? 'suspend' : removals > 0 ? 'warn' : undefined,
  };
}

async function listNeighbours(
  db: Db,
  { id, parentId }: { id: string; parentId: string | null },
): Promise<ThreadComment[]> {
  const columns = sql`c.id, u.username, u.icon, u.color, c.text, c.created_at as at,
    case when c.text is null then 'deleted' when c.is_held then 'held'
      when c.removed_at is not null or c.is_author_suspended then 'removed' else 'shown' end as state`;
  const from = sql`comments c left join users u on u.id = c.user_id`;
  const { rows } = await db.execute<Omit<ThreadComment, 'color' | 'at'> & { color: number | null; at: string }>(sql`
    select * from (
      (select ${columns} from ${from} where c.id = any(${sql.param(parentId === null ? [id] : [id, parentId])}::uuid[]))
      union all (select ${columns} from ${from} where c.parent_id = ${parentId ?? id} and c.id > ${id} order by c.id limit ${neighbours})
      union all (select ${columns} from ${from} where c.parent_id = ${parentId ?? id} and c.id < ${id} order by c.id desc limit ${neighbours})
    ) near order by id`);
  return rows.map(({ color, at, ...row }) => ({
    ...row,
    color: avatarColorOf(color ?? 0),
    at: new Date(at).toISOString(),
  }));
}

async function listGiven(db: Db, id: string, voiceId: string): Promise<GivenReason[]> {
  const { rows } = await db.execute<GivenReason>(sql`
    select r.reason, r.details, r.created_at as at,
      exists (select from voice_owners o where o.voice_id = ${voiceId} and o.user_id = r.user_id) as "ofVoice",
      past.decided, past.upheld
    from comment_reports r
    cross join lateral (select count(*)::int as decided, (count(*) filter (where d.verb <> 'keep'))::int as upheld
      from comment_reports earlier join comment_decisions d on d.id = earlier.decision_id
      where earlier.user_id = r.user_id and d.undone_at is null) past
    where r.comment_id = ${id} and r.settled_at is null
    order by "ofVoice" desc, r.created_at, r.user_id limit ${maxReasons}`);
  return rows.map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() }));
}
