import { expect, test } from 'vitest';
import { z } from 'zod';
import { isId, isSlug, newId, sortKey, toSlug } from './ids.ts';
import { decodeCursor, encodeCursor } from './pages.ts';

test('ids are UUIDv7 and rise with time', () => {
  const ids = Array.from({ length: 50 }, newId);
  expect(ids.every((id) => isId(id) && id[14] === '7')).toBe(true);
  expect(ids).toEqual(ids.toSorted());
});

test.each([
  ['Rise Up, My Love, My Fair One', 'rise-up-my-love-my-fair-one'],
  ['Love’s Philosophy', 'loves-philosophy'],
  ['Tomás Ferrer', 'tomas-ferrer'],
  ['Rain & hush', 'rain-hush'],
  ['Łukasz Ørsted', 'lukasz-orsted'],
  ['夜野 静', 'ye-ye-jing'],
  ['Мария Straße', 'mariya-strasse'],
  ['Ａ ﬁne Æther', 'a-fine-aether'],
])('the slug of %s is %s', (title, slug) => {
  expect(toSlug(title)).toBe(slug);
  expect(isSlug(slug)).toBe(true);
});

test('a title without letters or digits has no slug', () => {
  for (const title of ['…', '😀', '']) expect(toSlug(title)).toBe('');
});

test.each(['', 'A', 'a b', '-a', 'a-', 'a--b', 'a/../b', 'a\0', 'a'.repeat(121)])('%j is no slug', (text) => {
  expect(isSlug(text)).toBe(false);
});

test.each([
  ['The Good-Morrow', 'the goodmorrow'],
  ['“Élan”', 'elan'],
  ['A', 'a'],
  ['An Evening', 'an evening'],
])('%s is sorted as %s', (title, key) => {
  expect(sortKey(title)).toBe(key);
});

test('a cursor with the longest sort key is accepted', () => {
  for (const letter of ['한', '𠀀']) {
    const cursor = { value: sortKey(letter.repeat(1000)), id: newId() };
    const order = 'o'.repeat(40);
    expect(decodeCursor(order, encodeCursor(order, cursor), z.string())).toEqual(cursor);
  }
});
