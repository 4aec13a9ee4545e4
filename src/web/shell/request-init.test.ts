import { afterEach, expect, test, vi } from 'vitest';
import { callLimitMs } from '#player/timed-fetch.ts';
import { silent } from '#test/support/browser-calls.ts';
import { createRequestInit } from './request-init.ts';

afterEach(() => vi.useRealTimers());

test(`${silent('the data of a page')} ends at the limit of a call, or with its navigation`, async () => {
  vi.useFakeTimers();
  const { signal } = await createRequestInit(new Request('https://sotto.example/privacy.data'));
  vi.advanceTimersByTime(callLimitMs - 1);
  expect(signal?.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal?.aborted).toBe(true);

  const navigation = new AbortController();
  const left = await createRequestInit(new Request('https://sotto.example/', { signal: navigation.signal }));
  navigation.abort();
  expect(left.signal?.aborted).toBe(true);
});
