import { afterEach, expect, test, vi } from 'vitest';
import { createAttempts } from './attempts.ts';

afterEach(() => vi.unstubAllGlobals());

const online = (onLine: boolean) => vi.stubGlobal('navigator', { onLine });

test('a download has five attempts, after growing pauses, and five more once it begins anew', () => {
  online(true);
  const attempts = createAttempts();
  const failAll = () => [1, 2, 3, 4, 5].map(() => [attempts.isLeft('a'), attempts.fail('a')]);
  const all = [2000, 4000, 8000, 16_000, undefined].map((pause) => [true, pause]);
  expect(failAll()).toEqual(all);
  expect([attempts.isLeft('a'), attempts.isLeft('b')]).toEqual([false, true]);
  attempts.reset('a');
  expect(failAll()).toEqual(all);
  attempts.resetAll();
  expect(attempts.isLeft('a')).toBe(true);
});

test('without a connection no attempt counts', () => {
  const attempts = createAttempts();
  online(true);
  attempts.fail('a');
  online(false);
  for (let count = 0; count < 9; count += 1) expect(attempts.fail('a')).toBe(0);
  online(true);
  expect(attempts.fail('a')).toBe(2000);
});
