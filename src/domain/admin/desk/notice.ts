import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import type { Cue } from '../../catalogue/rules.ts';
import type { Actor } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { clockOf, dueAt } from '../../notices/calendar.ts';
import { listFromSame } from '../../notices/earlier.ts';
import { numberOf, placeIn } from '../../notices/rules.ts';
import type { NoticeParts } from '../../notices/parts.ts';
import { noticeSetting } from '../../notices/settings.ts';
import { findProceedings } from '../../notices/state.ts';
import { findSubjectById } from '../../notices/subjects.ts';
import { notices } from '../../notices/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { findDeskPerformers } from './performers.ts';

/** Someone who opened a notice is on it for this long. */
const openMinutes = 30;

/** Everything that the page of one notice shows. Names of reporters are asked for apart (`findReporter`). */
export async function findNotice({ db, settings }: Pick<NoticeParts, 'db' | 'settings'>, actor: Actor, id: string) {
  administratorsOnly(actor, 'desk');
  if (!isId(id)) return undefined;
  const [notice] = await db.select().from(notices).where(eq(notices.id, id));
  if (notice === undefined) return undefined;
  const [{ decisions, appeals }, subject, others, history, fromSame, people] = await Promise.all([
    findProceedings(db, id),
    findSubjectById(db, notice.subjectType, notice.subjectId),
    listTogether(db, notice),
    readHistory(db, id),
    listFromSame(db, notice),
    db
      .select({ id: users.id, username: users.username })
      .from(users)
      .where(inArray(users.id, [notice.openedBy ?? id, notice.askedBy ?? id])),
  ]);
  const openAppeal = appeals.find(({ settledAt }) => settledAt === null);
  const since = openAppeal ?? notice;
  const calendar = settings.read(noticeSetting);
  // No job has dated the reports of a comment yet.
  const due = since.dueAt ?? dueAt(notice.createdAt, calendar);
  const own = actor.kind === 'user' ? actor.id : undefined;
  const isOnIt = notice.openedAt !== null && Date.now() - notice.openedAt.getTime() < openMinutes * 60_000;
  const { subjectType, subjectId, voiceId } = notice;
  const isAudio = subjectType === 'audio' && subjectId !== null;
  const content = isAudio ? await readAudio(db, notice) : undefined;
  const performers =
    isAudio && content && voiceId !== null ? await findDeskPerformers(db, subjectId, voiceId) : undefined;
  const text = notice.subjectType === 'comment' ? await readComment(db, notice.subjectId) : null;
  return {
    id,
    number: numberOf(notice),
    ofReports: notice.ofReports,
    kind: notice.kind,
    facts: notice.facts,
    subject: {
      type: notice.subjectType,
      id: notice.subjectId,
      name: subject?.name ?? notice.subjectName,
      by: subject?.by ?? null,
      address: subject?.address ?? notice.address,
      imageUrl: subject?.imageUrl ?? null,
      isGone: subject === undefined && notice.subjectId !== null,
    },
    audio: content,
    performers,
    text,
    details: others,
    place: notice.details === null ? undefined : placeIn(notice.details),
    /** Others by the same reporter, or from the same network, newest first. */
    fromSame,
    hasReporter: notice.name !== null || notice.email !== null,
    createdAt: notice.createdAt,
    hiddenAt: notice.hiddenAt,
    hiddenBy: notice.hiddenBy,
    asked:
      notice.askedAt === null ? null : { at: notice.askedAt, answer: notice.answer, answeredAt: notice.answeredAt },
    isSettled: notice.settledAt !== null,
    decisions,
    appeal: openAppeal,
    appeals,
    clock: clockOf({ createdAt: since.createdAt, dueAt: due }, new Date(), calendar),
    history,
    /** Someone else who opened it lately. */
    openedBy:
      isOnIt && notice.openedBy !== null && notice.openedBy !== own
        ? { name: people.find((one) => one.id === notice.openedBy)?.username ?? null, at: notice.openedAt }
        : null,
    /** An appeal is read by someone who did not decide. */
    hasDecided: own !== undefined && decisions.some(({ decidedBy }) => decidedBy === own),
  };
}
export type DeskNotice = NonNullable<Awaited<ReturnType<typeof findNotice>>>;

type Row = typeof notices.$inferSelect;

/** Texts of others about the same content and of the same kind. */
async function listTogether(db: Db, { id, subjectId, subjectType, kind, ofReports }: Row) {
  if (ofReports) return [];
  const isSame = sql`${notices.subjectId} = ${subjectId} and ${notices.subjectType} = ${subjectType} and ${notices.kind} = ${kind}
    and ${notices.settledAt} is null and not ${notices.ofReports}`;
  const rows = await db
    .select({ id: notices.id, details: notices.details, createdAt: notices.createdAt })
    .from(notices)
    .where(subjectId === null ? eq(notices.id, id) : sql`${notices.id} = ${id} or (${isSame})`)
    .orderBy(sql`${notices.id} <> ${id}`, asc(notices.createdAt))
    .limit(20);
  return rows.flatMap(({ details, ...row }) => (details === null ? [] : [{ ...row, text: details }]));
}

async function readAudio(db: Db, { subjectId }: Row) {
  const { rows } = await db.execute<{
    durationMs: number;
    peaks: string | null;
    cues: Cue[] | null;
    state: string;
  }>(sql`
    select a.duration_ms as "durationMs", t.cues, replace(encode(r.peaks, 'base64'), chr(10), '') as peaks,
      case when a.deleted_at is not null then 'deleted' when a.withheld_at is not null then 'hidden'
        when a.published_at <= now() then 'public' else 'draft' end as state
    from audios a left join transcripts t on t.audio_id = a.id
    left join recordings r on r.audio_id = a.id where a.id = ${subjectId}`);
  return rows[0];
}

async function readComment(db: Db, id: string | null): Promise<string | null> {
  const { rows } = await db.execute<{ text: string | null }>(sql`select text from comments where id = ${id}`);
  return rows[0]?.text ?? null;
}

async function readHistory(db: Db, id: string) {
  return db
    .select({
      id: auditEntries.id,
      action: auditEntries.action,
      at: auditEntries.createdAt,
      after: auditEntries.after,
      by: users.username,
    })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.actorId))
    .where(and(eq(auditEntries.subjectId, id), eq(auditEntries.subjectType, 'notice')))
    .orderBy(desc(auditEntries.id))
    .limit(30);
}
