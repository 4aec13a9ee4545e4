import { expect, test } from 'vitest';
import { createPublicCache } from './public-cache.ts';

const answer = (bytes: number) => ({ bytes });

test('an answer is made once for all who ask while it is made, and kept for its time', async () => {
  let now = 0;
  let made = 0;
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000, now: () => now });
  const make = async () => {
    made += 1;
    return answer(10);
  };
  await Promise.all([cache.get('a', make), cache.get('a', make)]);
  expect(made).toBe(1);
  now = 7999;
  await cache.get('a', make);
  expect(made).toBe(1);
  now = 8000;
  expect(cache.peek('a')).toBeUndefined();
  await cache.get('a', make);
  expect(made).toBe(2);
});

test('what has grown old is still there for whom would be turned away, until something changes', async () => {
  let now = 0;
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000, now: () => now });
  await cache.get('a', async () => answer(10));
  now = 8000;
  expect([cache.peek('a'), cache.peekStale('a')]).toEqual([undefined, answer(10)]);
  now = 8000 + 10 * 60_000;
  expect(cache.peekStale('a')).toBeUndefined();
  await cache.get('a', async () => answer(20));
  expect(cache.bytes).toBe(20);
  cache.clear();
  expect(cache.peekStale('a')).toBeUndefined();
});

test('its age counts from when it was asked for, so that a slow answer is not older than it may be', async () => {
  let now = 0;
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000, now: () => now });
  await cache.get('slow', async () => {
    now = 7000;
    return answer(1);
  });
  now = 8000;
  expect(cache.peek('slow')).toBeUndefined();
});

test('what was being made when everything changed is given but not kept', async () => {
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000 });
  await cache.get('a', async () => {
    cache.clear();
    return answer(1);
  });
  expect(cache.peek('a')).toBeUndefined();
  expect(cache.bytes).toBe(0);
});

test('the oldest goes when the bytes are used up, and what is too large is not kept at all', async () => {
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000 });
  for (const key of ['a', 'b', 'c', 'd', 'e']) await cache.get(key, async () => answer(24));
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.peek(key) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(cache.bytes).toBe(96);
  await cache.get('large', async () => answer(26));
  expect(cache.peek('large')).toBeUndefined();
});

test('a failure is nobody else’s, and nothing that is not to be kept is', async () => {
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000 });
  await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('a', async () => undefined)).toBeUndefined();
  expect(await cache.get('a', async () => answer(1))).toEqual({ bytes: 1 });
});
