import type { Db } from '../kernel/db.ts';
import { costOfEdit, costOfFirstLetter, costOfPrefix, costsOfFields } from './costs.ts';
import {
  type FoundWords,
  type SimilarWord,
  type TypedWord,
  findSimilarWords,
  findWords,
  locateWords,
} from './vocabulary.ts';
import { editsForgiven } from './words.ts';

/** Words that match a typed one in the same way, and what that costs. */
export type MatchedWords = FoundWords & { cost: number; isAsTyped: boolean };

/** One way in which typed words may match. */
export type Matching = {
  matches: MatchedWords[];
  /** The number of typed words that a document must have. */
  min: number;
  isLoose: boolean;
};

/** As typed; the last word may be the beginning of one. */
export const strictly = (words: string[]): TypedWord[] =>
  words.map((word, at) => ({ word, withPrefixes: at === words.length - 1 }));

/**
 * From strict to loose. The first that finds anything answers alone, so that loose matches never join exact ones: as
 * typed, every word as the beginning of one, misspelled, a third of the words missing.
 * @param found what `strictly` finds
 */
export async function* matchingsOf(
  db: Db,
  words: string[],
  found: Awaited<ReturnType<typeof findWords>>,
): AsyncGenerator<Matching> {
  const all = words.length;
  let matches = found.map(asFound);
  yield { matches, min: all, isLoose: false };
  const typed = words.map((word, at) => ({ word, withPrefixes: at === all - 1 || word.length > 2 }));
  if (typed.slice(0, -1).some(({ withPrefixes }) => withPrefixes)) {
    matches = (await findWords(db, typed)).map(asFound);
    yield { matches, min: all, isLoose: false };
  }
  if (words.some((word) => editsForgiven(word) > 0)) {
    const similar = (await findSimilarWords(db, typed)).map((one) => ({ ...one, cost: costOf(one) }));
    matches = [...matches, ...(await locateWords(db, similar)).map(asSimilar)];
    if (similar.length > 0) yield { matches, min: all, isLoose: true };
  }
  if (all > 1) yield { matches, min: Math.max(1, all - Math.ceil(all / 3)), isLoose: true };
}

const costIn = (field: number) => costsOfFields[field] ?? 0;

function asFound({ isPrefix, ...found }: FoundWords & { isPrefix: boolean }): MatchedWords {
  return { ...found, cost: costIn(found.field) + (isPrefix ? costOfPrefix : 0), isAsTyped: !isPrefix };
}

function asSimilar(found: FoundWords & { cost: number }): MatchedWords {
  return { ...found, cost: costIn(found.field) + found.cost, isAsTyped: false };
}

function costOf({ edits, isPrefix, isFirstLetterDifferent }: SimilarWord): number {
  return edits * costOfEdit + (isFirstLetterDifferent ? costOfFirstLetter : 0) + (isPrefix ? costOfPrefix : 0);
}
