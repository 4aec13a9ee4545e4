import { expect, test } from 'vitest';
import { visitor } from '../kernel/viewer.ts';
import { canPlay, countsInLedger, notedTime, spreadOverParts } from './rules.ts';

const duration = 100_000;

const listener = { kind: 'user', id: 'a', isSubscribed: false, isComplete: true } as const;
const people = {
  visitor,
  listener,
  subscriber: { ...listener, isSubscribed: true },
  creator: { ...listener, voiceRoles: { own: 'owner' } },
  'creator with a subscription': { ...listener, isSubscribed: true, voiceRoles: { own: 'owner' } },
  'creator without a username': { ...listener, isComplete: false, voiceRoles: { own: 'owner' } },
  admin: { ...listener, isAdmin: true },
  'admin without a username': { ...listener, isComplete: false, isAdmin: true },
} as const;

test.each<[keyof typeof people, hears: string[], counts: string[]]>([
  ['visitor', ['free', 'own free'], ['free', 'own free']],
  ['listener', ['free', 'own free'], ['free', 'own free']],
  ['subscriber', ['free', 'own free', 'locked', 'own locked'], ['free', 'own free', 'locked', 'own locked']],
  ['creator', ['free', 'own free', 'own locked'], ['free']],
  ['creator with a subscription', ['free', 'own free', 'locked', 'own locked'], ['free', 'locked']],
  ['creator without a username', ['free', 'own free'], ['free']],
  ['admin', ['free', 'own free', 'locked', 'own locked'], ['free', 'own free']],
  ['admin without a username', ['free', 'own free'], ['free', 'own free']],
])('a %s hears what is theirs to hear, and creators are not paid for their own listening', (name, hears, counts) => {
  const audios = {
    free: { isFree: true, voice: { id: 'other' } },
    'own free': { isFree: true, voice: { id: 'own' } },
    locked: { isFree: false, voice: { id: 'other' } },
    'own locked': { isFree: false, voice: { id: 'own' } },
  };
  const those = (rule: typeof canPlay) =>
    Object.entries(audios).flatMap(([audio, facts]) => (rule(people[name], facts) ? [audio] : []));
  expect(those(canPlay)).toEqual(hears);
  expect(those(countsInLedger)).toEqual(counts);
});

test('heard parts lie before the position, each with its share', () => {
  expect(spreadOverParts({ milliseconds: 7000, positionMs: 12_000 }, duration)).toEqual([
    [1, 5000],
    [2, 2000],
  ]);
  expect(spreadOverParts({ milliseconds: 1000, positionMs: 5000 }, duration)).toEqual([[0, 1000]]);
});

test('nothing counts before the beginning or after the end', () => {
  expect(spreadOverParts({ milliseconds: 60_000, positionMs: 3000 }, duration)).toEqual([[0, 3000]]);
  expect(spreadOverParts({ milliseconds: 2000, positionMs: 999_999 }, duration)).toEqual([[19, 2000]]);
  expect(spreadOverParts({ milliseconds: 2000, positionMs: 0 }, duration)).toEqual([]);
});

test('a whole audio fills all parts, whatever its length', () => {
  for (const length of [100_000, 61_237, 19, 1]) {
    const parts = spreadOverParts({ milliseconds: 2 * length, positionMs: length }, length);
    expect(parts.reduce((sum, [, milliseconds]) => sum + milliseconds, 0)).toBe(length);
    expect(new Set(parts.map(([part]) => part)).size).toBe(parts.length);
  }
});

test.each([
  ['a sender that says nothing', {}, undefined],
  ['a clock that is right', { notedAt: '2026-03-01T11:59:00.000Z', sentAt: '2026-03-01T11:59:58.000Z' }, '11:59:00'],
  ['a report from a night without a network', { notedAt: '2026-03-01T02:00:00.000Z' }, '02:00:00'],
  ['a clock that is slow', { notedAt: '2026-03-01T09:59:00.000Z', sentAt: '2026-03-01T10:00:00.000Z' }, '11:59:00'],
  ['a clock that is fast', { notedAt: '2026-03-01T13:59:50.000Z', sentAt: '2026-03-01T14:00:00.000Z' }, '11:59:50'],
  ['a place from the future', { notedAt: '2026-03-02T00:00:00.000Z', sentAt: '2026-03-01T12:00:00.000Z' }, '12:00:00'],
])('the time of a place from %s', (_name, times, expected) => {
  const noted = notedTime(times, new Date('2026-03-01T12:00:00.000Z'));
  expect(noted?.toISOString()).toBe(expected && `2026-03-01T${expected}.000Z`);
});

test('a noted time is never before 1970, whatever the client sends', () => {
  const first = '0000-01-01T00:00:00Z';
  expect(notedTime({ notedAt: first, sentAt: '9999-12-31T23:59:59Z' }, new Date())?.getTime()).toBe(0);
});
