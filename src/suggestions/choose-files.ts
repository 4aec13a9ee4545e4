import { blockOf } from '#formats/suggestions/blocks.ts';
import type { Weighted } from './rank.ts';

/*
 * Every listener asks for as many files, whatever they have heard; those that say something about it are among others that
 * are drawn by chance, and in the order of their numbers. The same device draws the same ones for a whole count, so that
 * asking again does not tell them apart.
 */

/** Requests of each listener. */
export const filesAtOnce = { shards: 16, blocks: 16 } as const;
/** Blocks with the best neighbours; of the rest, one is the newest and the others are drawn. */
const maxWanted = 10;

/** @param seed of this device and count */
export function chooseShards(heard: readonly Weighted[], shards: number, seed: number): number[] {
  const weights = new Map<number, number>();
  for (const { number, weight } of heard) weights.set(number % shards, (weights.get(number % shards) ?? 0) + weight);
  const wanted = [...weights].toSorted((one, other) => other[1] - one[1] || one[0] - other[0]).map(([shard]) => shard);
  return fillUp(wanted, { count: filesAtOnce.shards, below: shards, seed });
}

/**
 * @param ranked numbers, the best first
 * @returns `drawn`: those that were not chosen for what was heard, a fair sample of all audios
 */
export function chooseBlocks(
  ranked: readonly number[],
  blocks: number,
  seed: number,
): { blocks: number[]; drawn: ReadonlySet<number> } {
  const isWhole = blocks <= filesAtOnce.blocks;
  const wanted = isWhole ? [] : [...new Set(ranked.map(blockOf))].slice(0, maxWanted);
  const chosen = fillUp([...wanted, blocks - 1], { count: filesAtOnce.blocks, below: blocks, seed });
  return { blocks: chosen, drawn: new Set(chosen.filter((block) => !wanted.includes(block))) };
}

function fillUp(
  wanted: readonly number[],
  { count, below, seed }: { count: number; below: number; seed: number },
): number[] {
  const chosen = new Set(wanted.filter((one) => one >= 0 && one < below).slice(0, count));
  if (below <= count) return Array.from({ length: below }, (_, one) => one);
  for (let draw = 0; chosen.size < count; draw += 1) chosen.add(numberFrom(seed, draw) % below);
  return [...chosen].toSorted((one, other) => one - other);
}

/** Numbers below 2³² without order: the finalizer of MurmurHash3. */
function numberFrom(seed: number, index: number): number {
  let value = Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
