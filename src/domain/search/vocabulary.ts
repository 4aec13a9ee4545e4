import { countBits, editDistance, lettersOf, tooFar } from './edit-distance.ts';
import type { Numbers } from './numbers.ts';
import { emptyNumbers } from './numbers.ts';

/** A word of the vocabulary that is like one that was typed. */
export type WordMatch = {
  /** Number of the word. */
  word: number;
  /** Edits between them; 0 for what was typed as it stands, or a beginning. */
  edits: number;
  /** More follows in the word. */
  isPrefix: boolean;
  /** The first letter is another one. */
  beginsOtherwise: boolean;
};

/** All words of an index, by number, and the documents that have each. */
export type Vocabulary = {
  readonly size: number;
  /** Of a word that was not there it makes one. */
  numberOf(word: string): number;
  /** Numbers of the documents whose names, makers or labels have the word. */
  named(word: number): Numbers;
  /** Of those that have it in their text alone. */
  told(word: number): Numbers;
  /** The word itself, and those that begin with it when asked. */
  find(typed: string, withPrefixes: boolean): WordMatch[];
  /** Words at most so many edits away, what `find` answers included. */
  findSimilar(typed: string, mostEdits: number, withPrefixes: boolean): WordMatch[];
};

export function createVocabulary(): Vocabulary {
  const words: string[] = [];
  const namedLists: Numbers[] = [];
  const toldLists: Numbers[] = [];
  const numbers = new Map<string, number>();
  let letters = new Uint32Array(1024);
  /** Numbers of the words in the order of the words; those that came since are in `unsorted`. */
  let sorted: number[] = [];
  let unsorted: number[] = [];

  function sort(): void {
    if (unsorted.length > 200) {
      const compare = (a: number, b: number) => ((words[a] as string) < (words[b] as string) ? -1 : 1);
      sorted = [...sorted, ...unsorted].sort(compare);
    } else for (const word of unsorted) sorted.splice(firstFrom(words[word] as string), 0, word);
    unsorted = [];
  }

  function firstFrom(text: string): number {
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
    const whole = numbers.get(typed);
    const asItStands = { edits: 0, beginsOtherwise: false };
    if (!withPrefixes) return whole === undefined ? [] : [{ ...asItStands, word: whole, isPrefix: false }];
    if (unsorted.length > 0) sort();
    const found: WordMatch[] = [];
    for (let at = firstFrom(typed); at < sorted.length; at += 1) {
      const word = sorted[at] as number;
      if (!(words[word] as string).startsWith(typed)) break;
      found.push({ ...asItStands, word, isPrefix: word !== whole });
    }
    return found;
  }

  return {
    get size() {
      return words.length;
    },
    numberOf(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const number = words.push(word) - 1;
      numbers.set(word, number);
      namedLists.push(emptyNumbers());
      toldLists.push(emptyNumbers());
      unsorted.push(number);
      if (number === letters.length) {
        const larger = new Uint32Array(number * 2);
        larger.set(letters);
        letters = larger;
      }
      letters[number] = lettersOf(word);
      return number;
    },
    named: (word) => namedLists[word] as Numbers,
    told: (word) => toldLists[word] as Numbers,
    find,
    findSimilar(typed, mostEdits, withPrefixes) {
      const found = find(typed, withPrefixes);
      if (mostEdits === 0) return found;
      const known = new Set(found.map(({ word }) => word));
      const typedLetters = lettersOf(typed);
      // Three letters with a slip in them begin too many words.
      const asPrefix = withPrefixes && typed.length > 3;
      const shortest = typed.length - mostEdits;
      const longest = asPrefix ? Number.POSITIVE_INFINITY : typed.length + mostEdits;
      for (let word = 0; word < words.length; word += 1) {
        // Each edit brings one letter that the other has not, or takes one away.
        const own = letters[word] as number;
        if (countBits(typedLetters & ~own) > mostEdits) continue;
        if (!asPrefix && countBits(own & ~typedLetters) > mostEdits) continue;
        const text = words[word] as string;
        if (text.length < shortest || text.length > longest || known.has(word)) continue;
        const edits = editDistance(typed, text, mostEdits, asPrefix);
        if (edits === tooFar) continue;
        const beginsOtherwise = text.charCodeAt(0) !== typed.charCodeAt(0);
        found.push({ word, edits, isPrefix: text.length > typed.length + edits, beginsOtherwise });
      }
      return found;
    },
  };
}
