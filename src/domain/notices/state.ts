import { and, asc, eq, isNull, or } from 'drizzle-orm';
import { dayAt } from '#formats/zones.ts';
import type { Db } from '../kernel/db.ts';
import { addMonths } from '../kernel/calendar/months.ts';
import { type NoticeSide, appealMonths, maskedEmail, numberOf } from './rules.ts';
import type { NoticeParts } from './parts.ts';
import { noticeSetting } from './settings.ts';
import { findSubjectById } from './subjects.ts';
import { noticeAppeals, noticeDecisions, notices } from './tables.ts';
import { hashOf } from './tokens.ts';

/** The notice of a private page, and whose page it is. */
export async function findByToken(db: Db, token: string) {
  if (token.length > 60) return undefined;
  const hash = hashOf(token);
  const [notice] = await db
    .select()
    .from(notices)
    .where(or(eq(notices.reporterToken, hash), eq(notices.ownerToken, hash)));
  return notice && { notice, side: (notice.reporterToken === hash ? 'reporter' : 'owner') as NoticeSide };
}

/** Decisions in force and appeals, oldest first. */
export async function findProceedings(db: Db, noticeId: string) {
  const [decisions, appeals] = await Promise.all([
    db
      .select()
      .from(noticeDecisions)
      .where(and(eq(noticeDecisions.noticeId, noticeId), isNull(noticeDecisions.undoneAt)))
      .orderBy(asc(noticeDecisions.id)),
    db.select().from(noticeAppeals).where(eq(noticeAppeals.noticeId, noticeId)).orderBy(asc(noticeAppeals.createdAt)),
  ]);
  return { decisions, appeals };
}

export function appealEnd(decidedAt: Date): Date {
  return addMonths(decidedAt, appealMonths);
}

/** The private page of one side; undefined for an unknown token. */
export async function findNoticeState({ db, settings }: Pick<NoticeParts, 'db' | 'settings'>, token: string) {
  const found = await findByToken(db, token);
  if (found === undefined) return undefined;
  const { notice, side } = found;
  const [{ decisions, appeals }, subject] = await Promise.all([
    findProceedings(db, notice.id),
    findSubjectById(db, notice.subjectType, notice.subjectId),
  ]);
  // Until its mails leave, a decision can be undone.
  const told = decisions.filter(({ followUpAt }) => followUpAt === null || followUpAt <= new Date());
  const first = told.find(({ appealId }) => appealId === null);
  const decision = told.at(-1);
  const own = appeals.find((appeal) => appeal.side === side);
  const isAppealOpen = own !== undefined && own.settledAt === null;
  const until = first === undefined ? undefined : appealEnd(first.createdAt);
  const { facts, kind } = notice;
  return {
    side,
    number: numberOf(notice),
    kind,
    subject: {
      type: notice.subjectType,
      name: notice.subjectName,
      address: notice.address,
      by: subject?.by ?? null,
      durationMs: subject?.durationMs ?? null,
      imageUrl: subject?.imageUrl ?? null,
    },
    details: side === 'reporter' || notice.askedAt !== null || decision !== undefined ? notice.details : null,
    /** Copyright names its owner to the creator, too. */
    work: facts.work ?? null,
    claimant: side === 'owner' && kind === 'copyright' ? notice.name : null,
    email: side === 'reporter' && notice.email !== null ? maskedEmail(notice.email) : null,
    receivedAt: notice.createdAt,
    /** The last day for a decision. */
    dueDay: notice.dueAt === null ? null : dayAt(notice.dueAt.getTime() - 1, settings.read(noticeSetting).zone),
    hiddenAt: notice.hiddenAt,
    hiddenBy: notice.hiddenBy,
    isHidden: notice.hiddenAt !== null && notice.settledAt === null,
    asked:
      notice.askedAt === null ? null : { at: notice.askedAt, answer: notice.answer, answeredAt: notice.answeredAt },
    decision:
      decision === undefined
        ? null
        : {
            verb: decision.verb,
            ground: decision.ground,
            clause: decision.clause,
            canned: decision.canned,
            reasons: decision.reasons,
            language: decision.language,
            at: decision.createdAt,
            isOfAppeal: decision.appealId !== null,
          },
    firstDecidedAt: first?.createdAt ?? null,
    appeal: own === undefined ? null : { reasons: own.reasons, at: own.createdAt, isOpen: isAppealOpen },
    appealUntil: until === undefined ? null : until,
    canAppeal: until !== undefined && own === undefined && until > new Date(),
  };
}
export type NoticeState = NonNullable<Awaited<ReturnType<typeof findNoticeState>>>;
