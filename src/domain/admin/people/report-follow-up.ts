import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { audios } from '../../catalogue/tables.ts';
import { siteSettings } from '../../settings/tables.ts';
import { commentDecisions, commentReports, voiceOwners } from '../../community/tables.ts';
import type { Mail } from '../../gateways.ts';
import { mailTo } from '../../identity/account-language.ts';
import { users } from '../../identity/tables.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import * as mails from './report-mails.ts';

export type FollowUpParts = {
  db: Db;
  site: MailSite;
  mail: Pick<Mail, 'queue'>;
  /**
   * Ends a running subscription at the end of its paid time, or at once with a refund of unused days. Idempotent.
   * @returns whether it stopped a renewal that can be resumed
   */
  stopRenewal(userId: string, paysBack: boolean): Promise<boolean>;
  /** Resumes the subscription while its paid time lasts. */
  resumeRenewal(userId: string): Promise<unknown>;
};

type Decision = typeof commentDecisions.$inferSelect;

const batchSize = 20;
/** Reporters per comment who are notified. */
const maxNotified = 200;

/**
 * Sends mails and updates billing for decisions that were not undone in time, or undone too late. Runs as a job, once
 * per site; failures are retried.
 * @returns the number of decisions
 * @throws the first failure, after all others were tried
 */
export async function followUpDecisions(parts: FollowUpParts, signal?: AbortSignal): Promise<number> {
  let done = 0;
  const act = async (decision: Decision) => {
    await followUp(parts, decision);
    done += 1;
  };
  await settleEach(readDue(parts.db), act, { signal });
  return done;
}

async function* readDue(db: Db): AsyncGenerator<Decision> {
  let after: Decision | undefined;
  do {
    const due = await db
      .select()
      .from(commentDecisions)
      .where(and(lte(commentDecisions.followUpAt, sql`now()`), after && gt(commentDecisions.id, after.id)))
      .orderBy(asc(commentDecisions.id))
      .limit(batchSize);
    yield* due;
    after = due[batchSize - 1];
  } while (after !== undefined);
}

async function followUp(parts: FollowUpParts, decision: Decision): Promise<void> {
  const isUndone = decision.undoneAt !== null;
  // A subscription that the listener had cancelled stays cancelled.
  if (decision.suspended && isUndone && decision.stoppedRenewal) await parts.resumeRenewal(decision.userId);
  // Stored before the mails: when one fails, the next try finds the renewal stopped already.
  if (decision.suspended && !isUndone && (await parts.stopRenewal(decision.userId, decision.paysBack)))
    await parts.db.update(commentDecisions).set({ stoppedRenewal: true }).where(eq(commentDecisions.id, decision.id));
  const messages = await composeAll(parts, decision);
  await parts.db.transaction(async (tx) => {
    for (const message of messages) await parts.mail.queue(tx, message);
    // Undone meanwhile: these mails need a correction.
    await tx.execute(sql`
      update comment_decisions set followed_up_at = now(),
        follow_up_at = case when undone_at is not null and ${!isUndone} then now() end
      where id = ${decision.id}`);
  });
}

async function composeAll(
  { db, site }: FollowUpParts,
  { id, userId, audioId, verb, text, notifiesOwners, undoneAt }: Decision,
): Promise<({ to: string } & MailContent)[]> {
  const [about] =
    audioId === null
      ? []
      : await db.select({ title: audios.title, voiceId: audios.voiceId }).from(audios).where(eq(audios.id, audioId));
  const decided = { verb, text, audioTitle: about?.title ?? 'an audio' };
  const [author] = await db
    .select({ email: users.email, suspendedAt: users.suspendedAt })
    .from(users)
    .where(eq(users.id, userId));
  const to = (emails: (string | null | undefined)[], write: () => MailContent) =>
    Promise.all(emails.flatMap((email) => (email ? [mailTo(db, email, write)] : [])));
  if (undoneAt !== null) {
    // Suspended for another reason: the account is not open again.
    const isLifted = author?.suspendedAt === null;
    const undone = verb === 'suspend' && !isLifted ? 'remove' : verb;
    return undone === 'keep' ? [] : to([author?.email], () => mails.undoneMail(site, { ...decided, verb: undone }));
  }

  const reporters = await db
    .select({ id: users.id, email: users.email })
    .from(commentReports)
    .innerJoin(users, eq(users.id, commentReports.userId))
    .where(eq(commentReports.decisionId, id))
    .orderBy(asc(commentReports.createdAt))
    .limit(maxNotified);
  const owners =
    about === undefined || !notifiesOwners
      ? []
      : await db
          .select({ id: users.id, email: users.email })
          .from(voiceOwners)
          .innerJoin(users, eq(users.id, voiceOwners.userId))
          .where(eq(voiceOwners.voiceId, about.voiceId));
  const owning = new Set(owners.map((owner) => owner.id));
  const messages = await Promise.all([
    // Authors of comments that stay are not told.
    verb === 'keep' ? [] : to([author?.email], () => mails.authorMail(site, { ...decided, verb })),
    to(
      owners.map(({ email }) => email),
      () => mails.ownerMail(site, decided),
    ),
    to(
      reporters.filter((reporter) => !owning.has(reporter.id)).map(({ email }) => email),
      () => mails.reporterMail(site, decided),
    ),
  ]);
  return messages.flat();
}

const notifiedKey = 'reports_told';

/** Mails the operator about new reports, at most once an hour. */
export async function notifyOfReports(
  parts: Pick<FollowUpParts, 'db' | 'site' | 'mail'> & { operatorEmail: string | undefined },
): Promise<boolean> {
  const { db, site, mail, operatorEmail: to } = parts;
  if (to === undefined) return false;
  return db.transaction(async (tx) => {
    const notice = await takeNotice(tx);
    if (notice !== undefined) await mail.queue(tx, await mailTo(tx, to, () => mails.waitingMail(site, notice)));
    return notice !== undefined;
  });
}

/** @returns undefined when nothing is new, or the last notice is not an hour old */
async function takeNotice(tx: Db): Promise<{ waiting: number; held: number } | undefined> {
  const [last] = await tx
    .select({ at: sql<string | null>`${siteSettings.value} ->> 'at'` })
    .from(siteSettings)
    .where(eq(siteSettings.key, notifiedKey))
    .for('update');
  const before = last?.at ?? null;
  const { rows } = await tx.execute<{ waiting: number; held: number; isDue: boolean }>(sql`
    select count(*)::int as waiting, (count(*) filter (where c.is_held))::int as held,
      coalesce(bool_or(exists (select from comment_reports r where r.comment_id = c.id and r.settled_at is null
        and r.created_at > coalesce(${before}::timestamptz, '-infinity'))), false)
        and coalesce(${before}::timestamptz < now() - interval '1 hour', true) as "isDue"
    from (select id, is_held from comments where reported_at is not null limit 10000) c`);
  const [found] = rows;
  if (found === undefined || !found.isDue) return undefined;
  const value = sql`json_build_object('at', now())::jsonb`;
  await tx
    .insert(siteSettings)
    .values({ key: notifiedKey, value })
    .onConflictDoUpdate({ target: siteSettings.key, set: { value, updatedAt: sql`now()` } });
  return found;
}
