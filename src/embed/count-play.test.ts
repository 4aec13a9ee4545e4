import { afterEach, expect, test, vi } from 'vitest';
import { silent } from '#test/support/browser-calls.ts';
import { callLimitMs } from '#player/timed-fetch.ts';
import { countPlay } from './count-play.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test(`${silent('a play in a frame of another site')} is given up, and playing goes on`, async () => {
  vi.useFakeTimers();
  const asked: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return new Promise((_resolve, reject) =>
      init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  });
  const counted = countPlay('a');
  await vi.advanceTimersByTimeAsync(callLimitMs);
  await expect(counted).resolves.toBeUndefined();
  expect(asked).toEqual([
    {
      url: '/v1/api/audios/play/a?source=embed',
      init: expect.objectContaining({ mode: 'no-cors', credentials: 'omit', keepalive: true }),
    },
  ]);
});
