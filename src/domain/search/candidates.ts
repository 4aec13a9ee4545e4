import { bonusForWholeName, costsOfFields } from './costs.ts';
import type { DocumentStore } from './document-store.ts';
import type { MatchedWord } from './matching.ts';
import type { NumberLists } from './number-lists.ts';
import { enlarged } from './enlarged.ts';
import type { Vocabulary } from './vocabulary.ts';
import { searchedFields } from './words.ts';

const nameField = searchedFields.indexOf('name');
const textField = searchedFields.indexOf('text');

type Allowed = { hidden: number[]; onlyFree: boolean; now: number };

export type Candidates = {
  /**
   * Numbers of the matching documents, in no order.
   * @param min number of words that must match
   * @param allowed.hidden which lists of `createCandidates` have the excluded documents
   * @param allowed.now milliseconds
   */
  find(words: MatchedWord[], min: number, allowed: Allowed): Uint32Array;
  /** Cost of a document in the last `find`. */
  costOf(number: number): number;
};

/**
 * Finds documents in three steps: collect those with any of the rarest words, keep the allowed ones, score them.
 * @param hiddenLists documents that a viewer may hide
 */
export function createCandidates(store: DocumentStore, vocabulary: Vocabulary, hiddenLists: NumberLists): Candidates {
  const { documents } = vocabulary;
  let candidates = new Uint32Array(0);
  let count = 0;

  // By document number. Arrays are reused, because a query may match most documents.
  /** 0 outside of a query, and for a document that is no candidate. */
  let wordsFound = new Uint8Array(0);
  let wordsInName = new Uint8Array(0);
  let costs = new Float32Array(0);
  /** The last word that was found, counted from 1, and its cost: a word may match several times. */
  let lastWord = new Uint8Array(0);
  let lastCost = new Uint8Array(0);
  let lastWordInName = new Uint8Array(0);
  let isHidden = new Uint8Array(0);

  function makeRoom(): void {
    const { capacity } = store;
    if (candidates.length >= capacity) return;
    candidates = enlarged(candidates, capacity);
    wordsFound = enlarged(wordsFound, capacity);
    wordsInName = enlarged(wordsInName, capacity);
    costs = enlarged(costs, capacity);
    lastWord = enlarged(lastWord, capacity);
    lastCost = enlarged(lastCost, capacity);
    lastWordInName = enlarged(lastWordInName, capacity);
    isHidden = enlarged(isHidden, capacity);
  }

  function collect(words: MatchedWord[], min: number): void {
    const costOfAllMissing = words.reduce((sum, { costOfMissing }) => sum + costOfMissing, 0);
    const rarestFirst = words
      .map((word) => {
        const lists = listsOf(word);
        return { word, lists, size: lists.reduce((sum, { list }) => sum + documents.length(list), 0) };
      })
      .sort((a, b) => a.size - b.size);
    for (const [index, { word, lists }] of rarestFirst.entries()) {
      const ordinal = index + 1;
      // Every document with enough words has at least one of these; other words only complete a candidate.
      const isRare = index <= words.length - min;
      for (const { field, cost, list } of lists) {
        const { items, from, to } = documents.read(list);
        for (let at = from; at < to; at += 1) {
          const number = items[at] as number;
          if (wordsFound[number] === 0) {
            if (!isRare) continue;
            candidates[count] = number;
            count += 1;
            wordsInName[number] = 0;
            lastWord[number] = 0;
            lastWordInName[number] = 0;
            costs[number] = costOfAllMissing;
          }
          if (lastWord[number] !== ordinal) {
            lastWord[number] = ordinal;
            lastCost[number] = cost;
            wordsFound[number] = (wordsFound[number] as number) + 1;
            costs[number] = (costs[number] as number) - word.costOfMissing + cost;
          } else if (cost < (lastCost[number] as number)) {
            costs[number] = (costs[number] as number) - (lastCost[number] as number) + cost;
            lastCost[number] = cost;
          }
          if (field === nameField && lastWordInName[number] !== ordinal) {
            lastWordInName[number] = ordinal;
            wordsInName[number] = (wordsInName[number] as number) + 1;
          }
        }
      }
    }
  }

  function listsOf({ matches }: MatchedWord) {
    const lists: { field: number; list: number; cost: number }[] = [];
    for (const { word, cost, skipsText } of matches)
      for (const [field, costOfField] of costsOfFields.entries()) {
        const list = vocabulary.listOf(word, field);
        if (documents.length(list) === 0 || (skipsText && field === textField)) continue;
        lists.push({ field, list, cost: cost + costOfField });
      }
    return lists;
  }

  function mark(lists: number[], value: 0 | 1): void {
    for (const list of lists) {
      const { items, from, to } = hiddenLists.read(list);
      for (let at = from; at < to; at += 1) isHidden[items[at] as number] = value;
    }
  }

  function keepAllowed(min: number, { hidden, onlyFree, now }: Allowed): void {
    mark(hidden, 1);
    const { foundFrom, isFree } = store;
    const isExcluded = (number: number) =>
      (foundFrom[number] as number) > now || isHidden[number] === 1 || (onlyFree && isFree[number] === 0);
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const number = candidates[at] as number;
      if ((wordsFound[number] as number) < min || isExcluded(number)) {
        wordsFound[number] = 0;
        continue;
      }
      candidates[kept] = number;
      kept += 1;
    }
    count = kept;
    mark(hidden, 0);
  }

  /** Words were scored while collecting; a missing word may stand for the misspelled one of a whole name. */
  function scoreNames(typedWords: number): void {
    const { nameLength } = store;
    for (let at = 0; at < count; at += 1) {
      const number = candidates[at] as number;
      const inName = wordsInName[number] as number;
      const missing = typedWords - (wordsFound[number] as number);
      if (inName > 0 && inName + missing === nameLength[number])
        costs[number] = (costs[number] as number) - bonusForWholeName;
      wordsFound[number] = 0;
    }
  }

  return {
    find(words, min, allowed) {
      makeRoom();
      count = 0;
      collect(words, min);
      keepAllowed(min, allowed);
      scoreNames(words.length);
      return candidates.subarray(0, count);
    },
    costOf: (number) => costs[number] as number,
  };
}
