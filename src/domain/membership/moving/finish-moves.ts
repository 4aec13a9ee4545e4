import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { settleEach } from '../../kernel/settle-each.ts';
import { type MembershipParts, findUserOfCustomer } from '../customers.ts';
import { findProviderOf } from '../payment-providers.ts';
import { syncSubscription } from '../sync/sync.ts';
import { moveOne } from './move-one.ts';
import { type MovedRow, note, reasonOf } from './moved-rows.ts';
import { renews } from './settle-moved.ts';
import { movedSubscriptions } from './tables.ts';

/** Subscriptions that were moved, as their former provider has them. It is asked until it has stopped each. */

const batchSize = 300;
const atOnce = 4;
/** So many failures in a row, and the provider is left alone until the next time. */
const patience = 5;

/**
 * Stops what still renews, and moves those whose subscribers have cancelled there.
 * @throws the reason of `signal`, or the first failure after the others were tried; failures wait longer each time
 */
export async function finishMoves(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  const { db, payments } = parts;
  const isUnstopped = and(eq(movedSubscriptions.state, 'moved'), isNull(movedSubscriptions.stoppedAt));
  // The sync of its event, or of the night, has noted that it ends.
  const hasCancelled = sql`(${movedSubscriptions.state} = 'asked' and not exists (
    select from subscriptions s where s.subscription_id = ${movedSubscriptions.subscriptionId}
      and s.status <> 'ended' and s.ends_at is null))`;
  const rows = await db
    .select()
    .from(movedSubscriptions)
    .where(and(or(isUnstopped, hasCancelled), lte(movedSubscriptions.tryAfter, sql`now()`)))
    .orderBy(asc(movedSubscriptions.tryAfter), asc(movedSubscriptions.id))
    .limit(batchSize);
  const isThere = ({ customerId }: MovedRow) => findProviderOf(payments, customerId) !== undefined;
  let silent = 0;
  const finish = async (row: MovedRow) => {
    if (silent >= patience) return;
    try {
      if (row.state === 'asked') await moveOne(parts, row, { isAsking: isThere(row) });
      else await stopAgain(parts, row);
      silent = 0;
    } catch (error) {
      silent += 1;
      const minutes = Math.min(2 ** row.attempts, 60);
      const later = new Date(Date.now() + minutes * 60_000);
      await note(db, row, { attempts: row.attempts + 1, tryAfter: later, error: reasonOf(error) });
      throw error;
    }
  };
  await settleEach(
    rows.filter((row) => row.state === 'asked' || isThere(row)),
    finish,
    { atOnce, signal },
  );
}

/** The account may be gone; then only this row knows the customer. */
async function stopAgain(parts: MembershipParts, row: MovedRow): Promise<void> {
  if ((await findUserOfCustomer(parts.db, row.customerId)) !== undefined) {
    await syncSubscription(parts, row.customerId);
    return;
  }
  const facts = await parts.payments.readCustomer(row.customerId);
  for (const one of facts?.subscriptions ?? []) if (renews(one)) await parts.payments.cancelNow(one.id);
  await parts.db.delete(movedSubscriptions).where(eq(movedSubscriptions.id, row.id));
}
