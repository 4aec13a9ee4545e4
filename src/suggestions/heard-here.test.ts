import { expect, test } from 'vitest';
import { heardCountKey } from './enough-heard.ts';
import { openHeardHere } from './heard-here.ts';

function setUp(value?: unknown) {
  const sealed = new Map<string, unknown>([['sotto_heard', value]]);
  const plain = new Map<string, string>();
  const here = openHeardHere(
    {
      read: async (name) => sealed.get(name),
      write: async (name, written) => void sealed.set(name, written),
    },
    { get: (key) => plain.get(key) ?? null, set: (key, written) => void plain.set(key, written) },
  );
  return { sealed, plain, here };
}

const audio = (number: number) => ({
  id: `id-${number}`,
  title: `Audio ${number}`,
  language: 'en',
  number,
  tags: ['sea'],
});

test('what was heard last is first, with how often and whether to its end', async () => {
  const { here } = setUp();
  void here.noteListen(audio(1), 1000);
  void here.noteListen(audio(2), 2000);
  void here.noteEnd('id-1');
  void here.noteListen(audio(1), 3000);
  expect(await here.list()).toEqual([
    { ...audio(1), at: '1970-01-01T00:00:03.000Z', listens: 2, isFinished: true, isFavorite: false },
    { ...audio(2), at: '1970-01-01T00:00:02.000Z', listens: 1, isFinished: false, isFavorite: false },
  ]);
});

test('two hundred are kept, of which only the number up to five is readable, and clearing leaves nothing', async () => {
  const { here, sealed, plain } = setUp();
  for (let number = 0; number < 205; number += 1) void here.noteListen(audio(number));
  expect(await here.list()).toHaveLength(200);
  expect([...plain]).toEqual([[heardCountKey, '5']]);
  await here.clear();
  expect([await here.list(), sealed.get('sotto_heard'), plain.get(heardCountKey)]).toEqual([[], undefined, '']);
});

test('numbers and tags that were not known yet are added, and those that are known stay', async () => {
  const { here } = setUp();
  const shown = async () => (await here.list()).map(({ number, tags }) => [number, tags]);
  void here.noteListen({ ...audio(1), number: null, tags: [] });
  expect(await shown()).toEqual([[null, []]]);
  void here.complete([{ id: 'id-2', number: 2, tags: [] }, audio(1)]);
  void here.noteListen({ ...audio(1), number: null, tags: [] });
  expect(await shown()).toEqual([[1, ['sea']]]);
});

test.each([
  '{',
  7,
  [null, 3, { id: 'x' }],
  [{ id: 1, title: 't', language: 'en', at: '', tags: [], listens: 1, number: 1 }],
])('what something else has written there is nothing: %j', async (value) => {
  expect(await setUp(value).here.list()).toEqual([]);
});
