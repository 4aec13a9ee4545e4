import { and, asc, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { AddJobs } from '../../gateways.ts';
import { users } from '../../identity/tables.ts';
import { violatedIndex } from '../../identity/unique-fields.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { type ProviderName, providerTitles } from '../../membership/capabilities.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import { type MovePlan, planMove } from '../../membership/moving/plan-move.ts';
import { type MoveRow, moveJob, retryMove, setMoveState, storeMove } from '../../membership/moving/run-move.ts';
import { movedSubscriptions, providerMoves } from '../../membership/moving/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';
import { prepareMain, writeMain } from './providers.ts';

export type MoveParts = { membership: MembershipParts; addJobs: AddJobs };

type Pair = { from: ProviderName; to: ProviderName };

/** A dry run: what `startProviderMove` would do. */
export async function planProviderMove(parts: MembershipParts, actor: Actor, { from, to }: Pair): Promise<MovePlan> {
  administratorsOnly(actor);
  requireTwo({ from, to });
  return planMove(parts, from, to);
}

function requireTwo({ from, to }: Pair): void {
  if (from === to) throw new DomainError('request/invalid', 'from and to are the same provider');
}

/**
 * Makes the new provider the main one, and stores the move, which a job carries out.
 * @throws DomainError `provider-move/running`, `payment/provider-gone`, `payment/unavailable`
 */
export async function startProviderMove(
  { membership, addJobs }: MoveParts,
  actor: Actor,
  { from, to }: Pair,
): Promise<{ id: string; total: number }> {
  administratorsOnly(actor);
  requireTwo({ from, to });
  await prepareMain(membership, to);
  const main = membership.payments.name;
  try {
    const stored = await membership.db.transaction(async (tx) => {
      await writeMain(tx, actor, main, to);
      const made = await storeMove(tx, from, to);
      await record(
        tx,
        actor,
        'start',
        { id: made.id, fromProvider: from, toProvider: to },
        { subscriptions: made.total },
      );
      return made;
    });
    await addJobs(moveJob, [stored.id]);
    return stored;
  } catch (error) {
    if (violatedIndex(error) === 'provider_moves_open_idx') throw new DomainError('provider-move/running');
    throw error;
  }
}

export type MoveProblem = {
  userId: string | null;
  username: string | null;
  is: 'failed' | 'unstopped' | 'asked' | 'lived-on';
  charged: boolean;
  error: string | null;
};

export type MoveProgress = {
  id: string;
  from: ProviderName;
  to: ProviderName;
  state: MoveRow['state'];
  startedAt: Date;
  endedAt: Date | null;
  total: number;
  waiting: number;
  moved: number;
  /** Among the moved: the former provider has not said that it stops. */
  unstopped: number;
  /** Subscribers who have to cancel there themselves, and have not yet. */
  asked: number;
  left: number;
  failed: number;
  /** Went on, or were charged, at the former provider after the move. */
  livedOn: number;
  charged: number;
  problems: MoveProblem[];
};

const shownMoves = 10;
const shownProblems = 50;

/** The last moves with their progress, newest first. */
export async function listProviderMoves({ db }: { db: Db }, actor: Actor): Promise<MoveProgress[]> {
  administratorsOnly(actor);
  const moves = await db.select().from(providerMoves).orderBy(desc(providerMoves.startedAt)).limit(shownMoves);
  return Promise.all(moves.map((move) => progressOf(db, move)));
}

async function progressOf(db: Db, { id, fromProvider, toProvider, ...move }: MoveRow): Promise<MoveProgress> {
  const { state, stoppedAt, livedOnAt, chargedAgainAt } = movedSubscriptions;
  const count = (where: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${where})::int`;
  const of = (name: MovedState) => count(sql`${state} = ${name}`);
  const isOfMove = eq(movedSubscriptions.moveId, id);
  const [counts] = await db
    .select({
      total: count(sql`true`),
      waiting: of('waiting'),
      moved: of('moved'),
      unstopped: count(sql`${state} = 'moved' and ${stoppedAt} is null`),
      asked: of('asked'),
      left: of('left'),
      failed: of('failed'),
      livedOn: count(sql`${livedOnAt} is not null`),
      charged: count(sql`${chargedAgainAt} is not null`),
    })
    .from(movedSubscriptions)
    .where(isOfMove);
  const isProblem = or(
    inArray(state, ['failed', 'asked']),
    and(eq(state, 'moved'), isNull(stoppedAt)),
    isNotNull(livedOnAt),
  );
  const rows = await db
    .select({ row: movedSubscriptions, username: users.username })
    .from(movedSubscriptions)
    .leftJoin(users, eq(users.id, movedSubscriptions.userId))
    .where(and(isOfMove, isProblem))
    // Charged ones first, then failed ones.
    .orderBy(
      sql`${chargedAgainAt} is null`,
      sql`${livedOnAt} is null`,
      sql`${state} <> 'failed'`,
      asc(movedSubscriptions.id),
    )
    .limit(shownProblems);
  if (counts === undefined) throw new Error('an aggregate has one row');
  return {
    id,
    from: fromProvider,
    to: toProvider,
    ...move,
    ...counts,
    problems: rows.map(({ row, username }) => ({
      userId: row.userId,
      username,
      is:
        row.livedOnAt !== null ? 'lived-on' : row.state === 'failed' || row.state === 'asked' ? row.state : 'unstopped',
      charged: row.chargedAgainAt !== null,
      error: row.error,
    })),
  };
}

type MovedState = typeof movedSubscriptions.$inferSelect.state;

export type MoveAct = 'pause' | 'resume' | 'retry';

/**
 * Pauses after the current batch, goes on, or tries again what failed and what the former provider has not stopped.
 * @returns undefined for an unknown move; `changed`: how many, for a retry
 */
export async function actOnProviderMove(
  { membership, addJobs }: MoveParts,
  actor: Actor,
  id: string,
  act: MoveAct,
): Promise<{ changed: number } | undefined> {
  administratorsOnly(actor);
  if (!isId(id)) return undefined;
  const changed = await membership.db.transaction(async (tx) => {
    const [move] = await tx.select().from(providerMoves).where(eq(providerMoves.id, id)).for('update');
    if (move === undefined) return undefined;
    const state = act === 'pause' ? 'paused' : 'running';
    const number = act === 'retry' ? await retry(tx, id) : Number(await setMoveState(tx, id, state));
    if (number > 0) await record(tx, actor, act, move, act === 'retry' ? { subscriptions: number } : undefined);
    return { changed: number };
  });
  if (changed !== undefined && act !== 'pause') await addJobs(moveJob, [id]);
  return changed;
}

/** @throws DomainError `provider-move/running` while another one is open */
async function retry(tx: Db, id: string): Promise<number> {
  try {
    return await retryMove(tx, id);
  } catch (error) {
    if (violatedIndex(error) === 'provider_moves_open_idx') throw new DomainError('provider-move/running');
    throw error;
  }
}

async function record(
  tx: Db,
  actor: Actor,
  act: 'start' | MoveAct,
  { id, fromProvider, toProvider }: Pick<MoveRow, 'id' | 'fromProvider' | 'toProvider'>,
  after?: Record<string, unknown>,
): Promise<void> {
  const name = `${providerTitles[fromProvider]} → ${providerTitles[toProvider]}`;
  await recordByOperator(tx, actor, {
    action: `provider-move.${act}`,
    subject: { type: 'provider-move', id, name },
    after,
  });
}
