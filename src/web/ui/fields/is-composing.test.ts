import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const takesKey = /key\s*[!=]==\s*'(?:Enter|Escape)'|case '(?:Enter|Escape)'/;

/** Their keys come to buttons and links, while a row is held or where the queue is: no input method is open there. */
const withoutText = [
  'catalogue/sort-menu.tsx',
  'listening/use-reorder.ts',
  'player/queue-header.tsx',
  'workshop/forms/hand-order.tsx',
];

test('code that takes Enter or Escape leaves them to an open input method', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: 'src/web' })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(`src/web/${file}`, 'utf8') }))
    .filter(({ text }) => takesKey.test(text));
  expect(files.length).toBeGreaterThan(12);
  const careless = files.filter(({ text }) => !text.includes('isComposing(')).map(({ file }) => file);
  expect(careless.toSorted()).toEqual(withoutText);
});
