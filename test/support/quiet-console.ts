import { afterEach, beforeEach, expect, vi } from 'vitest';

/** An unexpected `console.error` is a failure: nobody reads it in a passing run. */
beforeEach(() => {
  vi.spyOn(console, 'error');
});

afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls.slice();
  vi.restoreAllMocks();
  expect(calls).toEqual([]);
});
