import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { outageOf } from '../../kernel/database/outages.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import type { ProviderName } from '../capabilities.ts';
import type { MembershipParts } from '../customers.ts';
import { withPaymentLock } from '../lock.ts';
import { findProvider } from '../payment-providers.ts';
import { moveOne } from './move-one.ts';
import { type MovedRow, note, reasonOf } from './moved-rows.ts';
import { isAtProvider } from '../hosted/hosted-id.ts';
import { isMovable, kindSql } from './plan-move.ts';
import { movedSubscriptions, providerMoves } from './tables.ts';

/** A move in steps: each subscription by itself, in an order that an interruption does not change. */

export const moveJob = 'move-subscriptions';

export type MoveRow = typeof providerMoves.$inferSelect;

const batchSize = 100;
const atOnce = 4;
/** So many calls without an answer in a row, and the provider is not asked again in this run. */
const patience = 5;
/** Then an operator decides. The lock of a process that was killed ends within the time of three. */
const maxAttempts = 3;

/** Stores the move with its subscriptions. @throws a violation of `provider_moves_open_idx` while another one is open */
export async function storeMove(tx: Db, from: ProviderName, to: ProviderName): Promise<{ id: string; total: number }> {
  const id = newId();
  await tx.insert(providerMoves).values({ id, fromProvider: from, toProvider: to });
  const { rowCount } = await tx.execute(sql`
    insert into moved_subscriptions (id, move_id, user_id, customer_id, subscription_id, kind)
    select gen_random_uuid(), ${id}, s.user_id, c.customer_id, s.subscription_id, ${kindSql}
    from subscriptions s join payment_customers c on c.user_id = s.user_id
    where ${isAtProvider(sql`s.subscription_id`, from)} and ${isMovable}`);
  return { id, total: rowCount ?? 0 };
}

export async function findRunningMoves(db: Db): Promise<string[]> {
  const rows = await db.select({ id: providerMoves.id }).from(providerMoves).where(eq(providerMoves.state, 'running'));
  return rows.map(({ id }) => id);
}

/**
 * Moves what still waits, until all is done or an operator pauses it. One run at a time: another one leaves it the work.
 * One that was interrupted goes on where it was.
 * @throws the reason of `signal`, or when the database does not answer
 */
export async function runMove(parts: MembershipParts, id: string, { signal }: { signal?: AbortSignal } = {}) {
  try {
    await withPaymentLock(parts.db, 'provider-move', () => run(parts, id, signal), 500);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'payment/in-progress')) throw error;
  }
}

async function run(parts: MembershipParts, id: string, signal: AbortSignal | undefined): Promise<void> {
  const { db } = parts;
  const silence = { calls: 0 };
  const isWaiting = and(eq(movedSubscriptions.moveId, id), eq(movedSubscriptions.state, 'waiting'));
  for (;;) {
    signal?.throwIfAborted();
    const [move] = await db.select().from(providerMoves).where(eq(providerMoves.id, id));
    if (move?.state !== 'running') return;
    const rows = await db
      .select()
      .from(movedSubscriptions)
      .where(isWaiting)
      .orderBy(asc(movedSubscriptions.attempts), asc(movedSubscriptions.id))
      .limit(batchSize);
    if (rows.length === 0) {
      const isRunning = and(eq(providerMoves.id, id), eq(providerMoves.state, 'running'));
      await db.update(providerMoves).set({ state: 'done', endedAt: new Date() }).where(isRunning);
      return;
    }
    const isThere = findProvider(parts.payments, move.fromProvider) !== undefined;
    await settleEach(rows, (row) => tryOne(parts, row, isThere, silence), { atOnce, signal });
  }
}

async function tryOne(parts: MembershipParts, row: MovedRow, isThere: boolean, silence: { calls: number }) {
  try {
    const hasAnswered = await moveOne(parts, row, { isAsking: isThere && silence.calls < patience });
    if (hasAnswered !== undefined) silence.calls = hasAnswered ? 0 : silence.calls + 1;
  } catch (error) {
    // A lost database is no fault of the subscription.
    if (outageOf(error) === 'away') throw error;
    const attempts = row.attempts + 1;
    const state = attempts < maxAttempts ? 'waiting' : 'failed';
    await note(parts.db, row, { state, error: reasonOf(error), attempts });
  }
}

/** Failed ones wait again, and those that were never stopped are tried at once. */
export async function retryMove(tx: Db, id: string): Promise<number> {
  const ofMove = eq(movedSubscriptions.moveId, id);
  const failed = await tx
    .update(movedSubscriptions)
    .set({ state: 'waiting', error: null, attempts: 0 })
    .where(and(ofMove, eq(movedSubscriptions.state, 'failed')))
    .returning({ id: movedSubscriptions.id });
  const unstopped = await tx
    .update(movedSubscriptions)
    .set({ attempts: 0, tryAfter: sql`now()` })
    .where(and(ofMove, eq(movedSubscriptions.state, 'moved'), sql`${movedSubscriptions.stoppedAt} is null`))
    .returning({ id: movedSubscriptions.id });
  if (failed.length > 0)
    await tx.update(providerMoves).set({ state: 'running', endedAt: null }).where(eq(providerMoves.id, id));
  return failed.length + unstopped.length;
}

/** @returns false when it had ended, or was so already */
export async function setMoveState(tx: Db, id: string, state: 'running' | 'paused'): Promise<boolean> {
  const rows = await tx
    .update(providerMoves)
    .set({ state })
    .where(
      and(
        eq(providerMoves.id, id),
        inArray(providerMoves.state, ['running', 'paused']),
        ne(providerMoves.state, state),
      ),
    )
    .returning({ id: providerMoves.id });
  return rows.length > 0;
}
