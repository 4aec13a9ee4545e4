import { type SQL, and, eq, isNotNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import { type DecisionVerb, type ReportReason, warningDays } from '../../community/rules.ts';
import { commentDecisions, comments } from '../../community/tables.ts';
import { type AvatarColor, avatarColorOf } from '../../identity/rules.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { Instant } from '../../kernel/forms.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, pageIn, toPage } from '../../kernel/pages.ts';
import { canAdminister, mayUse } from '../rules.ts';

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

/** Longest waiting first. */
export async function listOpenReports(db: Db, actor: Actor, query: PageQuery): Promise<Page<OpenReport>> {
  if (!mayUse(actor, 'desk')) return { items: [], nextCursor: undefined };
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

/** Newest first. */
export async function listDecisions(db: Db, actor: Actor, query: PageQuery) {
  if (!mayUse(actor, 'desk')) return { items: [], nextCursor: undefined };
  return readDecisions(db, query);
}

async function readDecisions(db: Db, query: PageQuery, isOf?: SQL) {
  const page = pageIn('decisions', query, { direction: 'desc', id: commentDecisions.id });
  const operators = alias(users, 'operators');
  const rows = await db
    .select({
      ...pick(commentDecisions, 'id', 'commentId', 'verb', 'text', 'note', 'undoneAt'),
      at: commentDecisions.createdAt,
      username: users.username,
      audioTitle: audios.title,
      /** Username of the operator; null on the command line, or for an account that was deleted. */
      by: operators.username,
      /** The latest decision on its comment, and not undone. */
      canUndo: sql<boolean>`${commentDecisions.undoneAt} is null and not exists (select from comment_decisions later
        where later.comment_id = ${commentDecisions.commentId} and later.id > ${commentDecisions.id}
          and later.undone_at is null)`,
      ...page.columns,
    })
    .from(commentDecisions)
    .innerJoin(users, eq(users.id, commentDecisions.userId))
    .leftJoin(audios, eq(audios.id, commentDecisions.audioId))
    .leftJoin(operators, eq(operators.id, commentDecisions.decidedBy))
    .where(and(isOf, page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}
export type PastDecision = Awaited<ReturnType<typeof readDecisions>>['items'][number];

export type ThreadComment = {
  id: string;
  username: string | null;
  color: AvatarColor;
  icon: string | null;
  /** Null after deletion. */
  text: string | null;
  /** `held`: until its reports are decided; `waiting`: for the creator or the desk; `hidden`: by the creator. */
  state: 'shown' | 'held' | 'waiting' | 'hidden' | 'removed' | 'deleted';
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

/** Around a reported reply, on each side. */
const neighbours = 2;
const maxReasons = 20;

/** A reported comment with what an operator needs to decide. @returns undefined without an open report */
export async function findReport(
  { db, isSubscribed }: { db: Db; isSubscribed(userId: string): Promise<boolean> },
  actor: Actor,
  id: string,
) {
  if (!mayUse(actor, 'desk') || !isId(id)) return undefined;
  const isRecent = sql`d.created_at > now() - make_interval(days => ${warningDays})`;
  const decisions = sql`(select count(*)::int from comment_decisions d where d.user_id = ${users.id} and d.undone_at is null`;
  const [row] = await db
    .select({
      ...pick(comments, 'id', 'parentId'),
      voiceId: voices.id,
      audio: {
        ...pick(audios, 'slug', 'title'),
        imageUrl: imageUrlSql(audios.imageKey),
        isPublished: sql<boolean>`coalesce(${audios.publishedAt} <= now(), false)`,
      },
      voice: { name: voices.name, imageUrl: imageUrlSql(voices.imageKey) },
      author: {
        ...pick(users, 'id', 'username', 'isAdmin'),
        joinedAt: users.createdAt,
        isSuspended: sql<boolean>`${users.suspendedAt} is not null`,
        comments: sql<number>`(select count(*)::int from comments own where own.user_id = ${users.id})`,
        reportedBefore: sql<number>`(select count(distinct coalesce(d.comment_id, d.id))::int from comment_decisions d
          where d.user_id = ${users.id} and d.comment_id is distinct from ${comments.id})`,
        /** Warnings of the last 90 days that were not undone. */
        warnings: sql<number>`${decisions} and d.verb = 'warn' and ${isRecent})`,
      },
      removals: sql<number>`${decisions} and d.verb <> 'keep' and ${isRecent})`,
      reports: sql<number>`(select count(*)::int from comment_reports r
        where r.comment_id = ${comments.id} and r.settled_at is null)`,
    })
    .from(comments)
    .innerJoin(users, eq(users.id, comments.userId))
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(eq(comments.id, id), isNotNull(comments.reportedAt)));
  if (row === undefined) return undefined;
  const { parentId, voiceId, removals, author, ...report } = row;
  const [thread, given, history, subscribed] = await Promise.all([
    listNeighbours(db, { id, parentId }),
    listGiven(db, id, voiceId),
    readDecisions(db, { limit: 10 }, eq(commentDecisions.userId, author.id)),
    isSubscribed(author.id),
  ]);
  const suggestion: DecisionVerb | undefined =
    author.warnings > 0 && !author.isAdmin ? 'suspend' : removals > 0 ? 'warn' : undefined;
  return {
    ...report,
    /** The comment among its neighbours, oldest first. */
    thread,
    given,
    author: { ...author, isSubscribed: canAdminister(actor) && subscribed, history: history.items },
    suggestion,
  };
}
export type ReportDetail = NonNullable<Awaited<ReturnType<typeof findReport>>>;

async function listNeighbours(db: Db, { id, parentId }: { id: string; parentId: string | null }) {
  const columns = sql`c.id, u.username, u.icon, u.color, c.text, c.created_at as at,
    case when c.text is null then 'deleted' when c.is_held then 'held'
      when c.removed_at is not null or c.is_author_suspended then 'removed'
      when c.hidden_at is null then 'shown' when c.waits_for_creator then 'waiting' else 'hidden' end as state`;
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
