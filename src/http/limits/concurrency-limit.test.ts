import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tooMany = { code: 'request/too-many' };

test('work beyond the limit waits in line, and a place is released however the work ends', async () => {
  const limit = createConcurrencyLimit({ max: 2, patience: 1000 });
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const running = [limit(() => first.promise), limit(() => second.promise)];
  const begun: string[] = [];
  const waiting = ['third', 'fourth'].map((name) => limit(async () => begun.push(name)));
  await vi.advanceTimersByTimeAsync(999);
  expect(begun).toEqual([]);
  second.reject(new Error('broken'));
  await expect(running[1]).rejects.toThrow('broken');
  await Promise.all(waiting);
  expect(begun).toEqual(['third', 'fourth']);
  first.resolve('first');
  expect(await running[0]).toBe('first');
});

test('a request that waited too long is refused, and does not take a place later', async () => {
  const limit = createConcurrencyLimit({ max: 1, patience: 1000 });
  const first = Promise.withResolvers<string>();
  const running = limit(() => first.promise);
  const late = vi.fn(async () => 'late');
  const refused = expect(limit(late)).rejects.toMatchObject(tooMany);
  await vi.advanceTimersByTimeAsync(1000);
  await refused;
  first.resolve('first');
  await running;
  expect(await limit(async () => 'next')).toBe('next');
  expect(late).not.toHaveBeenCalled();
});

test('a full line refuses new requests at once', async () => {
  const limit = createConcurrencyLimit({ max: 1, patience: 1000, line: 1 });
  const first = Promise.withResolvers<string>();
  const running = [limit(() => first.promise), limit(async () => 'second')];
  await expect(limit(async () => 'third')).rejects.toMatchObject(tooMany);
  first.resolve('first');
  expect(await Promise.all(running)).toEqual(['first', 'second']);
});
