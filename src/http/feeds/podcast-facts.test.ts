import { expect, test } from 'vitest';
import { licenses } from '#domain/catalogue/rules.ts';
import type { Site } from '#domain/site.ts';
import { podcastFacts } from './podcast-facts.ts';

const facts = { name: 'Sotto', url: 'https://sotto.example' } as Site['facts'];
const channel = { title: 'Ana', page: 'https://sotto.example/creators/ana', license: '', directoryText: '' } as const;
const now = Date.parse('2026-11-30T20:00:00Z');
const dayMs = 86_400_000;

/** @param gaps days between an audio and the one before; @param since days since the newest */
function frequencyOf(gaps: number[], since = 0): unknown {
  let at = now - since * dayMs;
  const times = [at, ...gaps.map((days) => (at -= days * dayMs))].map((time) => new Date(time).toISOString());
  const all = { ...channel, times, recommended: [] };
  return podcastFacts(facts, facts.url, all, now)['podcast:updateFrequency'];
}

test.each([
  [[1, 1, 1], 'FREQ=DAILY', 'Every day'],
  [[3, 2, 4], undefined, 'Several times a week'],
  // One that is early or late changes nothing.
  [[7, 7, 30, 7, 1], 'FREQ=WEEKLY', 'Every week'],
  [[14, 14, 14], 'FREQ=WEEKLY;INTERVAL=2', 'Every two weeks'],
  [[30, 31, 30], 'FREQ=MONTHLY', 'Every month'],
])('gaps of %j days are said as %s', (gaps, rule, text) => {
  expect(frequencyOf(gaps)).toEqual({ '@rrule': rule, '#text': text });
});

test('seldom, too few and long since are no frequency', () => {
  expect(frequencyOf([46, 46, 46])).toBeUndefined();
  expect(frequencyOf([7, 7])).toBeUndefined();
  expect(frequencyOf([7, 7, 7], 30)).toEqual({ '@rrule': 'FREQ=WEEKLY', '#text': 'Every week' });
  expect(frequencyOf([7, 7, 7], 31)).toBeUndefined();
});

test('each license has the address of its text, and a long name is cut to what apps show', () => {
  const said = licenses.map((license) => {
    const { 'podcast:license': tag } = podcastFacts(facts, facts.url, {
      ...channel,
      license,
      times: [],
      recommended: [],
    });
    return (tag as { '@url': string })['@url'].replace('https://creativecommons.org/', '');
  });
  expect(said.slice(0, 4)).toEqual([
    'publicdomain/zero/1.0/',
    'licenses/by/4.0/',
    'licenses/by-sa/4.0/',
    'licenses/by-nc/4.0/',
  ]);
  const { 'podcast:funding': funding } = podcastFacts(facts, facts.url, {
    ...channel,
    title: '😀'.repeat(200),
    times: [],
    recommended: [],
  });
  expect((funding as { '#text': string })['#text']).toBe(`Support ${'😀'.repeat(120)}`);
});
