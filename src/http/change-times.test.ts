import { expect, test } from 'vitest';
import { createChangeTimes } from './change-times.ts';
import { evaluatePreconditions } from './files/ranges.ts';

test('a text has the time at which it was first seen as it is, also when it is what it was before', () => {
  let now = Date.parse('2026-11-28T20:00:00.900Z');
  const since = createChangeTimes(() => now);
  const seconds = (key: string, etag: string) => since(key, etag)?.toISOString().slice(17, 23);
  expect(seconds('blog', 'a')).toBe('00.000');
  now += 60_000;
  expect([seconds('blog', 'a'), seconds('voice', 'a')]).toEqual(['00.000', '00.000']);
  now += 5000;
  expect([seconds('blog', 'b'), seconds('blog', 'a')]).toEqual(['05.000', undefined]);
  now += 1000;
  expect(seconds('blog', 'a')).toBe('06.000');
});

/** A poll after so many milliseconds, of the text that the feed has then, by a reader that compares dates only. */
type Poll = [wait: number, text: string];

test.each<[string, Poll[], string]>([
  [
    'does not change for a day',
    [
      [0, 'a'],
      [3_600_000, 'a'],
      [82_800_000, 'a'],
    ],
    'a 304 304',
  ],
  [
    'changes after a minute',
    [
      [0, 'a'],
      [60_000, 'b'],
      [60_000, 'b'],
    ],
    'a b 304',
  ],
  [
    'changes within a second',
    [
      [0, 'a'],
      [300, 'b'],
      [60_000, 'b'],
      [60_000, 'b'],
    ],
    'a b b 304',
  ],
  [
    'changes twice within a second',
    [
      [0, 'a'],
      [200, 'b'],
      [200, 'c'],
      [60_000, 'c'],
    ],
    'a b c c',
  ],
  [
    'changes at the turn of a second',
    [
      [0, 'a'],
      [999, 'a'],
      [1, 'b'],
      [1000, 'b'],
    ],
    'a 304 b 304',
  ],
  [
    'is what it was before',
    [
      [0, 'a'],
      [60_000, 'b'],
      [60_000, 'a'],
      [60_000, 'a'],
    ],
    'a b a 304',
  ],
  [
    'is at once what it was before',
    [
      [0, 'a'],
      [100, 'b'],
      [100, 'a'],
      [60_000, 'a'],
    ],
    'a b a a',
  ],
  [
    'changes while the clock is set back',
    [
      [0, 'a'],
      [-30_000, 'b'],
      [60_000, 'b'],
      [60_000, 'b'],
    ],
    'a b b 304',
  ],
  [
    'changes while the clock is set back for long',
    [
      [0, 'a'],
      [-3_600_000, 'b'],
      [60_000, 'c'],
    ],
    'a b c',
  ],
  [
    'does not change while the clock is set back',
    [
      [0, 'a'],
      [-30_000, 'a'],
      [60_000, 'a'],
      [60_000, 'a'],
    ],
    'a a a 304',
  ],
  [
    'changes when the clock is set forward and back',
    [
      [0, 'a'],
      [3_600_000, 'b'],
      [-3_600_000, 'c'],
    ],
    'a b c',
  ],
])('a reader has the text of a feed that %s', (_what, polls, received) => {
  let now = Date.parse('2026-11-28T20:00:00.000Z');
  const since = createChangeTimes(() => now);
  let kept: string | undefined;
  const answers = polls.map(([wait, text]) => {
    now += wait;
    const modifiedAt = since('feed', text);
    const headers = new Headers(kept === undefined ? {} : { 'if-modified-since': kept });
    const outcome = evaluatePreconditions(headers, { etag: text, ...(modifiedAt && { modifiedAt }) });
    if (outcome === 'not-modified') return '304';
    kept = modifiedAt?.toUTCString();
    return text;
  });
  expect(answers.join(' ')).toBe(received);
});
