import { type SearchGroup, searchGroups } from './forms.ts';
import { enlarged } from './enlarged.ts';
import type { SearchDocument } from './search-index.ts';
import { countWords } from './words.ts';

/**
 * Documents by number. Numbers are in typed arrays and hits are kept as JSON, so that the garbage collector has few
 * objects to follow.
 */
export type DocumentStore = {
  readonly size: number;
  /** Every document number is below this. */
  readonly capacity: number;
  /** The group's place in `searchGroups`. */
  groupOf: Uint8Array;
  /** Number of words in the name, at most 255. */
  nameLength: Uint8Array;
  plays: Float64Array;
  /** Milliseconds; `Infinity` for a removed document. */
  foundFrom: Float64Array;
  /** 1: an audio that is free to all. */
  isFree: Uint8Array;
  keyOf(number: number): string;
  /** JSON. */
  hitOf(number: number): string;
  find(group: SearchGroup, key: string): number | undefined;
  add(document: SearchDocument): number;
  /** @returns the number of the removed document, if it existed */
  remove(group: SearchGroup, key: string): number | undefined;
  /** Makes removed numbers available again; no list may contain them. */
  release(numbers: number[]): void;
};

export function createDocumentStore(): DocumentStore {
  const numbers = new Map(searchGroups.map((group) => [group, new Map<string, number>()]));
  const numbersOf = (group: SearchGroup) => numbers.get(group) as Map<string, number>;
  let size = 0;
  const keys: string[] = [];
  const hits: string[] = [];
  const free: number[] = [];
  let capacity = 1024;

  const store: DocumentStore = {
    get size() {
      return size;
    },
    get capacity() {
      return capacity;
    },
    groupOf: new Uint8Array(capacity),
    nameLength: new Uint8Array(capacity),
    plays: new Float64Array(capacity),
    foundFrom: new Float64Array(capacity),
    isFree: new Uint8Array(capacity),
    keyOf: (number) => keys[number] as string,
    hitOf: (number) => hits[number] as string,
    find: (group, key) => numbersOf(group).get(key),
    add({ group, key, name, plays, publishedAt, isFree, hit }) {
      const number = free.pop() ?? keys.length;
      if (number >= capacity) grow();
      numbersOf(group).set(key, number);
      size += 1;
      keys[number] = key;
      hits[number] = JSON.stringify(hit);
      store.groupOf[number] = searchGroups.indexOf(group);
      store.nameLength[number] = Math.min(255, countWords(name));
      store.plays[number] = plays;
      store.foundFrom[number] = publishedAt ?? Number.NEGATIVE_INFINITY;
      store.isFree[number] = Number(isFree);
      return number;
    },
    remove(group, key) {
      const number = store.find(group, key);
      if (number === undefined) return undefined;
      numbersOf(group).delete(key);
      size -= 1;
      keys[number] = '';
      hits[number] = '';
      store.foundFrom[number] = Number.POSITIVE_INFINITY;
      return number;
    },
    release(released) {
      free.push(...released);
    },
  };

  function grow(): void {
    capacity = Math.ceil(capacity * 1.5);
    store.groupOf = enlarged(store.groupOf, capacity);
    store.nameLength = enlarged(store.nameLength, capacity);
    store.plays = enlarged(store.plays, capacity);
    store.foundFrom = enlarged(store.foundFrom, capacity);
    store.isFree = enlarged(store.isFree, capacity);
  }

  return store;
}
