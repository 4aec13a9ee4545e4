import { globSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createListeners } from './listeners.ts';

test('a listener that throws is reported, and keeps none of the others from the call', () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  onTestFinished(() => void vi.unstubAllGlobals());
  const failure = new Error('A listener failed');
  const { subscribe, emit } = createListeners<[word: string]>();
  const heard: string[] = [];
  subscribe((word) => heard.push(`first ${word}`));
  subscribe(() => {
    throw failure;
  });
  subscribe((word) => heard.push(`last ${word}`));
  emit('news');
  expect(heard).toEqual(['first news', 'last news']);
  expect(reported.mock.calls).toEqual([[failure]]);
});

/** A loop that only calls its own variable, such as `for (const run of due) run();`. */
const bareLoop = /for \(const (\w+) of [^\n]+\) \{?\s*(?:void |await )?\1\(|\.forEach\(\(?(\w+)\)? => (?:void )?\2\(/;

test('no other code of the browser calls functions in a loop that the first failure ends', () => {
  const files = globSync('src/{web,player,offline,service-worker}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$/.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => bareLoop.test(readFileSync(file, 'utf8')))).toEqual([]);
  // The pattern finds what it looks for.
  expect(bareLoop.test('for (const run of due) run();')).toBe(true);
  expect(bareLoop.test('stop.forEach((end) => end());')).toBe(true);
});
