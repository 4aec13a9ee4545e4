import { describe, expect, test } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { FakeMedia } from '#test/support/player/fake-media.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';
import type { Notice } from './notices.ts';
import type { Track } from './track.ts';

function setUp(overrides: Parameters<typeof createTestPlayer>[0] & { more?: (track: Track) => Track[] } = {}) {
  const { more = () => createTracks('xyz'), ...others } = overrides;
  const asked: string[] = [];
  const warmed: string[] = [];
  const parts = createTestPlayer({
    findMore: async (track) => {
      asked.push(track.id);
      return more(track);
    },
    warmUp: {
      warm: (url, mayUseElement) => void warmed.push(mayUseElement ? url : `${url} by request`),
      drop: () => void warmed.push('drop'),
    },
    ...others,
  });
  const notices: Notice[] = [];
  parts.player.onNotice((notice) => notices.push(notice));
  parts.player.setKeepPlaying(true);
  return { ...parts, asked, warmed, notices, current: () => parts.player.getSnapshot().current?.id };
}

test('offline, an audio on the device is played and preloaded before those ahead of it, which follow it', () => {
  let isOffline = true;
  const { player, media, warmed, hear, current } = setUp({
    isOnDevice: ({ id }) => 'ad'.includes(id),
    isOffline: () => isOffline,
  });
  player.playList(createTracks('abcde'), 0);
  media.receiveFile(300);
  hear(290);
  expect(warmed.at(-1)).toBe('/files/d');
  media.reachEnd();
  expect(current()).toBe('d');
  expect(idsOf(player.getSnapshot().upNext)).toBe('bce');
  isOffline = false;
  media.receiveFile(300);
  media.reachEnd();
  expect(current()).toBe('b');
});

test('a log-out discards the suggestions for the former listener, which are requested again', async () => {
  const { player, media, hear, asked } = setUp();
  for (const id of ['u', 'v']) {
    player.setListener({ id });
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(1);
    await settle();
    player.setListener(null);
  }
  expect(asked).toEqual(['a', 'a']);
});

describe('when the site stops answering while the machine reports a connection', () => {
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };

  test('an audio that started automatically lets those on the device play first, and stays next', async () => {
    let answer: () => Response = lost;
    const { player, media, clock, current } = setUp({
      isOnDevice: ({ id }) => 'ad'.includes(id),
      answer: () => answer(),
    });
    player.playList(createTracks('abcde'), 0);
    media.receiveFile(300);
    media.reachEnd();
    expect(current()).toBe('b');
    media.fail(2);
    await settle();
    expect(player.getEngineSnapshot().reconnecting).toBe(true);
    clock.advance(4000);
    expect(current()).toBe('b');
    clock.advance(1000);
    expect(current()).toBe('d');
    expect(idsOf(player.getSnapshot().upNext)).toBe('bce');
    media.receiveFile(300);
    expect(player.getSnapshot().status).toBe('playing');
    answer = () => new Response(null, { status: 206 });
    media.reachEnd();
    expect(current()).toBe('b');
    player.previous();
    expect(current()).toBe('d');
  });

  test('a chosen audio waits for the connection', async () => {
    const { player, media, clock, current } = setUp({ isOnDevice: ({ id }) => id === 'b', answer: lost });
    player.playList(createTracks('ab'), 0);
    media.fail(2);
    await settle();
    clock.advance(10_000);
    expect(current()).toBe('a');
  });

  test('a short loss changes nothing', async () => {
    let answer: () => Response = lost;
    const { player, media, clock, current } = setUp({ isOnDevice: ({ id }) => id === 'c', answer: () => answer() });
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    media.reachEnd();
    media.fail(2);
    await settle();
    answer = () => new Response(null, { status: 206 });
    clock.advance(2000);
    media.receiveFile(300);
    await settle();
    clock.advance(10_000);
    expect(current()).toBe('b');
  });
});

describe('keep playing', () => {
  test('is off until it is switched on, and remembered', () => {
    const kept = new Map<string, string>();
    const storage = {
      get: (key: string) => kept.get(key) ?? null,
      set: (key: string, text: string) => void kept.set(key, text),
    };
    const { player } = createTestPlayer({ storage });
    expect(player.getSnapshot().keepsPlaying).toBe(false);
    player.setKeepPlaying(true);
    expect(player.getSnapshot().keepsPlaying).toBe(true);
    expect(createTestPlayer({ storage }).player.getSnapshot().keepsPlaying).toBe(true);
  });

  test('asks once while the last audio plays, and continues within its end event', async () => {
    const { player, media, asked, hear, current } = setUp();
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    hear(5);
    expect(asked).toEqual([]);
    media.reachEnd();
    media.receiveFile(300);
    hear(60);
    await settle();
    expect(asked).toEqual(['b']);
    expect(idsOf(player.getSnapshot().upNext)).toBe('');
    media.reachEnd();
    expect(current()).toBe('x');
    expect(idsOf(player.getSnapshot().upNext)).toBe('yz');
    expect(media.files.at(-1)).toBe('/files/x');
  });

  test('switched off, the list stops at its end', async () => {
    const { player, media, hear, current } = setUp();
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(5);
    await settle();
    player.setKeepPlaying(false);
    media.reachEnd();
    expect(current()).toBe('a');
    expect(player.getSnapshot().status).toBe('ended');
  });

  test('never repeats an audio that was just heard, and skips locked ones', async () => {
    const found = [createTrack('b'), createTrack('a'), createTrack('l', { isFree: false }), createTrack('y')];
    const { player, media, hear, current } = setUp({ more: () => found });
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    hear(1);
    media.reachEnd();
    media.receiveFile(300);
    hear(1);
    await settle();
    media.reachEnd();
    expect(current()).toBe('y');
    expect(player.getSnapshot().upNext).toEqual([]);
  });

  test('asks again when access has ended since, or what was found has been hidden', async () => {
    const found = [[createTrack('l', { isFree: false })], createTracks('x'), createTracks('y')];
    let isSubscribed = true;
    const { player, media, clock, hear, asked, current } = setUp({
      more: () => found[asked.length - 1] ?? [],
      mayHear: ({ isFree }) => isFree || isSubscribed,
    });
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(1);
    await settle();
    isSubscribed = false;
    clock.advance(10_000);
    hear(1);
    await settle();
    expect(asked).toEqual(['a', 'a']);
    found[1]?.splice(0);
    clock.advance(10_000);
    hear(1);
    await settle();
    media.reachEnd();
    expect(current()).toBe('y');
  });

  test('stops when every suggestion was just heard', async () => {
    const { player, media, hear } = setUp({ more: () => createTracks('a') });
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(1);
    await settle();
    media.reachEnd();
    expect(player.getSnapshot().status).toBe('ended');
  });

  test('an answer after the end starts the next audio then', async () => {
    const answer = Promise.withResolvers<Track[]>();
    const { player, media, hear, current } = setUp({ findMore: () => answer.promise });
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(1);
    media.reachEnd();
    expect(player.getSnapshot().status).toBe('ended');
    answer.resolve(createTracks('x'));
    await settle();
    expect(current()).toBe('x');
    expect(media.paused).toBe(false);
  });

  test('an answer that comes after the listener moved on starts nothing', async () => {
    const answer = Promise.withResolvers<Track[]>();
    const { player, media, hear, current } = setUp({ findMore: () => answer.promise });
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(1);
    media.reachEnd();
    player.playList(createTracks('cd'), 0);
    answer.resolve(createTracks('x'));
    await settle();
    expect(current()).toBe('c');
    expect(idsOf(player.getSnapshot().queue.list)).toBe('cd');
  });

  test('an answer that comes while another list plays is asked for again when its audio is back', async () => {
    const answers = new Map([...'ac'].map((id) => [id, Promise.withResolvers<Track[]>()]));
    const asked: string[] = [];
    const { player, media, hear, current } = setUp({
      findMore: (track) => {
        asked.push(track.id);
        return answers.get(track.id)?.promise ?? Promise.resolve([]);
      },
    });
    const play = (ids: string) => {
      player.playList(createTracks(ids), 0);
      media.receiveFile(300);
      hear(1);
    };
    play('a');
    play('bc');
    answers.get('a')?.resolve(createTracks('x'));
    await settle();
    expect(asked).toEqual(['a']);
    play('a');
    await settle();
    expect(asked).toEqual(['a', 'a']);
    media.reachEnd();
    expect(current()).toBe('x');
  });

  test('an answer for the list before leaves the request of the one that plays alone', async () => {
    const answers = new Map([...'ac'].map((id) => [id, Promise.withResolvers<Track[]>()]));
    const asked: string[] = [];
    const { player, media, hear, current } = setUp({
      findMore: (track) => {
        asked.push(track.id);
        return answers.get(track.id)?.promise ?? Promise.resolve([]);
      },
    });
    for (const id of 'ac') {
      player.playList(createTracks(id), 0);
      media.receiveFile(300);
      hear(1);
    }
    answers.get('a')?.resolve(createTracks('x'));
    await settle();
    hear(1);
    expect(asked).toEqual(['a', 'c']);
    answers.get('c')?.resolve(createTracks('y'));
    await settle();
    media.reachEnd();
    expect(current()).toBe('y');
  });

  test('asks again after a failed request while the last audio still plays', async () => {
    let isDown = true;
    const asked: string[] = [];
    const { player, media, hear, current } = setUp({
      findMore: async (track) => {
        asked.push(track.id);
        if (isDown) throw new TypeError('Failed to fetch');
        return createTracks('x');
      },
    });
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    hear(9);
    await settle();
    expect(asked).toHaveLength(1);
    isDown = false;
    hear(9);
    await settle();
    expect(asked).toHaveLength(1);
    hear(1);
    await settle();
    expect(asked).toHaveLength(2);
    media.reachEnd();
    expect(current()).toBe('x');
  });

  test('next at the end of the list continues too', async () => {
    const { player, media, hear, current } = setUp();
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    expect(player.getSnapshot().canNext).toBe(false);
    hear(1);
    await settle();
    expect(player.getSnapshot().canNext).toBe(true);
    player.next();
    expect(current()).toBe('x');
  });

  test('skips locked items', async () => {
    const { player, media, hear, current, locked } = setUp();
    player.playList([createTrack('a'), createTrack('l', { isFree: false })], 0);
    media.receiveFile(300);
    hear(1);
    await settle();
    media.reachEnd();
    expect(current()).toBe('x');
    expect(locked).toEqual([]);
  });
});

describe('loading ahead', () => {
  test('loads the start of the next audio in the last thirty seconds at the latest', () => {
    const { player, media, hear, warmed } = setUp();
    player.playList(createTracks('ab'), 0);
    media.receiveMetadata(300);
    media.receiveData(290);
    hear(269);
    expect(warmed).not.toContain('/files/b');
    hear(2);
    expect(warmed.at(-1)).toBe('/files/b');
  });

  test('starts as soon as the current audio is fully buffered', () => {
    const { player, media, hear, warmed } = setUp();
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    hear(0.25);
    expect(warmed.at(-1)).toBe('/files/b');
  });

  test('prefers audios added by hand and skips locked ones', () => {
    const { player, media, hear, warmed } = setUp();
    player.playList([createTrack('a'), createTrack('l', { isFree: false }), createTrack('b')], 0);
    media.receiveFile(20);
    hear(0.25);
    expect(warmed.at(-1)).toBe('/files/b');
    player.addToQueue(createTrack('x'));
    hear(0.25);
    expect(warmed.at(-1)).toBe('/files/x');
  });

  test('also loads the suggestion after the end of the list', async () => {
    const { player, media, hear, warmed } = setUp();
    player.playList(createTracks('a'), 0);
    media.receiveFile(20);
    hear(1);
    await settle();
    hear(1);
    expect(warmed.at(-1)).toBe('/files/x');
  });

  test('is dropped when the listener seeks back', () => {
    const { player, media, hear, warmed } = setUp();
    player.playList(createTracks('ab'), 0);
    media.receiveMetadata(300);
    media.receiveData(290);
    player.seekTo(0.95);
    media.finishSeek();
    hear(1);
    expect(warmed.at(-1)).toBe('/files/b');
    player.seekTo(0.1);
    media.finishSeek();
    hear(1);
    expect(warmed.at(-1)).toBe('drop');
  });

  test('uses no second element where only one is possible', () => {
    const media = new FakeMedia();
    media.volumeLock = 'at once';
    const { player, hear, warmed } = setUp({ media });
    player.playList(createTracks('ab'), 0);
    media.receiveFile(20);
    hear(1);
    expect(warmed.at(-1)).toBe('/files/b by request');
  });
});

describe('a broken file', () => {
  test('is announced, and the next one plays', async () => {
    const { player, media, notices, current } = setUp();
    player.playList(createTracks('abc'), 0);
    media.receiveFile(300);
    media.fail(3);
    await settle();
    expect(notices).toEqual([{ kind: 'file-broken', trackId: 'a', title: 'Audio a', continues: true }]);
    expect(current()).toBe('b');
    media.receiveFile(300);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
  });

  test('also covers a file that no longer exists', async () => {
    const { player, media, notices, current } = setUp({ answer: () => new Response(null, { status: 404 }) });
    player.playList(createTracks('ab'), 0);
    media.fail(4);
    await settle();
    expect(notices).toMatchObject([{ kind: 'file-broken', continues: true }]);
    expect(current()).toBe('b');
  });

  test('at the end of the list stays current, with a notice that nothing follows', async () => {
    const { player, media, notices } = setUp();
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    media.fail(3);
    await settle();
    expect(notices).toMatchObject([{ kind: 'file-broken', continues: false }]);
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'decode' });
  });

  test('that was loaded but not started changes nothing', async () => {
    const { player, media, notices, current } = setUp({ autoLoads: () => true });
    player.setListener({ id: 'u' });
    player.addToQueue(createTrack('a'));
    player.addToQueue(createTrack('b'));
    media.fail(3);
    await settle();
    expect(notices).toEqual([]);
    expect(current()).toBe('a');
  });

  test('stops playback after five in a row without sound', async () => {
    const { player, media, notices, current } = setUp();
    player.playList(createTracks('abcdefghij'), 0);
    for (let count = 0; count < 5; count += 1) {
      media.fail(3);
      await settle();
    }
    expect(notices.map((notice) => notice.kind === 'file-broken' && notice.continues)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(current()).toBe('e');
  });

  test('sound in between resets the count', async () => {
    const { player, media, hear, current } = setUp();
    player.playList(createTracks('abcdefghij'), 0);
    for (let count = 0; count < 8; count += 1) {
      if (count === 4) {
        media.receiveFile(300);
        hear(1);
      }
      media.fail(3);
      await settle();
    }
    expect(current()).toBe('i');
  });
});
