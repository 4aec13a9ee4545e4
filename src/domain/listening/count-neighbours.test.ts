import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { type Neighbour, readShard, writeShard } from '#formats/suggestions/shards.ts';
import { type World, heardBy, inventWorld } from '#test/support/listening-world.ts';
import { slow } from '#test/support/tags.ts';
import { withLittleHeard } from '#formats/suggestions/little-heard.ts';
import { countNeighbours, minTogether } from './count-neighbours.ts';

vi.setConfig({ testTimeout: 60_000 });

const likeness = (world: World, one: number, other: number) =>
  2 * (world.tags[one]?.filter((tag) => world.tags[other]?.includes(tag)).length ?? 0) +
  3 * Number(world.category[one] === world.category[other]);

/** The rule by tags and category over the newest of a category. */
function rankByLikeness(world: World, audio: number, newest: ReadonlyMap<number, number[]>): number[] {
  return (newest.get(world.category[audio] ?? 0) ?? [])
    .filter((other) => other !== audio)
    .map((other) => ({ other, likeness: likeness(world, audio, other), plays: world.plays[other] ?? 0 }))
    .toSorted((a, b) => b.likeness - a.likeness || b.plays - a.plays)
    .map(({ other }) => other);
}

function rankByNeighbours(neighbours: ReadonlyMap<number, Neighbour[]>, own: ReadonlySet<number>): number[] {
  const scores = new Map<number, number>();
  for (const audio of own)
    for (const { number, nearness } of neighbours.get(audio) ?? [])
      if (!own.has(number)) scores.set(number, (scores.get(number) ?? 0) + nearness + 1);
  return [...scores].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).map(([number]) => number);
}

/** Shares of held-out audios within ten places, by rule; what the mixed places reach. */
function measure(world: World) {
  const neighbours = countNeighbours(heardBy(world.heard), world.audios);
  const byPlays = [...world.plays.keys()].toSorted((a, b) => (world.plays[b] ?? 0) - (world.plays[a] ?? 0));
  const isLittleHeard = new Set(byPlays.slice(world.audios / 2));
  const newest = new Map<number, number[]>();
  for (let audio = world.audios - 1; audio >= 0; audio -= 1) {
    const own = newest.get(world.category[audio] ?? 0) ?? [];
    if (own.length < 120) newest.set(world.category[audio] ?? 0, [...own, audio]);
  }
  const hits = { popular: 0, likeness: 0, neighbours: 0, mixed: 0 };
  const shown = new Set<number>();
  let littleHeard = 0;
  let places = 0;
  for (const [listener, heldOut] of world.heldOut) {
    const own = new Set(world.heard[listener]);
    const last = world.heard[listener]?.at(-1) ?? 0;
    const alike = rankByLikeness(world, last, newest).filter((audio) => !own.has(audio));
    const near = rankByNeighbours(neighbours, own);
    const little = alike.filter((audio) => isLittleHeard.has(audio));
    const mixed = withLittleHeard([...near, ...alike], little, 10);
    const isHit = (list: number[]) => Number(list.slice(0, 10).includes(heldOut));
    hits.popular += isHit(byPlays.filter((audio, place) => place < 500 && !own.has(audio)));
    hits.likeness += isHit(alike);
    hits.neighbours += isHit(near);
    hits.mixed += isHit(mixed);
    for (const audio of mixed) {
      shown.add(audio);
      places += 1;
      littleHeard += Number(isLittleHeard.has(audio));
    }
  }
  return { neighbours, hits, coverage: shown.size / world.audios, littleHeard: littleHeard / places };
}

describe('an invented audience', () => {
  test.each([1, 2, 3, 4, 5].map((seed) => [seed] as const))('of seed %i finds what it would hear', slow, (seed) => {
    const { hits, coverage, littleHeard } = measure(inventWorld(seed));
    expect(hits.neighbours).toBeGreaterThanOrEqual(4 * hits.popular);
    expect(hits.neighbours).toBeGreaterThanOrEqual(6 * hits.likeness);
    expect(hits.mixed).toBeGreaterThanOrEqual(0.8 * hits.neighbours);
    expect(coverage).toBeGreaterThanOrEqual(0.35);
    expect(littleHeard).toBeGreaterThanOrEqual(0.15);
  });

  test('needs sixteen bytes an audio', slow, () => {
    const { neighbours } = measure(inventWorld(1));
    const shards = Array.from({ length: 16 }, (_, shard) =>
      writeShard(new Map([...neighbours].filter(([number]) => number % 16 === shard)), 16),
    );
    const bytes = shards.reduce((sum, shard) => sum + brotliCompressSync(shard).length, 0);
    expect(bytes / neighbours.size).toBeLessThanOrEqual(16);
    expect(readShard(shards[3] ?? new Uint8Array(), 3, 16).get(3)).toHaveLength(neighbours.get(3)?.length ?? -1);
  });
});

test('nine common listeners are nobody’s business, ten are, and one more or less changes nothing else', () => {
  const world = inventWorld(3, { listeners: 1500, audios: 400 });
  const pairs = (heard: readonly Uint32Array[]) => {
    const together = new Map<string, number>();
    for (const own of heard)
      for (const one of own)
        for (const other of own)
          if (one !== other) together.set(`${one} ${other}`, (together.get(`${one} ${other}`) ?? 0) + 1);
    return together;
  };
  const shownIn = (neighbours: Map<number, Neighbour[]>) =>
    new Set([...neighbours].flatMap(([one, own]) => own.map(({ number }) => `${one} ${number}`)));
  const together = pairs(world.heard);
  const shown = shownIn(countNeighbours(heardBy(world.heard), world.audios));
  expect(shown.size).toBeGreaterThan(1000);
  expect([...shown].filter((pair) => (together.get(pair) ?? 0) < minTogether)).toEqual([]);
  // Without somebody, a pair that disappears altogether had ten; others may only give way to nearer ones.
  const gone = world.heard.toSpliced(7, 1);
  const without = pairs(gone);
  const lost = new Set(
    [...together].flatMap(([pair, count]) =>
      count >= minTogether && (without.get(pair) ?? 0) < minTogether ? [pair] : [],
    ),
  );
  expect(lost.size).toBeGreaterThan(0);
  expect([...lost].filter((pair) => together.get(pair) !== minTogether)).toEqual([]);
  const left = shownIn(countNeighbours(heardBy(gone), world.audios));
  expect([...left].filter((pair) => lost.has(pair))).toEqual([]);
});

test('somebody who hears everything counts less than ten who hear little', () => {
  const pair = (one: number, other: number) => Array.from({ length: 10 }, () => Uint32Array.of(one, other));
  const everything = Array.from({ length: 10 }, () => Uint32Array.from({ length: 200 }, (_, audio) => audio));
  const near = countNeighbours(heardBy([...pair(0, 150), ...everything]), 200).get(0) ?? [];
  expect(near[0]).toEqual({ number: 150, nearness: 3 });
  expect(near).toHaveLength(12);
});
