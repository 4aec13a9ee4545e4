import { expect, test } from 'vitest';
import { chunkBytes, chunksOf, createChunker, rangeIn, slicesOf } from './chunks.ts';

test('a range becomes the parts of the chunks that it touches', () => {
  expect(slicesOf(0, 9)).toEqual([{ chunk: 0, from: 0, to: 10 }]);
  expect(slicesOf(chunkBytes - 1, chunkBytes)).toEqual([
    { chunk: 0, from: chunkBytes - 1, to: chunkBytes },
    { chunk: 1, from: 0, to: 1 },
  ]);
  const bytes = slicesOf(5, 3 * chunkBytes + 4).reduce((sum, { from, to }) => sum + to - from, 0);
  expect(bytes).toBe(3 * chunkBytes);
});

test.each([
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=40-49', { start: 40, end: 49 }],
  ['bytes=40-1000', { start: 40, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-5', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=99999999999999999999-', undefined],
  ['lines=1-2', undefined],
  [null, undefined],
] as const)('%s of 100 bytes is %o', (header, expected) => {
  expect(rangeIn(header, 100)).toEqual(expected);
});

test('bytes that arrive in any pieces become whole chunks and a rest', () => {
  const size = 2 * chunkBytes + 777;
  const source = new Uint8Array(size).map((_, index) => index % 251);
  for (const piece of [1000, chunkBytes, chunkBytes + 1, size]) {
    const chunker = createChunker();
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < size; at += piece) chunks.push(...chunker.add(source.slice(at, at + piece)));
    chunks.push(chunker.rest());
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual([chunkBytes, chunkBytes, 777]);
    expect(Buffer.concat(chunks).equals(source)).toBe(true);
    expect(chunks).toHaveLength(chunksOf(size));
  }
});
