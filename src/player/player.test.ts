import { describe, expect, test } from 'vitest';
import { createTestPlayer } from './fake-player.ts';
import { createTrack, createTracks, idsOf } from './fake-tracks.ts';

const setUp = createTestPlayer;

/** A player on which the list plays from the chosen row. */
function setUpPlaying(ids = 'abc', index = 0, overrides: Parameters<typeof setUp>[0] = {}) {
  const parts = setUp(overrides);
  parts.player.playList(createTracks(ids), index, 'homepage');
  parts.media.receiveFile(300);
  parts.reported();
  return parts;
}

describe('playing', () => {
  test('a pressed row plays, with the list rotated behind it and its source on each audio', () => {
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

  test('reports the press, and the play once sound comes out', () => {
    const { player, media, events } = setUp();
    player.playList(createTracks('ab'), 0, 'homepage');
    expect(events).toEqual([{ name: 'play_click', trackId: 'a', voiceId: 'voice', source: 'homepage', position: 0 }]);
    media.receiveFile(300);
    media.stall();
    media.receiveData();
    expect(events.map((event) => event.name)).toEqual(['play_click', 'audio_played']);
  });

  test('toggle pauses and goes on where it was', () => {
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

  test('toggle with another audio starts that one, with the same one pauses it', () => {
    const { player } = setUpPlaying();
    const other = createTrack('z');
    player.toggle(other);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'z' }, status: 'loading' });
    player.toggle(other);
    expect(player.getSnapshot().status).toBe('paused');
  });

  test('pressing the row of what plays, in another list, goes on without a break', () => {
    const { player, media, hear } = setUpPlaying('abc');
    hear(20);
    player.playList(createTracks('xay'), 1, 'search');
    expect(media.files).toEqual(['/files/a']);
    expect(player.getPosition()).toBe(20);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('ayx');
  });

  test('an audio that was left in the middle is gone on with, and its row shows so', () => {
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

  test('an audio of an earlier session goes on from the stored second', () => {
    const { player, media } = setUp({ resumeFrom: (track) => (track.id === 'a' ? 120 : undefined) });
    expect(player.progressOf(createTrack('a'))).toBe(120);
    player.playList(createTracks('ab'), 0);
    media.receiveFile(300);
    expect(player.getPosition()).toBe(120);
  });

  test('a link with a time starts there', () => {
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

  test('nobody is told of an end when another audio follows', () => {
    const { player, media } = setUpPlaying('ab');
    const seen: string[] = [];
    player.subscribe(() => seen.push(`${player.getSnapshot().current?.id} ${player.getSnapshot().status}`));
    media.reachEnd();
    media.receiveFile(200);
    expect(seen).toEqual(['b loading', 'b playing']);
  });

  test('a finished audio begins anew, whatever was stored', () => {
    const { player, media, hear } = setUpPlaying('ab', 0, { resumeFrom: () => 100 });
    hear(10);
    media.reachEnd();
    expect(player.progressOf(createTrack('a'))).toBe(0);
  });

  test('the list plays to its end once, and stops there', () => {
    const { player, media } = setUpPlaying('abc', 1);
    for (let count = 0; count < 3; count += 1) {
      media.reachEnd();
      if (count < 2) media.receiveFile(100);
    }
    expect(media.files).toEqual(['/files/b', '/files/c', '/files/a']);
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' }, canNext: false });
  });

  test('after the end, play starts the last audio again, as a new hearing', () => {
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

  test('passes over what this listener may not hear, and never prompts', () => {
    const { player, media, locked } = setUp();
    player.playList([createTrack('a'), createTrack('x', { isFree: false }), createTrack('b')], 0);
    media.receiveFile(300);
    media.reachEnd();
    expect(player.getSnapshot().current?.id).toBe('b');
    expect(locked).toEqual([]);
  });

  test('stops without a prompt when nothing is left that may be heard', () => {
    const { player, media, locked } = setUp();
    player.playList([createTrack('a'), createTrack('x', { isFree: false })], 0);
    media.receiveFile(300);
    media.reachEnd();
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', current: { id: 'a' } });
    expect(locked).toEqual([]);
  });
});

describe('next and previous', () => {
  test('next plays the following audio, also from a pause', () => {
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

  test('next onto nothing but locked audios asks for the one that follows, and what plays goes on', () => {
    const { player, media, locked } = setUp();
    player.playList([createTrack('a'), createTrack('x', { isFree: false })], 0);
    media.receiveFile(300);
    player.next();
    expect(locked.map(({ id }) => id)).toEqual(['x']);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'a' }, status: 'playing' });
  });

  test('previous goes back to the beginning first when more than three seconds were heard', () => {
    const { player, media, hear } = setUpPlaying('abc', 1);
    hear(3.25);
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('b');
    expect(player.getPosition()).toBe(0);
    media.finishSeek();
    player.previous();
    expect(player.getSnapshot().current?.id).toBe('a');
  });

  test('both are off for who has to log in first', () => {
    let isLoggedIn = false;
    const { player, media } = setUpPlaying('abc', 0, { maySkip: () => isLoggedIn });
    expect(player.getSnapshot()).toMatchObject({ canNext: false, canPrevious: false });
    player.next();
    player.previous();
    expect(media.files).toHaveLength(1);
    isLoggedIn = true;
    player.viewerChanged();
    expect(player.getSnapshot()).toMatchObject({ canNext: true, canPrevious: true });
  });
});

describe('locked audios', () => {
  const list = [createTrack('a', { isFree: false }), createTrack('b')];

  test('one that is asked for is not loaded; the interface is told, and what plays goes on', () => {
    const { player, media, locked, reported } = setUpPlaying('z');
    player.playList(list, 0);
    expect(locked.map(({ id }) => id)).toEqual(['a']);
    expect(media.files).toEqual(['/files/z']);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'z' }, status: 'playing' });
    expect(reported()).toEqual([]);
  });

  test('after log-in or payment it starts without being asked for again', () => {
    let isSubscribed = false;
    const { player, media, locked } = setUp({ mayHear: (track) => track.isFree || isSubscribed });
    player.playList(list, 0, 'search');
    isSubscribed = true;
    locked[0]?.again();
    media.receiveFile(300);
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'a', source: 'search' }, status: 'playing' });
    expect(idsOf(player.getSnapshot().queue.list)).toBe('ab');
  });

  test('the current audio of an account that may no longer hear it prompts on play', () => {
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
  test('stands in an empty player without starting', () => {
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

  test('gives way to what is played, and does not come where something is', () => {
    const { player } = setUp();
    player.setPreview(createTrack('p'));
    player.playList(createTracks('ab'), 0);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('ab');
    player.setPreview(createTrack('q'));
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'a' }, isPreview: false });
  });

  test('gives way to an audio that is added, unless it is being heard', () => {
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

  test('can be changed and taken away while nobody listens to it', () => {
    const { player } = setUp();
    player.setPreview(createTrack('p'));
    player.setPreview(createTrack('q'));
    expect(player.getSnapshot()).toMatchObject({ current: { id: 'q' }, status: 'idle' });
    player.setPreview(null);
    expect(player.getSnapshot()).toMatchObject({ current: null, isPreview: false });
  });
});

describe('the queue', () => {
  test('an audio added by hand plays next; adding and removing leave sound and position alone', () => {
    const { player, media, hear } = setUpPlaying('abc');
    hear(8);
    player.addToQueue(createTrack('x'));
    player.removeFromQueue('b');
    player.moveInQueue(2, 1);
    expect(idsOf(player.getSnapshot().queue.list)).toBe('acx');
    expect(player.getPosition()).toBe(8);
    expect(media.files).toHaveLength(1);
  });

  test('clearing leaves what plays', () => {
    const { player } = setUpPlaying('abc');
    player.clearQueue();
    expect(idsOf(player.getSnapshot().queue.list)).toBe('a');
    expect(player.getSnapshot().status).toBe('playing');
  });

  test('after logging out nothing is left but the preview', () => {
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
