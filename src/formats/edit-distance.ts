/** Longer than any word of the index. */
const width = 64;
// Three rows of the matrix are enough; they are reused, because this runs for thousands of words per query.
let rowBefore = new Uint8Array(width);
let previousRow = new Uint8Array(width);
let row = new Uint8Array(width);

/** Result beyond the limit. */
export const tooFar = 255;

/**
 * Insertions, deletions, replacements and swaps of neighbours between what was typed and a word (optimal string
 * alignment); with `asPrefix`, between what was typed and the best beginning of the word.
 * @returns `tooFar` beyond `max`
 */
export function editDistance(typed: string, word: string, max: number, asPrefix: boolean): number {
  const columns = typed.length;
  if (columns - word.length > max || (!asPrefix && word.length - columns > max)) return tooFar;
  for (let column = 0; column <= columns; column += 1) previousRow[column] = column;
  let best: number = asPrefix && columns <= max ? columns : tooFar;
  const rows = asPrefix ? Math.min(word.length, columns + max) : word.length;
  for (let line = 1; line <= rows; line += 1) {
    const letter = word.charCodeAt(line - 1);
    row[0] = line;
    let minInRow = line;
    for (let column = 1; column <= columns; column += 1) {
      const typedLetter = typed.charCodeAt(column - 1);
      const above = previousRow[column] as number;
      const left = row[column - 1] as number;
      const diagonal = previousRow[column - 1] as number;
      let edits = letter === typedLetter ? diagonal : 1 + Math.min(above, left, diagonal);
      const isSwap =
        line > 1 && column > 1 && letter === typed.charCodeAt(column - 2) && typedLetter === word.charCodeAt(line - 2);
      if (isSwap) edits = Math.min(edits, (rowBefore[column - 2] as number) + 1);
      row[column] = edits;
      minInRow = Math.min(minInRow, edits);
    }
    const reached = row[columns] as number;
    if (line === rows || asPrefix) best = Math.min(best, reached);
    // No later row can be lower.
    if (minInRow > max) break;
    [rowBefore, previousRow, row] = [previousRow, row, rowBefore];
  }
  return best <= max ? best : tooFar;
}
