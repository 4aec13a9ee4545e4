import { expect, test, vi } from 'vitest';
import { toCachedBody } from '../compression.ts';
import { createPageCache } from './page-cache.ts';
import { createPublicCache } from '../public-cache.ts';

test('a page that is the same when rendered again keeps its encoded copies, and they become smaller', async () => {
  let now = 0;
  const cache = createPublicCache({ maxBytes: 1_000_000, maxAge: 8000, now: () => now });
  const pages = createPageCache({ cache, max: 2 });
  const render = (text: string) => async () => ({
    ...toCachedBody(new TextEncoder().encode(text), text),
    status: 200,
    headers: {},
  });
  const first = await pages.find('/', render('one'));
  now = 8000;
  expect(await pages.find('/', render('one'))).toBe(first);
  expect(cache.peek('/')).toBe(first);
  await vi.waitFor(() => expect(first.codings[0]).toBe('br'));
  now = 16_000;
  const second = await pages.find('/', render('two'));
  expect([second.etag, second.codings[0]]).toEqual(['two', 'zstd']);
});
