import { expect, test } from 'vitest';
import { editDistance, tooFar } from './edit-distance.ts';

test.each([
  ['night', 'night', 0],
  ['nigth', 'night', 1],
  ['nigt', 'night', 1],
  ['nightt', 'night', 1],
  ['might', 'night', 1],
  ['philsophi', 'philosophy', 2],
  ['', 'ab', 2],
  ['rain', 'snow', tooFar],
])('%j is %3$d edits away from %j', (typed, word, edits) => {
  expect(editDistance(typed, word, 2, false)).toBe(edits);
});

test.each([
  ['nigh', 'nightingale', 0],
  ['nigth', 'nightingale', 1],
  ['ngiht', 'nightingale', 1],
  ['gniht', 'nightingale', 2],
  ['nightingalee', 'nightingale', 1],
  ['snow', 'nightingale', tooFar],
])('%j is %3$d edits away from the best beginning of %j', (typed, word, edits) => {
  expect(editDistance(typed, word, 2, true)).toBe(edits);
});

test('it agrees with the full matrix', () => {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const word = () => Array.from({ length: 1 + random(8) }, () => 'abc'[random(3)]).join('');
  for (let round = 0; round < 3000; round += 1) {
    const [typed, other] = [word(), word()];
    const table = writtenOut(typed, other);
    const whole = table.at(-1)?.at(-1) ?? 0;
    const prefix = Math.min(...table.map((row) => row.at(-1) ?? 0));
    expect([typed, other, editDistance(typed, other, 2, false)]).toEqual([typed, other, whole > 2 ? tooFar : whole]);
    expect([typed, other, editDistance(typed, other, 2, true)]).toEqual([typed, other, prefix > 2 ? tooFar : prefix]);
  }
});

/** Rows are beginnings of `word`, columns of `typed`. */
function writtenOut(typed: string, word: string): number[][] {
  const table = Array.from({ length: word.length + 1 }, (_, row) =>
    Array.from({ length: typed.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number) => table[row]?.[column] ?? 0;
  for (let row = 1; row <= word.length; row += 1)
    for (let column = 1; column <= typed.length; column += 1) {
      const same = word[row - 1] === typed[column - 1];
      let min = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1));
      if (row > 1 && column > 1 && word[row - 1] === typed[column - 2] && word[row - 2] === typed[column - 1])
        min = Math.min(min, at(row - 2, column - 2) + 1);
      (table[row] ?? [])[column] = min;
    }
  return table;
}
