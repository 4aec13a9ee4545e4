import { and, asc, eq, gt, or, sql } from 'drizzle-orm';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, allowLongStatements } from '../../kernel/db.ts';
import { sharesInForce } from '../../studio/splits/splits-in-force.ts';
import { shareOut } from '../rules.ts';
import { payoutEarnings, payoutLines, payoutNodes, payoutSplits } from '../tables.ts';
import { audioLeaf, levelsOf, monthRoot, topOf, type TreeNode, voiceLeaf } from './month-tree.ts';
import type { Payouts } from './payouts.ts';
import { audioSums } from './ledger-sums.ts';

/** A month that is locked keeps lines of its audios, the tree of hashes over them, and each creator's earnings. */

type Line = Pick<typeof payoutLines.$inferSelect, 'voiceId' | 'audioId' | 'milliseconds'>;

/** Percent by creator. */
export type Shares = { voiceId: string; share: number }[];

/** The parts of an audio's amount, to the last unit. @param ownerId gets the whole where nothing was agreed */
export function splitAmount(amount: number, ownerId: string, shares: Shares | undefined): Map<string, number> {
  if (shares === undefined) return new Map([[ownerId, amount]]);
  const parts = shareOut(
    amount,
    shares.map(({ share }) => share),
  );
  return new Map(shares.map(({ voiceId }, index) => [voiceId, parts[index] ?? 0]));
}

/** A creator's amount by audio, in the order of the lines. */
export function amountsOf(amount: number, lines: Pick<Line, 'milliseconds'>[]): number[] {
  return shareOut(
    amount,
    lines.map(({ milliseconds }) => milliseconds),
  );
}

/** The pools of a month by currency; those not entered are left out. */
export function poolsOf({ pool, currency, further }: Pick<Payouts, 'pool' | 'currency' | 'further'>) {
  const pools = [{ currency, pool }, ...further].flatMap((one) =>
    one.pool === null ? [] : [[one.currency, one.pool] as const],
  );
  return Object.fromEntries(pools);
}

/** A creator's part of each pool before splits, by currency. */
export function amountsByCurrency(
  { amount, amounts }: Payouts['shares'][number],
  currency: string,
): Record<string, number> {
  return { ...amounts, ...(amount !== null && { [currency]: amount }) };
}

/**
 * Writes the lines of a month that is being locked. Requires its shares.
 * @returns the root to publish
 * @throws ChangedMeanwhile when the ledger has changed since the shares were read
 */
export async function writeLines(tx: Db, payouts: Payouts): Promise<string> {
  const { month, shares, currency } = payouts;
  await allowLongStatements(tx);
  await copyLines(tx, payouts);
  await copySplits(tx, month);
  const splits = await readSplits(tx, month);
  const byVoice = new Map(shares.map((share) => [share.voice.id, share]));
  const earned = new Map<string, Map<string, number>>();
  const leaves: TreeNode[] = [];
  for await (const lines of readVoices(tx, month)) {
    const voiceId = lines[0]?.voiceId ?? '';
    const share = byVoice.get(voiceId);
    const top = topOf(levelsOf(lines.map((line) => audioLeaf({ month, ...line }))));
    if (share?.milliseconds !== top.milliseconds)
      throw await changedMeanwhile(tx, { type: 'payout', id: month }, 'payout/changed');
    leaves.push(voiceLeaf({ month, voiceId, milliseconds: top.milliseconds, audios: top.hash }));
    const hasSplits = lines.some(({ audioId }) => splits.has(audioId));
    for (const [code, amount] of Object.entries(amountsByCurrency(share, currency))) {
      if (!hasSplits) add(earned, voiceId, code, amount);
      else
        for (const [index, part] of amountsOf(amount, lines).entries())
          for (const [id, own] of splitAmount(part, voiceId, splits.get(lines[index]?.audioId ?? '')))
            add(earned, id, code, own);
    }
  }
  if (leaves.length !== shares.length)
    throw await changedMeanwhile(tx, { type: 'payout', id: month }, 'payout/changed');
  const levels = levelsOf(leaves);
  await insertAll(
    tx,
    payoutNodes,
    levels.flatMap((nodes, level) =>
      nodes.map((node, position) => ({ month: `${month}-01`, level, position, ...node })),
    ),
  );
  await insertAll(
    tx,
    payoutEarnings,
    [...earned].flatMap(([voiceId, amounts]) =>
      [...amounts].map(([code, amount]) => ({ month: `${month}-01`, voiceId, currency: code, amount })),
    ),
  );
  return monthRoot({ month, creators: leaves.length, top: topOf(levels), pools: poolsOf(payouts) });
}

function add(earned: Map<string, Map<string, number>>, voiceId: string, currency: string, amount: number): void {
  const own = earned.get(voiceId) ?? new Map<string, number>();
  own.set(currency, (own.get(currency) ?? 0) + amount);
  earned.set(voiceId, own);
}

async function copyLines(tx: Db, { month, countsTrials }: Payouts): Promise<void> {
  await tx.execute(sql`
    insert into payout_lines (month, voice_id, audio_id, audio_title, milliseconds, trial_ms)
    select ${`${month}-01`}, l.voice_id, l.audio_id, a.title, l.milliseconds, l.trial_ms
    from ${audioSums(month, countsTrials)} l left join audios a on a.id = l.audio_id`);
}

/** Agreed shares of the audios that were heard. */
async function copySplits(tx: Db, month: string): Promise<void> {
  const wasHeard = sql`s.audio_id in (select audio_id from payout_lines where month = ${`${month}-01`})`;
  await tx.execute(sql`
    insert into payout_splits (month, audio_id, voice_id, voice_name, share)
    select ${`${month}-01`}, audio_id, voice_id, voice_name, share from ${sharesInForce(month, wasHeard)} shares`);
}

async function readSplits(tx: Db, month: string): Promise<Map<string, Shares>> {
  const rows = await tx
    .select({ audioId: payoutSplits.audioId, voiceId: payoutSplits.voiceId, share: payoutSplits.share })
    .from(payoutSplits)
    .where(eq(payoutSplits.month, `${month}-01`))
    .orderBy(asc(payoutSplits.audioId), asc(payoutSplits.voiceId));
  return Map.groupBy(rows, ({ audioId }) => audioId);
}

const batch = 20_000;

/** The lines of one creator after the other, in the order of the ids. */
async function* readVoices(tx: Db, month: string): AsyncGenerator<Line[]> {
  let waiting: Line[] = [];
  for (let last: Line | undefined; ;) {
    const after =
      last &&
      or(
        gt(payoutLines.voiceId, last.voiceId),
        and(eq(payoutLines.voiceId, last.voiceId), gt(payoutLines.audioId, last.audioId)),
      );
    const rows: Line[] = await tx
      .select({ voiceId: payoutLines.voiceId, audioId: payoutLines.audioId, milliseconds: payoutLines.milliseconds })
      .from(payoutLines)
      .where(and(eq(payoutLines.month, `${month}-01`), after))
      .orderBy(asc(payoutLines.voiceId), asc(payoutLines.audioId))
      .limit(batch);
    for (const row of rows) {
      if (waiting[0] !== undefined && waiting[0].voiceId !== row.voiceId) {
        yield waiting;
        waiting = [];
      }
      waiting.push(row);
    }
    last = rows.at(-1);
    if (rows.length < batch) break;
  }
  if (waiting.length > 0) yield waiting;
}

async function insertAll<Table extends typeof payoutNodes | typeof payoutEarnings>(
  tx: Db,
  table: Table,
  rows: Table['$inferInsert'][],
): Promise<void> {
  for (let index = 0; index < rows.length; index += 1000)
    await tx.insert(table).values(rows.slice(index, index + 1000) as never);
}
