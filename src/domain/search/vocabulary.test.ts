import { expect, test } from 'vitest';
import { createVocabulary } from './vocabulary.ts';
import { slow } from '#test/support/tags.ts';

test('words that begin with what was typed are found in any number of words, whenever they were added', slow, () => {
  const vocabulary = createVocabulary();
  const words = Array.from({ length: 45_000 }, (_, index) => `w${((index * 7919) % 45_000).toString(36)}`);
  const beginningWith = (typed: string) =>
    vocabulary
      .find(typed, true)
      .map(({ word }) => words[word])
      .toSorted();
  for (const [index, word] of words.entries()) {
    vocabulary.addWordsOf(word, (number) => expect(number).toBe(index));
    if (index % 9000 !== 5) continue;
    const known = words.slice(0, index + 1).filter((one) => one.startsWith('wa1'));
    expect(beginningWith('wa1')).toEqual(known.toSorted());
  }
  expect(beginningWith('w')).toHaveLength(45_000);
  expect(beginningWith('wa1')).toEqual(words.filter((one) => one.startsWith('wa1')).toSorted());
});

test.each(['', ' é'])('a word has one number, however it is written and whatever stands beside it (%j)', (rest) => {
  const vocabulary = createVocabulary();
  const numbersOf = (text: string) => {
    const numbers: number[] = [];
    vocabulary.addWordsOf(text, (number) => numbers.push(number));
    return [...new Set(numbers)];
  };
  const [loves, love, rain] = numbersOf(`Love's RAIN${rest}`);
  expect(numbersOf(`rain, love loves${rest}`)).toEqual(expect.arrayContaining([rain, love, loves]));
  expect(numbersOf('Löve’s RÁIN')).toEqual([loves, love, rain]);
  expect(vocabulary.find('love', true).map(({ word }) => word)).toEqual([love, loves]);
  expect(vocabulary.find('x', true)).toEqual([]);
});
