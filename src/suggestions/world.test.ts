import { expect, test, vi } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { countNeighbours } from '#domain/listening/count-neighbours.ts';
import { blockOf } from '#formats/suggestions/blocks.ts';
import { heardBy, inventWorld } from '#test/support/listening-world.ts';
import { slow } from '#test/support/tags.ts';
import { writeShard } from '#formats/suggestions/shards.ts';
import type { HeardAudio } from './heard.ts';
import type { SuggestedCard } from './mix.ts';
import { rankNeighbours } from './rank.ts';
import { createSuggester } from './suggester.ts';

vi.setConfig({ testTimeout: 60_000 });

const now = Date.parse('2026-11-30T12:00:00Z');
const longAgo = '2020-01-01T00:00:00.000Z';

function cardOf(number: number, tags: Iterable<number>, plays: number): SuggestedCard {
  return {
    number,
    id: String(number),
    slug: `audio-${number}`,
    title: `Audio ${number}`,
    imageUrl: null,
    audioFileUrl: '',
    numberDuration: 60,
    plays,
    color: null,
    badge: null,
    isFree: true,
    language: 'en',
    voice: { id: 'v', name: 'Voice', slug: 'voice', imageUrl: null, linkedSeries: null },
    categories: [],
    publishedAt: longAgo,
    syntheticVoice: 'none',
    tags: Array.from(tags, (tag) => ({ slug: String(tag), label: String(tag) })),
    picture: null,
  };
}

/** A device reads all of 64 shards, and a sixteenth of the 1024 of a site with 250,000 audios. */
test.each([64, 1024].flatMap((shards) => [1, 2].map((seed) => [shards, seed] as const)))(
  'with %i shards, an invented audience of seed %i finds what it would hear, and what few have heard',
  slow,
  async (shards, seed) => {
    const world = inventWorld(seed);
    const neighbours = countNeighbours(heardBy(world.heard), world.audios);
    const cards = Array.from({ length: world.audios }, (_, number) =>
      cardOf(number, world.tags[number] ?? [], world.plays[number] ?? 0),
    );
    const byBlock = Map.groupBy(cards, ({ number }) => blockOf(number));
    const byShard = Map.groupBy(neighbours, ([number]) => number % shards);
    const written = Array.from({ length: shards }, (_, shard) => writeShard(new Map(byShard.get(shard)), shards));
    const byPlays = [...world.plays.keys()].toSorted((a, b) => (world.plays[b] ?? 0) - (world.plays[a] ?? 0));
    const isLittleHeard = new Set(byPlays.slice(world.audios / 2));
    const random = seededRandom(seed);
    const shown = new Set<number>();
    const hits = { neighbours: 0, mixed: 0 };
    const sums = { littleHeard: 0, places: 0 };
    for (const [listener, heldOut] of [...world.heldOut].slice(0, 1500)) {
      const own = [...(world.heard[listener] ?? [])];
      const heard = own.map((number): HeardAudio => ({
        number,
        id: String(number),
        title: '',
        language: 'en',
        tags: Array.from(world.tags[number] ?? [], String),
        at: new Date(now).toISOString(),
        listens: 1,
        isFinished: true,
        isFavorite: false,
      }));
      const asked = { shards: 0, blocks: 0 };
      const { suggest } = createSuggester({
        owner: '',
        now: () => now,
        random,
        sealed: { read: async () => undefined, write: async () => undefined },
        loadOwn: async () => ({ heard, isShown: () => true }),
        files: {
          index: async () => ({ version: 1, shards, blocks: byBlock.size }),
          async shard(_version, shard) {
            asked.shards += 1;
            return written[shard] ?? new Uint8Array();
          },
          async block(block) {
            asked.blocks += 1;
            return { audios: byBlock.get(block) ?? [] };
          },
        },
      });
      const { items } = await suggest(10);
      if (heard.length >= 5) expect(asked).toEqual({ shards: 64, blocks: 16 });
      const ranked = rankNeighbours(
        own.map((number) => ({ number, weight: 1 })),
        (number) => neighbours.get(number),
        world.audios,
      );
      const isOwn = new Set(own);
      const unheard = ranked.map(({ number }) => number).filter((number) => !isOwn.has(number));
      hits.neighbours += Number(unheard.slice(0, 10).includes(heldOut));
      hits.mixed += Number(items.some(({ audio }) => audio.number === heldOut));
      sums.places += items.length;
      for (const { audio } of items) {
        shown.add(audio.number);
        sums.littleHeard += Number(isLittleHeard.has(audio.number));
      }
    }
    expect(hits.mixed).toBeGreaterThanOrEqual(0.8 * hits.neighbours);
    expect(shown.size / world.audios).toBeGreaterThanOrEqual(0.35);
    expect(sums.littleHeard / sums.places).toBeGreaterThanOrEqual(0.15);
  },
);

test('ten thousand audios are ranked by five hundred in two milliseconds', () => {
  const neighbours = new Map(
    Array.from({ length: 10_000 }, (_, number) => [
      number,
      Array.from({ length: 12 }, (_one, place) => ({
        number: (number * 31 + place * 977) % 10_000,
        nearness: place % 4,
      })),
    ]),
  );
  const heard = Array.from({ length: 500 }, (_, place) => ({ number: (place * 617) % 10_000, weight: 1 }));
  const rank = () => rankNeighbours(heard, (number) => neighbours.get(number), 10_000);
  const times = Array.from({ length: 50 }, () => {
    const before = performance.now();
    expect(rank()).toHaveLength(500);
    return performance.now() - before;
  });
  // Other processes only make it slower.
  expect(Math.min(...times)).toBeLessThanOrEqual(2);
});
