import { and, asc, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { addToMonth, isMonth } from '../admin/rules.ts';
import { payoutCorrections, payoutMonths, payoutPayments, payoutShares, payoutStatements } from '../admin/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { findSetting } from '../settings/change-setting.ts';
import { payoutMinimumSetting } from './balances.ts';
import { readNamedPayees } from '../studio/payees/sealed-payees.ts';
import { readAudiosWithListeners, readMonthsWithListeners } from './few-listeners.ts';
import { readMonth, type MonthFacts } from './month-facts.ts';
import {
  type Amounts,
  type EarningState,
  addAmounts,
  maxEarningMonths,
  maySeeEarnings,
  statementNumber,
} from './rules.ts';
import { listTipsOf } from './tips.ts';
import { type EarningLine, heardOf, ownAmountsOf, readVoiceLines, sumOf, type VoiceLines } from './voice-lines.ts';

/** A creator's earnings, month by month, for its owners and for operators. */

export type EarningMonth = {
  /** `2026-10` */
  month: string;
  state: EarningState;
  /** Heard of its own audios; null: by fewer than ten listeners. */
  milliseconds: number | null;
  /** Part of the pools before splits, from 0 to 1. */
  share: number;
  /** After splits, with corrections; of an open month an estimate. */
  amounts: Amounts;
  /** Day by which a locked month is paid; null: open, or locked by a former version. */
  dueOn: string | null;
  /** Number of its statement; null: open. */
  number: string | null;
};

export type Earnings = {
  /** The newest first, beginning with the one that runs. */
  months: EarningMonth[];
  /** Locked and not paid, less what was taken back. */
  waiting: Amounts;
  /** Smallest payments; what is below waits for the next month. */
  minimums: Amounts;
  /** In this year, by the time of payment. */
  paid: { year: number; amounts: Amounts; payments: number };
};

const byCurrency = sql`coalesce(jsonb_object_agg(currency, amount), '{}')`;

/** @returns undefined for a creator whose earnings the actor may not see */
export async function listEarnings(
  db: Db,
  actor: Actor,
  voiceId: string,
  now: Date = new Date(),
): Promise<Earnings | undefined> {
  if (!isId(voiceId) || !maySeeEarnings(actor, voiceId)) return undefined;
  const current = now.toISOString().slice(0, 7);
  const [locked, open, paid] = [
    await readLockedMonths(db, voiceId),
    await readOpenMonths(db, voiceId, current),
    await readPayments(db, voiceId),
  ];
  const months = [...open, ...locked.map((one) => one.month)].toSorted().toReversed().slice(0, maxEarningMonths);
  const large = await readMonthsWithListeners(db, voiceId, months.at(-1) ?? current);
  const hidden = (month: string, milliseconds: number) => (milliseconds > 0 && !large.has(month) ? null : milliseconds);
  const list: EarningMonth[] = [];
  for (const month of months) {
    const one = locked.find((row) => row.month === month);
    if (one !== undefined) {
      list.push({
        month,
        state: stateOf(month, one.amounts, paid),
        milliseconds: hidden(month, one.milliseconds),
        share: one.all === 0 ? 0 : one.milliseconds / one.all,
        amounts: one.amounts,
        dueOn: one.dueOn,
        number: one.number === null ? null : statementNumber(month, one.number),
      });
      continue;
    }
    const { facts, lines, corrections } = await readVoiceMonth(db, month, voiceId);
    const milliseconds = heardOf(lines);
    list.push({
      month,
      state: 'open',
      milliseconds: hidden(month, milliseconds),
      share: facts.milliseconds === 0 ? 0 : milliseconds / facts.milliseconds,
      amounts: yoursOf(lines, corrections),
      dueOn: null,
      number: null,
    });
  }
  const year = now.getUTCFullYear();
  const ofYear = paid.filter(({ paidAt }) => paidAt.getUTCFullYear() === year);
  const sum = (rows: { amounts: Amounts }[]) => rows.reduce<Amounts>((all, one) => addAmounts(all, one.amounts), {});
  return {
    months: list,
    minimums: (await findSetting(db, payoutMinimumSetting)).value.minimums,
    waiting: addAmounts(sum(locked), negated(sumOfPayments(paid))),
    paid: { year, amounts: sumOfPayments(ofYear), payments: ofYear.length },
  };
}

const negated = (amounts: Amounts): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, -amount]));

const sumOfPayments = (payments: Payment[]): Amounts =>
  payments.reduce<Amounts>((sum, { currency, amount }) => addAmounts(sum, { [currency]: amount }), {});

const yoursOf = (lines: VoiceLines, corrections: Correction[]): Amounts =>
  corrections.reduce<Amounts>(
    (sum, { currency, amount }) => addAmounts(sum, { [currency]: amount }),
    addAmounts(ownAmountsOf(lines, 'yours'), sumOf(lines.others, 'yours')),
  );

type LockedMonth = {
  month: string;
  milliseconds: number;
  all: number;
  amounts: Amounts;
  dueOn: string | null;
  number: number | null;
};

/** All that count for a creator, with corrections. */
async function readLockedMonths(db: Db, voiceId: string): Promise<LockedMonth[]> {
  const { rows } = await db.execute<LockedMonth>(sql`
    with entries as (
      select month, currency, amount from payout_earnings where voice_id = ${voiceId}
      union all
      select c.month, c.currency, c.amount from payout_corrections c
      join payout_months m on m.month = c.month where c.voice_id = ${voiceId} and m.locked_at is not null
    ),
    sums as (select month, currency, sum(amount)::float8 as amount from entries group by month, currency)
    select to_char(e.month, 'YYYY-MM') as month, e.amounts, m.due_on::text as "dueOn", t.number,
      coalesce(s.milliseconds, 0)::float8 as milliseconds,
      (select coalesce(sum(a.milliseconds), 0)::float8 from payout_shares a where a.month = e.month) as "all"
    from (select month, ${byCurrency} as amounts from sums group by month) e
    join payout_months m on m.month = e.month
    left join payout_statements t on t.month = e.month and t.voice_id = ${voiceId}
    left join payout_shares s on s.month = e.month and s.voice_id = ${voiceId}
    order by e.month desc limit ${maxEarningMonths}`);
  return rows;
}

/** Months that are not locked and have listening or corrections, and the one that runs. */
async function readOpenMonths(db: Db, voiceId: string, current: string): Promise<string[]> {
  const { rows } = await db.execute<{ month: string }>(sql`
    select to_char(o.month, 'YYYY-MM') as month from (
      select month from summed_voice_seconds where voice_id = ${voiceId}
      union select date_trunc('month', day at time zone 'UTC')::date from late_seconds where voice_id = ${voiceId}
      union select month from payout_corrections where voice_id = ${voiceId}
      union select ${`${current}-01`}::date) o
    where o.month <= ${`${current}-01`}::date
      and not exists (select from payout_months m where m.month = o.month and m.locked_at is not null)
    order by 1 desc limit ${maxEarningMonths}`);
  return rows.map(({ month }) => month);
}

type Payment = { month: string; currency: string; amount: number; reference: string; paidAt: Date };

async function readPayments(db: Db, voiceId: string): Promise<Payment[]> {
  const rows = await db
    .select({
      month: payoutPayments.month,
      currency: payoutPayments.currency,
      amount: payoutPayments.amount,
      reference: payoutPayments.reference,
      paidAt: payoutPayments.paidAt,
    })
    .from(payoutPayments)
    .where(eq(payoutPayments.voiceId, voiceId))
    .orderBy(asc(payoutPayments.month), asc(payoutPayments.currency));
  return rows.map((row) => ({ ...row, month: row.month.slice(0, 7) }));
}

/** Paid: a payment up to this month or a later one in each of its currencies. */
function stateOf(month: string, amounts: Amounts, payments: Payment[]): EarningState {
  const currencies = Object.entries(amounts).flatMap(([currency, amount]) => (amount === 0 ? [] : [currency]));
  const isPaid = (currency: string) => payments.some((one) => one.currency === currency && one.month >= month);
  return currencies.length > 0 && currencies.every(isPaid) ? 'paid' : 'locked';
}

/** Entered by an operator, or, with `tips`, the sum of that many tips that were paid or, if negative, paid back. */
type Correction = { currency: string; amount: number; reason: string; tips: number | null };

async function readCorrections(db: Db, month: string, voiceId: string): Promise<Correction[]> {
  const isOfMonth = and(eq(payoutCorrections.voiceId, voiceId), eq(payoutCorrections.month, `${month}-01`));
  const entered = await db
    .select({ ...pick(payoutCorrections, 'currency', 'amount', 'reason'), tips: sql<null>`null` })
    .from(payoutCorrections)
    .where(and(isOfMonth, isNull(payoutCorrections.tipId)))
    .orderBy(asc(payoutCorrections.createdAt), asc(payoutCorrections.id));
  const { currency, amount, reason } = payoutCorrections;
  const summed = await db
    .select({ currency, amount: sql<number>`sum(${amount})::float8`, reason, tips: count() })
    .from(payoutCorrections)
    .where(and(isOfMonth, isNotNull(payoutCorrections.tipId)))
    .groupBy(currency, reason)
    .orderBy(asc(currency), asc(reason));
  return [...entered, ...summed];
}

/** Without a check of rights. @param month `2026-10` */
export async function readVoiceMonth(
  db: Db,
  month: string,
  voiceId: string,
): Promise<{ facts: MonthFacts; lines: VoiceLines; corrections: Correction[] }> {
  const facts = await readMonth(db, month);
  return {
    facts,
    lines: await readVoiceLines(db, facts, voiceId),
    corrections: await readCorrections(db, month, voiceId),
  };
}

/** `milliseconds` null: of fewer than ten listeners in the month. */
export type ShownLine = Omit<EarningLine, 'milliseconds' | 'trialMs' | 'voiceId'> & { milliseconds: number | null };

export type EarningsOfMonth = NonNullable<Awaited<ReturnType<typeof findEarnings>>>;

/**
 * One month of a creator, by audio.
 * @returns undefined for an unknown or future month, and a creator whose earnings the actor may not see
 */
export async function findEarnings(db: Db, actor: Actor, voiceId: string, month: string, now: Date = new Date()) {
  if (!isId(voiceId) || !maySeeEarnings(actor, voiceId)) return undefined;
  if (!isMonth(month) || month > now.toISOString().slice(0, 7)) return undefined;
  return db.transaction((tx) => readEarnings(tx, voiceId, month), {
    // One snapshot, because the month may be locked meanwhile.
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}

async function readEarnings(tx: Db, voiceId: string, month: string) {
  const { facts, lines, corrections } = await readVoiceMonth(tx, month, voiceId);
  const all = [...lines.own, ...lines.others];
  const large = await readAudiosWithListeners(
    tx,
    all.map(({ audioId }) => audioId),
    month,
  );
  const months = await readMonthsWithListeners(tx, voiceId, addToMonth(month, -1));
  const [before] = await tx
    .select({ milliseconds: payoutShares.milliseconds })
    .from(payoutShares)
    .where(and(eq(payoutShares.voiceId, voiceId), eq(payoutShares.month, `${addToMonth(month, -1)}-01`)));
  const milliseconds = heardOf(lines);
  const trialMs = lines.own.reduce((sum, one) => sum + one.trialMs, 0);
  const isLarge = months.has(month);
  const [payment] = await tx
    .select({ reference: payoutPayments.reference, paidAt: payoutPayments.paidAt })
    .from(payoutPayments)
    .where(and(eq(payoutPayments.voiceId, voiceId), sql`${payoutPayments.month} >= ${`${month}-01`}`))
    .orderBy(asc(payoutPayments.month))
    .limit(1);
  const amounts = yoursOf(lines, corrections);
  const tips = await listTipsOf(tx, voiceId, month);
  const shown = <Line extends EarningLine>(list: Line[]) =>
    list
      .toSorted((one, other) => other.milliseconds - one.milliseconds)
      .map(({ milliseconds: ms, trialMs: _trial, voiceId: _voice, ...line }) => ({
        ...line,
        milliseconds: large.has(line.audioId) ? ms : null,
      }));
  const isLocked = facts.lockedAt !== null;
  const [statement] = await tx
    .select({ number: payoutStatements.number })
    .from(payoutStatements)
    .where(and(eq(payoutStatements.voiceId, voiceId), eq(payoutStatements.month, `${month}-01`)));
  return {
    month,
    state: isLocked ? stateOf(month, amounts, await readPayments(tx, voiceId)) : ('open' as const),
    lockedAt: facts.lockedAt,
    /** Null: open. */
    number: statement === undefined ? null : statementNumber(month, statement.number),
    dueOn: facts.dueOn,
    /** Somebody entered who is paid. */
    hasPayee: (await readNamedPayees(tx, [voiceId])).size > 0,
    payment: isLocked ? (payment ?? null) : null,
    /** An open month without a pool takes those of this month; null: its own. */
    poolsOf: facts.poolsOf,
    pools: facts.pools,
    root: facts.root,
    milliseconds: isLarge ? milliseconds : null,
    before: months.has(addToMonth(month, -1)) ? (before?.milliseconds ?? null) : null,
    /** Sources of `milliseconds`. */
    sources: isLarge && lines.whole === null ? { subscribers: milliseconds - trialMs, trials: trialMs } : null,
    share: facts.milliseconds === 0 ? 0 : milliseconds / facts.milliseconds,
    /** Milliseconds of all creators. */
    all: facts.milliseconds,
    own: shown(lines.own),
    others: shown(lines.others),
    corrections,
    /** The newest first, at most 200. */
    tips,
    /** Before splits. */
    ownAmounts: ownAmountsOf(lines, 'amounts'),
    ownYours: ownAmountsOf(lines, 'yours'),
    /** False for a month that a former version locked. */
    hasAudios: lines.whole === null,
    othersYours: sumOf(lines.others, 'yours'),
    /** After splits, with corrections. */
    amounts,
  };
}

/** Locked months with a root, the newest first: for everybody. */
export async function listRoots(db: Db): Promise<{ month: string; lockedAt: Date; root: string }[]> {
  const rows = await db
    .select({ month: payoutMonths.month, lockedAt: payoutMonths.lockedAt, root: payoutMonths.root })
    .from(payoutMonths)
    .where(and(isNotNull(payoutMonths.lockedAt), isNotNull(payoutMonths.root)))
    .orderBy(desc(payoutMonths.month))
    .limit(maxEarningMonths);
  return rows.flatMap(({ month, lockedAt, root }) =>
    lockedAt === null || root === null ? [] : [{ month: month.slice(0, 7), lockedAt, root }],
  );
}
