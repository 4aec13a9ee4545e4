import { createHash } from 'node:crypto';

/**
 * Whether a key is among millions, in eight bytes for each: 48 bits of its hash. A key that is not may be taken for one
 * in ten million cases.
 */
export class KeySet {
  #hashes: Float64Array;
  #count = 0;
  #isSorted = true;

  /** @param max number of keys */
  constructor(max: number) {
    this.#hashes = new Float64Array(max);
  }

  add(key: string): void {
    this.#hashes[this.#count] = hashOf(key);
    this.#count += 1;
    this.#isSorted = false;
  }

  has(key: string): boolean {
    const hashes = this.#hashes.subarray(0, this.#count);
    if (!this.#isSorted) hashes.sort();
    this.#isSorted = true;
    const hash = hashOf(key);
    let [from, to] = [0, hashes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((hashes[middle] ?? 0) < hash) from = middle + 1;
      else to = middle;
    }
    return hashes[from] === hash;
  }
}

function hashOf(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6);
}
