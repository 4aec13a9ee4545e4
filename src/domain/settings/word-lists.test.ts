import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { operator } from '../kernel/actor.ts';
import { changeSetting } from './change-setting.ts';
import { WordLists, findListed, findListedInName, markListed, refuseWords, wordSetting } from './word-lists.ts';

const { db } = await createTestDatabase();

test.each([
  ['Cunt', ['cunt'], true],
  ['From Scunthorpe with love', ['cunt'], false],
  ['cunts', ['cunt'], false],
  ['ÉTÉ à Paris', ['ete'], true],
  ['E\u0301te\u0301', ['été'], true],
  ['a rose, by any name', ['rose by any'], true],
  ['rose any by', ['rose by any'], false],
  ['my love’s lost', ['love'], true],
  ['my love’s lost', ['loves'], true],
  ['don’t', ['dont'], true],
  ['Straße', ['STRASSE'], true],
  ['夜の雨が降る', ['雨'], true],
  ['nothing', [], false],
])('“%s” has a word of %j: %s', (text, words, expected) => {
  expect(findListed(text, words).length > 0).toBe(expected);
});

test.each([
  ['the.cunt99', true],
  ['cunt', true],
  ['c.u.n.t', true],
  ['scunthorpe', false],
  ['ana', false],
])('the username %s is refused: %s', (name, expected) => {
  expect(findListedInName(name, ['cunt']).length > 0).toBe(expected);
});

test('marks are the places of whole words in the text as written', () => {
  const text = 'Fire! No bonfire, but a fíre.';
  expect(markListed(text, ['fire', 'a fire']).map(([from, to]) => text.slice(from, to))).toEqual(['Fire', 'a fíre']);
});

test('the lists have each word once, and no empty ones', () => {
  expect(WordLists.parse({ refused: ['Fire', 'fíre', 'ice'] }).refused).toEqual(['fíre', 'ice']);
  for (const word of ['', ' … ', 'two\nlines', 'x'.repeat(61)])
    expect(WordLists.safeParse({ refused: [word] }).success, word).toBe(false);
});

test('a refused word is named', async () => {
  const value = WordLists.parse({ refused: ['fire'] });
  await db.transaction((tx) => changeSetting(tx, wordSetting, { actor: operator, value, revision: 0 }));
  await expect(refuseWords(db, [null, 'The Fire'])).rejects.toMatchObject({
    code: 'words/refused',
    message: '“fire” is a word that this site does not use. Please choose another one.',
  });
  await refuseWords(db, [undefined, 'Bonfire']);
});
