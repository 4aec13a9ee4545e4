import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { eraseByPlan } from '../../identity/account-changes.ts';
import { isOnlyAdmin, lockAdmins } from '../../identity/operators.ts';
import { mailTo } from '../../identity/account-language.ts';
import { accountDeletions } from '../../identity/tables.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import { withPaymentLock } from '../../membership/lock.ts';
import type { AccountParts } from '../admin-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { deletionMail, keptAccountMail } from './mails.ts';
import { deletionDays } from '../rules.ts';
import { isOneself, lockAccount, notYourself, recordOnAccount, unknownUser } from './user-account.ts';

/** Schedules the deletion of an account. The user is notified, and the operator can undo it until then. */
export async function planDeletion(parts: AccountParts, actor: Actor, userId: string, { reason }: { reason: string }) {
  administratorsOnly(actor);
  const { db, mail, site } = parts;
  if (isOneself(actor, userId)) return notYourself;
  const dueAt = new Date(Date.now() + deletionDays * 24 * 60 * 60 * 1000);
  const planned = await db.transaction(async (tx) => {
    await lockAdmins(tx);
    const account = await lockAccount(tx, userId);
    if (account === undefined) return unknownUser;
    if (await isOnlyAdmin(tx, userId)) return { ok: false, reason: 'admin/last-admin' } as const;
    const added = await tx
      .insert(accountDeletions)
      .values({ userId, requestedBy: actor.kind === 'user' ? actor.id : null, reason, dueAt })
      .onConflictDoNothing()
      .returning({ userId: accountDeletions.userId });
    if (added.length > 0)
      await recordOnAccount(tx, actor, account, {
        action: 'user.plan-deletion',
        before: { deletion: null },
        after: { deletion: dueAt.toISOString(), reason },
      });
    const [due] = await tx
      .select({ at: accountDeletions.dueAt })
      .from(accountDeletions)
      .where(eq(accountDeletions.userId, userId));
    return { ok: true, dueAt: due?.at ?? dueAt, email: added.length > 0 ? account.email : null } as const;
  });
  if (!planned.ok) return planned;
  if (planned.email !== null) await mail.send(await mailTo(db, planned.email, () => deletionMail(site, planned)));
  return { ok: true, dueAt: planned.dueAt } as const;
}

export async function takeDeletionBack(parts: AccountParts, actor: Actor, userId: string) {
  administratorsOnly(actor);
  const { db, mail, site } = parts;
  if (!isId(userId)) return unknownUser;
  // The lock of `withoutCharges`: a deletion that has begun ends first, so that no mail promises a deleted account.
  const kept = await withPaymentLock(db, userId, () =>
    db.transaction(async (tx) => {
      const account = await lockAccount(tx, userId);
      if (account === undefined) return undefined;
      const [deletion] = await tx
        .delete(accountDeletions)
        .where(eq(accountDeletions.userId, userId))
        .returning({ dueAt: accountDeletions.dueAt });
      if (deletion === undefined) return { email: null };
      await recordOnAccount(tx, actor, account, {
        action: 'user.take-deletion-back',
        before: { deletion: deletion.dueAt.toISOString() },
        after: { deletion: null },
      });
      return { email: account.email };
    }),
  );
  if (kept === undefined) return unknownUser;
  if (kept.email !== null) await mail.send(await mailTo(db, kept.email, () => keptAccountMail(site)));
  return { ok: true } as const;
}

const batchSize = 50;

/**
 * Deletes the accounts that are due, like a deletion by their owner. Failures are retried in the next run.
 * @returns the number of accounts
 * @throws the first failure, after all others were tried
 */
export async function deleteDueAccounts(parts: AccountParts, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  const act = async (userId: string) => {
    if (await deleteDueAccount(parts, userId)) deleted += 1;
  };
  await settleEach(readDue(parts.db), act, { signal });
  return deleted;
}

async function* readDue(db: Db): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const due = await db
      .select({ userId: accountDeletions.userId })
      .from(accountDeletions)
      .where(and(isDue, after === undefined ? undefined : gt(accountDeletions.userId, after)))
      .orderBy(asc(accountDeletions.userId))
      .limit(batchSize);
    yield* due.map(({ userId }) => userId);
    after = due[batchSize - 1]?.userId;
  } while (after !== undefined);
}

const isDue = lte(accountDeletions.dueAt, sql`now()`);

/** @returns false when the deletion was taken back meanwhile, or waits for another admin */
async function deleteDueAccount({ db, identity }: AccountParts, userId: string): Promise<boolean> {
  return eraseByPlan(identity, userId, {
    isDue: () => db.transaction((tx) => isDueNow(tx, userId)),
    // Without a name: nothing of the account is kept.
    record: (tx) =>
      recordChange(tx, {
        actor: operator,
        role: 'operator',
        action: 'user.delete',
        subject: { type: 'user', id: userId, name: 'an account' },
      }),
  });
}

async function isDueNow(tx: Db, userId: string): Promise<boolean> {
  await lockAdmins(tx);
  const account = await lockAccount(tx, userId);
  const [due] = await tx
    .select({ userId: accountDeletions.userId })
    .from(accountDeletions)
    .where(and(isDue, eq(accountDeletions.userId, userId)));
  if (account === undefined || due === undefined) return false;
  // Since it was planned the others may have gone.
  return !(await isOnlyAdmin(tx, userId));
}
