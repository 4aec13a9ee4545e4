import { describe, expect, test, vi } from 'vitest';
import { settle } from '#test/support/player/fake-clock.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';
import type { Player } from './player.ts';
import { RETRY_DELAYS_MS } from './recovery/retry.ts';

const setUp = createTestPlayer;

/** A player that plays the list from the chosen row. */
function setUpPlaying(ids = 'abc', index = 0, overrides: Parameters<typeof setUp>[0] = {}) {
  const parts = setUp(overrides);
  parts.player.playList(createTracks(ids), index, 'homepage');
  parts.media.receiveFile(300);
  parts.reported();
  return parts;
}

describe('playing', () => {
  test('pressing a row plays it, with the list rotated behind it and its source on each audio', () => {
    const { player, media } = setUp();
    player.playList(createTracks('abcde'), 2, 'homepage');
    expect(player.getSnapshot()).toMatchObject({ status: 'loading', current: { id: 'c', source: 'homepage' } });
    media.receiveFile(300);
    expect(player.getSnapshot()).toMatchObject({
      status: 'playing',
      canNext: true,
      canPrevious: true,
      isPreview: false,
    });
    expect(idsOf(player.getSnapshot().queue.list)).toBe('cdeab');
    expect(media.files).toEqual(['/files/c']);
  });

  test('reports the press, and the play once sound is audible', () => {
    const { player, media, events } = setUp();
    player.playList(createTracks('ab'), 0, 'homepage');
    expect(events).toEqual([{ name: 'play_click', trackId: 'a', voiceId: 'voice', source: 'homepage', position: 0 }]);
    media.receiveFile(300);
    media.stall();
    media.receiveData();
    expect(events.map((event) => event.name)).toEqual(['play_click', 'audio_played']);
  });

  test('toggle pauses and continues at the same position', () => {
    const { player, media, hear, reported } = setUpPlaying();
    hear(5);
    player.toggle();
    expect(player.getSnapshot().status).toBe('paused');
    expect(reported()).toEqual(['pause_click', 'audio_progress']);
    player.toggle();
    expect(player.getSnapshot().status).toBe('playing');
    expect(reported()).toEqual(['play_click']);
    expect(media.files).toHaveLength(1);
  });

  test('pressing the row of the current audio in another list keeps it playing without a break', () => {
    const { player, media, hear } = setUpPlaying('abc');
    hear(20);
    player.playList(createTracks('xay'), 1, 'search');
    expect(media.files).toEqual(['/files/a']);
    expect(player.getPosition()).toBe(20);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('ayx');
  });

  test('a partly heard audio resumes, and its row shows so', () => {
    const { player, media, hear } = setUpPlaying('ab');
    hear(40);
    player.next();
    media.receiveFile(200);
    expect(player.progressOf(createTrack('a'))).toBe(40);
    expect(player.getPosition()).toBe(0);
    player.previous();
    media.receiveFile(300);
    expect(player.getPosition()).toBe(40);
    expect(media.seeks).toEqual([40]);
  });

  test('an audio of an earlier session resumes at the stored second', () => {
    const { player, media } = setUp({ resumeFrom: (track) => (track.id === 'a' ? 120 : undefined) });
    expect(player.progressOf(createTrack('a'))).toBe(120);
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    expect(player.getPosition()).toBe(120);
  });

  test('a link with a time starts at that time', () => {
    const { player, media } = setUp({ resumeFrom: () => 120 });
    player.playList(createTracks('a'), 0, 'audio_dynamic_link', { startAt: 95 });
    media.receiveFile(300);
    expect(player.getPosition()).toBe(95);
  });
});

describe('going on', () => {
  test('the end of an audio starts the next one within the same event', () => {
    const { player, media, reported } = setUpPlaying('ab');
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'b' }, status: 'loading' });
    expect(media).toMatchObject({ paused: false, src: '/files/b' });
    expect(reported()).toEqual(['audio_completed']);
    media.receiveFile(200);
    expect(reported()).toEqual(['audio_played']);
  });

  test('the ended state is not published when another audio follows', () => {
    const { player, media } = setUpPlaying('ab');
    const seen: string[] = [];
    player.subscribe(() => seen.push(`${player.getSnapshot().current?.id} ${player.getSnapshot().status}`));
    media.reachEnd();
    media.receiveFile(200);
    expect(seen).toEqual(['b loading', 'b playing']);
  });

  test('a finished audio restarts, whatever was stored', () => {
    const { player, media, hear } = setUpPlaying('ab', 0, { resumeFrom: () => 100 });
    hear(10);
    media.reachEnd();
    expect(player.progressOf(createTrack('a'))).toBe(0);
  });

  test('the list plays to its end once and stops', () => {
    const { player, media } = setUpPlaying('abc', 1);
    for (let count = 0; count < 3; count += 1) {
      media.reachEnd();
      if (count < 2) media.receiveFile(100);
    }
    expect(media.files).toEqual(['/files/b', '/files/c', '/files/a']);
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' }, canNext: false });
  });

  test('after the end, play restarts the last audio as a new listen', () => {
    const { player, media, reported } = setUpPlaying('a');
    media.reachEnd();
    reported();
    player.play();
    media.finishSeek();
    expect(player.getSnapshot().status).toBe('playing');
    expect(reported()).toEqual(['play_click', 'audio_played']);
    media.reachEnd();
    expect(reported()).toContain('audio_completed');
  });

  test('after the end, play continues with an audio that was added since', () => {
    const { player, media, reported } = setUpPlaying('a');
    media.reachEnd();
    player.addToQueue(createTrack('n'));
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' } });
    reported();
    player.toggle();
    media.receiveFile(100);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'n' } });
    expect(reported()).toEqual(['play_click', 'audio_played']);
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('a');
  });

  test('after the end, the button of the last audio itself repeats it', () => {
    const { player, media } = setUpPlaying('a');
    media.reachEnd();
    player.addToQueue(createTrack('n'));
    player.playList(createTracks('a'), 0);
    media.finishSeek();
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', current: { id: 'a' } });
  });

  test('skips audios that this listener may not hear, and never prompts', () => {
    const { player, media, locked } = setUp();
    player.playList([createTrack('a'), createTrack('x', { isFree: false }), createTrack('b')], 0);
    media.receiveFile(300);
    media.reachEnd();
    expect(player.getSnapshot().current?.id).toBe('b');
    expect(idsOf(player.getSnapshot().upNext)).toBe('x');
    expect(locked).toEqual([]);
    player.playFromQueue('x');
    expect(locked.map(({ id }) => id)).toEqual(['x']);
    expect(player.getSnapshot().current?.id).toBe('b');
  });

  test('a failing observer blocks neither the others nor the start of the next audio', () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const fail = () => {
      throw new Error('An observer failed');
    };
    const { player, media, engine } = setUp({ report: fail });
    for (const subscribe of [player.subscribe, player.subscribePosition, engine.subscribe, engine.onEnded])
      subscribe(fail);
    let notified = 0;
    player.subscribe(() => (notified += 1));
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    const before = notified;
    media.reachEnd();
    vi.unstubAllGlobals();
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'b' }, status: 'loading' });
    expect(media).toMatchObject({ paused: false, src: '/files/b' });
    expect(notified).toBeGreaterThan(before);
    expect(reported).toHaveBeenCalledWith(new Error('An observer failed'));
  });

  test('stops without a prompt when every remaining audio is locked', () => {
    const { player, media, locked } = setUp();
    player.playList([createTrack('a'), createTrack('x', { isFree: false })], 0);
    media.receiveFile(300);
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' } });
    expect(locked).toEqual([]);
  });
});

describe('next and previous', () => {
  test('next plays the following audio, even when paused', () => {
    const { player, media, reported } = setUpPlaying('abc');
    player.pause();
    reported();
    player.next();
    media.receiveFile(100);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'b' }, status: 'playing' });
    expect(reported()).toEqual(['play_next', 'audio_played']);
  });

  test('next at the end of the list does nothing', () => {
    const { player, media, reported } = setUpPlaying('a');
    player.next();
    expect(player.getSnapshot().canNext).toBe(false);
    expect(media.files).toHaveLength(1);
    expect(reported()).toEqual([]);
  });

  test('next with only locked audios left requests the first of them, and playback continues', () => {
    const { player, media, locked } = setUp();
    player.playList([createTrack('a'), createTrack('x', { isFree: false })], 0);
    media.receiveFile(300);
    player.next();
    expect(locked.map(({ id }) => id)).toEqual(['x']);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'a' }, status: 'playing' });
  });

  test('previous restarts the audio when more than three seconds were heard', () => {
    const { player, media, hear } = setUpPlaying('abc', 1);
    hear(3.25);
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('b');
    expect(player.getPosition()).toBe(0);
    media.finishSeek();
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('a');
  });

  test('previous leaves a resumed audio at once when little of it was heard: next, next, previous', () => {
    const { player, media, hear } = setUpPlaying('abc', 0, { resumeFrom: () => 120 });
    player.next();
    media.receiveFile(300);
    player.next();
    media.receiveFile(300);
    expect(player.getPosition()).toBe(120);
    hear(2.75);
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('b');
    media.receiveFile(300);
    player.seekTo(0.9);
    media.finishSeek();
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('a');
  });

  test('muted playback counts as heard too, and the count restarts at the beginning', () => {
    const { player, media, hear } = setUpPlaying('abc', 1);
    player.toggleMute();
    hear(4);
    player.previous();
    media.finishSeek();
    expect(player.getSnapshot().current?.id).toBe('b');
    hear(4);
    player.previous();
    media.finishSeek();
    expect(player.getPosition()).toBe(0);
    expect(player.getSnapshot().current?.id).toBe('b');
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('a');
  });

  test('both are off for visitors who have to log in first', () => {
    let isLoggedIn = false;
    const { player, media } = setUpPlaying('abc', 0, { maySkip: () => isLoggedIn });
    expect(player.getSnapshot()).toMatchObject({ canNext: false, canPrevious: false });
    player.next();
    player.previous();
    expect(media.files).toHaveLength(1);
    isLoggedIn = true;
    player.setListener({ id: 'u' });
    expect(player.getSnapshot()).toMatchObject({ canNext: true, canPrevious: true });
  });
});

describe('dragging the slider', () => {
  test('a cancelled drag seeks nothing, and the time advances', () => {
    const { player, media, hear } = setUpPlaying('ab');
    hear(10);
    player.beginScrub();
    player.scrubTo(0.5);
    expect(player.getPosition()).toBe(150);
    let notified = 0;
    player.subscribePosition(() => (notified += 1));
    player.cancelScrub();
    player.cancelScrub();
    expect(notified).toBe(1);
    expect(player.getPosition()).toBe(10);
    hear(1);
    expect(player.getPosition()).toBe(11);
    player.endScrub();
    expect(media.seeks).toEqual([]);
  });

  test.each([
    ['that plays', (player: Player) => player.next()],
    ['that merely stands there', (player: Player) => player.setPreview(createTrack('q'))],
  ])('the drag ends with the audio that is dragged, and does not reach the one after it %s', (_name, change) => {
    const { player, media } = setUp();
    player.setPreview(createTrack('p'));
    if (_name === 'that plays') player.playList(createTracks('ab'), 0);
    player.beginScrub();
    player.scrubTo(0.5);
    change(player);
    expect(player.getPosition()).toBe(0);
    player.scrubTo(0.6);
    player.endScrub();
    expect(player.getPosition()).toBe(0);
    expect(media.seeks).toEqual([]);
  });
});

describe('locked audios', () => {
  const list = [createTrack('a', { isFree: false }), createTrack('b')];

  test('a requested locked audio is not loaded; the interface is notified, and playback continues', () => {
    const { player, media, locked, reported } = setUpPlaying('z');
    player.playList(list, 0);
    expect(locked.map(({ id }) => id)).toEqual(['a']);
    expect(media.files).toEqual(['/files/z']);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'z' }, status: 'playing' });
    expect(reported()).toEqual([]);
  });

  test('after log-in or payment it starts without another request', () => {
    let isSubscribed = false;
    const { player, media, locked } = setUp({ mayHear: (track) => track.isFree || isSubscribed });
    player.playList(list, 0, 'search');
    isSubscribed = true;
    locked[0]?.again();
    media.receiveFile(300);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'a', source: 'search' }, status: 'playing' });
    expect(idsOf(player.getSnapshot().queue.list)).toBe('ab');
  });

  test('a current audio that the account may no longer hear prompts on play', () => {
    let isSubscribed = true;
    const { player, locked } = setUpPlaying('b', 0, { mayHear: () => isSubscribed });
    player.pause();
    isSubscribed = false;
    player.play();
    expect(player.getSnapshot().status).toBe('paused');
    expect(locked.map(({ id }) => id)).toEqual(['b']);
  });
});

describe('the preview', () => {
  test('is current in an empty player without starting', () => {
    const { player, media } = setUp();
    player.setPreview(createTrack('p', { isFree: false }));
    expect(player.getSnapshot()).toMatchObject({
      current: { id: 'p', source: 'preview' },
      isPreview: true,
      status: 'idle',
    });
    expect(player.getSnapshot()).toMatchObject({ canNext: false, canPrevious: false });
    expect(media.files).toEqual([]);
  });

  test('may be heard by anyone', () => {
    const { player, media, locked } = setUp();
    player.setPreview(createTrack('p', { isFree: false }));
    player.toggle();
    media.receiveFile(60);
    expect(player.getSnapshot().status).toBe('playing');
    expect(locked).toEqual([]);
  });

  test.each([
    ['not heard yet, tells the list', 0, 'playlist'],
    ['heard already, stays the preview', 5, 'preview'],
  ])('pressed in a list, %s in all events of that play', (_what, seconds, source) => {
    const { player, media, hear, events } = setUp({ autoLoads: () => true });
    player.setListener({ id: 'u' });
    player.setPreview(createTrack('p'));
    media.receiveFile(60);
    if (seconds > 0) {
      player.play();
      hear(seconds);
      player.pause();
    }
    const before = events.length;
    player.playList([createTrack('p')], 0, 'playlist');
    hear(40);
    player.pause();
    const reported = events.slice(before);
    expect(reported.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['play_click', 'pause_click', 'audio_time']),
    );
    expect(new Set(reported.map((event) => event.source))).toEqual(new Set([source]));
  });

  test('is replaced by what is played, and does not replace anything itself', () => {
    const { player } = setUp();
    player.setPreview(createTrack('p'));
    player.playList(createTracks('ab'), 0);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('ab');
    player.setPreview(createTrack('q'));
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'a' }, isPreview: false });
  });

  test('is replaced by an added audio, unless it is playing', () => {
    const { player, media } = setUp();
    player.setPreview(createTrack('p'));
    player.addToQueue(createTrack('x'));
    expect(idsOf(player.getSnapshot().queue.list)).toBe('x');
    player.setPreview(createTrack('p'));
    player.setListener({ id: 'u' });
    player.setListener(null);
    player.play();
    media.receiveFile(60);
    player.addToQueue(createTrack('y'));
    expect(idsOf(player.getSnapshot().queue.list)).toBe('py');
    expect(player.getSnapshot().status).toBe('playing');
  });

  test('can be changed and removed until someone listens to it', () => {
    const { player } = setUp();
    player.setPreview(createTrack('p'));
    player.setPreview(createTrack('q'));
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'q' }, status: 'idle' });
    player.setPreview(null);
    expect(player.getSnapshot()).toMatchObject({ current: null, isPreview: false });
  });
});

describe('the queue', () => {
  test('an audio added by hand plays next; adding and removing do not change playback or position', () => {
    const { player, media, hear } = setUpPlaying('abc');
    hear(8);
    player.addToQueue(createTrack('x'));
    player.removeFromQueue('b');
    player.moveInQueue(2, 1);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('acx');
    expect(player.getPosition()).toBe(8);
    expect(media.files).toHaveLength(1);
  });

  test('clearing keeps the current audio', () => {
    const { player } = setUpPlaying('abc');
    player.clearQueue();
    expect(idsOf(player.getSnapshot().queue.list)).toBe('a');
    expect(player.getSnapshot().status).toBe('playing');
  });

  test('after logging out only the preview is left', () => {
    const { player, media, hear } = setUpPlaying('abc');
    player.setPreview(createTrack('p'));
    player.setListener({ id: 'u' });
    hear(5);
    player.setListener(null);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'p' }, status: 'idle', isPreview: true });
    expect(player.getSnapshot().queue.played).toEqual([]);
    expect(player.progressOf(createTrack('a'))).toBe(0);
    expect(media.paused).toBe(true);
  });
});

describe('an audio that failed for its network', () => {
  /** Fails for good; `isBack` decides what the site answers from then on. */
  async function setUpFailed() {
    let isBack = false;
    const parts = createTestPlayer({
      answer: () => {
        if (!isBack) throw new TypeError('Failed to fetch');
        return new Response(null, { status: 206 });
      },
    });
    const { player, media, clock } = parts;
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    for (const delay of [0, ...RETRY_DELAYS_MS]) {
      clock.advance(delay);
      media.fail(2);
      await settle();
    }
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' });
    const comeBack = async () => {
      isBack = true;
      clock.advance(60_000);
      await settle();
      media.receiveFile(300);
      return player.getSnapshot().status;
    };
    return { ...parts, comeBack };
  }

  test('plays on once the site answers', async () => {
    const { comeBack } = await setUpFailed();
    expect(await comeBack()).toBe('playing');
  });

  test('stays silent once it was paused, without a report of a pause', async () => {
    const { player, media, reported, comeBack } = await setUpFailed();
    reported();
    player.pause();
    expect(reported()).toEqual([]);
    expect(await comeBack()).not.toBe('playing');
    expect(media.paused).toBe(true);
    player.play();
    media.receiveFile(300);
    expect(player.getSnapshot().status).toBe('playing');
  });
});

describe('15 seconds', () => {
  test('back is back, and forward is forward, from each place and no further than the ends', () => {
    const { player, media, clock } = createTestPlayer();
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    const move = (from: number, by: number) => {
      clock.advance(1000);
      player.seekToSeconds(from);
      media.finishSeek();
      player.seekBy(by);
      media.finishSeek();
      return Math.round(player.getPosition());
    };
    expect([move(100, -15), move(100, 15)]).toEqual([85, 115]);
    expect([move(15, -15), move(14, -15), move(0, -15)]).toEqual([0, 0, 0]);
    expect([move(285, 15), move(290, 15)]).toEqual([300, 300]);
  });

  test('at once in the other direction, but the same press only once within 100 ms', () => {
    const { player, media, clock } = createTestPlayer();
    player.playList(createTracks('a'), 0);
    media.receiveFile(300);
    player.seekToSeconds(100);
    media.finishSeek();
    const press = (by: number, after: number) => {
      clock.advance(after);
      player.seekBy(by);
      media.finishSeek();
      return Math.round(player.getPosition());
    };
    expect([press(15, 0), press(15, 99), press(-15, 0), press(-15, 99), press(-15, 1)]).toEqual([
      115, 115, 100, 100, 85,
    ]);
  });
});
