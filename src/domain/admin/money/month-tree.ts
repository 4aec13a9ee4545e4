import { createHash } from 'node:crypto';

/**
 * Tree of hashes over the milliseconds of a month (docs/operating/earnings-proof.md): each creator’s audios have one,
 * and the creators have one above those. A node’s hash covers its milliseconds too, so a proof shows the month’s total.
 */
export type TreeNode = { milliseconds: number; hash: Buffer };

/** `siblings`: from the leaf up; none on a level where the node is the last of an odd number. */
export type Proof = { position: number; size: number; siblings: TreeNode[] };

const version = 'sotto-earnings-1';
/** First byte of what is hashed, so that no leaf passes for a node, nor a node for a month. */
const kinds = { leaf: 0, node: 1, month: 2 } as const;

const sha256 = (kind: keyof typeof kinds, ...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256').update(Uint8Array.of(kinds[kind]));
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export type AudioLine = { month: string; voiceId: string; audioId: string; milliseconds: number };
export type VoiceLine = { month: string; voiceId: string; milliseconds: number; audios: Buffer };

/** `2026-10` as the month, ids in lower case. */
export function audioLeaf({ month, voiceId, audioId, milliseconds }: AudioLine): TreeNode {
  const line = [version, 'audio', month, voiceId, audioId, milliseconds].join(' ');
  return { milliseconds, hash: sha256('leaf', line) };
}

/** @param line.audios hash of the tree of the creator’s audios */
export function voiceLeaf({ month, voiceId, milliseconds, audios }: VoiceLine): TreeNode {
  const line = [version, 'creator', month, voiceId, milliseconds, audios.toString('hex')].join(' ');
  return { milliseconds, hash: sha256('leaf', line) };
}

/** The published hash of a month. @param month.pools in the smallest unit, by currency */
export function monthRoot(month: {
  month: string;
  creators: number;
  top: TreeNode;
  pools: Record<string, number>;
}): string {
  const pools = Object.entries(month.pools)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, pool]) => `${currency}=${pool}`)
    .join(',');
  const { milliseconds, hash } = month.top;
  const line = [version, 'month', month.month, month.creators, milliseconds, hash.toString('hex'), pools].join(' ');
  return sha256('month', line).toString('hex');
}

function join(left: TreeNode, right: TreeNode): TreeNode {
  return {
    milliseconds: left.milliseconds + right.milliseconds,
    hash: sha256('node', toBytes(left), toBytes(right)),
  };
}

/** From the leaves up to the top; the last of an odd number goes up as it is, as in RFC 6962. */
export function levelsOf(leaves: TreeNode[]): TreeNode[][] {
  const levels = [leaves];
  for (let level = leaves; level.length > 1;) {
    const above: TreeNode[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]];
      if (left !== undefined) above.push(right === undefined ? left : join(left, right));
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

/** Without leaves: the hash of nothing. */
export function topOf(levels: TreeNode[][]): TreeNode {
  return levels.at(-1)?.[0] ?? { milliseconds: 0, hash: createHash('sha256').digest() };
}

/** Places of a proof’s siblings, from the leaf up. */
export function siblingsOf(position: number, size: number): { level: number; position: number }[] {
  const places = [];
  for (let [level, at, width] = [0, position, size]; width > 1; level += 1) {
    const sibling = at % 2 === 0 ? at + 1 : at - 1;
    if (sibling < width) places.push({ level, position: sibling });
    at = Math.floor(at / 2);
    width = Math.ceil(width / 2);
  }
  return places;
}

export function proofOf(levels: TreeNode[][], position: number): Proof {
  const size = levels[0]?.length ?? 0;
  const siblings = siblingsOf(position, size).flatMap((place) => levels[place.level]?.[place.position] ?? []);
  return { position, size, siblings };
}

/** The top that a leaf and its proof lead to. @returns undefined for a proof of another length */
export function climb(leaf: TreeNode, { position, size, siblings }: Proof): TreeNode | undefined {
  if (!(position >= 0 && position < size)) return undefined;
  const places = siblingsOf(position, size);
  if (places.length !== siblings.length) return undefined;
  let node = leaf;
  for (const [index, sibling] of siblings.entries()) {
    const isLeft = (places[index]?.position ?? 0) % 2 === 0;
    node = isLeft ? join(sibling, node) : join(node, sibling);
  }
  return Number.isSafeInteger(node.milliseconds) ? node : undefined;
}

const hashBytes = 32;
const nodeBytes = 8 + hashBytes;

/** Milliseconds as eight bytes, the highest first, then the hash. */
function toBytes({ milliseconds, hash }: TreeNode): Buffer {
  const bytes = Buffer.alloc(nodeBytes);
  bytes.writeBigUInt64BE(BigInt(milliseconds));
  hash.copy(bytes, 8);
  return bytes;
}

/** `3/1000/…`: position, number of leaves, and the siblings in base64url. */
export function writeProof({ position, size, siblings }: Proof): string {
  return `${position}/${size}/${Buffer.concat(siblings.map(toBytes)).toString('base64url')}`;
}

/** @returns undefined for what is no proof */
export function readProof(text: string): Proof | undefined {
  const [, position, size, encoded = ''] = /^(\d{1,9})\/(\d{1,9})\/([\w-]{0,4000})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64url');
  if (position === undefined || bytes.length % nodeBytes !== 0) return undefined;
  const siblings = Array.from({ length: bytes.length / nodeBytes }, (_, index) => ({
    milliseconds: Number(bytes.readBigUInt64BE(index * nodeBytes)),
    hash: bytes.subarray(index * nodeBytes + 8, (index + 1) * nodeBytes),
  }));
  return { position: Number(position), size: Number(size), siblings };
}
