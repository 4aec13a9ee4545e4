import { fold, isAscii, unspaced, written, writtenWordsOf } from '../settings/folded-words.ts';

/** Fields of a document by the weight of a match, the heaviest first. */
export const searchedFields = ['name', 'by', 'labels', 'text'] as const;
export const nameField = searchedFields.indexOf('name');
export const textField = searchedFields.indexOf('text');

/** Words of a query; further ones are ignored. */
const maxWords = 10;
/** Significant characters of a word. */
const longestWord = 40;

/** Allowed edits by word length; short words are too similar to each other (product.md, "Content"). */
export function editsForgiven({ length }: { length: number }): number {
  return length <= 3 ? 0 : length <= 6 ? 1 : 2;
}

/** UTF-16 units; a long text would fill the memory otherwise. */
const longestWithin = 16;

/**
 * Positions at which words may begin in a run of such a script, without the first. A dictionary would cut a half-typed
 * word elsewhere than the text, so each letter counts: words are found by their beginnings.
 */
function startsWithin(word: string): number[] {
  if (isAscii.test(word) || !unspaced.test(word)) return [];
  const starts: number[] = [];
  let at = 0;
  for (const letter of word) {
    if (at > 0 && unspaced.test(letter)) starts.push(at);
    at += letter.length;
  }
  return starts;
}

function withoutApostrophes(word: string): string {
  const plain = /['’]/.test(word) ? word.replace(/['’]/g, '') : word;
  // The cut may have split a surrogate pair.
  return plain.length > longestWord ? plain.slice(0, longestWord).replace(/\p{Cs}$/u, '') : plain;
}

/** The words of a text for the index; `love’s` is indexed as `loves` and `love`, `夜の雨` also as `の雨` and `雨`. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of writtenWordsOf(fold(text))) {
    words.push(withoutApostrophes(word));
    if (/['’]s$/.test(word)) words.push(withoutApostrophes(word.slice(0, -2)));
    for (const at of startsWithin(word))
      words.push(withoutApostrophes(word.slice(at, at + longestWithin).replace(/\p{Cs}$/u, '')));
  }
  return words;
}

/** Number of words: those of `wordsOf` without the second forms. */
export function countWords(text: string): number {
  return writtenWordsOf(fold(text)).length;
}

/** Words of a search term, without duplicates. */
export function queryWords(term: string): string[] {
  const words: string[] = [];
  for (const [word] of fold(term).matchAll(written)) {
    const plain = withoutApostrophes(word);
    if (!words.includes(plain)) words.push(plain);
    if (words.length === maxWords) break;
  }
  return words;
}

/** From (included) to (excluded), in the UTF-16 units of the text. */
export type Mark = [from: number, to: number];

/**
 * Marked ranges of a text, in its own spelling.
 * @param matchOf how many characters of a folded word match, from its beginning; 0 for none
 */
export function markWords(text: string, matchOf: (word: string) => number): Mark[] {
  const marks: Mark[] = [];
  for (const { 0: word, index } of text.matchAll(written)) {
    for (const at of [0, ...startsWithin(word)]) {
      const part = word.slice(at);
      const folded = withoutApostrophes(fold(part));
      const matched = matchOf(folded);
      if (matched === 0) continue;
      const from = index + at;
      marks.push([from, from + (matched >= folded.length ? part.length : unitsOf(part, matched))]);
      break;
    }
  }
  return marks;
}

/** Converts a length in folded characters to UTF-16 units of the original word. */
function unitsOf(word: string, folded: number): number {
  let units = 0;
  let seen = 0;
  for (const character of word) {
    // Combining marks belong to their letter.
    if (seen >= folded && !/\p{M}/u.test(character)) break;
    seen += withoutApostrophes(fold(character)).length;
    units += character.length;
  }
  return units;
}
