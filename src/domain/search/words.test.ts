import { expect, test } from 'vitest';
import { SearchTerm } from './forms.ts';
import { highlightTexts } from './highlights.ts';
import { markWords, queryWords, wordsOf } from './words.ts';

test.each([
  ['Tomás Ferrer', ['tomas', 'ferrer']],
  ['Love’s Philosophy', ['loves', 'love', 'philosophy']],
  ["Don't, O'Neill!", ['dont', 'oneill']],
  ['Straße  Ærø łódź', ['strasse', 'aero', 'lodz']],
  ['Sonnet 116 (XVIII)', ['sonnet', '116', 'xviii']],
  ['rain—hush; b.finch nell_w', ['rain', 'hush', 'b', 'finch', 'nell', 'w']],
  ['夜の雨 ночь', ['夜の雨', 'の雨', '雨', 'ночь']],
  ['日本語Night', ['日本語night', '本語night', '語night']],
  ['ราตรี', ['ราตร', 'าตร', 'ตร', 'ร']],
  ['안녕 밤', ['안녕', '밤'].map((word) => word.normalize('NFKD'))],
  ['🔥 Hot♥', ['🔥', 'hot', '♥']],
  ['👩‍❤️‍👩🏽 🇩🇪', ['👩', '❤', '👩', '🇩🇪']],
  ['… ?!', []],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('a query has each word once, and ten words at most', () => {
  expect(queryWords('love Love LOVE rain')).toEqual(['love', 'rain']);
  expect(queryWords(Array.from({ length: 30 }, (_, index) => `word${index}`).join(' '))).toHaveLength(10);
});

test('marks refer to the spelling of the text, however the term was typed', () => {
  const marked = (text: string, words: string[], isLoose = false) =>
    (highlightTexts({ text }, words, { isLoose }).text ?? []).map(([from, to]) => text.slice(from, to));
  expect(marked('Tomás Ferrer', ['tomas'])).toEqual(['Tomás']);
  expect(marked('Tomás Ferrer', ['toma'])).toEqual(['Tomá']);
  expect(marked('Love’s Philosophy', ['love'])).toEqual(['Love']);
  expect(marked('Straße nach Süden', ['stras'])).toEqual(['Straß']);
  expect(marked('Silent Noon', ['noon', 'sil'])).toEqual(['Sil', 'Noon']);
  expect(marked('Bright Star', ['brihgt', 'star'], true)).toEqual(['Bright', 'Star']);
  expect(marked('Right Star', ['bright', 'star'])).toEqual(['Star']);
  expect(marked('How Do I Love Thee? Let Me', ['love'])).toEqual(['Love']);
  expect(marked('日本語のおやすみ', ['おやす'])).toEqual(['おやす']);
  expect(marked('Hot 🔥 night', ['🔥'])).toEqual(['🔥']);
  expect(marked('Echo', ['rain'])).toEqual([]);
});

test('a text without a match has no marks', () => {
  expect(markWords('A Birthday', () => 0)).toEqual([]);
});

test.each([
  ['  silent   noon ', 'silent noon'],
  ['a\0b\u0007c', 'a b c'],
  ['\uD83D', ''],
  ['😀 rain', '😀 rain'],
  ['‮evil', 'evil'],
  ['x'.repeat(10_000), 'x'.repeat(100)],
  [`${'x'.repeat(99)}😀`, 'x'.repeat(99)],
  ["'; drop table audios; --", "'; drop table audios; --"],
])('the term %j', (typed, term) => {
  expect(SearchTerm.parse(typed)).toBe(term);
});
