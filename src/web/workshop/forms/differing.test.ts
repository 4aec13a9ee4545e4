import { expect, test } from 'vitest';
import { differing } from './differing.ts';

test('short texts are shown whole', () => {
  expect(differing('One line', 'One more line')).toEqual(['One line', 'One more line']);
});

test('long texts that begin alike are shown from shortly before the difference', () => {
  const start = 'Same words. '.repeat(100);
  const [mine, theirs] = differing(`${start}Mine`, `${start}Theirs ${start}`);
  expect(mine).toMatch(/^….{60}Mine$/);
  expect(theirs).toMatch(/^….{60}Theirs .*…$/);
  expect(theirs.length).toBeLessThan(700);
});
