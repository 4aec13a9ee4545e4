import { expect, test, vi } from 'vitest';
import { change, read, remove, write } from './database.ts';

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
