import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { audios } from '../../catalogue/tables.ts';
import type { DecisionVerb } from '../../community/rules.ts';
import { commentDecisions, commentReports, comments } from '../../community/tables.ts';
import { setSuspended } from '../../identity/operators.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { DecisionForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister, mayUse } from '../rules.ts';

/** Mails and billing wait this long, so that a decision can be undone. */
export const followUpSeconds = 60;

export type DecideOutcome =
  | { ok: true; decisionId: string | undefined; changed: boolean }
  | { ok: false; reason: 'not-found' | 'is-admin' }
  | { ok: false; reason: 'decided'; earlier: EarlierDecision | undefined };

export type UndoOutcome =
  | { ok: true }
  | { ok: false; reason: 'not-found' | 'undone' }
  | { ok: false; reason: 'decided'; earlier: EarlierDecision };

const idOf = (actor: Actor) => (actor.kind === 'user' ? actor.id : null);

/**
 * Keeps or removes a reported comment and settles its open reports. A removed text is hidden, not erased, so that this
 * can be undone. Mails and billing follow after `followUpSeconds`.
 * @param options.evenUnreported for the command line: also removes comments without reports
 */
export async function decideReport(
  db: Db,
  actor: Actor,
  commentId: string,
  { verb, note, notifiesOwners, paysBack }: DecisionForm,
  { evenUnreported = false }: { evenUnreported?: boolean } = {},
): Promise<DecideOutcome> {
  // Accounts are the admins' alone.
  if (!mayUse(actor, 'desk') || !isId(commentId) || (verb === 'suspend' && !canAdminister(actor)))
    return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<DecideOutcome> => {
    const [seen] = await tx
      .select(pick(comments, 'parentId', 'userId'))
      .from(comments)
      .where(eq(comments.id, commentId));
    if (seen === undefined || seen.userId === null) return { ok: false, reason: 'not-found' };
    // Locks the author before the comments, in the same order as writing and erasing.
    const [author] = await tx
      .select({ isAdmin: users.isAdmin, suspendedAt: users.suspendedAt })
      .from(users)
      .where(eq(users.id, seen.userId))
      .for(verb === 'suspend' ? 'no key update' : 'key share');
    if (author === undefined) return { ok: false, reason: 'not-found' };
    await tx.execute(sql`
      select from comments where id = any(${sql.param([seen.parentId ?? commentId, commentId])}::uuid[])
      order by id for update`);
    const [comment] = await tx.select().from(comments).where(eq(comments.id, commentId));
    if (comment === undefined || comment.userId === null || comment.text === null)
      return { ok: false, reason: 'not-found' };
    const { userId, text } = comment;
    if (comment.reportedAt === null && !evenUnreported)
      return { ok: false, reason: 'decided', earlier: await findLatest(tx, commentId) };
    if (verb === 'suspend' && author.isAdmin) return { ok: false, reason: 'is-admin' };

    const stays = verb === 'keep';
    const isSuspending = verb === 'suspend' && author.suspendedAt === null;
    const changed = (stays ? comment.removedAt !== null : comment.removedAt === null || comment.isHeld) || isSuspending;
    if (comment.reportedAt === null && !changed) return { ok: true, decisionId: undefined, changed };
    const decisionId = newId();
    await tx.insert(commentDecisions).values({
      id: decisionId,
      commentId,
      userId,
      audioId: comment.audioId,
      text,
      verb,
      note: note ?? null,
      decidedBy: idOf(actor),
      removedBefore: comment.removedAt,
      heldBefore: comment.isHeld,
      suspended: isSuspending,
      notifiesOwners,
      paysBack: isSuspending && paysBack,
      followUpAt: sql`now() + make_interval(secs => ${followUpSeconds})`,
    });
    await tx
      .update(comments)
      .set({ removedAt: stays ? null : sql`coalesce(${comments.removedAt}, now())`, isHeld: false })
      .where(eq(comments.id, commentId));
    await tx
      .update(commentReports)
      .set({ settledAt: sql`now()`, decisionId })
      .where(and(eq(commentReports.commentId, commentId), isNull(commentReports.settledAt)));
    if (isSuspending) await setSuspended(tx, userId, true);
    const wasRemoved = comment.removedAt !== null;
    await record(tx, actor, `comment.${verb}`, comment, {
      before: { decision: null, removed: wasRemoved, ...(isSuspending && { suspended: false }) },
      after: {
        decision: verb,
        removed: !stays,
        ...(isSuspending && { suspended: true, unusedDaysPaidBack: paysBack }),
      },
    });
    return { ok: true, decisionId, changed };
  });
}

/** Restores comment, reports and author; a further mail corrects those already sent. */
export async function undoDecision(db: Db, actor: Actor, decisionId: string): Promise<UndoOutcome> {
  if (!mayUse(actor, 'desk') || !isId(decisionId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<UndoOutcome> => {
    const [seen] = await tx.select().from(commentDecisions).where(eq(commentDecisions.id, decisionId));
    if (seen === undefined) return { ok: false, reason: 'not-found' };
    await tx.execute(sql`select from users where id = ${seen.userId} for no key update`);
    const { commentId } = seen;
    if (commentId !== null)
      await tx.execute(sql`
        select from comments where id = ${commentId} or id = (select parent_id from comments where id = ${commentId})
        order by id for update`);
    const [decision] = await tx
      .select()
      .from(commentDecisions)
      .where(eq(commentDecisions.id, decisionId))
      .for('update');
    if (decision === undefined) return { ok: false, reason: 'not-found' };
    if (decision.undoneAt !== null) return { ok: false, reason: 'undone' };
    const latest = commentId === null ? undefined : await findLatest(tx, commentId);
    if (latest !== undefined && latest.id !== decisionId) return { ok: false, reason: 'decided', earlier: latest };

    const lifts = decision.suspended && !(await passSuspensionOn(tx, decision));
    await tx
      .update(commentDecisions)
      .set({
        undoneAt: sql`now()`,
        undoneBy: idOf(actor),
        followUpAt: decision.followedUpAt === null ? null : sql`now()`,
        suspended: lifts,
      })
      .where(eq(commentDecisions.id, decisionId));
    if (lifts) await setSuspended(tx, decision.userId, false);
    const [comment] =
      commentId === null ? [] : await tx.select().from(comments).where(eq(comments.id, commentId)).limit(1);
    if (comment !== undefined && comment.text !== null) {
      await tx
        .update(comments)
        .set({ removedAt: decision.removedBefore, isHeld: decision.heldBefore })
        .where(eq(comments.id, comment.id));
      await tx
        .update(commentReports)
        .set({ settledAt: null, decisionId: null })
        .where(eq(commentReports.decisionId, decisionId));
      await record(tx, actor, 'comment.undo', comment, {
        before: { decision: decision.verb, removed: comment.removedAt !== null, ...(lifts && { suspended: true }) },
        after: { decision: null, removed: decision.removedBefore !== null, ...(lifts && { suspended: false }) },
      });
    } else {
      const subject = { id: commentId ?? decisionId, audioId: decision.audioId };
      await record(tx, actor, 'comment.undo', subject, {
        before: { decision: decision.verb, ...(lifts && { suspended: true }) },
        after: { decision: null, ...(lifts && { suspended: false }) },
      });
    }
    return { ok: true };
  });
}

/**
 * The account stays suspended while another decision on its comments says so; undoing that one then lifts it.
 * @returns false without such a decision
 */
async function passSuspensionOn(
  tx: Db,
  { id, userId, paysBack, stoppedRenewal }: typeof commentDecisions.$inferSelect,
): Promise<boolean> {
  const isOther = and(
    eq(commentDecisions.userId, userId),
    eq(commentDecisions.verb, 'suspend'),
    isNull(commentDecisions.undoneAt),
    ne(commentDecisions.id, id),
  );
  const [other] = await tx
    .select({ id: commentDecisions.id })
    .from(commentDecisions)
    .where(isOther)
    .orderBy(desc(commentDecisions.id))
    .limit(1)
    .for('update');
  if (other === undefined) return false;
  await tx
    .update(commentDecisions)
    .set({ suspended: true, paysBack, stoppedRenewal })
    .where(eq(commentDecisions.id, other.id));
  return true;
}

/** The earlier decision, for an operator who decided too late. */
export type EarlierDecision = NonNullable<Awaited<ReturnType<typeof findLatest>>>;

/** The decision in force for a comment. */
export async function findLatest(db: Db, commentId: string) {
  const [row] = await db
    .select({ ...pick(commentDecisions, 'id', 'verb'), by: users.username, at: commentDecisions.createdAt })
    .from(commentDecisions)
    .leftJoin(users, eq(users.id, commentDecisions.decidedBy))
    .where(and(eq(commentDecisions.commentId, commentId), isNull(commentDecisions.undoneAt)))
    .orderBy(desc(commentDecisions.id))
    .limit(1);
  return row;
}

/** Names neither the author nor any text or note: those can be erased, log entries cannot. */
async function record(
  tx: Db,
  actor: Actor,
  action: `comment.${DecisionVerb | 'undo'}`,
  { id, audioId }: { id: string; audioId: string | null },
  change: { before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  const [audio] =
    audioId === null
      ? []
      : await tx.select({ title: audios.title, voiceId: audios.voiceId }).from(audios).where(eq(audios.id, audioId));
  await recordByOperator(tx, actor, {
    action,
    subject: { type: 'comment', id, name: audio === undefined ? 'A comment' : `Comment under ${audio.title}` },
    voiceId: audio?.voiceId,
    ...change,
  });
}
