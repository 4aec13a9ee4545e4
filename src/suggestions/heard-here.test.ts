import { expect, test } from 'vitest';
import { openHeardHere } from './heard-here.ts';

function setUp(text = '') {
  const stored = new Map([['sotto_heard', text]]);
  const here = openHeardHere({
    get: (key) => stored.get(key) ?? null,
    set: (key, value) => void stored.set(key, value),
  });
  return { stored, here };
}

const audio = (number: number) => ({
  id: `id-${number}`,
  title: `Audio ${number}`,
  language: 'en',
  number,
  tags: ['sea'],
});

test('what was heard last is first, with how often and whether to its end', () => {
  const { here } = setUp();
  here.noteListen(audio(1), 1000);
  here.noteListen(audio(2), 2000);
  here.noteEnd('id-1');
  here.noteListen(audio(1), 3000);
  expect(here.list()).toEqual([
    { ...audio(1), at: '1970-01-01T00:00:03.000Z', listens: 2, isFinished: true, isFavorite: false },
    { ...audio(2), at: '1970-01-01T00:00:02.000Z', listens: 1, isFinished: false, isFavorite: false },
  ]);
});

test('two hundred are kept, and clearing leaves nothing', () => {
  const { here, stored } = setUp();
  for (let number = 0; number < 205; number += 1) here.noteListen(audio(number));
  expect(here.list()).toHaveLength(200);
  here.clear();
  expect([here.list(), stored.get('sotto_heard')]).toEqual([[], '']);
});

test.each([
  '{',
  '7',
  '[null, 3, {"id": "x"}]',
  '[{"id":1,"title":"t","language":"en","at":"","tags":[],"listens":1,"number":1}]',
])('what something else has written there is nothing: %s', (text) => {
  expect(setUp(text).here.list()).toEqual([]);
});
