import { expect, test } from 'vitest';
import { containing, startingWith } from './like-patterns.ts';

test('what has a meaning in a pattern stands for itself', () => {
  expect(containing(String.raw`50%_off\now`)).toBe(String.raw`%50\%\_off\\now%`);
  expect(startingWith('a_b')).toBe(String.raw`a\_b%`);
});
