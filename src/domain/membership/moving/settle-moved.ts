import { and, desc, eq, sql } from 'drizzle-orm';
import { operator } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { users } from '../../identity/tables.ts';
import type { MembershipParts } from '../customers.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { findPauseOf } from '../keeping/find-pause.ts';
import { addMails } from '../mail-queue.ts';
import { type CustomerFacts, type SubscriptionFacts, isUsable } from '../payment-provider.ts';
import { providerFor } from '../payment-providers.ts';
import { currentOf } from '../sync/current.ts';
import { type MovedRow, note } from './moved-rows.ts';
import { movedSubscriptions } from './tables.ts';

export const renews = ({ status, endsAt }: SubscriptionFacts) => status !== 'ended' && endsAt === undefined;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Compares a moved subscription with its former provider's state. One that goes on is stopped again; time that it was paid for
 * since is the site's own, too. Requires the user's lock.
 */
export async function settleMoved(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
  customerId: string,
  facts: CustomerFacts,
): Promise<void> {
  const [row] = await db
    .select()
    .from(movedSubscriptions)
    .where(and(eq(movedSubscriptions.customerId, customerId), eq(movedSubscriptions.state, 'moved')))
    .orderBy(desc(movedSubscriptions.movedAt))
    .limit(1);
  if (row === undefined) return;
  const current = currentOf(facts);
  const goesOn = current !== undefined && renews(current);
  const left = goesOn ? await stop(payments, current) : { isStopped: true, cancelUrl: undefined };
  const now = new Date();
  const movedAt = row.movedAt ?? now;
  const paid = current !== undefined && isUsable(current.status) ? (current.endsAt ?? current.periodEndsAt) : undefined;
  const charges = facts.invoices.flatMap(({ subscriptionId, amountPaid, paidAt }) =>
    subscriptionId === current?.id && amountPaid > 0 && paidAt !== null && paidAt > movedAt ? paidAt.getTime() : [],
  );
  const isCharged = charges.length > 0;
  const keptUntil = (row.paidUntil ?? movedAt).getTime();
  // The months of a pause are free there, and unlock nothing.
  const pause = current && (await findPauseOf(db, current.id));
  const pausedUntil =
    pause === undefined || pause.appliedAt === null ? 0 : Math.min(pause.untilAt.getTime(), ...charges);
  const isAfterPause = paid !== undefined && paid.getTime() > pausedUntil - 1000;
  const added = paid === undefined ? 0 : paid.getTime() - (isAfterPause ? Math.max(keptUntil, pausedUntil) : keptUntil);
  const livesOn = (goesOn && row.stoppedAt !== null) || (isCharged && row.chargedAgainAt === null);
  await db.transaction(async (tx) => {
    // The provider counts whole seconds.
    const isLonger = paid !== undefined && added >= 1000;
    if (isLonger) await addBehind(tx, userId, added / 1000);
    await note(tx, row, {
      stoppedAt: left.isStopped ? (row.stoppedAt ?? now) : null,
      error: null,
      ...(isLonger && { paidUntil: paid }),
      ...(livesOn && { livedOnAt: now }),
      ...(isCharged && { chargedAgainAt: row.chargedAgainAt ?? now }),
      ...(!left.isStopped && { cancelUrl: left.cancelUrl ?? null, tryAfter: new Date(now.getTime() + dayMs) }),
    });
    if (!left.isStopped) await addMails(tx, [{ kind: 'cancel-there', ref: row.id, userId }]);
    if (livesOn) await record(tx, userId, row, isCharged);
  });
}

/** @returns whether it is stopped; else only the subscriber can */
async function stop(
  payments: MembershipParts['payments'],
  { id, status }: SubscriptionFacts,
): Promise<{ isStopped: boolean; cancelUrl: string | undefined }> {
  try {
    if (isUsable(status)) await payments.cancelAtPeriodEnd(id, 'moved to another provider');
    else await payments.cancelNow(id);
    return { isStopped: true, cancelUrl: undefined };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'payment/cancel-at-provider')) throw error;
    const pages = await providerFor(payments, id).checkouts?.pagesOf(id);
    return { isStopped: false, cancelUrl: pages?.cancel };
  }
}

/** Behind all time that they have, of this site or paid elsewhere by now. */
async function addBehind(tx: Db, userId: string, seconds: number): Promise<void> {
  await tx.execute(sql`
    insert into memberships (user_id, gift_until) values (${userId}, now() + make_interval(secs => ${seconds}))
    on conflict (user_id) do update set gift_until = greatest(now(), memberships.gift_until,
      (select s.period_ends_at from subscriptions s where s.user_id = ${userId} and s.status = 'active'))
      + make_interval(secs => ${seconds})`);
}

async function record(tx: Db, userId: string, { customerId }: MovedRow, isCharged: boolean): Promise<void> {
  const [user] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId));
  await recordChange(tx, {
    actor: operator,
    role: 'operator',
    action: 'subscription.stopped-again',
    subject: { type: 'subscription', id: userId, name: user?.username ?? userId },
    after: { provider: providerOf(customerId), charged: isCharged },
  });
}
