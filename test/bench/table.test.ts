import { expect, test } from 'vitest';
import { atLeast, atMost, ratio, skipped } from '../../bench/figures.ts';
import { tableOf } from '../../bench/table.ts';
import { tryTwice } from '../../bench/tries.ts';

test('a run is a table with a verdict for each figure', () => {
  expect(tableOf([atMost('Start', 1200, 3000, 'ms'), atLeast('Score', 80, 95, ''), skipped('Peer', 'not here')])).toBe(
    [
      '      Figure              Value  Limit',
      '----  ------  -----------------  ---------',
      'ok    Start             1200 ms  ≤ 3000 ms',
      'MISS  Score                  80  ≥ 95',
      '      Peer    skipped: not here',
    ].join('\n'),
  );
});

test('compared with a former run, each figure says how it changed, and whether for the better', () => {
  const before = [
    atMost('Start', 1000, 3000, 'ms'),
    ratio('Lists', 4, 2),
    atMost('Page', 100, 300, 'ms'),
    skipped('Gone', 'away'),
  ];
  const now = [
    atMost('Start', 1500, 3000, 'ms'),
    ratio('Lists', 5, 2),
    atMost('Page', 103, 300, 'ms'),
    ratio('Later', 3, 2),
  ];
  const lines = tableOf(now, before).split('\n');
  expect(lines.slice(2).map((line) => line.trim().split(/ {2,}/).slice(-2))).toEqual([
    ['1000 ms', '+50% worse'],
    ['4.00×', '+25% better'],
    ['100 ms', '+3%'],
    ['–', 'new'],
    ['Not measured this time: Gone (was skipped: away)'],
  ]);
});

test('a browser that stumbles once is asked again, and given up after the second time', async () => {
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  const failing = (times: number) => {
    let left = times;
    return async () => {
      left -= 1;
      if (left >= 0) throw new Error('NO_NAVSTART\nat somewhere');
      return 97;
    };
  };
  expect(await tryTwice('home', failing(1), { print })).toEqual({ ok: true, result: 97 });
  expect(await tryTwice('audio', failing(2), { print })).toEqual({
    ok: false,
    reason: 'NO_NAVSTART',
  });
  expect(printed).toEqual([
    'home: NO_NAVSTART; trying again',
    'audio: NO_NAVSTART; trying again',
    'audio: NO_NAVSTART; going on without it',
  ]);
  // Its programs were ended, so that it fails.
  expect(await tryTwice('series', failing(1), { print, givenUp: AbortSignal.abort() })).toMatchObject({ ok: false });
});
