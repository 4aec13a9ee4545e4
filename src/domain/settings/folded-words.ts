/** Letters that Unicode does not decompose, with their plain spellings. */
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

export const isAscii = /^\p{ASCII}*$/u;

/** Without case and accents, as search compares texts; apostrophes stay, because words need them. */
export function fold(text: string): string {
  // Fast path: ASCII has no accents.
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłħı]/g, (letter) => plainLetters[letter] ?? letter);
}

/** Signs such as 🔥 and flags are words; joined ones, such as families, are a word each. */
export const written = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}|\p{RI}{2}/gu;
/** The same for folded ASCII, in a third of the time. */
const writtenInAscii = /[\da-z]+(?:'[\da-z]+)*/g;

/** Words of a folded text as written. */
export function writtenWordsOf(folded: string): string[] {
  return folded.match(isAscii.test(folded) ? writtenInAscii : written) ?? [];
}

/** Scripts without spaces between words. */
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
