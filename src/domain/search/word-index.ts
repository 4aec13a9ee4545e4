import { createCandidates } from './candidates.ts';
import { createDocumentStore } from './document-store.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import { type Matching, minWords, matchings, matchWords } from './matching.ts';
import { createNumberLists } from './number-lists.ts';
import { enlarged } from './enlarged.ts';
import { createBest } from './ranking.ts';
import { deepestHit } from './rules.ts';
import type { Hidden, IndexResponse, Ranges, SearchDocument } from './search-index.ts';
import { createVocabulary } from './vocabulary.ts';
import { searchedFields } from './words.ts';

export type WordQuery = {
  /** Folded, from `queryWords`; the last one may be a prefix. */
  words: string[];
  ranges: Ranges;
  hidden: Hidden;
  onlyFree: boolean;
  /** Milliseconds. */
  now: number;
};

export type WordIndex = {
  readonly documents: number;
  readonly words: number;
  /** Replaces the existing document. */
  set(document: SearchDocument): void;
  /** No-op for an unknown document. */
  remove(group: SearchGroup, key: string): void;
  setPlays(group: SearchGroup, key: string, plays: number): void;
  find(query: WordQuery): IndexResponse;
};

/** Removed documents that start a sweep: at least this many, and this part of the index. */
const sweepFrom = { documents: 1000, part: 1 / 8 };
/** Words swept with each further removal. */
const wordsPerSweep = 200;

/** An inverted index in memory: words, and for each the documents that contain it. */
export function createWordIndex(): WordIndex {
  const vocabulary = createVocabulary();
  const store = createDocumentStore();
  /** Document numbers by the owner or tag that a viewer may hide; the number of each one's list. */
  const hiddenLists = createNumberLists();
  const hiddenListOf = new Map<string, number>();
  const candidates = createCandidates(store, vocabulary, hiddenLists);
  /** By word: the last call of `set` that met it. */
  let lastSet = new Uint32Array(1024);
  let sets = 0;
  /** Their numbers are still in the lists, and must not be used again before a sweep. */
  let removed: number[] = [];
  let sweeping: { numbers: number[]; isMarked: Uint8Array; word: number } | undefined;

  function set(document: SearchDocument): void {
    remove(document.group, document.key);
    const number = store.add(document);
    sets += 1;
    for (const [index, field] of searchedFields.entries())
      vocabulary.addWordsOf(document[field], (word) => {
        if (word >= lastSet.length) lastSet = enlarged(lastSet, word * 2);
        // Each word counts once, in the first field that has it.
        if (lastSet[word] === sets) return;
        lastSet[word] = sets;
        vocabulary.documents.push(vocabulary.listOf(word, index), number);
      });
    for (const tagId of document.tagIds) mayBeHiddenBy(tagId, number);
    if (document.ownerId !== null) mayBeHiddenBy(document.ownerId, number);
  }

  function mayBeHiddenBy(reason: string, number: number): void {
    let list = hiddenListOf.get(reason);
    if (list === undefined) hiddenListOf.set(reason, (list = hiddenLists.add()));
    hiddenLists.push(list, number);
  }

  function remove(group: SearchGroup, key: string): void {
    const number = store.remove(group, key);
    if (number === undefined) return;
    removed.push(number);
    sweepSome();
  }

  /** Continues the sweep with each removal, to spread the work. */
  function sweepSome(): void {
    if (sweeping === undefined) {
      if (removed.length < sweepFrom.documents || removed.length < store.size * sweepFrom.part) return;
      sweeping = { numbers: removed, isMarked: new Uint8Array(store.capacity), word: 0 };
      removed = [];
      for (const number of sweeping.numbers) sweeping.isMarked[number] = 1;
      for (const list of hiddenListOf.values()) hiddenLists.sweep(list, sweeping.isMarked);
    }
    const until = Math.min(vocabulary.size, sweeping.word + wordsPerSweep);
    for (; sweeping.word < until; sweeping.word += 1)
      for (const field of searchedFields.keys())
        vocabulary.documents.sweep(vocabulary.listOf(sweeping.word, field), sweeping.isMarked);
    if (sweeping.word < vocabulary.size) return;
    store.release(sweeping.numbers);
    sweeping = undefined;
  }

  /** Lowest cost first, then most plays; keys make the order the same in every process. */
  function isBefore(one: number, other: number): boolean {
    const cost = candidates.costOf(one) - candidates.costOf(other);
    if (cost !== 0) return cost < 0;
    const plays = (store.plays[one] as number) - (store.plays[other] as number);
    return plays === 0 ? store.keyOf(one) < store.keyOf(other) : plays > 0;
  }

  function find({ words, ranges, hidden, onlyFree, now }: WordQuery, matching: Matching) {
    const hiddenBy = [...hidden.userIds, ...hidden.tagIds].flatMap((reason) => hiddenListOf.get(reason) ?? []);
    const matched = matchWords(vocabulary, words, matching);
    const numbers = candidates.find(matched, minWords(words.length, matching), {
      hidden: hiddenBy,
      onlyFree,
      now,
    });

    const totals = searchGroups.map(() => 0);
    const best = searchGroups.map((group) => {
      const { from, length } = ranges[group] ?? { from: 0, length: 0 };
      return createBest(Math.min(from + length, deepestHit), isBefore);
    });
    for (const number of numbers) {
      const group = store.groupOf[number] as number;
      totals[group] = (totals[group] as number) + 1;
      best[group]?.offer(number);
    }
    const response = searchGroups.map((group, index) => {
      const { from, length } = ranges[group] ?? { from: 0, length: 0 };
      const shown = best[index]?.inOrder().slice(from, from + length) ?? [];
      const hits = shown.map((number) => JSON.parse(store.hitOf(number)));
      return [group, { total: totals[index], hits, isLoose: matching.allowsMisspellings }];
    });
    return { isAnyFound: numbers.length > 0, response: Object.fromEntries(response) as IndexResponse };
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
      const [strictest, ...looser] = matchings as [Matching, ...Matching[]];
      let answer = find(query, strictest);
      for (const matching of looser) if (!answer.isAnyFound) answer = find(query, matching);
      return answer.response;
    },
  };
}
