import { and, eq, or, sql } from 'drizzle-orm';
import { toSignedDecimalText } from '#formats/currency-decimals.ts';
import { audioLeaf, levelsOf, type Proof, proofOf, siblingsOf, topOf, writeProof } from '../admin/money/month-tree.ts';
import { payoutLines, payoutNodes, payoutShares } from '../admin/tables.ts';
import { voices } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { csvLine } from '../kernel/csv.ts';
import type { Db } from '../kernel/db.ts';
import { listEarnings, findEarnings, readVoiceMonth } from './earnings.ts';
import type { MonthFacts } from './month-facts.ts';
import type { Amounts } from './rules.ts';
import { fileHeads, type FileRow } from './statement-rows.ts';
import { heardOf } from './voice-lines.ts';

/** Statements of a creator as CSV, with the proof of a locked month (docs/operating/earnings-proof.md). */

const amountsText = (amounts: Amounts) =>
  Object.entries(amounts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount]) => `${toSignedDecimalText(amount, currency)} ${currency.toUpperCase()}`)
    .join('; ');

const lineOf = (row: FileRow) => csvLine(fileHeads.map(([field]) => row[field] ?? null));

/** @returns undefined for a month or a creator that the actor may not see */
export async function exportStatement(
  db: Db,
  actor: Actor,
  voiceId: string,
  month: string,
): Promise<{ name: string; text: string } | undefined> {
  const earnings = await findEarnings(db, actor, voiceId, month);
  if (earnings === undefined) return undefined;
  const { facts, lines, corrections } = await readVoiceMonth(db, month, voiceId);
  const [voice] = await db.select({ slug: voices.slug }).from(voices).where(eq(voices.id, voiceId));
  const rows: FileRow[] = [
    ...lines.own.map((line) => ({ kind: 'audio' as const, ...cellsOf(line) })),
    ...lines.others.map((line) => ({
      kind: 'share' as const,
      ...cellsOf(line),
      title: `${line.title ?? ''}, ${line.creator}`,
    })),
    ...corrections.map(({ currency, amount, reason, tips }) => ({
      kind: tips === null ? ('correction' as const) : ('tips' as const),
      title: tips === null ? reason : `${reason} (${tips})`,
      yours: amountsText({ [currency]: amount }),
    })),
    ...(earnings.number === null
      ? []
      : [
          {
            kind: 'statement' as const,
            title: earnings.dueOn === null ? '' : `Due ${earnings.dueOn}`,
            value: earnings.number,
          },
        ]),
    {
      kind: 'total',
      milliseconds: heardOf(lines),
      amount: amountsText(earnings.ownAmounts),
      yours: amountsText(earnings.amounts),
    },
    {
      kind: 'month',
      title: stateText(facts),
      milliseconds: facts.milliseconds,
      amount: facts.poolsOf === null ? amountsText(facts.pools) : null,
    },
  ];
  if (facts.root !== null) rows.push(...(await proofRows(db, month, voiceId, lines.own.length > 0)));
  if (facts.root !== null) rows.push({ kind: 'root', value: facts.root });
  for (const line of facts.root === null ? [] : lines.others)
    rows.push(...(await proofOfShare(db, month, line.voiceId, line.audioId)));
  const text = [
    csvLine(fileHeads.map(([, head]) => head)),
    ...rows.map((row) => lineOf({ month, voiceId, ...row })),
  ].join('');
  return { name: `earnings-${voice?.slug ?? voiceId}-${month}.csv`, text: `\uFEFF${text}` };
}

type Cells = {
  voiceId: string;
  audioId: string;
  title: string | null;
  milliseconds: number;
  amounts: Amounts;
  yours: Amounts;
};

const cellsOf = ({ voiceId, audioId, title, milliseconds, amounts, yours }: Cells) => ({
  voiceId,
  audioId,
  title: title ?? '',
  milliseconds,
  amount: amountsText(amounts),
  yours: amountsText(yours),
});

function stateText({ lockedAt, root }: MonthFacts): string {
  if (lockedAt === null) return 'Open: an estimate';
  const locked = `Locked ${lockedAt.toISOString()}`;
  return root === null ? `${locked} by an earlier version, without a list of audios` : locked;
}

/** The creator’s place in the month’s tree. */
async function proofRows(db: Db, month: string, voiceId: string, hasOwn: boolean): Promise<FileRow[]> {
  const proof = hasOwn ? await readProofOf(db, month, voiceId) : undefined;
  return proof === undefined ? [] : [{ kind: 'proof', voiceId, value: writeProof(proof) }];
}

/** An audio of another creator: its place among their audios, and theirs in the month’s tree. */
async function proofOfShare(db: Db, month: string, voiceId: string, audioId: string): Promise<FileRow[]> {
  const lines = await db
    .select({ audioId: payoutLines.audioId, milliseconds: payoutLines.milliseconds })
    .from(payoutLines)
    .where(and(eq(payoutLines.month, `${month}-01`), eq(payoutLines.voiceId, voiceId)))
    .orderBy(payoutLines.audioId);
  const levels = levelsOf(lines.map((line) => audioLeaf({ month, voiceId, ...line })));
  const position = lines.findIndex((line) => line.audioId === audioId);
  const outer = await readProofOf(db, month, voiceId);
  if (position < 0 || outer === undefined) return [];
  const milliseconds = topOf(levels).milliseconds;
  return [
    { kind: 'audio-proof', voiceId, audioId, milliseconds, value: writeProof(proofOf(levels, position)) },
    { kind: 'proof', voiceId, audioId, value: writeProof(outer) },
  ];
}

async function readProofOf(db: Db, month: string, voiceId: string): Promise<Proof | undefined> {
  const { rows } = await db.execute<{ position: number; size: number; known: boolean }>(sql`
    select count(*) filter (where voice_id < ${voiceId})::int as position, count(*)::int as size,
      coalesce(bool_or(voice_id = ${voiceId}), false) as known
    from ${payoutShares} where month = ${`${month}-01`}`);
  const [place] = rows;
  if (place === undefined || !place.known) return undefined;
  const places = siblingsOf(place.position, place.size);
  const nodes =
    places.length === 0
      ? []
      : await db
          .select({
            level: payoutNodes.level,
            milliseconds: payoutNodes.milliseconds,
            hash: payoutNodes.hash,
          })
          .from(payoutNodes)
          .where(
            and(
              eq(payoutNodes.month, `${month}-01`),
              or(
                ...places.map(({ level, position }) =>
                  and(eq(payoutNodes.level, level), eq(payoutNodes.position, position)),
                ),
              ),
            ),
          )
          .orderBy(payoutNodes.level);
  return { ...place, siblings: nodes.map(({ milliseconds, hash }) => ({ milliseconds, hash })) };
}

const monthHeads = ['Month', 'State', 'Seconds heard', 'Share of the pool (%)', 'Yours', 'Statement', 'Due'];

/** One line per month. @returns undefined for a creator whose earnings the actor may not see */
export async function exportEarnings(
  db: Db,
  actor: Actor,
  voiceId: string,
): Promise<{ name: string; text: string } | undefined> {
  const earnings = await listEarnings(db, actor, voiceId);
  if (earnings === undefined) return undefined;
  const [voice] = await db.select({ slug: voices.slug }).from(voices).where(eq(voices.id, voiceId));
  const lines = earnings.months.map(({ month, state, milliseconds, share, amounts, number, dueOn }) =>
    csvLine([
      month,
      state === 'open' ? 'open, an estimate' : state,
      milliseconds === null ? 'Under 10 listeners' : Math.round(milliseconds / 1000),
      (100 * share).toFixed(4),
      amountsText(amounts),
      number,
      dueOn,
    ]),
  );
  return { name: `earnings-${voice?.slug ?? voiceId}.csv`, text: `\uFEFF${[csvLine(monthHeads), ...lines].join('')}` };
}
