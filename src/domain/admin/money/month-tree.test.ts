import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  audioLeaf,
  climb,
  levelsOf,
  monthRoot,
  proofOf,
  readProof,
  siblingsOf,
  topOf,
  type TreeNode,
  voiceLeaf,
  writeProof,
} from './month-tree.ts';

const month = '2026-10';
const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const leafOf = (n: number, milliseconds = 1000 + n) =>
  audioLeaf({ month, voiceId: uuid(1), audioId: uuid(n), milliseconds });
const leaves = (count: number) => Array.from({ length: count }, (_, n) => leafOf(n));

test('lines and nodes are hashed as the documents say', () => {
  const sha256 = (...parts: (string | Uint8Array)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
  const one = leafOf(1);
  const two = leafOf(2);
  expect(one.hash).toEqual(sha256(Uint8Array.of(0), `sotto-earnings-1 audio 2026-10 ${uuid(1)} ${uuid(1)} 1001`));
  const bytes = (milliseconds: number) => {
    const eight = Buffer.alloc(8);
    eight.writeBigUInt64BE(BigInt(milliseconds));
    return eight;
  };
  const top = topOf(levelsOf([one, two]));
  expect(top).toEqual({
    milliseconds: 2003,
    hash: sha256(Uint8Array.of(1), bytes(1001), one.hash, bytes(1002), two.hash),
  });
  const hex = top.hash.toString('hex');
  expect(voiceLeaf({ month, voiceId: uuid(1), milliseconds: 2003, audios: top.hash }).hash).toEqual(
    sha256(Uint8Array.of(0), `sotto-earnings-1 creator 2026-10 ${uuid(1)} 2003 ${hex}`),
  );
  expect(monthRoot({ month, creators: 2, top, pools: { usd: 5, eur: 7 } })).toBe(
    sha256(Uint8Array.of(2), `sotto-earnings-1 month 2026-10 2 2003 ${hex} eur=7,usd=5`).toString('hex'),
  );
  expect(topOf(levelsOf([]))).toEqual({ milliseconds: 0, hash: sha256() });
});

test.each([1, 2, 3, 5, 8, 13, 100])(
  'each of %i leaves has a proof that leads to the top, and no other does',
  (size) => {
    const all = leaves(size);
    const levels = levelsOf(all);
    const top = topOf(levels);
    expect(top.milliseconds).toBe(all.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    for (const [position, leaf] of all.entries()) {
      const proof = readProof(writeProof(proofOf(levels, position))) ?? proofOf([], 0);
      expect(climb(leaf, proof)).toEqual(top);
      // One second more, another place, another number of leaves, a sibling less or with other milliseconds.
      expect(climb(leafOf(position, leaf.milliseconds + 1000), proof)).not.toEqual(top);
      expect(climb(leaf, { ...proof, position: size })).toBeUndefined();
      if (size === 1) continue;
      expect(climb(leaf, { ...proof, position: (position + 1) % size })).not.toEqual(top);
      expect(climb(leaf, { ...proof, siblings: proof.siblings.slice(1) })).toBeUndefined();
      const [first, ...rest] = proof.siblings;
      const other = first && { ...first, milliseconds: first.milliseconds + 1 };
      expect(climb(leaf, { ...proof, siblings: other ? [other, ...rest] : [] })).not.toEqual(top);
    }
  },
);

test('a proof among ten million has at most two kilobytes, and one second more breaks it', () => {
  const size = 10_000_000;
  for (const position of [0, 4_999_999, 9_999_999]) {
    const random = (): TreeNode => ({ milliseconds: 3_600_000, hash: randomBytes(32) });
    const proof = { position, size, siblings: siblingsOf(position, size).map(random) };
    const written = writeProof(proof);
    expect(written.length).toBeLessThanOrEqual(2048);
    const top = climb(leafOf(7), proof);
    expect(top?.milliseconds).toBe(1007 + proof.siblings.length * 3_600_000);
    expect(climb(leafOf(7), readProof(written) ?? proofOf([], 0))).toEqual(top);
    expect(climb(leafOf(7, 2007), proof)?.hash).not.toEqual(top?.hash);
  }
});

test('what is no proof is not read', () => {
  for (const text of ['', '1', '1/2', '1/2/AAAA', 'a/2/', `1/2/${'A'.repeat(5000)}`])
    expect(readProof(text)).toBeUndefined();
});
