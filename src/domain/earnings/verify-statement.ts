import { fromDecimalText } from '#formats/currency-decimals.ts';
import {
  audioLeaf,
  climb,
  levelsOf,
  monthRoot,
  readProof,
  topOf,
  type TreeNode,
  voiceLeaf,
} from '../admin/money/month-tree.ts';
import { readCsv } from '../kernel/csv.ts';
import type { Amounts } from './rules.ts';
import { fileHeads, rowKinds } from './statement-rows.ts';

/** Checks a statement by itself: its sums, and that its lines lead to the published hash of the month. */

type Row = Record<(typeof fileHeads)[number][0], string>;

export type Verified =
  | { ok: true; month: string; voiceId: string; root: string; milliseconds: number; lines: number }
  | { ok: false; fault: string };

/** @param text a statement as CSV. The caller compares the root with the published one */
export function verifyStatement(text: string): Verified {
  try {
    return verify(readRows(text));
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error.message };
    throw error;
  }
}

class Fault extends Error {}

function fail(fault: string): never {
  throw new Fault(fault);
}

function readRows(text: string): Row[] {
  const [heads, ...lines] = readCsv(text) ?? [];
  if (heads?.cells.join() !== fileHeads.map(([, head]) => head).join()) fail('this is no statement as CSV');
  return lines.map(({ cells }) => {
    const row = Object.fromEntries(fileHeads.map(([field], index) => [field, cells[index] ?? ''])) as Row;
    if (!rowKinds.some((kind) => kind === row.kind)) fail(`unknown kind of line: ${row.kind}`);
    return row;
  });
}

function verify(rows: Row[]): Verified {
  const of = (kind: (typeof rowKinds)[number]) => rows.filter((row) => row.kind === kind);
  const total = of('total')[0] ?? fail('the total is missing');
  const all = of('month')[0] ?? fail('the line of the month is missing');
  const root = of('root')[0]?.value ?? fail('the month has no root: it is open, or was locked before months had one');
  const { month, voiceId } = total;
  if (rows.some((row) => row.month !== month)) fail('the lines are of several months');
  const own = of('audio');
  const tops: { top: TreeNode; creators: number }[] = [];
  const milliseconds = own.reduce((sum, row) => sum + readMs(row), 0);
  if (milliseconds !== readMs(total))
    fail(`the audios have ${milliseconds} milliseconds, the total says ${total.milliseconds}`);
  if (own.length > 0) {
    const leaves = own
      .toSorted((one, other) => (one.audioId < other.audioId ? -1 : 1))
      .map((row) => audioLeaf({ month, voiceId, audioId: row.audioId, milliseconds: readMs(row) }));
    const proof = of('proof').find((row) => row.voiceId === voiceId && row.audioId === '');
    tops.push(climbMonth({ month, voiceId, top: topOf(levelsOf(leaves)), proof: proof?.value }));
    checkAmounts(own, total, all, milliseconds);
  }
  for (const row of of('share')) {
    const isOf = (one: Row) => one.voiceId === row.voiceId && one.audioId === row.audioId;
    const inner = readProof(of('audio-proof').find(isOf)?.value ?? '') ?? fail(`${row.audioId} has no proof`);
    const leaf = audioLeaf({ month, voiceId: row.voiceId, audioId: row.audioId, milliseconds: readMs(row) });
    const top = climb(leaf, inner) ?? fail(`the proof of ${row.audioId} is damaged`);
    tops.push(climbMonth({ month, voiceId: row.voiceId, top, proof: of('proof').find(isOf)?.value }));
  }
  for (const { top, creators } of tops) {
    if (top.milliseconds !== readMs(all))
      fail(
        `the lines lead to ${top.milliseconds} milliseconds of all creators, the statement says ${all.milliseconds}`,
      );
    if (monthRoot({ month, creators, top, pools: readAmounts(all.amount) }) !== root)
      fail('the lines do not lead to the root: a line, a pool or the proof was changed');
  }
  if (tops.length === 0) fail('the statement has no audio to verify');
  return { ok: true, month, voiceId, root, milliseconds, lines: own.length + of('share').length };
}

function climbMonth({
  month,
  voiceId,
  top,
  proof,
}: {
  month: string;
  voiceId: string;
  top: TreeNode;
  proof: string | undefined;
}) {
  const read = readProof(proof ?? '') ?? fail(`the proof of ${voiceId} is missing or damaged`);
  const leaf = voiceLeaf({ month, voiceId, milliseconds: top.milliseconds, audios: top.hash });
  return { top: climb(leaf, read) ?? fail(`the proof of ${voiceId} is damaged`), creators: read.size };
}

/** Whole units are shared out, so a part is less than one unit away from its exact value. */
function checkAmounts(own: Row[], total: Row, all: Row, milliseconds: number): void {
  const [pools, amounts] = [readAmounts(all.amount), readAmounts(total.amount)];
  const parts = own.map((row) => ({ amounts: readAmounts(row.amount), ms: readMs(row), id: row.audioId }));
  for (const [currency, pool] of Object.entries(pools)) {
    const amount = amounts[currency] ?? 0;
    if (!isPart(amount, pool, milliseconds, readMs(all)))
      fail(`the amount in ${currency} is not this share of the pool`);
    if (parts.reduce((sum, part) => sum + (part.amounts[currency] ?? 0), 0) !== amount)
      fail(`the audios’ amounts in ${currency} do not add up`);
    for (const part of parts)
      if (!isPart(part.amounts[currency] ?? 0, amount, part.ms, milliseconds))
        fail(`the amount of ${part.id} in ${currency} does not match its milliseconds`);
  }
}

function isPart(amount: number, of: number, part: number, whole: number): boolean {
  const difference = BigInt(amount) * BigInt(whole) - BigInt(of) * BigInt(part);
  return difference < BigInt(whole) && -difference < BigInt(whole);
}

function readMs({ milliseconds }: Row): number {
  if (!/^\d{1,15}$/.test(milliseconds)) fail(`“${milliseconds}” is no number of milliseconds`);
  return Number(milliseconds);
}

/** `12.50 USD; 300 JPY` */
function readAmounts(text: string): Amounts {
  if (text === '') return {};
  return Object.fromEntries(
    text.split('; ').map((one) => {
      const [, amount = '', code = ''] = /^([\d.]+) ([A-Z]{3})$/.exec(one) ?? fail(`“${one}” is no amount`);
      const currency = code.toLowerCase();
      return [currency, fromDecimalText(amount, currency) ?? fail(`“${one}” is no amount`)];
    }),
  );
}
