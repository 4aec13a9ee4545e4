import { expect, test } from 'vitest';
import { csvLine, readCsv } from './csv.ts';

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

test('what is written is read back, with the lines on which rows begin', () => {
  const rows = [
    ['plain', 'a,b', 'say "hi"', 'two\nlines'],
    ['=1+1', '-5', 'ana@sotto.example', ''],
  ];
  expect(readCsv(`\uFEFF${rows.map(csvLine).join('\r\n')}`)).toEqual([
    { line: 1, cells: rows[0] },
    { line: 4, cells: rows[1] },
  ]);
});

test.each([
  [
    'a;b\n1,5;"2;3"\n',
    [
      ['a', 'b'],
      ['1,5', '2;3'],
    ],
  ],
  [
    'a\tb\r1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n\r\n , \n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a\n"1"', [['a'], ['1']]],
  [
    'a,b\nit"s,2',
    [
      ['a', 'b'],
      ['it"s', '2'],
    ],
  ],
  ['', []],
])('%j is read as spreadsheets write it', (text, rows) => {
  expect(readCsv(text)?.map(({ cells }) => cells)).toEqual(rows);
});

test('a quoted cell without an end is no CSV', () => {
  expect(readCsv('a,b\n"1,2\n3,4\n')).toBeUndefined();
});
