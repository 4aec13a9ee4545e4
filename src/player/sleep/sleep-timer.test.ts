import { describe, expect, test } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { FakeMedia } from '#test/support/player/fake-media.ts';
import { createTrack, createTracks } from '#test/support/player/fake-tracks.ts';
import type { SleepSetting } from './sleep-state.ts';

function setUpPlaying(overrides: Parameters<typeof createTestPlayer>[0] = {}) {
  const parts = createTestPlayer(overrides);
  parts.player.playList(
    [...'abcdef'].map((id) => createTrack(id, { numberDuration: 3000 })),
    0,
  );
  parts.media.receiveFile(3000);
  return { ...parts, left: () => parts.player.sleepTimer.getSnapshot() };
}

const storeOf = (kept: Map<string, string>) => ({
  get: (key: string) => kept.get(key) ?? null,
  set: (key: string, value: string) => void kept.set(key, value),
});

describe('minutes', () => {
  test('count down with the events of the element, then pause', () => {
    const { player, hear, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    expect(left()).toEqual({ setting: { kind: 'minutes', minutes: 5 }, remainingSeconds: 300, remainingAudios: null });
    hear(120);
    expect(left().remainingSeconds).toBe(180);
    hear(179);
    expect(media.paused).toBe(false);
    hear(1);
    expect(media.paused).toBe(true);
    expect(player.getSnapshot().status).toBe('paused');
    expect(left()).toEqual({ setting: null, remainingSeconds: null, remainingAudios: null });
  });

  test('need no timer: a tab with throttled timers pauses at the next event of the element', () => {
    const { player, clock, media } = setUpPlaying();
    clock.after = () => () => {};
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    clock.advance(59_000);
    media.advance(59);
    expect(media.paused).toBe(false);
    clock.advance(7000);
    media.advance(7);
    expect(media.paused).toBe(true);
  });

  test('count clock time at any speed', () => {
    const { player, hear, left } = setUpPlaying();
    player.setRate(2);
    player.setSleepTimer({ kind: 'minutes', minutes: 2 });
    hear(60);
    expect(left().remainingSeconds).toBe(60);
  });

  test('do not advance during a pause', () => {
    const { player, hear, clock, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 2 });
    hear(30);
    player.pause();
    clock.advance(3_600_000);
    expect(left().remainingSeconds).toBe(90);
    player.play();
    hear(10);
    expect(left().remainingSeconds).toBe(80);
  });

  test('advance while the element waits for data and fires no events', () => {
    const { player, media, clock, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    media.stall();
    clock.advance(50_000);
    expect(left().remainingSeconds).toBe(10);
    clock.advance(10_000);
    expect(media.paused).toBe(true);
  });

  test('continue across the change to the next audio', () => {
    const { player, hear, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 2 });
    hear(30);
    media.reachEnd();
    media.receiveFile(3000);
    hear(30);
    expect(left().remainingSeconds).toBe(60);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'b' }, status: 'playing' });
  });

  test('fade out in the last thirty seconds, and restore the volume afterwards', () => {
    const { player, hear, media } = setUpPlaying();
    player.setVolume(0.8);
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    hear(30);
    expect(media.volume).toBe(0.8);
    const volumes: number[] = [];
    for (let second = 0; second < 29; second += 1) {
      hear(1);
      volumes.push(media.volume);
    }
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
    expect(new Set(volumes).size).toBe(29);
    expect(volumes.at(-1)).toBeLessThan(0.01);
    expect(player.getEngineSnapshot().volume).toBe(0.8);
    hear(1);
    expect(media).toMatchObject({ paused: true, volume: 0.8 });
  });

  test('cancelled during the fade, restore the volume at once', () => {
    const { player, hear, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    hear(50);
    expect(media.volume).toBeLessThan(0.2);
    player.setSleepTimer(undefined);
    expect(media.volume).toBe(1);
    expect(left().setting).toBeNull();
    hear(100);
    expect(media.paused).toBe(false);
  });

  test('set again during the fade, restart', () => {
    const { player, hear, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    hear(50);
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    expect(media.volume).toBe(1);
    expect(left().remainingSeconds).toBe(300);
  });

  test('a volume change by the listener works during the fade too', () => {
    const { player, hear, media } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    hear(45);
    player.setVolume(0.4);
    expect(media.volume).toBeCloseTo(0.1);
    expect(player.getEngineSnapshot().volume).toBe(0.4);
    hear(15);
    expect(media.volume).toBe(0.4);
  });

  test('pause without a fade where the volume cannot be set', () => {
    const media = new FakeMedia();
    media.volumeLock = 'at once';
    const { player, hear } = setUpPlaying({ media });
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    hear(59);
    expect(media).toMatchObject({ paused: false, volume: 1 });
    hear(1);
    expect(media.paused).toBe(true);
  });
});

describe('minutes that are over at the end of an audio', () => {
  /** Disables timers, as in a hidden tab: only events of the element remain. */
  function setUpHidden() {
    const parts = setUpPlaying();
    parts.clock.after = () => () => {};
    parts.player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    parts.hear(59);
    return parts;
  }

  test('noticed at the last position before it, prevent the next one', () => {
    const { player, media, clock, hear, left } = setUpHidden();
    clock.advance(2000);
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'idle', current: { id: 'b' } });
    expect(media.files).toHaveLength(1);
    expect(left().setting).toBeNull();
    player.play();
    media.receiveFile(3000);
    hear(120);
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'loading', current: { id: 'c' } });
  });

  test('noticed at the end event, prevent the next one', () => {
    const { player, media, clock } = setUpHidden();
    media.advance(2941);
    clock.advance(2000);
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'idle', current: { id: 'b' } });
    expect(media.files).toHaveLength(1);
  });

  test('noticed at another event of the ended element, prevent the next one', () => {
    const { player, media, clock } = setUpHidden();
    clock.advance(2000);
    media.ended = true;
    media.muted = true;
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'idle', current: { id: 'b' } });
    expect(media.files).toHaveLength(1);
  });

  test('that are not over let the next one start', () => {
    const { player, media } = setUpHidden();
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'loading', current: { id: 'b' } });
  });
});

describe('audios', () => {
  test('the current one ends, and the next one does not start', () => {
    const { player, media, hear, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'end-of-audio' });
    hear(600);
    expect(left()).toEqual({ setting: { kind: 'end-of-audio' }, remainingSeconds: 2400, remainingAudios: 1 });
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'idle', current: { id: 'b' } });
    expect(media.files).toHaveLength(1);
    expect(left().setting).toBeNull();
    player.play();
    media.receiveFile(3000);
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'loading', current: { id: 'c' } });
  });

  test('the timer stops after the given number, including the current one', () => {
    const { player, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'after', count: 3 });
    expect(left()).toMatchObject({ remainingAudios: 3, remainingSeconds: null });
    media.reachEnd();
    media.receiveFile(3000);
    expect(left().remainingAudios).toBe(2);
    player.next();
    media.receiveFile(3000);
    expect(left().remainingAudios).toBe(2);
    media.reachEnd();
    media.receiveFile(3000);
    expect(left()).toMatchObject({ remainingAudios: 1, remainingSeconds: 3000 });
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'idle', current: { id: 'e' } });
  });

  test('the next one is loaded where the first one loads by itself, and the finished one is the previous one', () => {
    const { player, media } = setUpPlaying({ autoLoads: () => true });
    player.setListener({ id: 'u' });
    player.setSleepTimer({ kind: 'end-of-audio' });
    media.reachEnd();
    media.receiveFile(3000);
    expect(player.getSnapshot()).toMatchObject({ status: 'paused', current: { id: 'b' } });
    player.previous();
    media.receiveFile(3000);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'a' } });
  });

  test('the current one breaks, and the next one does not start', async () => {
    const { player, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'end-of-audio' });
    media.fail(3);
    await settle();
    expect(player.getSnapshot()).toMatchObject({ status: 'idle', current: { id: 'b' } });
    expect(media.files).toHaveLength(1);
    expect(left().setting).toBeNull();
    player.play();
    media.receiveFile(3000);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'b' } });
  });

  test('the last one stays, and plays again', () => {
    const { player, media } = createTestPlayer();
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    player.setSleepTimer({ kind: 'end-of-audio' });
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' } });
    player.play();
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'a' } });
  });

  test('keep playing respects the timer', () => {
    const { player, media } = createTestPlayer({ findMore: async () => createTracks('xyz') });
    player.setKeepPlaying(true);
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    player.setSleepTimer({ kind: 'end-of-audio' });
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' } });
  });
});

describe('the timer', () => {
  test('publishes at most once a second', () => {
    const { player, hear } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    let notified = 0;
    player.sleepTimer.subscribe(() => (notified += 1));
    hear(10);
    expect(notified).toBe(10);
  });

  test.each([
    { kind: 'minutes', minutes: 0 },
    { kind: 'minutes', minutes: -5 },
    { kind: 'minutes', minutes: Number.NaN },
    { kind: 'minutes', minutes: 1e9 },
    { kind: 'after', count: 0 },
    { kind: 'after', count: 1.5 },
    { kind: 'after', count: 1000 },
  ] satisfies SleepSetting[])('%j is let pass', (setting) => {
    const { player, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'after', count: 2 });
    player.setSleepTimer(setting);
    expect(left().remainingAudios).toBe(2);
  });

  test('survives a reload with its remaining time', () => {
    const kept = new Map<string, string>();
    const { player, hear } = setUpPlaying({ sessionStore: storeOf(kept) });
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    hear(120);
    player.flush();
    const again = createTestPlayer({ sessionStore: storeOf(kept) });
    expect(again.player.sleepTimer.getSnapshot().remainingSeconds).toBe(180);
    again.player.setSleepTimer(undefined);
    expect(createTestPlayer({ sessionStore: storeOf(kept) }).player.sleepTimer.getSnapshot().setting).toBeNull();
  });

  test('survives a reload with its remaining audios, and with no more than it was set to', () => {
    const kept = new Map<string, string>();
    const { player, media } = setUpPlaying({ sessionStore: storeOf(kept) });
    player.setSleepTimer({ kind: 'after', count: 3 });
    media.reachEnd();
    media.receiveFile(3000);
    const again = setUpPlaying({ sessionStore: storeOf(kept) });
    expect(again.left().remainingAudios).toBe(2);
    for (const left of [9, 2.5]) {
      const stored = JSON.stringify({ setting: { kind: 'after', count: 3 }, left });
      expect(setUpPlaying({ sessionStore: storeOf(new Map([['sotto_sleep', stored]])) }).left().remainingAudios).toBe(
        3,
      );
    }
  });

  test.each(['', '{', '7', '{"setting":{"kind":"minutes","minutes":5}}', '{"setting":{"kind":"x"},"left":5}'])(
    'a stored value %j is not a timer',
    (text) => {
      const { player } = createTestPlayer({ sessionStore: storeOf(new Map([['sotto_sleep', text]])) });
      expect(player.sleepTimer.getSnapshot().setting).toBeNull();
    },
  );

  test('ends on log-out', () => {
    const { player, left } = setUpPlaying();
    player.setListener({ id: 'u' });
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    player.setListener(null);
    expect(left().setting).toBeNull();
  });
});
