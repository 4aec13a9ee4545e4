import { areLettersTooDifferent, editDistance, lettersOf, tooFar } from './edit-distance.ts';
import { type NumberLists, createNumberLists } from './number-lists.ts';
import { enlarged } from './enlarged.ts';
import { createWordTable } from './word-table.ts';
import { longestWord, scanWords, searchedFields, wordsOf } from './words.ts';

/** A vocabulary word that matches a typed one. */
export type WordMatch = {
  /** Number of the word. */
  word: number;
  /** Edit distance; 0 for the typed word itself and for words that begin with it. */
  edits: number;
  /** The word is longer than the match. */
  isPrefix: boolean;
  isFirstLetterDifferent: boolean;
};

/** New words are sorted in batches of this size: sorting a million at once would block the first query for a second. */
const maxUnsorted = 20_000;

/** All words of an index, by number, with the documents that contain each. */
export type Vocabulary = {
  readonly size: number;
  /** Calls `meet` with the number of each word of a text; adds those that are new. A word may be met more than once. */
  addWordsOf(text: string, meet: (word: number) => void): void;
  /** Numbers of the documents that have a word in a field: the list `listOf`. */
  documents: NumberLists;
  /** @param field place in `searchedFields` */
  listOf(word: number, field: number): number;
  /** The word itself and, with `withPrefixes`, words that begin with it. */
  find(typed: string, withPrefixes: boolean): WordMatch[];
  /** Words within this many edits, including the results of `find`. */
  findSimilar(typed: string, maxEdits: number, withPrefixes: boolean): WordMatch[];
};

export function createVocabulary(): Vocabulary {
  const table = createWordTable();
  const { words } = table;
  /** Those in `documents` and `letters`. */
  let size = 0;
  const documents = createNumberLists();
  const scanned = new Uint8Array(longestWord);
  let letters = new Uint32Array(1024);
  /** Word numbers in alphabetical order; newer words are in `unsorted`. */
  let sorted = new Uint32Array(0);
  let unsorted: number[] = [];

  /** After the table got a new word. */
  function addNew(): void {
    const number = size;
    size += 1;
    for (const _ of searchedFields) documents.add();
    unsorted.push(number);
    if (unsorted.length === maxUnsorted) sortNewWords();
    if (number === letters.length) letters = enlarged(letters, number * 2);
    letters[number] = lettersOf(words[number] as string);
  }

  function sortNewWords(): void {
    unsorted.sort((a, b) => ((words[a] as string) < (words[b] as string) ? -1 : 1));
    const merged = new Uint32Array(sorted.length + unsorted.length);
    let taken = 0;
    for (const [index, word] of unsorted.entries()) {
      const place = placeOf(words[word] as string);
      merged.set(sorted.subarray(taken, place), taken + index);
      merged[place + index] = word;
      taken = place;
    }
    merged.set(sorted.subarray(taken), taken + unsorted.length);
    sorted = merged;
    unsorted = [];
  }

  /** Place in `sorted` of the first word that is not before the text (binary search). */
  function placeOf(text: string): number {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((words[sorted[middle] as number] as string) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function find(typed: string, withPrefixes: boolean): WordMatch[] {
    const whole = table.find(typed);
    const exact = { edits: 0, isFirstLetterDifferent: false };
    if (!withPrefixes) return whole === undefined ? [] : [{ ...exact, word: whole, isPrefix: false }];
    if (unsorted.length > 0) sortNewWords();
    const found: WordMatch[] = [];
    for (let place = placeOf(typed); place < sorted.length; place += 1) {
      const word = sorted[place] as number;
      if (!(words[word] as string).startsWith(typed)) break;
      found.push({ ...exact, word, isPrefix: word !== whole });
    }
    return found;
  }

  return {
    get size() {
      return words.length;
    },
    addWordsOf(text, meet) {
      const isScanned = scanWords(text, scanned, (length) => {
        const word = table.addLetters(scanned, length);
        if (word === size) addNew();
        meet(word);
      });
      if (isScanned) return;
      for (const spelling of wordsOf(text)) {
        const word = table.add(spelling);
        if (word === size) addNew();
        meet(word);
      }
    },
    documents,
    listOf: (word, field) => word * searchedFields.length + field,
    find,
    findSimilar(typed, maxEdits, withPrefixes) {
      const found = find(typed, withPrefixes);
      if (maxEdits === 0) return found;
      const known = new Set(found.map(({ word }) => word));
      const typedLetters = lettersOf(typed);
      const shortest = typed.length - maxEdits;
      const longest = withPrefixes ? Number.POSITIVE_INFINITY : typed.length + maxEdits;
      for (let word = 0; word < words.length; word += 1) {
        // Comparing the sets of letters is far faster than the edit distance, and rules out most words.
        if (areLettersTooDifferent(typedLetters, letters[word] as number, maxEdits, withPrefixes)) continue;
        const text = words[word] as string;
        if (text.length < shortest || text.length > longest || known.has(word)) continue;
        const edits = editDistance(typed, text, maxEdits, withPrefixes);
        if (edits === tooFar) continue;
        const isFirstLetterDifferent = text.charCodeAt(0) !== typed.charCodeAt(0);
        found.push({ word, edits, isPrefix: text.length > typed.length + edits, isFirstLetterDifferent });
      }
      return found;
    },
  };
}
