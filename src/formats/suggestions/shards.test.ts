import { expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { type Neighbour, readShard, writeShard } from './shards.ts';

test('a shard is read as it was written, the nearest first, however large its numbers are', () => {
  const random = seededRandom(7);
  for (const shards of [1, 2, 64]) {
    const shard = shards - 1;
    const written = new Map<number, Neighbour[]>();
    for (let place = 0; place < 400; place += Math.ceil(random() * 5)) {
      const numbers = new Set(
        Array.from({ length: Math.floor(random() * 13) }, () => Math.floor(random() * 3_000_000)),
      );
      const own = [...numbers].map((number) => ({ number, nearness: Math.floor(random() * 4) }));
      written.set(
        place * shards + shard,
        own.toSorted((one, other) => other.nearness - one.nearness || one.number - other.number),
      );
    }
    expect(readShard(writeShard(written, shards), shard, shards)).toEqual(written);
  }
});

test('a shard that ends early is no shard', () => {
  const bytes = writeShard(new Map([[5, [{ number: 1_000_000, nearness: 3 }]]]), 1);
  for (let length = 1; length < bytes.length; length += 1)
    expect(() => readShard(bytes.slice(0, length), 0, 1)).toThrow(RangeError);
  expect(readShard(new Uint8Array(0), 0, 1)).toEqual(new Map());
});
