import { enlarged } from './enlarged.ts';

/**
 * Growing lists of whole numbers in one shared array. An index has millions of short lists; as objects they would take far
 * more memory, and the garbage collector would follow each.
 */
export type NumberLists = {
  /** @returns the number of a new, empty list: 0, 1, 2 … */
  add(): number;
  push(list: number, value: number): void;
  length(list: number): number;
  /** Valid until the next `push`. */
  read(list: number): { items: Uint32Array; from: number; to: number };
  /** Removes every marked value. */
  sweep(list: number, isMarked: Uint8Array): void;
};

export function createNumberLists(): NumberLists {
  let items = new Uint32Array(1024);
  /** Items from here on were never used. */
  let end = 0;
  let count = 0;
  let starts = new Uint32Array(1024);
  let lengths = new Uint32Array(1024);
  /** A list has room for 2 to the power of `sizes - 1` items; 0: for none yet. */
  let sizes = new Uint8Array(1024);
  /** Starts of the room that longer lists left, by its size. */
  const free: number[][] = Array.from({ length: 33 }, () => []);

  function roomOf(size: number): number {
    const left = free[size]?.pop();
    if (left !== undefined) return left;
    const start = end;
    end += 2 ** (size - 1);
    if (end > items.length) items = enlarged(items, Math.max(end, Math.ceil(items.length * 1.5)));
    return start;
  }

  return {
    add() {
      if (count === starts.length) {
        const larger = count * 2;
        starts = enlarged(starts, larger);
        lengths = enlarged(lengths, larger);
        sizes = enlarged(sizes, larger);
      }
      count += 1;
      return count - 1;
    },
    push(list, value) {
      const length = lengths[list] as number;
      const size = sizes[list] as number;
      if (size === 0) {
        starts[list] = roomOf(1);
        sizes[list] = 1;
      } else if (length === 2 ** (size - 1)) {
        const start = starts[list] as number;
        const larger = roomOf(size + 1);
        items.copyWithin(larger, start, start + length);
        free[size]?.push(start);
        starts[list] = larger;
        sizes[list] = size + 1;
      }
      items[(starts[list] as number) + length] = value;
      lengths[list] = length + 1;
    },
    length: (list) => lengths[list] as number,
    read(list) {
      const from = starts[list] as number;
      return { items, from, to: from + (lengths[list] as number) };
    },
    sweep(list, isMarked) {
      const from = starts[list] as number;
      const to = from + (lengths[list] as number);
      let kept = from;
      for (let at = from; at < to; at += 1) {
        const value = items[at] as number;
        if (isMarked[value] === 1) continue;
        items[kept] = value;
        kept += 1;
      }
      lengths[list] = kept - from;
    },
  };
}
