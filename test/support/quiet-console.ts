import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Fails on an unexpected `console.error`, which would go unnoticed in a passing run. */
beforeEach(() => {
  vi.spyOn(console, 'error');
});

afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls.slice();
  vi.restoreAllMocks();
  expect(calls).toEqual([]);
});
