import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells are quoted where they need it', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', 12, null])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",12,\r\n',
  );
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\r\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '＝cmd|“/C calc”!A0',
  '＋1,2',
  '－HYPERLINK("https://evil.example")',
  '﹦1',
  '﹢1',
  '﹣1',
  '﹫SUM(A1)',
])('%j is no formula', (cell) => {
  expect(csvLine([cell])).toMatch(/^"?'/);
});

test.each(['a=1', ' 1', '’=1', '1+1', 'ana@sotto.example', '–1', '♥', '夜', 'ｓ＝１', ''])(
  '%j stays as it is',
  (cell) => {
    expect(csvLine([cell])).toBe(`${cell}\r\n`);
  },
);

test('numbers stay numbers', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
