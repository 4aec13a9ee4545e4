import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { language } from '#i18n';
import { mailTo } from '../../identity/account-language.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { ownersOf } from '../../notices/due-work.ts';
import { askedMail } from '../../notices/mails.ts';
import type { NoticeParts } from '../../notices/parts.ts';
import { numberOf, undoSeconds } from '../../notices/rules.ts';
import { noticeAppeals, noticeDecisions, notices } from '../../notices/tables.ts';
import { tokenOf } from '../../notices/tokens.ts';
import { bringBack, removeSubject, settleSubject } from '../../notices/withhold.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { NoticeDecisionForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';

export type DecidedMeanwhile = { by: string | null; at: Date };
type Refused =
  | { ok: false; reason: 'not-found' | 'own-decision' }
  | { ok: false; reason: 'decided'; earlier: DecidedMeanwhile };

const idOf = (actor: Actor) => (actor.kind === 'user' ? actor.id : null);
type Notice = typeof notices.$inferSelect;

async function hold(tx: Db, id: string): Promise<Notice | undefined> {
  const [notice] = await tx.select().from(notices).where(eq(notices.id, id)).for('update');
  return notice;
}

/**
 * Decides a notice and the others about the same content and of the same kind, or the appeal that is open. Mails leave
 * after `undoSeconds`.
 */
export async function decideNotice(
  { db }: Pick<NoticeParts, 'db'>,
  actor: Actor,
  id: string,
  form: NoticeDecisionForm,
): Promise<{ ok: true; decisionId: string } | Refused> {
  administratorsOnly(actor, 'desk');
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const notice = await hold(tx, id);
    // Reports of comments are decided by `decideReport`.
    if (notice === undefined || notice.ofReports) return { ok: false, reason: 'not-found' };
    const [appeal] = await tx
      .select()
      .from(noticeAppeals)
      .where(and(eq(noticeAppeals.noticeId, id), isNull(noticeAppeals.settledAt)))
      .orderBy(noticeAppeals.createdAt)
      .limit(1);
    const last = await findLast(tx, id);
    if (notice.settledAt !== null && appeal === undefined)
      return last === undefined
        ? { ok: false, reason: 'not-found' }
        : { ok: false, reason: 'decided', earlier: { by: last.by, at: last.at } };
    // An appeal is read by someone who did not decide.
    const own = idOf(actor);
    if (appeal !== undefined && own !== null) {
      const decidedBefore = await tx.$count(
        noticeDecisions,
        and(eq(noticeDecisions.noticeId, id), eq(noticeDecisions.decidedBy, own), isNull(noticeDecisions.undoneAt)),
      );
      if (decidedBefore > 0) return { ok: false, reason: 'own-decision' };
    }
    const together = appeal === undefined ? await holdTogether(tx, notice) : [notice];
    if (form.verb !== 'remove' && last?.deleted === true) await bringBack(tx, notice);
    const deleted = form.verb === 'remove' && (await removeSubject(tx, notice));
    const decisionId = newId();
    for (const one of together) {
      const { verb, ground, clause, canned, reasons } = form;
      await tx.insert(noticeDecisions).values({
        id: one.id === id ? decisionId : newId(),
        noticeId: one.id,
        appealId: appeal?.id ?? null,
        verb,
        ground,
        clause: clause ?? null,
        canned: canned ?? null,
        reasons: reasons ?? null,
        language: reasons === undefined ? null : language(),
        decidedBy: own,
        deleted: deleted && one.id === id,
        followUpAt: sql`now() + make_interval(secs => ${undoSeconds})`,
      });
      await tx
        .update(notices)
        .set({ settledAt: sql`now()` })
        .where(and(eq(notices.id, one.id), isNull(notices.settledAt)));
      await record(tx, actor, one, appeal === undefined ? `notice.${verb}` : `appeal.${verb}`, {
        before: { decision: null },
        after: { decision: verb, ground },
      });
    }
    if (appeal !== undefined)
      await tx
        .update(noticeAppeals)
        .set({ settledAt: sql`now()` })
        .where(eq(noticeAppeals.id, appeal.id));
    await settleSubject(tx, notice);
    return { ok: true, decisionId };
  });
}

async function holdTogether(tx: Db, notice: Notice): Promise<Notice[]> {
  const { subjectId, subjectType, kind, id } = notice;
  if (subjectId === null) return [notice];
  const others = await tx
    .select()
    .from(notices)
    .where(
      and(
        eq(notices.subjectId, subjectId),
        eq(notices.subjectType, subjectType),
        eq(notices.kind, kind),
        eq(notices.ofReports, false),
        isNull(notices.settledAt),
        sql`${notices.id} <> ${id}`,
      ),
    )
    .orderBy(notices.id)
    .for('update');
  return [notice, ...others];
}

async function findLast(tx: Db, noticeId: string) {
  const [last] = await tx
    .select({ by: users.username, at: noticeDecisions.createdAt, deleted: noticeDecisions.deleted })
    .from(noticeDecisions)
    .leftJoin(users, eq(users.id, noticeDecisions.decidedBy))
    .where(and(eq(noticeDecisions.noticeId, noticeId), isNull(noticeDecisions.undoneAt)))
    .orderBy(desc(noticeDecisions.id))
    .limit(1);
  return last;
}

/** Takes a decision back before its mails have left, with those that were decided together. */
export async function undoNoticeDecision(
  { db }: Pick<NoticeParts, 'db'>,
  actor: Actor,
  decisionId: string,
): Promise<{ ok: true } | { ok: false; reason: 'not-found' | 'too-late' }> {
  administratorsOnly(actor, 'desk');
  if (!isId(decisionId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const [seen] = await tx.select().from(noticeDecisions).where(eq(noticeDecisions.id, decisionId));
    const notice = seen && (await hold(tx, seen.noticeId));
    const [decision] = await tx.select().from(noticeDecisions).where(eq(noticeDecisions.id, decisionId)).for('update');
    if (notice === undefined || decision === undefined) return { ok: false, reason: 'not-found' };
    if (decision.followUpAt === null || decision.undoneAt !== null) return { ok: false, reason: 'too-late' };
    const together = await tx
      .update(noticeDecisions)
      .set({ undoneAt: sql`now()`, followUpAt: null, deleted: false })
      .where(
        sql`${noticeDecisions.id} = ${decisionId} or (${noticeDecisions.createdAt} = ${decision.createdAt}
          and ${noticeDecisions.decidedBy} is not distinct from ${decision.decidedBy} and ${noticeDecisions.followUpAt} is not null
          and ${noticeDecisions.noticeId} in (select n.id from notices n where n.subject_id = ${notice.subjectId} and n.kind = ${notice.kind}))`,
      )
      .returning({ noticeId: noticeDecisions.noticeId });
    if (decision.deleted) await bringBack(tx, notice);
    for (const { noticeId } of together) {
      if (decision.appealId === null) await tx.update(notices).set({ settledAt: null }).where(eq(notices.id, noticeId));
      const one = noticeId === notice.id ? notice : await hold(tx, noticeId);
      if (one !== undefined)
        await record(tx, actor, one, 'notice.undo', { before: { decision: decision.verb }, after: { decision: null } });
    }
    if (decision.appealId !== null)
      await tx.update(noticeAppeals).set({ settledAt: null }).where(eq(noticeAppeals.id, decision.appealId));
    await settleSubject(tx, notice);
    return { ok: true };
  });
}

/** Name and email of the reporter, which the log notes. */
export async function findReporter({ db }: Pick<NoticeParts, 'db'>, actor: Actor, id: string) {
  administratorsOnly(actor, 'desk');
  if (!isId(id)) return undefined;
  return db.transaction(async (tx) => {
    const notice = await hold(tx, id);
    if (notice === undefined || (notice.name === null && notice.email === null)) return undefined;
    await record(tx, actor, notice, 'notice.show-reporter', {});
    return { name: notice.name, email: notice.email };
  });
}

/** Asks the creator's side for an answer, by mail and on their private page. */
export async function askOwner(
  { db, secret, mail, site }: NoticeParts,
  actor: Actor,
  id: string,
): Promise<{ ok: true } | { ok: false; reason: 'not-found' }> {
  administratorsOnly(actor, 'desk');
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const notice = await hold(tx, id);
    if (notice === undefined || notice.settledAt !== null || notice.ofReports)
      return { ok: false, reason: 'not-found' };
    await tx
      .update(notices)
      .set({ askedAt: sql`now()`, askedBy: idOf(actor) })
      .where(eq(notices.id, id));
    const values = { about: notice.subjectName, token: tokenOf(secret, id, 'owner') };
    for (const to of await ownersOf(tx, notice))
      await mail.queue(tx, await mailTo(tx, to, () => askedMail(site, values)));
    await record(tx, actor, notice, 'notice.ask', {});
    return { ok: true };
  });
}

/** Notes who is on it, so that two people see each other; the last one to take it over. */
export async function openNotice(
  { db }: Pick<NoticeParts, 'db'>,
  actor: Actor,
  id: string,
  { takesOver = false } = {},
): Promise<boolean> {
  administratorsOnly(actor, 'desk');
  if (!isId(id) || actor.kind !== 'user') return false;
  const isFree = sql`(${notices.openedBy} is null or ${notices.openedBy} = ${actor.id} or ${notices.openedAt} < now() - interval '30 minutes')`;
  await db
    .update(notices)
    .set({ openedBy: actor.id, openedAt: sql`now()` })
    .where(and(eq(notices.id, id), isNull(notices.settledAt), takesOver ? undefined : isFree));
  return true;
}

async function record(
  tx: Db,
  actor: Actor,
  notice: Notice,
  action: `${'notice' | 'appeal'}.${string}`,
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
) {
  const subject = { type: 'notice', id: notice.id, name: numberOf(notice) };
  await recordByOperator(tx, actor, { action, subject, voiceId: notice.voiceId ?? undefined, ...change });
}
