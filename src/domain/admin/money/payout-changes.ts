import { formatMonth } from '#formats/times.ts';
import { eq, sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile, findLastChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { LastChange } from '../../kernel/errors.ts';
import { findMembershipSettings } from '../../membership/settings.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { type Payouts, payoutSetting, readFurtherPools, readPayouts } from './payouts.ts';
import { recordByOperator } from '../record.ts';
import { writeLines } from './month-lines.ts';
import { numberStatements, readDueOn } from './statements.ts';
import { isMonth, lockableFrom } from '../rules.ts';
import { changeSiteSetting } from '../settings.ts';
import { payoutAmounts, payoutMonths, payoutPools, payoutShares } from '../tables.ts';
import { sourceLanguage } from '#formats/languages.ts';
import { inLanguage } from '#i18n';

/** The operators' acts on payouts: the pool of a month, its lock, and whether trials count. */

export type PayoutOutcome =
  | { ok: true }
  | {
      ok: false;
      reason:
        | 'request/not-found'
        | 'payout/changed'
        | 'payout/locked'
        | 'payout/too-early'
        | 'payout/no-pool'
        | 'payout/other-currency'
        | 'payout/not-locked'
        | 'payout/below-minimum'
        | 'payout/no-payee';
      /** The last one of the month by an operator, as the log says. */
      change?: LastChange | undefined;
    };

export const subjectOf = (month: string) => ({ type: 'payout', id: month });

/** @param pool in the smallest unit. @param currency the month's own when none is given */
export async function setPayoutPool(
  db: Db,
  actor: Actor,
  month: string,
  { pool, revision, currency: given }: { pool: number; revision: number; currency?: string | undefined },
  now: Date = new Date(),
): Promise<PayoutOutcome> {
  return changeMonth(db, actor, { month, now }, async (tx, row) => {
    if ((row?.revision ?? 0) !== revision) throw await changedMeanwhile(tx, subjectOf(month), 'payout/changed');
    const own = row?.currency ?? (await findMembershipSettings(tx)).currency;
    const currency = given ?? own;
    const isOwn = currency === own;
    const further = isOwn ? [] : await readFurtherPools(tx, month, { currency: own, isLocked: false });
    const former = further.find((one) => one.currency === currency);
    if (!isOwn && former === undefined) return { ok: false, reason: 'payout/other-currency' };
    const first = `${month}-01`;
    await tx
      .insert(payoutMonths)
      .values({ month: first, pool: isOwn ? pool : null, currency: own })
      .onConflictDoUpdate({ target: payoutMonths.month, set: { ...(isOwn && { pool }), revision: revision + 1 } });
    if (!isOwn)
      await tx
        .insert(payoutPools)
        .values({ month: first, currency, pool })
        .onConflictDoUpdate({ target: [payoutPools.month, payoutPools.currency], set: { pool } });
    await recordByOperator(tx, actor, {
      action: 'payout.enter-pool',
      subject: { ...subjectOf(month), name: nameOf(month) },
      before: { pool: (isOwn ? row?.pool : former?.pool) ?? null },
      after: { pool, currency },
    });
    return { ok: true };
  });
}

/** In the log it stays in English. */
export const nameOf = (month: string) => inLanguage(sourceLanguage, () => formatMonth(month));

/** Stores the shares permanently. @param checksum of the data that the operator saw; a change since is a conflict */
export async function lockPayouts(
  db: Db,
  actor: Actor,
  month: string,
  { checksum }: { checksum: string },
  now: Date = new Date(),
): Promise<PayoutOutcome> {
  return changeMonth(db, actor, { month, now }, async (tx, row) => {
    if (now < lockableFrom(month)) return { ok: false, reason: 'payout/too-early' };
    if (row === undefined || row.pool === null) return { ok: false, reason: 'payout/no-pool' };
    const payouts = await readPayouts(tx, month);
    if (payouts.further.some((one) => one.hasIncome && one.pool === null))
      return { ok: false, reason: 'payout/no-pool' };
    if (payouts.checksum !== checksum)
      return { ok: false, reason: 'payout/changed', change: await findLastChange(tx, subjectOf(month)) };
    const root = await writeLocked(tx, payouts, { now, revision: row.revision });
    const { shares, further, countsTrials } = payouts;
    const { pool, currency } = row;
    const pools = further.flatMap((one) => (one.pool === null ? [] : [[one.currency, one.pool]]));
    await recordByOperator(tx, actor, {
      action: 'payout.lock',
      subject: { ...subjectOf(month), name: nameOf(month) },
      before: { locked: false },
      after: {
        locked: true,
        pool,
        currency,
        ...(pools.length > 0 && { pools: Object.fromEntries(pools) }),
        voices: shares.length,
        countsTrials,
        checksum,
        root,
      },
    });
    return { ok: true };
  });
}

/** One change of a month at a time, and none of a locked one. */
export async function changeMonth(
  db: Db,
  actor: Actor,
  { month, now }: { month: string; now: Date },
  act: (tx: Db, row: typeof payoutMonths.$inferSelect | undefined) => Promise<PayoutOutcome>,
): Promise<PayoutOutcome> {
  administratorsOnly(actor);
  if (!isMonth(month) || month > now.toISOString().slice(0, 7)) return { ok: false, reason: 'request/not-found' };
  return db.transaction(async (tx) => {
    // Two concurrent first changes find no row to lock.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`payouts ${month}`}))`);
    const isMonthOf = eq(payoutMonths.month, `${month}-01`);
    const [row] = await tx.select().from(payoutMonths).where(isMonthOf);
    if (row?.lockedAt)
      return { ok: false, reason: 'payout/locked', change: await findLastChange(tx, subjectOf(month)) };
    return act(tx, row);
  });
}

async function writeLocked(
  tx: Db,
  payouts: Payouts,
  { now, revision }: { now: Date; revision: number },
): Promise<string> {
  const { month, shares, countsTrials, checksum } = payouts;
  const rows = shares.map(({ voice, audios, milliseconds, amount }) => ({
    month: `${month}-01`,
    voiceId: voice.id,
    voiceName: voice.name,
    voiceSlug: voice.slug,
    audios,
    milliseconds,
    amount: amount ?? 0,
  }));
  for (let index = 0; index < rows.length; index += 1000)
    await tx.insert(payoutShares).values(rows.slice(index, index + 1000));
  const amounts = shares.flatMap(({ voice, amounts: own }) =>
    Object.entries(own).map(([currency, amount]) => ({ month: `${month}-01`, voiceId: voice.id, currency, amount })),
  );
  for (let index = 0; index < amounts.length; index += 1000)
    await tx.insert(payoutAmounts).values(amounts.slice(index, index + 1000));
  const root = await writeLines(tx, payouts);
  await numberStatements(tx, month);
  await tx
    .update(payoutMonths)
    .set({ lockedAt: now, dueOn: await readDueOn(tx, now), countsTrials, checksum, root, revision: revision + 1 })
    .where(eq(payoutMonths.month, `${month}-01`));
  return root;
}

/** For the demo's generated past, which has no log entries. */
export async function writeLockedMonth(tx: Db, month: string, now: Date): Promise<void> {
  await writeLocked(tx, await readPayouts(tx, month), { now, revision: 1 });
}

/** @throws DomainError `payout/changed` after a concurrent change */
export async function setCountsTrials(
  db: Db,
  actor: Actor,
  { countsTrials, revision }: { countsTrials: boolean; revision: number },
): Promise<void> {
  const subject = { setting: payoutSetting, name: 'Payouts', conflict: 'payout/changed' } as const;
  await changeSiteSetting(db, actor, subject, { value: { countsTrials }, revision });
}
