import { describe, expect, test, vi } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTracks } from '#test/support/player/fake-tracks.ts';
import { createHistory } from './history.ts';
import type { HistoryCall } from './outbox.ts';
import type { PlayerEvent } from './player-events.ts';

/**
 * A player that reports to a history. `kept` is the browser's storage; passing the same one again simulates a reload.
 */
function setUp({ kept = new Map<string, string>(), listener = 'u' as string | null, ids = 'first' } = {}) {
  const online = new Set<() => void>();
  const calls: HistoryCall[] = [];
  const noted: number[] = [];
  const waiting: PromiseWithResolvers<'done' | 'refused' | 'taken-over'>[] = [];
  const state = { answer: 'done' as 'done' | 'refused' | 'taken-over' | 'lost' | 'later' };
  let made = 0;
  let answerAnother = () => {};
  const relay: { report: (event: PlayerEvent) => void } = { report: () => {} };
  const parts = createTestPlayer({ report: (event) => relay.report(event) });
  const takenOver = { count: 0 };
  const history = createHistory({
    clock: parts.clock,
    network: {
      subscribe(run) {
        online.add(run);
        return () => void online.delete(run);
      },
    },
    storage: { get: (key) => kept.get(key) ?? null, set: (key, value) => void kept.set(key, value) },
    newId: () => `${ids}-${(made += 1)}`,
    onTakenOver: () => void (takenOver.count += 1),
    server: {
      async send(call, notedAt) {
        calls.push(call);
        noted.push(notedAt);
        if (state.answer === 'lost') throw new TypeError('Failed to fetch');
        if (state.answer !== 'later') return state.answer;
        const answer = Promise.withResolvers<'done' | 'refused' | 'taken-over'>();
        waiting.push(answer);
        return answer.promise;
      },
      onAnswer(listener) {
        answerAnother = listener;
        return () => {};
      },
    },
  });
  relay.report = history.report;
  history.setListener(listener);
  const { player, media } = parts;
  return {
    ...parts,
    history,
    takenOver,
    kept,
    calls,
    noted,
    waiting,
    state,
    online,
    answerAnother: () => answerAnother(),
    start() {
      player.playList(createTracks('ab'), 0);
      media.receiveFile(300);
    },
    /** The calls sent since the last call of this function, without report ids. */
    async sent() {
      await settle();
      return calls.splice(0).map((call) => ('reportId' in call ? { ...call, reportId: undefined } : call));
    },
  };
}

const count = (type: string, key: string, more: object = {}) =>
  expect.objectContaining({ call: 'count', type, key, ...more });
const cachedText = (kept: Map<string, string>) => kept.get('sotto_history') ?? '';

describe('what is sent', () => {
  test('each start sends a play and the listen counter once', async () => {
    const { start, player, hear, sent } = setUp();
    start();
    expect(await sent()).toEqual([{ call: 'play', audioId: 'a', source: 'category' }, count('listenCounter', 'a')]);
    hear(2);
    player.pause();
    player.play();
    hear(2);
    expect((await sent()).map(({ call }) => call)).toEqual(['set-place']);
  });

  test('after thirty seconds of listening, the thirty-second counter once', async () => {
    const { start, hear, sent } = setUp();
    start();
    hear(29);
    expect(await sent()).not.toContainEqual(count('played30sCounter', 'a'));
    hear(2);
    expect(await sent()).toContainEqual(count('played30sCounter', 'a'));
    hear(60);
    expect(await sent()).not.toContainEqual(count('played30sCounter', 'a'));
  });

  test('the place every ten seconds while playing', async () => {
    const { start, hear, sent } = setUp();
    start();
    await sent();
    hear(25);
    expect(await sent()).toEqual([
      { call: 'set-place', audioId: 'a', seconds: 10, isPlaying: true },
      { call: 'set-place', audioId: 'a', seconds: 20, isPlaying: true },
    ]);
  });

  test('the listened seconds for audio and creator: never fewer than thirty, all of them in the end', async () => {
    const { start, hear, player, calls } = setUp();
    start();
    hear(100);
    player.pause();
    await settle();
    for (const [type, key] of [
      ['audioListenedSeconds', 'a'],
      ['voiceListenedSeconds', 'voice'],
    ]) {
      const values = calls.flatMap((call) => (call.call === 'count' && call.type === type ? [call] : []));
      expect(values.every((call) => call.key === key)).toBe(true);
      expect(values.reduce((sum, call) => sum + (call.value ?? 0), 0)).toBeCloseTo(100);
      expect(values.slice(0, -1).every((call) => (call.value ?? 0) >= 30)).toBe(true);
    }
  });

  test('moving a slider step by step sends places, but no small amounts of seconds', async () => {
    const { start, hear, player, media, sent } = setUp();
    start();
    hear(45);
    await sent();
    for (let step = 1; step <= 5; step += 1) {
      player.seekTo(step / 10);
      media.finishSeek();
      hear(0.25);
    }
    expect(new Set((await sent()).map(({ call }) => call))).toEqual(new Set(['set-place']));
  });

  test('fewer than thirty seconds are not sent', async () => {
    const { start, hear, player, sent } = setUp();
    start();
    hear(29);
    player.pause();
    expect(JSON.stringify(await sent())).not.toContain('Seconds"');
  });

  test('at most twice the duration, however often the audio repeats', async () => {
    const { start, hear, player, media, calls } = setUp();
    start();
    for (let round = 0; round < 12; round += 1) {
      hear(100);
      player.seekTo(0);
      media.finishSeek();
    }
    await settle();
    const seconds = calls.flatMap((call) =>
      call.call === 'count' && call.type === 'audioListenedSeconds' ? [call.value ?? 0] : [],
    );
    expect(seconds.reduce((sum, value) => sum + value, 0)).toBeCloseTo(600);
  });

  test('the end deletes the place, and the next audio counts as a start', async () => {
    const { start, hear, media, sent } = setUp();
    start();
    hear(5);
    await sent();
    media.reachEnd();
    media.receiveFile(300);
    expect(await sent()).toEqual([
      { call: 'delete-place', audioId: 'a' },
      { call: 'play', audioId: 'b', source: 'category' },
      count('listenCounter', 'b'),
    ]);
  });

  test('leaving the page sends the place and the seconds', async () => {
    const { start, hear, player, history, sent } = setUp();
    start();
    hear(45.5);
    await sent();
    player.flush();
    history.flush();
    const last = await sent();
    expect(last).toContainEqual({ call: 'set-place', audioId: 'a', seconds: 45.5, isPlaying: true });
    expect(last).toContainEqual(count('audioListenedSeconds', 'a', { position: 45.5 }));
  });

  test('a report that another device took over pauses this one, once', async () => {
    const { start, hear, history, state, takenOver, sent } = setUp();
    start();
    await sent();
    state.answer = 'taken-over';
    hear(11);
    await sent();
    expect(takenOver.count).toBe(1);
    state.answer = 'done';
    history.flush();
    await sent();
    expect(takenOver.count).toBe(1);
  });

  test('a late answer for a former listener does not pause the next one', async () => {
    const { start, history, state, takenOver, waiting, sent } = setUp();
    state.answer = 'later';
    start();
    await sent();
    history.setListener('another');
    for (const answer of waiting) answer.resolve('taken-over');
    await sent();
    expect([waiting.length > 0, takenOver.count]).toEqual([true, 0]);
  });

  test('a closing page reports that it no longer plays', async () => {
    const { start, hear, player, history, sent } = setUp();
    start();
    hear(45.5);
    await sent();
    player.flush(true);
    history.flush();
    expect(await sent()).toContainEqual({ call: 'set-place', audioId: 'a', seconds: 45.5, isPlaying: false });
  });

  test('visitors send only the play', async () => {
    const { start, hear, player, sent, kept } = setUp({ listener: null });
    start();
    hear(60);
    player.pause();
    expect(await sent()).toEqual([{ call: 'play', audioId: 'a', source: 'category' }]);
    expect(cachedText(kept)).toBe('');
  });
});

describe('what does not arrive', () => {
  test('is sent again with the same report ids, and only the newest place', async () => {
    const { start, hear, state, calls, clock } = setUp();
    state.answer = 'lost';
    start();
    await settle();
    const first = calls.splice(0);
    hear(25);
    await settle();
    calls.length = 0;
    state.answer = 'done';
    clock.advance(60_000);
    await settle();
    expect(calls.slice(0, 2)).toEqual(first);
    expect(calls.filter((call) => call.call === 'set-place')).toEqual([
      { call: 'set-place', audioId: 'a', seconds: 20, isPlaying: true },
    ]);
  });

  test('delays a log-out until it is answered or fails', async () => {
    const { start, hear, history, state, waiting, kept } = setUp();
    state.answer = 'later';
    start();
    let hasArrived = false;
    const arrived = history.settle().then(() => (hasArrived = true));
    await settle();
    expect(hasArrived).toBe(false);
    waiting.forEach(({ resolve }) => resolve('done'));
    await arrived;
    expect(cachedText(kept)).toBe('');

    state.answer = 'lost';
    hear(12);
    await history.settle();
    expect(cachedText(kept)).not.toBe('');
  });

  test('is sent at once when the machine is online again', async () => {
    const { start, state, calls, online } = setUp();
    state.answer = 'lost';
    start();
    await settle();
    calls.length = 0;
    state.answer = 'done';
    for (const run of online) run();
    await settle();
    expect(calls).toHaveLength(2);
    expect(online.size).toBe(0);
  });

  test('is retried with increasing delays', async () => {
    const { start, state, calls, clock } = setUp();
    state.answer = 'lost';
    start();
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1000);
      await settle();
    }
    expect(calls.filter((call) => call.call === 'play').length).toBeLessThan(8);
  });

  test('is sent after a reload, with the same ids', async () => {
    const { start, state, calls, kept } = setUp();
    state.answer = 'lost';
    start();
    await settle();
    const again = setUp({ kept, ids: 'second' });
    await settle();
    expect(again.calls).toEqual(calls);
    expect(cachedText(kept)).toBe('');
  });

  test('carries its original time, so that late sending overwrites nothing newer', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const { start, hear, state, noted, kept } = setUp();
    state.answer = 'lost';
    start();
    vi.setSystemTime(1_010_000);
    hear(10);
    await settle();
    vi.setSystemTime(5_000_000);
    const again = setUp({ kept, ids: 'second' });
    await settle();
    vi.useRealTimers();
    expect(noted).toEqual([1_000_000, 1_000_000, 1_010_000]);
    expect(again.calls.map(({ call }, at) => [call, again.noted[at]])).toEqual([
      ['play', 1_000_000],
      ['count', 1_000_000],
      ['set-place', 1_010_000],
    ]);
  });

  test('is not sent again when the server has refused it', async () => {
    const { start, state, calls, clock, kept } = setUp();
    state.answer = 'refused';
    start();
    await settle();
    clock.advance(600_000);
    await settle();
    expect(calls).toHaveLength(2);
    expect(cachedText(kept)).toBe('');
  });

  test('stays stored until it is answered, so that a crashed page loses nothing', async () => {
    const { start, state, kept, waiting } = setUp();
    state.answer = 'later';
    start();
    expect(JSON.parse(cachedText(kept))).toHaveLength(2);
    for (const answer of waiting) answer.resolve('done');
    await settle();
    expect(cachedText(kept)).toBe('');
  });

  test('is not sent for another listener, and is deleted on log-out', async () => {
    const { start, state, kept, history } = setUp();
    state.answer = 'lost';
    start();
    await settle();
    const other = setUp({ kept: new Map(kept), listener: 'v', ids: 'second' });
    await settle();
    expect(other.calls).toEqual([]);
    history.setListener(null);
    expect(cachedText(kept)).toBe('');
  });

  test('survives a page that does not know the listener yet', async () => {
    const { start, state, kept } = setUp();
    state.answer = 'lost';
    start();
    await settle();
    const again = setUp({ kept, listener: null, ids: 'second' });
    again.history.setListener('u');
    await settle();
    expect(again.calls).toHaveLength(2);
  });

  test('without a connection, the seconds of one play become one call, unless it was tried', async () => {
    const { history, state, online, calls } = setUp();
    state.answer = 'lost';
    const about = { trackId: 'a', voiceId: 'v', source: 'queue', position: 0 };
    const hear = (seconds: number, position: number) =>
      history.report({ ...about, name: 'audio_time', seconds, position });
    history.report({ ...about, name: 'audio_played' });
    hear(10, 10);
    await settle();
    for (let at = 20; at <= 50; at += 10) hear(10, at);
    history.report({ ...about, name: 'audio_played' });
    hear(7, 7);
    hear(0.5, 8);
    await settle();

    calls.length = 0;
    state.answer = 'done';
    for (const run of online) run();
    await settle();
    const ofAudio = calls.filter((call) => call.call === 'count' && call.type === 'audioListenedSeconds');
    expect(ofAudio).toMatchObject([
      { value: 10, position: 10 },
      { value: 40, position: 50 },
      { value: 7.5, position: 8 },
    ]);
    expect(new Set(ofAudio.map((call) => call.call === 'count' && call.reportId)).size).toBe(3);
  });

  test('has a size limit', async () => {
    const { history, state, kept } = setUp();
    state.answer = 'lost';
    for (let made = 0; made < 320; made += 1)
      history.report({ name: 'audio_played_30s', trackId: `t${made}`, voiceId: 'v', source: 'queue', position: 30 });
    await settle();
    const entries: unknown[] = JSON.parse(cachedText(kept));
    expect(entries).toHaveLength(300);
    expect(JSON.stringify(entries.at(-1))).toContain('t319');
  });

  test.each(['{', '7', '[7,null,{"id":"x"}]', '[{"id":"x","owner":"u","notedAt":1e99,"call":{"call":"play"}}]'])(
    'a stored value %j is ignored',
    async (text) => {
      const { calls } = setUp({ kept: new Map([['sotto_history', text]]) });
      await settle();
      expect(calls).toEqual([]);
    },
  );
});

describe('reading the account’s positions', () => {
  test('waits for those still unsent', async () => {
    const { start, hear, state, history, online, calls } = setUp();
    start();
    state.answer = 'lost';
    hear(10);
    await settle();
    calls.length = 0;
    state.answer = 'done';
    const answer = await history.readAfterPending(async () => structuredClone(calls));
    // The site answers, so the others follow.
    expect(online.size).toBe(0);
    expect(answer).toEqual({
      read: [{ call: 'set-place', audioId: 'a', seconds: 10, isPlaying: true }],
      newer: new Map(),
    });
  });

  test('comes with those that it may lack: unsent, or reported during the request', async () => {
    const { start, hear, state, history, media } = setUp();
    start();
    state.answer = 'lost';
    hear(10);
    await settle();
    const later = Promise.withResolvers<void>();
    const reading = history.readAfterPending(() => later.promise);
    await settle();
    state.answer = 'done';
    media.reachEnd();
    media.receiveFile(300);
    hear(10);
    await settle();
    later.resolve();
    const { newer } = await reading;
    expect(newer).toEqual(
      new Map([
        ['a', undefined],
        ['b', 10],
      ]),
    );
    hear(20);
    expect(newer.get('b')).toBe(10);
    const { newer: unsent } = await history.readAfterPending(async () => {});
    expect([...unsent.keys()]).toEqual([]);
  });
});

describe('order', () => {
  const progress = (position: number): PlayerEvent => ({
    name: 'audio_progress',
    trackId: 'a',
    voiceId: 'v',
    source: 'queue',
    position,
    isPlaying: true,
  });

  test('a place waits for the previous one, and only the newest follows', async () => {
    const { history, state, calls, waiting } = setUp();
    state.answer = 'later';
    for (const position of [10, 20, 30]) history.report(progress(position));
    expect(calls).toEqual([{ call: 'set-place', audioId: 'a', seconds: 10, isPlaying: true }]);
    waiting[0]?.resolve('done');
    await settle();
    expect(calls.at(-1)).toEqual({ call: 'set-place', audioId: 'a', seconds: 30, isPlaying: true });
    expect(calls).toHaveLength(2);
  });

  test('when the report of a place is lost, only the newest is sent again', async () => {
    const { history, state, calls, waiting, clock } = setUp();
    state.answer = 'later';
    for (const position of [10, 20, 30]) history.report(progress(position));
    waiting[0]?.reject(new TypeError('Failed to fetch'));
    await settle();
    state.answer = 'done';
    clock.advance(60_000);
    await settle();
    expect(calls.flatMap((call) => (call.call === 'set-place' ? [call.seconds] : []))).toEqual([10, 30]);
  });

  test('while the report of a place hangs, the newest follows as soon as another call is answered', async () => {
    const { history, state, calls, waiting, online, clock } = setUp();
    const places = () => calls.flatMap((call) => (call.call === 'set-place' ? [call.seconds] : []));
    state.answer = 'later';
    for (const position of [10, 20, 30]) history.report(progress(position));
    clock.advance(4000);
    history.report({ name: 'audio_played_30s', trackId: 'a', voiceId: 'v', source: 'queue', position: 30 });
    expect(places()).toEqual([10]);
    waiting[1]?.resolve('done');
    await settle();
    expect(places()).toEqual([10, 30]);
    waiting[2]?.resolve('done');
    await settle();
    // The hanging one is not sent again when it fails.
    waiting[0]?.reject(new TypeError('Failed to fetch'));
    await settle();
    clock.advance(60_000);
    expect([places(), [...online]]).toEqual([[10, 30], []]);
  });

  test('a failed report is sent again as soon as the site answers any call', async () => {
    const { history, state, calls, answerAnother } = setUp();
    state.answer = 'lost';
    history.report(progress(10));
    await settle();
    state.answer = 'done';
    history.report(progress(20));
    expect(calls).toHaveLength(1);
    answerAnother();
    await settle();
    expect(calls.at(-1)).toEqual({ call: 'set-place', audioId: 'a', seconds: 20, isPlaying: true });
    expect(calls).toHaveLength(2);
  });

  test('another tab sends the newest of the places that one left', async () => {
    const first = setUp();
    first.state.answer = 'later';
    for (const position of [10, 20, 30]) first.history.report(progress(position));
    const second = setUp({ kept: first.kept, ids: 'second' });
    await settle();
    expect(second.calls).toEqual([{ call: 'set-place', audioId: 'a', seconds: 30, isPlaying: true }]);
    expect(cachedText(second.kept)).toBe('');
  });

  test('leaving the page sends everything at once', () => {
    const { history, state, calls } = setUp();
    state.answer = 'later';
    history.report(progress(10));
    history.report(progress(20));
    history.flush();
    expect(calls.at(-1)).toEqual({ call: 'set-place', audioId: 'a', seconds: 20, isPlaying: true });
  });

  test('the number of concurrent requests is limited', async () => {
    const { history, state, calls, waiting } = setUp();
    state.answer = 'later';
    for (let made = 0; made < 20; made += 1)
      history.report({ name: 'audio_played_30s', trackId: `t${made}`, voiceId: 'v', source: 'queue', position: 30 });
    expect(calls).toHaveLength(6);
    waiting[0]?.resolve('done');
    await settle();
    expect(calls).toHaveLength(7);
  });
});

test('two tabs store their calls side by side', async () => {
  const kept = new Map<string, string>();
  const [one, two] = [setUp({ kept, ids: 'one' }), setUp({ kept, ids: 'two' })];
  one.state.answer = 'lost';
  two.state.answer = 'lost';
  one.start();
  two.start();
  await settle();
  expect(JSON.parse(cachedText(kept))).toHaveLength(4);
  one.state.answer = 'done';
  one.clock.advance(60_000);
  await settle();
  expect(JSON.parse(cachedText(kept))).toHaveLength(2);
});
