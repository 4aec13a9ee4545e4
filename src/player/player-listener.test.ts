import { describe, expect, test } from 'vitest';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';

const user = { id: 'u' };

describe('the preview', () => {
  test('is set while the queue is empty, for visitors and listeners', () => {
    const { player } = createTestPlayer();
    player.setPreview(createTrack('p'));
    for (const listener of [null, user]) {
      player.setListener(listener);
      expect(player.getSnapshot()).toMatchObject({ isPreview: true, current: { id: 'p', source: 'preview' } });
    }
  });

  test('is set when the listener logs out, whatever the queue was', () => {
    const { player, media } = createTestPlayer();
    player.setPreview(createTrack('p'));
    player.setListener(user);
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    player.setListener(null);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('p');
    expect(player.getSnapshot()).toMatchObject({ isPreview: true, status: 'idle' });
  });

  test('is removed once a logged-in listener has a current audio, and does not come back', () => {
    const { player, media } = createTestPlayer();
    player.setPreview(createTrack('p'));
    player.setListener(user);
    player.addToQueue(createTrack('x'));
    expect(idsOf(player.getSnapshot().queue.list)).toBe('x');
    player.play();
    media.receiveFile(300);
    player.setPreview(createTrack('p'));
    expect(idsOf(player.getSnapshot().queue.list)).toBe('x');
  });
});

describe('the first audio loads automatically', () => {
  test('for subscribed listeners, without starting', () => {
    const { player, media } = createTestPlayer({ autoLoads: () => true });
    player.setPreview(createTrack('p'));
    expect(media.files).toEqual([]);
    player.setListener(user);
    expect(media.files).toEqual(['/files/p']);
    media.receiveFile(60);
    expect(player.getSnapshot().status).toBe('paused');
    expect(media.paused).toBe(true);
    player.addToQueue(createTrack('x'));
    expect(media.files.at(-1)).toBe('/files/x');
    expect(media.paused).toBe(true);
  });

  test('for no visitor and no unsubscribed listener', () => {
    const { player, media } = createTestPlayer({ autoLoads: () => false });
    player.setPreview(createTrack('p'));
    player.setListener(null);
    player.setListener(user);
    player.addToQueue(createTrack('x'));
    expect(media.files).toEqual([]);
  });

  test('as soon as the listener subscribes', () => {
    let isSubscribed = false;
    const { player, media } = createTestPlayer({ autoLoads: () => isSubscribed });
    player.setListener(user);
    player.addToQueue(createTrack('x'));
    isSubscribed = true;
    player.setListener(user);
    expect(media.files).toEqual(['/files/x']);
  });

  test('except an audio that this listener may not hear', () => {
    const { player, media, locked } = createTestPlayer({ autoLoads: () => true });
    player.setListener(user);
    player.addToQueue(createTrack('l', { isFree: false }));
    expect(media.files).toEqual([]);
    expect(locked).toEqual([]);
  });
});

describe('the position', () => {
  test('restarts when another head replaces the current one, and stays with an individual change', () => {
    const { player, media, hear } = createTestPlayer();
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    hear(20);
    player.addToQueue(createTrack('x'));
    player.removeFromQueue('b');
    player.clearQueue();
    expect(player.getPosition()).toBe(20);
    player.playList(createTracks('def'), 1);
    expect(player.getPosition()).toBe(0);
    expect(player.getSnapshot().queue.isIndividualQueueUpdate).toBe(false);
  });

  test('moves to the account’s place once known, unless something was heard here', () => {
    const stored = new Map<string, number>();
    const { player, media, hear } = createTestPlayer({
      autoLoads: () => true,
      resumeFrom: (track) => stored.get(track.id),
    });
    player.setListener(user);
    player.addToQueue(createTrack('a'));
    media.receiveFile(300);
    stored.set('a', 120);
    player.resumePositionsChanged();
    expect(media.seeks).toEqual([120]);
    media.finishSeek();
    player.play();
    hear(5);
    stored.set('a', 10);
    player.resumePositionsChanged();
    expect(player.getPosition()).toBe(125);
  });

  test('of a paused audio moves to the account’s place once another device has played on, without a report', () => {
    const stored = new Map<string, number>();
    const { player, media, hear, reported } = createTestPlayer({ resumeFrom: (track) => stored.get(track.id) });
    player.setListener(user);
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    hear(20);
    player.pause();
    reported();
    stored.set('a', 34);
    player.resumePositionsChanged();
    expect(player.getPosition(), 'a device that lags changes nothing').toBe(20);
    stored.set('a', 240);
    player.resumePositionsChanged();
    media.finishSeek();
    player.flush();
    expect([player.getPosition(), player.progressOf(createTrack('a')), reported()]).toEqual([240, 240, []]);
    stored.set('a', 20);
    player.play();
    hear(1);
    player.resumePositionsChanged();
    expect(player.getPosition(), 'what plays goes on').toBe(241);
  });

  test('of an audio heard here before the current one is the account’s, once that is known', () => {
    const stored = new Map<string, number>();
    const { player, media, hear } = createTestPlayer({ resumeFrom: (track) => stored.get(track.id) });
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    hear(20);
    player.next();
    media.receiveFile(300);
    stored.set('a', 240);
    expect(player.progressOf(createTrack('a'))).toBe(20);
    player.resumePositionsChanged();
    player.previous();
    media.receiveFile(300);
    expect(player.getPosition()).toBe(240);
  });

  test('of a queue from the server gives way to that of the history, even where they are close', () => {
    const stored = new Map([['a', 12.3]]);
    const { player } = createTestPlayer({ resumeFrom: (track) => stored.get(track.id) });
    player.awaitQueue(createTrack('a'), 0);
    expect(player.getPosition()).toBe(12.3);
    stored.clear();
    expect(player.getPosition()).toBe(0);
  });

  test('of a paused audio is its beginning once it is removed from the history, and nothing is reported', () => {
    for (const removed of ['a', undefined]) {
      const { player, media, hear, reported } = createTestPlayer();
      player.playList(createTracks('ab'), 0);
      media.receiveFile(300);
      hear(20);
      player.clearPosition(removed);
      expect(player.getPosition(), 'what plays goes on').toBe(20);
      player.pause();
      player.clearPosition(removed);
      media.finishSeek();
      reported();
      player.flush();
      expect([player.getPosition(), player.progressOf(createTrack('a')), reported()]).toEqual([0, 0, []]);
    }
  });

  test('of an audio removed from the history is its beginning', () => {
    const { player, media, hear } = createTestPlayer();
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    hear(20);
    player.next();
    expect(player.progressOf(createTrack('a'))).toBe(20);
    player.clearPosition('a');
    expect(player.progressOf(createTrack('a'))).toBe(0);
  });
});

describe('the queue’s commands', () => {
  test('playing from the queue starts at once, and previous returns', () => {
    const { player, media } = createTestPlayer();
    player.playList(createTracks('abcd'), 0);
    media.receiveFile(300);
    player.playFromQueue('c');
    media.receiveFile(300);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('cdb');
    expect(player.getSnapshot().status).toBe('playing');
    player.previous();
    expect(idsOf(player.getSnapshot().queue.list)).toBe('acdb');
  });

  test('playing a locked item from the queue requests access, and the queue stays', () => {
    const { player, media, locked } = createTestPlayer();
    player.playList([createTrack('a'), createTrack('l', { isFree: false })], 0);
    media.receiveFile(300);
    player.playFromQueue('l');
    expect(locked.map(({ id }) => id)).toEqual(['l']);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('al');
  });

  test('a full queue gives a notice', () => {
    const { player } = createTestPlayer();
    const notices: unknown[] = [];
    player.onNotice((notice) => notices.push(notice));
    player.playList(
      Array.from({ length: 1000 }, (_, index) => createTrack(`t${index}`)),
      0,
    );
    player.addToQueue(createTrack('t5'));
    expect(notices).toEqual([]);
    player.addToQueue(createTrack('x'));
    expect(notices).toEqual([{ kind: 'queue-full', limit: 1000 }]);
    expect(player.getSnapshot().queue.list).toHaveLength(1000);
  });

  test('a transcript line seeks to its time', () => {
    const { player, media } = createTestPlayer();
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    player.seekToSeconds(61.5);
    expect(media.seeks.at(-1)).toBeCloseTo(61.5);
    player.seekToSeconds(1e9);
    expect(media.seeks.at(-1)).toBeLessThan(300);
  });

  test('the queue view of the rows keeps its identity until the queue changes', () => {
    const { player, media, hear } = createTestPlayer();
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    player.addToQueue(createTrack('x'));
    const before = player.getSnapshot();
    expect(before).toMatchObject({ queuedIds: new Set(['a', 'b', 'c', 'x']) });
    expect(idsOf(before.upNext)).toBe('xbc');
    hear(5);
    player.pause();
    expect(player.getSnapshot()).not.toBe(before);
    expect(player.getSnapshot().upNext).toBe(before.upNext);
    expect(player.getSnapshot().queuedIds).toBe(before.queuedIds);
  });
});
