import { describe, expect, test } from 'vitest';
import type { FailureCode } from './failure.ts';
import { createFailures } from './failures.ts';
import { createFakeClock, settle } from '#test/support/player/fake-clock.ts';
import { createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';
import type { Notice } from '../notices.ts';
import * as queues from '../queue/queue.ts';
import type { Track } from '../track.ts';

/** A list that plays; its audios `onDevice` are stored there, and only those `mayHear` may be heard. */
function setUp({
  ids = 'abc',
  onDevice = '',
  mayHear = 'abcdefg',
  startedAutomatically = true,
  hasPlayed = false,
  stopForSleep = false,
  findMore,
}: {
  ids?: string;
  onDevice?: string;
  mayHear?: string;
  startedAutomatically?: boolean;
  hasPlayed?: boolean;
  stopForSleep?: boolean;
  findMore?: (track: Track) => Promise<Track[]>;
} = {}) {
  const clock = createFakeClock();
  const told: Notice[] = [];
  const asked: string[] = [];
  const moved: { isAutomatic: boolean }[] = [];
  const now = {
    queue: queues.startAt(createTracks(ids), 0),
    startedAutomatically,
    hasPlayed,
    isReconnecting: true,
    ended: 0,
  };
  const isHeard = ({ id }: Track) => mayHear.includes(id);
  const following = () => queues.next(now.queue, isHeard);
  const goTo = (queue: queues.Queue, how: { isAutomatic: boolean }) => {
    now.queue = queue;
    now.hasPlayed = false;
    moved.push(how);
  };
  const failures = createFailures({
    clock,
    isReconnecting: () => now.isReconnecting,
    state: {
      queue: () => now.queue,
      current: () => now.queue.list[0] ?? null,
      goTo,
      startedAutomatically: () => now.startedAutomatically,
      listening: { hasPlayed: () => now.hasPlayed },
      mayHear: isHeard,
      settings: { keepsPlaying: () => true },
    },
    ...(findMore && { findMore }),
    following,
    isOnDevice: ({ id }) => onDevice.includes(id),
    stopForSleep: () => stopForSleep,
    accessEnded: () => (now.ended += 1),
    askForAccess: ({ id }: Track) => asked.push(id),
    notify: (notice) => told.push(notice),
  });
  return { clock, now, failures, told, asked, moved, list: () => idsOf(now.queue.list) };
}

describe('a connection that is lost', () => {
  test('lets the next audio on the device play after five seconds, and stays in the list', () => {
    const { failures, clock, list, now, moved } = setUp({ onDevice: 'c' });
    failures.connectionLost();
    clock.advance(4999);
    expect(list()).toBe('abc');
    clock.advance(1);
    expect(list()).toBe('cab');
    expect(idsOf(now.queue.played)).toBe('');
    expect(moved).toEqual([{ isAutomatic: true }]);
  });

  test.for<[what: string, Parameters<typeof setUp>[0]]>([
    ['nothing follows on the device', { onDevice: '' }],
    ['the audio is on the device itself', { onDevice: 'ac' }],
    ['the listener chose the audio', { onDevice: 'c', startedAutomatically: false }],
    ['the audio has sounded', { onDevice: 'c', hasPlayed: true }],
  ])('changes nothing when %s', ([, state]) => {
    const { failures, clock, list } = setUp(state);
    failures.connectionLost();
    clock.advance(60_000);
    expect(list()).toBe('abc');
  });

  test.for<[what: string, change: Partial<ReturnType<typeof setUp>['now']>]>([
    ['it is back', { isReconnecting: false }],
    ['the audio sounds', { hasPlayed: true }],
    ['the listener chose another audio', { queue: queues.startAt(createTracks('bca'), 0) }],
  ])('changes nothing when within the five seconds %s', ([, change]) => {
    const { failures, clock, now, list } = setUp({ onDevice: 'c' });
    failures.connectionLost();
    clock.advance(4000);
    Object.assign(now, change);
    const before = list();
    clock.advance(60_000);
    expect(list()).toBe(before);
  });

  test('is waited for once, however often it is reported, and again at the next loss', () => {
    const { failures, clock, now, moved } = setUp({ onDevice: 'c' });
    failures.connectionLost();
    clock.advance(3000);
    failures.connectionLost();
    clock.advance(2000);
    expect(moved).toHaveLength(1);
    clock.advance(5000);
    expect(moved).toHaveLength(1);

    now.queue = queues.startAt(createTracks('abc'), 0);
    failures.connectionLost();
    clock.advance(5000);
    expect(moved).toHaveLength(2);
  });

  test('that came back and is lost again starts a new wait', () => {
    const { failures, clock, now, list } = setUp({ onDevice: 'c' });
    failures.connectionLost();
    now.isReconnecting = false;
    clock.advance(5000);
    now.isReconnecting = true;
    failures.connectionLost();
    clock.advance(5000);
    expect(list()).toBe('cab');
  });
});

describe('a file that is refused', () => {
  test('continues with the free audios when it started automatically', () => {
    const { failures, list, told, asked, moved, now } = setUp({ mayHear: 'c' });
    now.queue = queues.startAt([createTrack('a', { isFree: false }), ...createTracks('bc')], 0);
    failures.failed('subscription-required', true);
    expect(list()).toBe('cab');
    expect(moved).toEqual([{ isAutomatic: true }]);
    expect(told).toEqual([{ kind: 'access-ended', reason: 'subscription-required', continues: true }]);
    expect(asked).toEqual([]);
    expect(now.ended).toBe(1);
  });

  test('stays when the sleep timer ends with it', () => {
    const { failures, list, told, now } = setUp({ stopForSleep: true });
    now.queue = queues.startAt([createTrack('a', { isFree: false }), ...createTracks('bc')], 0);
    failures.failed('login-required', true);
    expect(list()).toBe('abc');
    expect(told).toEqual([{ kind: 'access-ended', reason: 'login-required', continues: false }]);
  });

  test('asks for access when the listener chose it', () => {
    const { failures, asked, told } = setUp({ startedAutomatically: false });
    failures.failed('login-required', true);
    expect(asked).toEqual(['a']);
    expect(told).toEqual([]);
  });

  test('in its middle, asks only at the second time, and anew once something has sounded', () => {
    const { failures, asked, now } = setUp({ hasPlayed: true, mayHear: 'a', startedAutomatically: false });
    const refuse = () => failures.failed('subscription-required', true);
    now.queue = queues.startAt([createTrack('a', { isFree: false })], 0);
    refuse();
    expect(asked).toEqual([]);
    refuse();
    expect(asked).toEqual(['a']);
    failures.onPlaying();
    refuse();
    expect(asked).toEqual(['a']);
  });

  test('although the list had it as free, ends no other access', () => {
    const { failures, told, now, list } = setUp();
    failures.failed('login-required', true);
    expect(told).toEqual([{ kind: 'now-locked', title: 'Audio a', continues: true }]);
    expect([list(), now.ended]).toEqual(['bc', 0]);
  });
});

describe('a file that cannot be played', () => {
  test('gives way to the next, four times in a row', () => {
    const { failures, told, list } = setUp({ ids: 'abcdefg' });
    for (let count = 0; count < 6; count += 1) failures.failed(count % 2 === 0 ? 'decode' : 'gone', true);
    expect(told.map((one) => one.kind === 'file-broken' && one.continues)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(list()).toBe('efg');
    failures.onPlaying();
    failures.failed('gone', true);
    expect(list()).toBe('fg');
  });

  test.for<[code: FailureCode, state: Parameters<typeof setUp>[0], list: string]>([
    ['decode', {}, 'bc'],
    ['gone', {}, 'bc'],
    ['network', {}, 'abc'],
    ['decode', { startedAutomatically: false }, 'abc'],
    ['decode', { hasPlayed: true }, 'abc'],
  ])('without having been started (%s, %o) leaves the list at %s', ([code, state, left]) => {
    const { failures, list, told } = setUp(state);
    failures.failed(code, false);
    expect(list()).toBe(left);
    expect(told).toEqual([]);
  });
});

describe('after a suggestion, which comes alone,', () => {
  const last = { ids: 'a', mayHear: 'xy', findMore: async () => createTracks('bxy') };

  test('another is asked for when it cannot play, whatever the reason', async () => {
    for (const code of ['gone', 'decode', 'subscription-required'] as const) {
      const { failures, told, now } = setUp(last);
      failures.failed(code, true);
      expect(told).toEqual([]);
      await settle();
      expect(told).toMatchObject([{ continues: true }]);
      expect(now.queue.list[0]?.id).toBe('x');
    }
  });

  test('playback stops only when nothing is found, and goes nowhere when something else was chosen', async () => {
    for (const findMore of [async () => [], () => Promise.reject(new Error('offline'))]) {
      const { failures, told, list } = setUp({ ...last, findMore });
      failures.failed('gone', true);
      await settle();
      expect(told).toMatchObject([{ kind: 'file-broken', continues: false }]);
      expect(list()).toBe('a');
    }
    const { failures, now, list } = setUp(last);
    failures.failed('gone', true);
    now.queue = queues.startAt(createTracks('q'), 0);
    await settle();
    expect(list()).toBe('q');
  });

  test.for<[what: string, Parameters<typeof setUp>[0]]>([
    ['the sleep timer ends with it', { stopForSleep: true }],
    ['the listener chose it', { startedAutomatically: false }],
  ])('nothing is asked for when %s', async ([, state]) => {
    const { failures, told, list } = setUp({ ...last, ...state });
    failures.failed('gone', true);
    await settle();
    expect(told).toMatchObject([{ continues: false }]);
    expect(list()).toBe('a');
  });
});
