import { expect, test } from 'vitest';
import { createChangeTimes } from './change-times.ts';

test('a text has the time at which it was first seen as it is, also when it is what it was before', () => {
  let now = Date.parse('2026-11-28T20:00:00.900Z');
  const since = createChangeTimes(() => now);
  const seconds = (key: string, etag: string) => since(key, etag).toISOString().slice(17, 23);
  expect(seconds('blog', 'a')).toBe('00.000');
  now += 60_000;
  expect([seconds('blog', 'a'), seconds('voice', 'a')]).toEqual(['00.000', '00.000']);
  now += 5000;
  expect([seconds('blog', 'b'), seconds('blog', 'a')]).toEqual(['05.000', '05.000']);
});
