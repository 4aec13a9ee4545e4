/** Letters that Unicode does not take apart, as they are typed without them. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/** In a query; whoever types more is found by these. */
export const mostWords = 10;
/** Characters of a word that count. */
const longestWord = 40;

/** Without case and accents; apostrophes stay, since words are told by them. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłħı]/g, (letter) => plainLetters[letter] ?? letter);
}

const written = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

function withoutApostrophes(word: string): string {
  return word.replace(/['’]/g, '').slice(0, longestWord);
}

/** The words of a text as an index keeps them; `love’s` is found as `loves` and as `love`. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of fold(text).matchAll(written)) {
    words.push(withoutApostrophes(word));
    const owner = /^(.+)['’]s$/.exec(word)?.[1];
    if (owner !== undefined) words.push(withoutApostrophes(owner));
  }
  return words;
}

/** How many words a text has: those of `wordsOf` without the second forms. */
export function countWords(text: string): number {
  return fold(text).match(written)?.length ?? 0;
}

/** What someone looks for, each word once. */
export function queryWords(term: string): string[] {
  const words: string[] = [];
  for (const [word] of fold(term).matchAll(written)) {
    const plain = withoutApostrophes(word);
    if (!words.includes(plain)) words.push(plain);
    if (words.length === mostWords) break;
  }
  return words;
}

/** From (included) to (excluded), in the UTF-16 units of the text. */
export type Mark = [from: number, to: number];

/**
 * Where a text matches, in its own spelling.
 * @param matchOf how many characters of a folded word match, from its beginning; 0 for none
 */
export function markWords(text: string, matchOf: (word: string) => number): Mark[] {
  const marks: Mark[] = [];
  for (const { 0: word, index } of text.matchAll(written)) {
    const folded = withoutApostrophes(fold(word));
    const matched = matchOf(folded);
    if (matched > 0) marks.push([index, index + (matched >= folded.length ? word.length : unitsOf(word, matched))]);
  }
  return marks;
}

/** So many characters of a folded word, in the units of the word as it was written. */
function unitsOf(word: string, folded: number): number {
  let units = 0;
  let seen = 0;
  for (const character of word) {
    // What is written above or below a letter belongs to it.
    if (seen >= folded && !/\p{M}/u.test(character)) break;
    seen += withoutApostrophes(fold(character)).length;
    units += character.length;
  }
  return units;
}
