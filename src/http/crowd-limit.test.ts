import { expect, test } from 'vitest';
import { createCrowdLimit } from './crowd-limit.ts';

test('more than so many at once are turned away, until one of them is done, however it ended', async () => {
  const limit = createCrowdLimit({ most: 2 });
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const running = [limit(() => first.promise), limit(() => second.promise)];
  await expect(limit(async () => 'third')).rejects.toMatchObject({ code: 'request/too-many' });
  second.reject(new Error('broken'));
  await expect(running[1]).rejects.toThrow('broken');
  expect(await limit(async () => 'third')).toBe('third');
  first.resolve('first');
  expect(await running[0]).toBe('first');
});
