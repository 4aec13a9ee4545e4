import { expect, test } from 'vitest';
import { createSharedReads } from './shared-reads.ts';

function counting() {
  let made = 0;
  return async () => (made += 1);
}

test('a result is read once in two seconds, also by those who ask meanwhile', async () => {
  let now = 0;
  const shared = createSharedReads({ now: () => now });
  const make = counting();
  expect(await Promise.all([shared.read('a', make), shared.read('a', make), shared.read('b', make)])).toEqual([
    1, 1, 2,
  ]);
  now = 1999;
  expect(await shared.read('a', make)).toBe(1);
  now = 2000;
  expect(await shared.read('a', make)).toBe(3);
});

test('after a change everything is read again, and what was being read is not kept', async () => {
  const shared = createSharedReads();
  const before = Promise.withResolvers<string>();
  const running = shared.read('a', () => before.promise);
  shared.clear();
  before.resolve('before');
  expect(await running).toBe('before');
  expect(await shared.read('a', async () => 'after')).toBe('after');
});

test('an error is not kept', async () => {
  const shared = createSharedReads();
  await expect(shared.read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await shared.read('a', async () => 'there')).toBe('there');
});

test('scopes share nothing', async () => {
  let scope = 'replica';
  const shared = createSharedReads({ scope: () => scope });
  await shared.read('a', async () => 'old');
  scope = '';
  expect(await shared.read('a', async () => 'new')).toBe('new');
});

test('a result that did not change is the same object, also after a change elsewhere', async () => {
  const shared = createSharedReads();
  let plays = 1;
  const read = () => shared.read('list', async () => [{ id: 'a', plays, at: new Date(0) }]);
  const first = await read();
  shared.clear();
  expect(await read()).toBe(first);
  shared.clear();
  plays = 2;
  const second = await read();
  expect(second).toEqual([{ id: 'a', plays: 2, at: new Date(0) }]);
  shared.clear();
  expect(await read()).toBe(second);
});

test('long lists push out others before they fill the memory', async () => {
  const shared = createSharedReads({ now: () => 0 });
  const make = counting();
  const items = Array.from({ length: 1000 }, (_, index) => index);
  await shared.read('first', make);
  for (let n = 0; n < 19; n += 1) await shared.read(`list ${n}`, async () => ({ items }));
  expect(await shared.read('first', make)).toBe(1);
  for (let n = 19; n < 40; n += 1) await shared.read(`list ${n}`, async () => items);
  expect(await shared.read('first', make)).toBe(2);
});
