import { expect, test, vi } from 'vitest';
import { change, read, remove, clearAll, write, writeFirst } from './database.ts';
import { readKey, seal, unseal } from './sealing.ts';

test('a page that is left leaves no change open, and the next one waits until it is back', async () => {
  await write('state', 'test', 1);
  const begin = IDBDatabase.prototype.transaction;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function begun(
    this: IDBDatabase,
    ...stores: Parameters<typeof begin>
  ) {
    queueMicrotask(() => window.dispatchEvent(new Event('pagehide')));
    return begin.apply(this, stores);
  });
  const addOne = () => change<number>('state', 'test', (value) => value + 1);
  await expect(addOne()).rejects.toThrow('The change was not stored');
  const later = addOne();
  // A place, for one, is stored while the page is being left.
  await write('state', 'place', 5);
  expect([await read('state', 'place'), await read('state', 'test')]).toEqual([5, 1]);
  window.dispatchEvent(new Event('pageshow'));
  await later;
  expect(await read('state', 'test')).toBe(2);
  await remove('state', 'test');
  await remove('state', 'place');
});

test('of two values that are written first, the earlier one stays, and both writers get it', async () => {
  expect(await Promise.all([writeFirst('state', 'test', 'one'), writeFirst('state', 'test', 'two')])).toEqual([
    'one',
    'one',
  ]);
  expect(await writeFirst('state', 'test', 'three')).toBe('one');
  await remove('state', 'test');
});

test('two tabs that make the key of the downloads at once have the same one', async () => {
  await clearAll('');
  const [one, other] = await Promise.all([readKey({ create: true }), readKey({ create: true })]);
  const sealed = await seal(one ?? expect.fail(), new TextEncoder().encode('rain'), 'a part');
  for (const key of [other, await readKey()])
    expect(new TextDecoder().decode(await unseal(key ?? expect.fail(), sealed, 'a part'))).toBe('rain');
});

test('a change leaves what is not there, and what it makes nothing of', async () => {
  await change<number>('state', 'test', (value) => value + 1);
  expect(await read('state', 'test')).toBeUndefined();
  await write('state', 'test', 1);
  await change<number>('state', 'test', () => undefined);
  expect(await read('state', 'test')).toBe(1);
  await remove('state', 'test');
});
