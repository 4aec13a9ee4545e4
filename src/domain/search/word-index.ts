import { createDocumentStore, fieldBits, fieldMask, textField } from './document-store.ts';
import { deepestHit, searchGroups } from './forms.ts';
import type { SearchGroup } from './forms.ts';
import { createLooker } from './look.ts';
import type { Numbers } from './numbers.ts';
import { emptyNumbers, pushNumber, sweepNumbers } from './numbers.ts';
import { createBest } from './ranking.ts';
import type { IndexAnswer, LeftOut, Ranges, SearchDocument } from './search-index.ts';
import type { WordMatch } from './vocabulary.ts';
import { createVocabulary } from './vocabulary.ts';

export type WordQuery = {
  /** Folded, as `queryWords` answers; the last one may be a beginning. */
  words: string[];
  ranges: Ranges;
  leftOut: LeftOut;
  /** Milliseconds. */
  now: number;
};

/** How forgiving a look through the index is. */
type Manner = { mostEdits: (word: string) => number; everyPrefix: boolean };

const strict: Manner = { mostEdits: () => 0, everyPrefix: false };
const forgiving: Manner = {
  mostEdits: ({ length }) => (length < 3 ? 0 : length < 6 ? 1 : 2),
  everyPrefix: true,
};

/** With so few hits misspellings are looked at too; of several words each vouches for the others. */
function isFew(hits: number, words: number): boolean {
  return hits < (words === 1 ? 10 : words === 2 ? 3 : 1);
}

/** What a name is worth in which every word was asked for, in the costs of a look: less than any of them. */
const wholeName = 0.5;
/** Plays are never so many that they would count as a cost. */
const playsPerCost = 1e12;

export type WordIndex = {
  readonly documents: number;
  readonly words: number;
  /** In the place of the one that was there. */
  set(document: SearchDocument): void;
  /** What is not there is no matter. */
  remove(group: SearchGroup, key: string): void;
  setPlays(group: SearchGroup, key: string, plays: number): void;
  find(query: WordQuery): IndexAnswer;
};

/** An inverted index in memory. Documents that were replaced are swept out of its lists piece by piece. */
export function createWordIndex(): WordIndex {
  const vocabulary = createVocabulary();
  const store = createDocumentStore(vocabulary);
  const look = createLooker(store, vocabulary);
  /** Numbers of documents by what they can be left out for. */
  const leftOutLists = new Map<string, Numbers>();
  let removed: number[] = [];
  let sweeping: { numbers: number[]; isMarked: Uint8Array; word: number } | undefined;

  function set(document: SearchDocument): void {
    remove(document.group, document.key);
    const number = store.add(document);
    const from = store.entriesFrom[number] as number;
    const until = from + (store.entriesLength[number] as number);
    for (let at = from; at < until; at += 1) {
      const entry = store.entries[at] as number;
      const field = entry & fieldMask;
      const word = entry >>> fieldBits;
      pushNumber(field === textField ? vocabulary.told(word) : vocabulary.named(word), (number << fieldBits) | field);
    }
    for (const reason of [...document.tagIds, ...(document.ownerId === null ? [] : [document.ownerId])]) {
      const list = leftOutLists.get(reason) ?? emptyNumbers();
      leftOutLists.set(reason, list);
      pushNumber(list, number);
    }
  }

  function remove(group: SearchGroup, key: string): void {
    const number = store.remove(group, key);
    if (number === undefined) return;
    removed.push(number);
    sweepSome();
  }

  /** Goes a little further with each removal, so that nobody waits for all of it. */
  function sweepSome(): void {
    if (sweeping === undefined) {
      if (removed.length < 1000 || removed.length < store.size / 8) return;
      sweeping = { numbers: removed, isMarked: new Uint8Array(store.capacity), word: 0 };
      removed = [];
      for (const number of sweeping.numbers) sweeping.isMarked[number] = 1;
      for (const list of leftOutLists.values()) sweepNumbers(list, sweeping.isMarked, 0);
    }
    const until = Math.min(vocabulary.size, sweeping.word + 200);
    for (; sweeping.word < until; sweeping.word += 1) {
      sweepNumbers(vocabulary.named(sweeping.word), sweeping.isMarked, fieldBits);
      sweepNumbers(vocabulary.told(sweeping.word), sweeping.isMarked, fieldBits);
    }
    if (sweeping.word < vocabulary.size) return;
    store.release(sweeping.numbers);
    sweeping = undefined;
  }

  function matchesOf(words: string[], manner: Manner): WordMatch[][] {
    return words.map((typed, index) => {
      const withPrefixes = index === words.length - 1 || (manner.everyPrefix && typed.length > 2);
      return vocabulary.findSimilar(typed, manner.mostEdits(typed), withPrefixes);
    });
  }

  /** @param least so many of the words must be there */
  function find(query: WordQuery, matches: WordMatch[][], least: number): { answer: IndexAnswer; total: number } {
    const { words, ranges, leftOut, now } = query;
    const best = searchGroups.map((group) => {
      const { from, length } = ranges[group] ?? { from: 0, length: 0 };
      return createBest(Math.min(from + length, deepestHit), store.keyOf);
    });
    const totals = searchGroups.map(() => 0);
    const { groupOf, nameWords, plays } = store;
    const lists = [...leftOut.userIds, ...leftOut.tagIds].flatMap((reason) => leftOutLists.get(reason) ?? []);
    look({ words, matches, least, leftOut: lists, now }, (number, cost, inName) => {
      const group = groupOf[number] as number;
      totals[group] = (totals[group] as number) + 1;
      const isWholeName = inName > 0 && inName === nameWords[number];
      best[group]?.offer((cost - (isWholeName ? wholeName : 0)) * playsPerCost - (plays[number] as number), number);
    });
    const answer = searchGroups.map((group, index) => {
      const { from, length } = ranges[group] ?? { from: 0, length: 0 };
      const numbers = best[index]?.inOrder().slice(from, from + length) ?? [];
      const hits = numbers.map((number) => JSON.parse(store.hitOf(number)));
      return [group, { total: totals[index], hits, isPartial: least < words.length }];
    });
    return {
      answer: Object.fromEntries(answer) as IndexAnswer,
      total: totals.reduce((sum, count) => sum + count, 0),
    };
  }

  return {
    get documents() {
      return store.size;
    },
    get words() {
      return vocabulary.size;
    },
    set,
    remove,
    setPlays(group, key, plays) {
      const number = store.find(group, key);
      if (number !== undefined) store.plays[number] = plays;
    },
    find(query) {
      const { length } = query.words;
      const exact = find(query, matchesOf(query.words, strict), length);
      if (length === 0 || !isFew(exact.total, length)) return exact.answer;
      const matches = matchesOf(query.words, forgiving);
      const similar = find(query, matches, length);
      if (length === 1 || similar.total > 0) return similar.answer;
      // Nothing has all the words: what has most of them.
      return find(query, matches, Math.max(1, length - Math.ceil(length / 3))).answer;
    },
  };
}
