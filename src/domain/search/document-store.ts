import { searchGroups } from './forms.ts';
import type { SearchGroup } from './forms.ts';
import type { Numbers } from './numbers.ts';
import { emptyNumbers, pushNumber } from './numbers.ts';
import type { SearchDocument } from './search-index.ts';
import type { Vocabulary } from './vocabulary.ts';
import { countWords, wordsOf } from './words.ts';

/** The fields of a document, by what a match in them is worth. */
export const nameField = 0;
export const textField = 3;

/** In so many bits of an entry stands the field, in the others the word. */
export const fieldBits = 2;
export const fieldMask = 3;

/**
 * The documents of an index by number: what ranks them in arrays of numbers, their words in one long list, and their hits
 * as text, so that nothing of them is for the garbage collector to follow.
 */
export type DocumentStore = {
  readonly size: number;
  readonly capacity: number;
  /** By number: the group's place in `searchGroups`. */
  groupOf: Uint8Array;
  nameWords: Uint8Array;
  plays: Float64Array;
  /** By number: milliseconds; never where there is nothing. */
  foundFrom: Float64Array;
  /** By number: where the document's part of `entries` begins, and how long it is. */
  entriesFrom: Uint32Array;
  entriesLength: Uint16Array;
  readonly entries: Uint32Array;
  keyOf(number: number): string;
  hitOf(number: number): string;
  find(group: SearchGroup, key: string): number | undefined;
  /** Each word once, with its best field. */
  add(document: SearchDocument): number;
  remove(group: SearchGroup, key: string): number | undefined;
  /** These are in no list any more: others may have their numbers. */
  release(numbers: number[]): void;
};

export function createDocumentStore(vocabulary: Vocabulary): DocumentStore {
  const numbers = new Map<string, number>();
  const keys: string[] = [];
  const hits: string[] = [];
  const free: number[] = [];
  const entries: Numbers = emptyNumbers();
  let unusedEntries = 0;
  let capacity = 1024;

  const store: DocumentStore = {
    get size() {
      return numbers.size;
    },
    get capacity() {
      return capacity;
    },
    get entries() {
      return entries.items;
    },
    groupOf: new Uint8Array(capacity),
    nameWords: new Uint8Array(capacity),
    plays: new Float64Array(capacity),
    foundFrom: new Float64Array(capacity),
    entriesFrom: new Uint32Array(capacity),
    entriesLength: new Uint16Array(capacity),
    keyOf: (number) => keys[number] as string,
    hitOf: (number) => hits[number] as string,
    find: (group, key) => numbers.get(`${group} ${key}`),
    add(document) {
      const number = free.pop() ?? keys.length;
      if (number >= capacity) grow();
      numbers.set(`${document.group} ${document.key}`, number);
      keys[number] = document.key;
      hits[number] = JSON.stringify(document.hit);
      store.groupOf[number] = searchGroups.indexOf(document.group);
      store.nameWords[number] = Math.min(255, countWords(document.name));
      store.plays[number] = document.plays;
      store.foundFrom[number] = document.publishedAt ?? Number.NEGATIVE_INFINITY;
      store.entriesFrom[number] = entries.length;
      const known = new Set<string>();
      for (const [field, text] of [document.name, document.by, document.labels, document.text].entries()) {
        for (const word of wordsOf(text)) {
          if (known.has(word)) continue;
          // The best field of a word is the first one.
          known.add(word);
          pushNumber(entries, (vocabulary.numberOf(word) << fieldBits) | field);
        }
      }
      store.entriesLength[number] = known.size;
      return number;
    },
    remove(group, key) {
      const name = `${group} ${key}`;
      const number = numbers.get(name);
      if (number === undefined) return undefined;
      numbers.delete(name);
      keys[number] = '';
      hits[number] = '';
      store.foundFrom[number] = Number.POSITIVE_INFINITY;
      unusedEntries += store.entriesLength[number] as number;
      store.entriesLength[number] = 0;
      if (unusedEntries > 100_000 && unusedEntries > entries.length / 2) compact();
      return number;
    },
    release(released) {
      free.push(...released);
    },
  };

  function grow(): void {
    capacity = Math.ceil(capacity * 1.5);
    store.groupOf = enlarged(store.groupOf, capacity);
    store.nameWords = enlarged(store.nameWords, capacity);
    store.plays = enlarged(store.plays, capacity);
    store.foundFrom = enlarged(store.foundFrom, capacity);
    store.entriesFrom = enlarged(store.entriesFrom, capacity);
    store.entriesLength = enlarged(store.entriesLength, capacity);
  }

  function compact(): void {
    const compacted = new Uint32Array(entries.length - unusedEntries);
    let at = 0;
    for (const number of numbers.values()) {
      const from = store.entriesFrom[number] as number;
      const length = store.entriesLength[number] as number;
      compacted.set(entries.items.subarray(from, from + length), at);
      store.entriesFrom[number] = at;
      at += length;
    }
    entries.items = compacted;
    entries.length = at;
    unusedEntries = 0;
  }

  return store;
}

export function enlarged<List extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  list: List,
  length: number,
): List {
  const larger = new (list.constructor as new (length: number) => List)(length);
  larger.set(list as never);
  return larger;
}
