import { describe, expect, test } from 'vitest';
import { createTestPlayer } from './fake-player.ts';
import { FakeMedia } from './fake-media.ts';
import { createTrack, createTracks } from './fake-tracks.ts';
import type { SleepSetting } from './sleep-timer.ts';

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
  test('are counted down by what the element says, and then it pauses', () => {
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

  test('need no timer: a tab whose timers sleep pauses at the element’s next word', () => {
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

  test('are those of the clock at any speed', () => {
    const { player, hear, left } = setUpPlaying();
    player.setRate(2);
    player.setSleepTimer({ kind: 'minutes', minutes: 2 });
    hear(60);
    expect(left().remainingSeconds).toBe(60);
  });

  test('stand still in a pause', () => {
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

  test('go on while the element waits for data and says nothing', () => {
    const { player, media, clock, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    media.stall();
    clock.advance(50_000);
    expect(left().remainingSeconds).toBe(10);
    clock.advance(10_000);
    expect(media.paused).toBe(true);
  });

  test('go on over the change to the next audio', () => {
    const { player, hear, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 2 });
    hear(30);
    media.reachEnd();
    media.receiveFile(3000);
    hear(30);
    expect(left().remainingSeconds).toBe(60);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'b' }, status: 'playing' });
  });

  test('the last thirty seconds grow quieter, and afterwards the volume is what it was', () => {
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

  test('cancelled in the fade, it is as loud as before at once', () => {
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

  test('set anew in the fade, they begin anew', () => {
    const { player, hear, media, left } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    hear(50);
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    expect(media.volume).toBe(1);
    expect(left().remainingSeconds).toBe(300);
  });

  test('the listener’s hand on the volume counts in the fade too', () => {
    const { player, hear, media } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 1 });
    hear(45);
    player.setVolume(0.4);
    expect(media.volume).toBeCloseTo(0.1);
    expect(player.getEngineSnapshot().volume).toBe(0.4);
    hear(15);
    expect(media.volume).toBe(0.4);
  });

  test('where the volume cannot be set, it pauses without a fade', () => {
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

describe('audios', () => {
  test('after the end of this one it is quiet, and the next one does not start', () => {
    const { player, media, hear, left } = setUpPlaying();
    player.stopAfterThis();
    hear(600);
    expect(left()).toEqual({ setting: { kind: 'end-of-audio' }, remainingSeconds: 2400, remainingAudios: 1 });
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' } });
    expect(media.files).toHaveLength(1);
    expect(left().setting).toBeNull();
    player.next();
    media.receiveFile(3000);
    media.reachEnd();
    expect(player.getSnapshot().current?.id).toBe('c');
  });

  test('after so many, the current one counted', () => {
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
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'd' } });
  });

  test('keep playing does not go on over it', () => {
    const { player, media } = createTestPlayer({ findMore: async () => createTracks('xyz') });
    player.setKeepPlaying(true);
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    player.stopAfterThis();
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' } });
  });
});

describe('the timer', () => {
  test('tells once a second at most', () => {
    const { player, hear } = setUpPlaying();
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    let told = 0;
    player.sleepTimer.subscribe(() => (told += 1));
    hear(10);
    expect(told).toBe(10);
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

  test('outlives a reload with what is left of it', () => {
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

  test.each(['', '{', '7', '{"setting":{"kind":"minutes","minutes":5}}', '{"setting":{"kind":"x"},"left":5}'])(
    'what was kept as %j is no timer',
    (text) => {
      const { player } = createTestPlayer({ sessionStore: storeOf(new Map([['sotto_sleep', text]])) });
      expect(player.sleepTimer.getSnapshot().setting).toBeNull();
    },
  );

  test('ends with the log-out', () => {
    const { player, left } = setUpPlaying();
    player.setListener({ id: 'u' });
    player.setSleepTimer({ kind: 'minutes', minutes: 5 });
    player.setListener(null);
    expect(left().setting).toBeNull();
  });
});
