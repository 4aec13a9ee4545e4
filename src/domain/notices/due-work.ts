import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { voiceOwners } from '../community/tables.ts';
import { mailTo } from '../identity/account-language.ts';
import { users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { dueAt } from './calendar.ts';
import { recordHiding } from './give.ts';
import { decidedMail, overdueMail } from './mails.ts';
import type { NoticeParts } from './parts.ts';
import { type NoticeSide, numberOf } from './rules.ts';
import { noticeSetting } from './settings.ts';
import { appealEnd, findProceedings } from './state.ts';
import { noticeDecisions, notices } from './tables.ts';
import { tokenOf } from './tokens.ts';
import { settleSubject } from './withhold.ts';

const batchSize = 50;

/**
 * Hides what overdue notices are about, dates those of reported comments, and mails decisions that were not undone. Runs
 * as a job, once per site; failures are retried.
 */
export async function doDueNotices(parts: NoticeParts, signal?: AbortSignal) {
  await dateNotices(parts);
  const hidden = await hideOverdue(parts);
  let told = 0;
  await settleEach(
    readDue(parts.db),
    async (decision) => {
      await tell(parts, decision);
      told += 1;
    },
    { signal },
  );
  return { hidden, told };
}

/** Notices that a trigger made have no due date yet; those whose comment was deleted are over. Reads do without it (`dueSql`). */
async function dateNotices({ db, settings }: Pick<NoticeParts, 'db' | 'settings'>): Promise<void> {
  const undated = await db
    .select({ id: notices.id, createdAt: notices.createdAt })
    .from(notices)
    .where(and(isNull(notices.settledAt), isNull(notices.dueAt)))
    .limit(1000);
  const calendar = settings.read(noticeSetting);
  for (const { id, createdAt } of undated)
    await db
      .update(notices)
      .set({ dueAt: dueAt(createdAt, calendar) })
      .where(eq(notices.id, id));
  await db.execute(sql`
    delete from notices n where n.of_reports and n.settled_at is null
      and not exists (select from comments c where c.id = n.subject_id and c.reported_at is not null)`);
}

async function hideOverdue({ db, mail, site, operatorEmail }: NoticeParts): Promise<number> {
  return db.transaction(async (tx) => {
    const overdue = await tx
      .select()
      .from(notices)
      .where(and(isNull(notices.settledAt), isNull(notices.hiddenAt), lte(notices.dueAt, sql`now()`)))
      .orderBy(asc(notices.id))
      .limit(batchSize)
      .for('update', { skipLocked: true });
    if (overdue.length === 0) return 0;
    const ids = overdue.map(({ id }) => id);
    await tx
      .update(notices)
      .set({ hiddenAt: sql`now()`, hiddenBy: 'overdue' })
      .where(inArray(notices.id, ids));
    for (const notice of overdue) {
      await settleSubject(tx, notice);
      await recordHiding(tx, { id: notice.id, number: numberOf(notice), reason: 'overdue' });
    }
    if (operatorEmail !== undefined) {
      const numbers = overdue.map(numberOf).join(', ');
      await mail.queue(tx, await mailTo(tx, operatorEmail, () => overdueMail(site, numbers)));
    }
    return overdue.length;
  });
}

type Decision = typeof noticeDecisions.$inferSelect;

async function* readDue(db: Db): AsyncGenerator<Decision> {
  yield* await db
    .select()
    .from(noticeDecisions)
    .where(lte(noticeDecisions.followUpAt, sql`now()`))
    .orderBy(asc(noticeDecisions.id))
    .limit(batchSize);
}

/** Reasons go to both sides, and to the owners of a creator page. */
async function tell({ db, secret, mail, site }: NoticeParts, { id, noticeId }: Decision): Promise<void> {
  await db.transaction(async (tx) => {
    const [decision] = await tx.select().from(noticeDecisions).where(eq(noticeDecisions.id, id)).for('update');
    if (decision === undefined || decision.followUpAt === null) return;
    await tx.update(noticeDecisions).set({ followUpAt: null }).where(eq(noticeDecisions.id, id));
    const [notice] = await tx.select().from(notices).where(eq(notices.id, noticeId));
    if (decision.undoneAt !== null || notice === undefined) return;
    const { decisions, appeals } = await findProceedings(tx, noticeId);
    const end = appealEnd(decisions[0]?.createdAt ?? decision.createdAt);
    const send = async (side: NoticeSide, to: string) => {
      const hasAppealed = appeals.some((appeal) => appeal.side === side);
      const values = {
        number: numberOf(notice),
        about: notice.subjectName,
        subject: notice.subjectType,
        verb: decision.verb,
        isAppeal:
          decision.appealId !== null && appeals.some((one) => one.id === decision.appealId && one.side === side),
        canned: decision.canned,
        reasons: decision.reasons,
        clause: decision.clause,
        ground: decision.ground,
        appealUntil: hasAppealed || end < new Date() ? null : end,
        token: tokenOf(secret, noticeId, side),
      };
      const page = side === 'reporter' ? notice.language : null;
      await mail.queue(tx, await mailTo(tx, to, () => decidedMail(site, side, values), page));
    };
    if (notice.email !== null) await send('reporter', notice.email);
    for (const to of await ownersOf(tx, notice)) await send('owner', to);
  });
}

/** Addresses of the creator's side. */
export async function ownersOf(
  db: Db,
  { voiceId, ownerId }: { voiceId: string | null; ownerId: string | null },
): Promise<string[]> {
  const isOfVoice = sql`${users.id} in (select o.user_id from ${voiceOwners} o where o.voice_id = ${voiceId} and o.role = 'owner')`;
  // A comment belongs to its author, not to the creator of the audio.
  const isOwner = ownerId === null ? isOfVoice : eq(users.id, ownerId);
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(isOwner, sql`${users.email} is not null`))
    .limit(20);
  return rows.flatMap(({ email }) => (email === null ? [] : [email]));
}
