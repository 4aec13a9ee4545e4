/** One more than the longest word. */
const width = 64;
let before = new Uint8Array(width);
let last = new Uint8Array(width);
let row = new Uint8Array(width);

/** Nothing within the limit. */
export const tooFar = 255;

/**
 * Insertions, deletions, replacements and swaps of neighbours between what was typed and a word (optimal string
 * alignment); with `asPrefix`, between what was typed and the best beginning of the word.
 * @returns `tooFar` beyond `most`
 */
export function editDistance(typed: string, word: string, most: number, asPrefix: boolean): number {
  const columns = typed.length;
  if (!asPrefix && Math.abs(columns - word.length) > most) return tooFar;
  if (columns - word.length > most) return tooFar;
  for (let column = 0; column <= columns; column += 1) last[column] = column;
  let best: number = asPrefix && columns <= most ? columns : tooFar;
  const rows = asPrefix ? Math.min(word.length, columns + most) : word.length;
  for (let line = 1; line <= rows; line += 1) {
    const letter = word.charCodeAt(line - 1);
    row[0] = line;
    let least = line;
    for (let column = 1; column <= columns; column += 1) {
      const typedLetter = typed.charCodeAt(column - 1);
      const above = last[column] as number;
      const left = row[column - 1] as number;
      const diagonal = last[column - 1] as number;
      let cost = letter === typedLetter ? diagonal : 1 + Math.min(above, left, diagonal);
      if (
        line > 1 &&
        column > 1 &&
        letter === typed.charCodeAt(column - 2) &&
        typedLetter === word.charCodeAt(line - 2)
      )
        cost = Math.min(cost, (before[column - 2] as number) + 1);
      row[column] = cost;
      if (cost < least) least = cost;
    }
    const reached = row[columns] as number;
    if (asPrefix && reached < best) best = reached;
    if (least > most) break;
    if (line === rows && !asPrefix) best = reached;
    const free = before;
    before = last;
    last = row;
    row = free;
  }
  return best <= most ? best : tooFar;
}

/** Which letters a word has, one bit each; letters of other scripts share four of them. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    if (code >= 97 && code <= 122) letters |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) letters |= 1 << 26;
    else letters |= 1 << (27 + (code & 3));
  }
  return letters;
}

export function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
