import { expect, test } from 'vitest';
import { createVocabulary } from './vocabulary.ts';

test('words that begin with what was typed are found in any number of words, whenever they were added', () => {
  const vocabulary = createVocabulary();
  const words = Array.from({ length: 45_000 }, (_, index) => `w${((index * 7919) % 45_000).toString(36)}`);
  const beginningWith = (typed: string) =>
    vocabulary
      .find(typed, true)
      .map(({ word }) => words[word])
      .toSorted();
  for (const [index, word] of words.entries()) {
    vocabulary.numberOf(word);
    if (index % 9000 !== 5) continue;
    const known = words.slice(0, index + 1).filter((one) => one.startsWith('wa1'));
    expect(beginningWith('wa1')).toEqual(known.toSorted());
  }
  expect(beginningWith('w')).toHaveLength(45_000);
  expect(beginningWith('wa1')).toEqual(words.filter((one) => one.startsWith('wa1')).toSorted());
});
