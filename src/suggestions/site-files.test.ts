import { afterEach, expect, test, vi } from 'vitest';
import { browserLimits } from '#player/browser-limits.ts';
import { silent } from '#test/support/browser-calls.ts';
import { siteFiles } from './site-files.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const files = siteFiles(() => 'de');

test(`${silent('what suggestions are put together from')} is given up like another file`, async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
    const { promise, reject } = Promise.withResolvers<Response>();
    signal?.addEventListener('abort', () => reject(new Error('given up')));
    return promise;
  });
  const asked = expect(files.block(3)).rejects.toThrow('given up');
  await vi.advanceTimersByTimeAsync(browserLimits.asset);
  await asked;
});

test('files are asked for by address alone', async () => {
  const asked: [string, RequestInit | undefined][] = [];
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    asked.push([address, init]);
    return Response.json({ audios: [] });
  });
  await files.index();
  await files.shard(17, 3);
  await files.block(5);
  expect(asked.map(([address]) => address)).toEqual([
    '/suggestions/index.json',
    '/suggestions/17/near/3',
    '/suggestions/de/audios/5',
  ]);
  for (const [, init] of asked) expect(Object.keys(init ?? {})).toEqual(['signal']);
});

test('the index is read anew when its shards are gone', async () => {
  const asked: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    asked.push(init);
    return Response.json({});
  });
  await files.index(true);
  expect(asked).toMatchObject([{ cache: 'reload' }]);
});

test('an answer without the file is an error', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 404 }));
  await expect(files.shard(17, 3)).rejects.toThrow('404');
});
