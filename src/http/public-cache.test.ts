import { expect, test } from 'vitest';
import { createPublicCache } from './public-cache.ts';

const answer = (bytes: number) => ({ bytes });

test('concurrent requests share one answer, which is cached for its maximum age', async () => {
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

test('an expired answer is available as a fallback until something changes', async () => {
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

test('the age counts from the request, so that slow answers do not live longer', async () => {
  let now = 0;
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000, now: () => now });
  await cache.get('slow', async () => {
    now = 7000;
    return answer(1);
  });
  now = 8000;
  expect(cache.peek('slow')).toBeUndefined();
});

test('an answer in progress during a purge is returned but not cached', async () => {
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000 });
  await cache.get('a', async () => {
    cache.clear();
    return answer(1);
  });
  expect(cache.peek('a')).toBeUndefined();
  expect(cache.bytes).toBe(0);
});

test('the oldest entry is evicted when the bytes are used up, and an oversized one is not cached', async () => {
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

test('a failure is not shared, and an uncacheable answer is not either', async () => {
  const cache = createPublicCache({ maxBytes: 100, maxAge: 8000 });
  await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('a', async () => undefined)).toBeUndefined();
  expect(await cache.get('a', async () => answer(1))).toEqual({ bytes: 1 });
});

test('a change drops what it concerns, made or in the making, and nothing else', async () => {
  const cache = createPublicCache({ maxBytes: 100, maxAge: 1000 });
  for (const key of ['a 1', 'b 1']) await cache.get(key, async () => answer(1));
  const finish: (() => void)[] = [];
  const making = ['a 2', 'b 2'].map((key) =>
    cache.get(key, async () => {
      await new Promise<void>((resolve) => finish.push(resolve));
      return answer(2);
    }),
  );
  cache.clear((key) => key.startsWith('a'));
  for (const end of finish) end();
  expect(await Promise.all(making)).toEqual([answer(2), answer(2)]);
  const kept = ['a 1', 'b 1', 'a 2', 'b 2'].filter((key) => cache.peek(key) !== undefined);
  expect(kept).toEqual(['b 1', 'b 2']);
});
