import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells are quoted where they need it', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', 12, null])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",12,\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  '%j is no formula',
  (cell) => {
    expect(csvLine([cell])).toMatch(/^"?'/);
  },
);

test('numbers stay numbers', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
