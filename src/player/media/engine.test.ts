import { expect, test } from 'vitest';
import { createEngine } from './engine.ts';
import { createFakeClock, settle } from '#test/support/player/fake-clock.ts';
import { FakeMedia } from '#test/support/player/fake-media.ts';
import { alreadyLoaded } from '../lazy.ts';
import { idleEngineSnapshot } from '../playback.ts';
import { createRecovery } from '../recovery/recovery.ts';

function setUp() {
  const clock = createFakeClock();
  const media = new FakeMedia();
  const engine = createEngine({
    parts: alreadyLoaded({ createRecovery }),
    clock,
    network: { subscribe: () => () => {} },
    fetch: async () => new Response(),
  });
  const statuses: string[] = [];
  engine.subscribe(() => {
    const { status } = engine.getSnapshot();
    if (statuses.at(-1) !== status) statuses.push(status);
  });
  return { clock, media, engine, statuses };
}

function setUpPlaying(duration = 300) {
  const parts = setUp();
  const detach = parts.engine.attach(parts.media);
  parts.clock.advance(0);
  parts.engine.load('/files/a', { autoplay: true });
  parts.media.receiveFile(duration);
  return { ...parts, detach };
}

test('before anything is loaded the status is idle', () => {
  const { engine } = setUp();
  expect(engine.getSnapshot()).toBe(idleEngineSnapshot);
  engine.play();
  engine.seek(10);
  expect(engine.getSnapshot()).toBe(idleEngineSnapshot);
  expect(engine.getPosition()).toBe(0);
});

test('loads, plays, pauses and ends with the events of the element', () => {
  const { engine, media, statuses } = setUpPlaying();
  media.advance(10);
  media.stall();
  media.receiveData();
  engine.pause();
  engine.play();
  media.reachEnd();
  expect(statuses).toEqual(['loading', 'playing', 'waiting', 'playing', 'paused', 'playing', 'ended']);
  expect(engine.getSnapshot()).toMatchObject({ duration: 300, failure: null });
});

test('a file loaded without autoplay is paused', () => {
  const { engine, media, statuses } = setUp();
  engine.attach(media);
  engine.load('/files/a');
  media.receiveFile(300);
  expect(statuses).toEqual(['paused']);
  expect(media.paused).toBe(true);
});

test('a file loaded before the element is attached starts when it is attached', () => {
  const { engine, media } = setUp();
  engine.load('/files/a', { autoplay: true, startAt: 42 });
  expect(engine.getSnapshot().status).toBe('loading');
  engine.attach(media);
  media.receiveFile(300);
  expect(media.seeks).toEqual([42]);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('starts at the given second, and never publishes an earlier position', () => {
  const { engine, media, clock } = setUp();
  engine.attach(media);
  clock.advance(0);
  const positions: number[] = [];
  engine.subscribePosition(() => positions.push(engine.getPosition()));
  engine.load('/files/a', { startAt: 95, autoplay: true });
  media.emitStalePosition(0);
  media.receiveMetadata(300);
  media.emitStalePosition(0);
  media.receiveData();
  media.advance(1);
  expect(new Set(positions)).toEqual(new Set([95, 96]));
  expect(positions[0]).toBe(95);
});

test('a pause or play from outside (a call, pulled headphones) changes the status', () => {
  const { engine, media } = setUpPlaying();
  media.interrupt();
  expect(engine.getSnapshot().status).toBe('paused');
  void media.play();
  expect(engine.getSnapshot().status).toBe('playing');
});

test('a pause before playback has started is no error', async () => {
  const { engine, media, clock } = setUp();
  engine.attach(media);
  clock.advance(0);
  engine.load('/files/a', { autoplay: true });
  engine.pause();
  await settle();
  expect(engine.getSnapshot()).toMatchObject({ status: 'paused', blocked: false, failure: null });
});

test('a load before playback has started is no error', async () => {
  const { engine, media } = setUp();
  engine.attach(media);
  engine.load('/files/a', { autoplay: true });
  engine.load('/files/b', { autoplay: true });
  await settle();
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', blocked: false });
  expect(media.files).toEqual(['/files/a', '/files/b']);
});

test('a start that the browser refuses is paused and blocked, until a click starts it', async () => {
  const { engine, media } = setUp();
  engine.attach(media);
  media.refusesPlay = true;
  engine.load('/files/a', { autoplay: true });
  await settle();
  media.receiveFile(300);
  expect(engine.getSnapshot()).toMatchObject({ status: 'paused', blocked: true });
  media.refusesPlay = false;
  engine.play();
  expect(engine.getSnapshot()).toMatchObject({ status: 'playing', blocked: false });
});

test('a late refusal of the previous file does not affect the loaded one', async () => {
  const { engine, media } = setUp();
  engine.attach(media);
  media.refusesPlay = true;
  engine.load('/files/a', { autoplay: true });
  media.refusesPlay = false;
  engine.load('/files/b', { autoplay: true });
  await settle();
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', blocked: false });
});

test('a seek publishes its target at once and no older position until it is done', () => {
  const { engine, media } = setUpPlaying();
  media.advance(10);
  engine.seek(120);
  expect(engine.getPosition()).toBe(120);
  media.emitStalePosition(10.2);
  expect(engine.getPosition()).toBe(120);
  media.finishSeek();
  media.advance(1);
  expect(engine.getPosition()).toBe(121);
});

test('a newer seek replaces an older one', () => {
  const { engine, media } = setUpPlaying();
  engine.seek(100);
  engine.seek(200);
  media.emitStaleSeeked();
  media.emitStalePosition(100);
  expect(engine.getPosition()).toBe(200);
  media.finishSeek();
  expect(engine.getPosition()).toBe(200);
  expect(media.seeks).toEqual([100, 200]);
});

test('a seek before the metadata is loaded runs when the metadata arrives', () => {
  const { engine, media } = setUp();
  engine.attach(media);
  engine.load('/files/a', { startAt: 10 });
  engine.seek(60);
  expect(media.seeks).toEqual([]);
  media.receiveMetadata(300);
  expect(media.seeks).toEqual([60]);
});

test('a seek stays within the audio', () => {
  const { engine } = setUpPlaying(300);
  engine.seek(-5);
  expect(engine.getPosition()).toBe(0);
  engine.seek(1000);
  expect(engine.getPosition()).toBe(300);
});

test('after the end, play starts again and a seek stays paused', () => {
  const { engine, media } = setUpPlaying();
  media.reachEnd();
  engine.seek(30);
  media.finishSeek();
  expect(engine.getSnapshot().status).toBe('paused');
  media.reachEnd();
  engine.play();
  media.finishSeek();
  expect(engine.getSnapshot().status).toBe('playing');
  expect(engine.getPosition()).toBe(0);
});

test('the end is emitted once, within its event, and before the store changes', () => {
  const { engine, media, statuses } = setUpPlaying();
  const reported: string[] = [];
  engine.onEnded(() => reported.push(`${statuses.at(-1)} at ${engine.getPosition()}`));
  media.reachEnd();
  expect(reported).toEqual(['playing at 300']);
  expect(engine.getSnapshot().status).toBe('ended');
});

test('the next file can be started from within the end event of the previous one', () => {
  const { engine, media, statuses } = setUpPlaying();
  engine.onEnded(() => engine.load('/files/b', { autoplay: true }));
  media.reachEnd();
  expect(media.paused).toBe(false);
  media.receiveFile(200);
  expect(statuses).toEqual(['loading', 'playing', 'loading', 'playing']);
  expect(engine.getSnapshot().duration).toBe(200);
});

test('position changes do not notify the subscribers of the snapshot', () => {
  const { engine, media } = setUpPlaying();
  const before = engine.getSnapshot();
  let positions = 0;
  engine.subscribePosition(() => (positions += 1));
  media.advance(1);
  media.advance(1);
  expect(positions).toBe(2);
  expect(engine.getSnapshot()).toBe(before);
});

test('publishes how far the file is buffered', () => {
  const { engine, media } = setUp();
  engine.attach(media);
  engine.load('/files/a');
  media.receiveMetadata(300);
  media.receiveData(80);
  expect(engine.getBuffered()).toBe(80);
  engine.seek(120);
  expect(engine.getBuffered()).toBe(120);
});

test('volume, mute and speed apply to an element attached later, and survive a change of file', () => {
  const { engine, media, clock } = setUp();
  engine.setVolume(0.3);
  engine.setMuted(true);
  engine.setRate(1.5);
  engine.attach(media);
  clock.advance(0);
  engine.load('/files/a');
  expect(media).toMatchObject({ volume: 0.3, muted: true, playbackRate: 1.5 });
  engine.load('/files/b');
  expect(media.playbackRate).toBe(1.5);
  expect(engine.getSnapshot()).toMatchObject({ volume: 0.3, muted: true, rate: 1.5, canSetVolume: true });
});

test('volume and speed stay within their limits, and outside changes to the element are published', () => {
  const { engine, media } = setUpPlaying();
  engine.setVolume(3);
  engine.setRate(9);
  expect(media).toMatchObject({ volume: 1, playbackRate: 2 });
  engine.setRate(0.1);
  expect(media.playbackRate).toBe(0.5);
  media.volume = 0.2;
  media.muted = true;
  expect(engine.getSnapshot()).toMatchObject({ volume: 0.2, muted: true });
});

test('the volume probe is never published as a volume', () => {
  const { engine, media, clock } = setUp();
  engine.setVolume(0.8);
  const volumes: number[] = [];
  engine.subscribe(() => volumes.push(engine.getSnapshot().volume));
  engine.attach(media);
  engine.setVolume(0.6);
  clock.advance(0);
  expect(media.volume).toBe(0.6);
  expect(volumes).toEqual([0.6]);
});

test('a volume set during the probe does not count as a locked volume', () => {
  const { engine, media, clock } = setUp();
  engine.attach(media);
  engine.setVolume(1);
  clock.advance(0);
  expect(engine.getSnapshot()).toMatchObject({ canSetVolume: true, volume: 1 });
});

test.each(['at once', 'after the task'] as const)(
  'a volume that only the device sets (%s) is known as such',
  (lock) => {
    const { engine, media, clock } = setUp();
    media.volumeLock = lock;
    engine.setVolume(0.4);
    engine.attach(media);
    media.endTask();
    clock.advance(0);
    expect(engine.getSnapshot()).toMatchObject({ canSetVolume: false, volume: 1 });
    engine.setVolume(0.2);
    expect(engine.getSnapshot().volume).toBe(1);
  },
);

test('an element detached during a seek is left alone, and the next one continues from the target', () => {
  const { engine, media, detach } = setUpPlaying();
  engine.seek(120);
  detach();
  media.finishSeek();
  media.emitStalePosition(7);
  expect(media.paused).toBe(true);
  expect(engine.getSnapshot().status).toBe('paused');
  const other = new FakeMedia();
  engine.attach(other);
  engine.play();
  other.receiveFile(300);
  expect(other.seeks).toEqual([120]);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('another element continues at the position of the former one', () => {
  const { engine, media, detach } = setUpPlaying();
  media.advance(75);
  detach();
  const other = new FakeMedia();
  engine.attach(other);
  engine.play();
  other.receiveFile(300);
  expect(other.seeks).toEqual([75]);
});

test('unloading removes every trace', () => {
  const { engine, media } = setUpPlaying();
  media.advance(5);
  engine.unload();
  expect(engine.getSnapshot()).toMatchObject({ status: 'idle', duration: null });
  expect(engine.getPosition()).toBe(0);
  expect(media).toMatchObject({ paused: true, src: '' });
});
