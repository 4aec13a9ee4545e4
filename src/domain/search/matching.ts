import { costOfEdit, costOfFirstLetter, costOfMissing, costOfPrefix } from './costs.ts';
import type { Vocabulary, WordMatch } from './vocabulary.ts';
import { editsForgiven } from './words.ts';

/** How typed words may match. */
export type Matching = {
  /** Every word may be the beginning of one, not only the last. */
  allowsPrefixes: boolean;
  allowsMisspellings: boolean;
  /** A third of the words may be missing. */
  allowsMissing: boolean;
};

/** From strict to loose. The first that finds anything answers alone, so that loose matches never join exact ones. */
export const matchings: Matching[] = [
  { allowsPrefixes: false, allowsMisspellings: false, allowsMissing: false },
  { allowsPrefixes: true, allowsMisspellings: false, allowsMissing: false },
  { allowsPrefixes: true, allowsMisspellings: true, allowsMissing: false },
  { allowsPrefixes: true, allowsMisspellings: true, allowsMissing: true },
];

/** The number of words that a document must have. */
export function minWords(count: number, { allowsMissing }: Matching): number {
  return allowsMissing ? Math.max(1, count - Math.ceil(count / 3)) : count;
}

/** A typed word with the vocabulary words that match it. */
export type MatchedWord = {
  matches: {
    word: number;
    cost: number;
    /** Very short prefixes and misspellings match too many descriptions. */
    skipsText: boolean;
  }[];
  costOfMissing: number;
};

export function matchWords(vocabulary: Vocabulary, words: string[], matching: Matching): MatchedWord[] {
  return words.map((typed, index) => {
    const isLast = index === words.length - 1;
    const withPrefixes = isLast || (matching.allowsPrefixes && typed.length > 2);
    const found =
      matching.allowsMisspellings && editsForgiven(typed) > 0
        ? vocabulary.findSimilar(typed, editsForgiven(typed), withPrefixes)
        : vocabulary.find(typed, withPrefixes);
    const matches = found.map((match) => ({
      word: match.word,
      cost: costOf(match),
      skipsText: match.edits > 0 || (match.isPrefix && typed.length <= 2),
    }));
    return { matches, costOfMissing: costOfMissing(typed) };
  });
}

function costOf({ edits, isPrefix, isFirstLetterDifferent }: WordMatch): number {
  return edits * costOfEdit + (isFirstLetterDifferent ? costOfFirstLetter : 0) + (isPrefix ? costOfPrefix : 0);
}
