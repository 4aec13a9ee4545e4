import { describe, expect, test, vi } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';
import type { Notice } from '../notices.ts';
import type { PlayerEvent } from './player-events.ts';
import { RETRY_DELAYS_MS } from '../recovery/retry.ts';

function setUpPlaying(overrides: Parameters<typeof createTestPlayer>[0] = {}) {
  const parts = createTestPlayer(overrides);
  parts.player.playList(createTracks('ab'), 0, 'homepage');
  parts.media.receiveFile(300);
  parts.reported();
  return parts;
}

/** A player whose next file is refused, because the subscription has ended. */
function createLapsingPlayer() {
  let hasAccess = true;
  const parts = createTestPlayer({
    answer: () => new Response(null, { status: 402 }),
    mayHear: (track) => hasAccess || track.isFree,
    accessEnded: () => (hasAccess = false),
  });
  const notices: Notice[] = [];
  parts.player.onNotice((notice) => notices.push(notice));
  return { ...parts, notices };
}

const secondsHeard = (events: readonly PlayerEvent[]) =>
  events.flatMap((event) => (event.name === 'audio_time' ? [event.seconds] : []));

describe('seeking', () => {
  test('by 15 seconds, back and forth, within the audio', () => {
    const { player, clock, media, events } = setUpPlaying();
    player.seekBy(15);
    media.finishSeek();
    clock.advance(100);
    player.seekBy(-15);
    media.finishSeek();
    clock.advance(100);
    player.seekBy(-15);
    expect(media.seeks).toEqual([15, 0, 0]);
    expect(events.filter((event) => event.name.startsWith('seek'))).toMatchObject([
      { name: 'seek_15s_forward', position: 15, trackId: 'a', source: 'homepage' },
      { name: 'seek_15s_back', position: 0 },
      { name: 'seek_15s_back', position: 0 },
    ]);
  });

  test('forward and immediately back again is no bounce', () => {
    const { player, media } = setUpPlaying();
    player.seekBy(15);
    player.seekBy(-15);
    expect(media.seeks).toEqual([15, 0]);
  });

  test('the same press again within 100 ms is ignored', () => {
    const { player, clock, media } = setUpPlaying();
    player.seekBy(15);
    clock.advance(99);
    player.seekBy(15);
    clock.advance(1);
    player.seekBy(15);
    expect(media.seeks).toEqual([15, 30]);
  });

  test('past the end stops just before it', () => {
    const { player, media } = setUpPlaying();
    player.seekTo(0.99);
    player.seekBy(15);
    expect(media.seeks.at(-1)).toBeLessThan(300);
    expect(media.seeks.at(-1)).toBeGreaterThan(299.9);
  });

  test('to a fraction, at most 0.999999 of it', () => {
    const { player, media, events } = setUpPlaying();
    player.seekTo(0.5);
    player.seekTo(1);
    expect(media.seeks).toEqual([150, 0.999999 * 300]);
    expect(events.map((event) => event.name)).toContain('seek_to_position');
  });

  test('dragging shows the position of the handle, and seeks once on release', () => {
    const { player, media, hear } = setUpPlaying();
    hear(10);
    const positions: number[] = [];
    player.subscribePosition(() => positions.push(player.getPosition()));
    player.beginScrub();
    hear(1);
    expect(player.getPosition()).toBe(10);
    player.scrubTo(0.25);
    player.scrubTo(0.5);
    hear(1);
    expect(positions).toEqual([75, 150]);
    player.endScrub();
    expect(media.seeks).toEqual([150]);
    expect(player.getPosition()).toBe(150);
  });

  test('a drag that outlives its audio is dropped', () => {
    const { player, media } = setUpPlaying();
    player.beginScrub();
    player.scrubTo(0.5);
    media.reachEnd();
    player.scrubTo(0.7);
    player.endScrub();
    expect(media.seeks).toEqual([]);
    expect(player.getPosition()).toBe(0);
  });

  test('before an audio is loaded, a seek sets its start', () => {
    const { player, media } = createTestPlayer();
    player.setPreview(createTrack('p', { numberDuration: 60 }));
    player.seekTo(0.5);
    expect(player.getPosition()).toBe(30);
    player.play();
    media.receiveFile(60);
    expect(media.seeks).toEqual([30]);
  });
});

describe('position', () => {
  test('changes separately from the snapshot, which keeps its identity', () => {
    const { player, hear } = setUpPlaying();
    const before = player.getSnapshot();
    let changes = 0;
    let positions = 0;
    player.subscribe(() => (changes += 1));
    player.subscribePosition(() => (positions += 1));
    hear(5);
    player.setVolume(0.4);
    expect(positions).toBe(20);
    expect(changes).toBe(0);
    expect(player.getSnapshot()).toBe(before);
  });

  test('the duration is the catalogue’s until the metadata is loaded', () => {
    const { player, media } = createTestPlayer();
    player.playList([createTrack('a', { numberDuration: 299 })], 0);
    expect(player.getDuration()).toBe(299);
    media.receiveMetadata(300.25);
    expect(player.getDuration()).toBe(300.25);
  });
});

describe('listening', () => {
  test('is reported from 30 seconds on, and never more than was heard', () => {
    const { player, hear, events } = setUpPlaying();
    hear(25);
    player.pause();
    expect(secondsHeard(events)).toEqual([]);
    player.play();
    hear(20);
    player.pause();
    expect(secondsHeard(events).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(45);
  });

  test('is reported for its own audio when another one starts', () => {
    const { player, hear, media, events } = setUpPlaying();
    hear(36);
    player.next();
    media.receiveFile(100);
    const last = events.findLast((event) => event.name === 'audio_time');
    expect(last?.trackId).toBe('a');
    expect(secondsHeard(events).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(36);
  });

  test('is reported at the end of the audio, before its completion', () => {
    const { hear, media, reported } = setUpPlaying();
    hear(35);
    reported();
    media.reachEnd();
    expect(reported()).toEqual(['audio_time', 'audio_completed']);
  });

  test('does not count while it is muted', () => {
    const { player, hear, events } = setUpPlaying();
    player.toggleMute();
    hear(60);
    player.pause();
    expect(secondsHeard(events)).toEqual([]);
  });

  test('counts wall-clock seconds at any speed', () => {
    const { player, hear, events } = setUpPlaying();
    player.setRate(2);
    hear(40);
    player.pause();
    expect(secondsHeard(events).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(40);
  });
});

describe('the place', () => {
  const places = (events: readonly PlayerEvent[]) =>
    events.flatMap((event) => (event.name === 'audio_progress' ? [event.position] : []));

  test('is reported every ten seconds while it plays', () => {
    const { hear, events } = setUpPlaying();
    hear(35);
    expect(places(events)).toEqual([10, 20, 30]);
  });

  test('is reported on pause, seek, change of audio and page hide', () => {
    const { player, hear, media, events } = setUpPlaying();
    hear(4);
    player.pause();
    player.play();
    player.seekTo(0.5);
    media.finishSeek();
    hear(1);
    player.flush();
    hear(1);
    player.next();
    expect(places(events)).toEqual([4, 150, 151, 152]);
  });

  test('is not reported twice', () => {
    const { player, hear, events } = setUpPlaying();
    hear(4);
    player.flush();
    player.flush();
    expect(places(events)).toEqual([4]);
  });
});

describe('errors', () => {
  test('are reported with their reason, and the snapshot shows it', async () => {
    const { player, media, events } = createTestPlayer({ answer: () => new Response(null, { status: 404 }) });
    player.playList([createTrack('a')], 0);
    media.fail(2);
    await settle();
    expect(events.at(-1)).toMatchObject({ name: 'error', code: 'gone', trackId: 'a' });
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'gone', current: { id: 'a' } });
  });

  test.each([
    [401, 'login-required'],
    [402, 'subscription-required'],
  ] as const)('the server’s own %i on an audio that was asked for opens the prompt', async (status, failure) => {
    let answer = status as number;
    const { player, media, locked } = createTestPlayer({ answer: () => new Response(null, { status: answer }) });
    player.playList(createTracks('ab'), 0);
    media.fail(4);
    await settle();
    expect(player.getSnapshot().failure).toBe(failure);
    expect(locked.map(({ id }) => id)).toEqual(['a']);
    answer = 206;
    locked[0]?.again();
    media.receiveFile(300);
    expect(player.getSnapshot().status).toBe('playing');
  });

  test('when access ends, the list goes on with what is free, and keeps the rest', async () => {
    const { player, media, locked, notices } = createLapsingPlayer();
    const list = ['a', 'b', 'c', 'd', 'e'].map((id) => createTrack(id, { isFree: id === 'd' }));
    player.playList(list, 0);
    media.receiveFile(300);
    media.reachEnd();
    media.fail(4);
    await settle();
    media.receiveFile(100);
    const { queue, current, status } = player.getSnapshot();
    expect([status, current?.id, idsOf(queue.list), idsOf(queue.played)]).toEqual(['playing', 'd', 'dbce', 'a']);
    expect(notices).toEqual([{ kind: 'access-ended', reason: 'subscription-required', continues: true }]);
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'd' } });
    expect(locked).toEqual([]);
  });

  test('an audio that is no longer free is skipped by name, and no subscription is said to have ended', async () => {
    const accessEnded = vi.fn();
    const { player, media, locked } = createTestPlayer({
      answer: () => new Response(null, { status: 402 }),
      accessEnded,
    });
    const notices: Notice[] = [];
    player.onNotice((notice) => notices.push(notice));
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    media.reachEnd();
    media.fail(4);
    await settle();
    media.receiveFile(100);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'c' } });
    expect(notices).toEqual([{ kind: 'now-locked', title: 'Audio b', continues: true }]);
    expect(accessEnded).not.toHaveBeenCalled();
    expect(locked).toEqual([]);
  });

  test('playing on automatically skips a file that is gone, without a prompt', async () => {
    const { player, media, locked } = createTestPlayer({ answer: () => new Response(null, { status: 410 }) });
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    media.reachEnd();
    media.fail(4);
    await settle();
    media.receiveFile(100);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'c' } });
    expect(locked).toEqual([]);
  });

  test('playing on automatically does not skip a file for network errors', async () => {
    const { player, media, clock } = createTestPlayer({ answer: () => new Response(null, { status: 503 }) });
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    media.reachEnd();
    for (const delay of [0, ...RETRY_DELAYS_MS]) {
      clock.advance(delay);
      media.fail(2);
      await settle();
    }
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network', current: { id: 'b' } });
  });

  test('an audio reached automatically prompts only when the listener asks for it', async () => {
    const { player, media, locked } = createTestPlayer({ answer: () => new Response(null, { status: 402 }) });
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    media.reachEnd();
    media.fail(4);
    await settle();
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', current: { id: 'b' } });
    expect(locked).toEqual([]);
    player.play();
    media.fail(4);
    await settle();
    expect(locked.map(({ id }) => id)).toEqual(['b']);
  });

  test('when access ends during an audio, the list goes on with what is free, and the audio keeps its place', async () => {
    const { player, media, locked, notices } = createLapsingPlayer();
    player.playList(
      ['a', 'b', 'c'].map((id) => createTrack(id, { isFree: id === 'c' })),
      0,
    );
    media.receiveFile(300);
    media.advance(15);
    media.fail(2);
    await settle();
    media.receiveFile(100);
    const { queue, current, status } = player.getSnapshot();
    expect([status, current?.id, idsOf(queue.list)]).toEqual(['playing', 'c', 'cab']);
    expect(notices).toEqual([{ kind: 'access-ended', reason: 'subscription-required', continues: true }]);
    expect(locked).toEqual([]);
  });

  test('an audio that is locked in the middle, with nothing to go on to, prompts when it is asked for again', async () => {
    const { player, media, hear, locked } = createTestPlayer({ answer: () => new Response(null, { status: 402 }) });
    const notices: Notice[] = [];
    player.onNotice((notice) => notices.push(notice));
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(5);
    media.fail(2);
    await settle();
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'subscription-required' });
    expect(notices).toEqual([{ kind: 'now-locked', title: 'Audio a', continues: false }]);
    expect(locked).toEqual([]);
    player.play();
    media.fail(2);
    await settle();
    expect(locked.map(({ id }) => id)).toEqual(['a']);
  });
});
