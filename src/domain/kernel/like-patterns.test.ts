import { expect, test } from 'vitest';
import { containing, startingWith } from './like-patterns.ts';

test('special characters of a pattern match themselves', () => {
  expect(containing(String.raw`50%_off\now`)).toBe(String.raw`%50\%\_off\\now%`);
  expect(startingWith('a_b')).toBe(String.raw`a\_b%`);
});
