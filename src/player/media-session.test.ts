import { expect, test } from 'vitest';
import { FakeMedia } from '#test/support/player/fake-media.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTracks } from '#test/support/player/fake-tracks.ts';
import { type MediaSessionLike, connectMediaSession } from './media-session.ts';

/** The operating system's side: the received state and the media keys. */
function createSystem(unknownActions: readonly string[] = []) {
  const handlers = new Map<string, MediaSessionActionHandler | null>();
  const positions: MediaPositionState[] = [];
  let settings = 0;
  const session: MediaSessionLike = {
    metadata: null,
    playbackState: 'none',
    setActionHandler(action, handler) {
      if (unknownActions.includes(action)) throw new TypeError(`${action} is not known`);
      handlers.set(action, handler);
      settings += 1;
    },
    setPositionState: (state) => void positions.push(state ?? {}),
  };
  return {
    session,
    positions,
    handlers,
    settings: () => settings,
    press(action: MediaSessionAction, details: Omit<MediaSessionActionDetails, 'action'> = {}) {
      handlers.get(action)?.({ action, ...details });
    },
  };
}

function setUp({ isIos = false, maySkip = true, unknownActions = [] as string[] } = {}) {
  const media = new FakeMedia();
  if (isIos) media.volumeLock = 'at once';
  const parts = createTestPlayer({ media, maySkip: () => maySkip });
  const system = createSystem(unknownActions);
  const disconnect = connectMediaSession(parts.player, {
    session: system.session,
    createMetadata: (init) => init as MediaMetadata,
    artworkUrl: (track) => `${track.imageUrl}?w=512&h=512`,
    neutral: { title: 'Sotto', artworkUrl: '/neutral.png' },
  });
  return { ...parts, system, disconnect };
}

function setUpPlaying(options: Parameters<typeof setUp>[0] = {}) {
  const parts = setUp(options);
  parts.player.playList(createTracks('abc'), 0);
  parts.media.receiveFile(300);
  return parts;
}

test('shows nothing before an audio is loaded', () => {
  const { system } = setUp();
  expect(system.session).toMatchObject({ metadata: null, playbackState: 'none' });
});

test('shows title, creator and an image of 512 by 512', () => {
  const { system } = setUpPlaying();
  expect(system.session.metadata).toEqual({
    title: 'Audio a',
    artist: 'Maren Holt',
    artwork: [{ src: '/images/a.webp?w=512&h=512', sizes: '512x512' }],
  });
});

test('in discreet mode shows only the name of the site', () => {
  const { system, player } = setUpPlaying();
  player.setDiscreet(true);
  expect(system.session.metadata).toEqual({
    title: 'Sotto',
    artwork: [{ src: '/neutral.png', sizes: '512x512' }],
  });
  player.next();
  expect(JSON.stringify(system.session.metadata)).not.toMatch(/Audio|Maren/);
  player.setDiscreet(false);
  expect(system.session.metadata).toMatchObject({ title: 'Audio b' });
});

test('follows playback', () => {
  const { system, player, media } = setUpPlaying();
  expect(system.session.playbackState).toBe('playing');
  player.pause();
  expect(system.session.playbackState).toBe('paused');
  player.next();
  media.receiveFile(100);
  expect(system.session).toMatchObject({ playbackState: 'playing', metadata: { title: 'Audio b' } });
  player.setListener({ id: 'u' });
  player.setListener(null);
  expect(system.session).toMatchObject({ playbackState: 'none', metadata: null });
});

test('its keys run the same commands as the buttons', () => {
  const { system, player, media, reported } = setUpPlaying();
  reported();
  system.press('pause');
  system.press('play');
  system.press('nexttrack');
  media.receiveFile(200);
  system.press('previoustrack');
  media.receiveFile(300);
  system.press('seekto', { seekTime: 150 });
  system.press('seekforward');
  expect(player.getPosition()).toBe(165);
  expect(reported()).toEqual([
    'pause_click',
    'play_click',
    'play_next',
    'audio_played',
    'play_previous',
    'audio_played',
    'audio_progress',
    'seek_to_position',
    'audio_progress',
    'seek_15s_forward',
  ]);
});

test('its seek keys move 15 seconds each way, or as far as the system says, within the audio', () => {
  const { system, player, media, clock, reported } = setUpPlaying();
  const press = (...pressed: Parameters<typeof system.press>) => {
    clock.advance(1000);
    system.press(...pressed);
    media.finishSeek();
    return player.getPosition();
  };
  press('seekto', { seekTime: 150 });
  reported();
  expect(press('seekbackward')).toBeCloseTo(135, 3);
  expect(press('seekforward')).toBeCloseTo(150, 3);
  expect(reported()).toEqual(expect.arrayContaining(['seek_15s_back', 'seek_15s_forward']));
  expect(press('seekbackward', { seekOffset: 10 })).toBeCloseTo(140, 3);
  expect(press('seekforward', { seekOffset: 30 })).toBeCloseTo(170, 3);
  press('seekto', { seekTime: 14 });
  expect(press('seekbackward')).toBe(0);
  press('seekto', { seekTime: 290 });
  expect(press('seekforward')).toBeCloseTo(300, 2);
});

test('on iOS the seek keys are off, so that next and previous stay; dragging still works', () => {
  const { system } = setUpPlaying({ isIos: true });
  expect(system.handlers.get('seekbackward')).toBeNull();
  expect(system.handlers.get('seekforward')).toBeNull();
  expect(system.handlers.get('nexttrack')).toBeTypeOf('function');
  expect(system.handlers.get('seekto')).toBeTypeOf('function');
});

test('the key handlers are set again whenever playback starts', () => {
  const { system, player } = setUpPlaying();
  const before = system.settings();
  player.pause();
  player.play();
  expect(system.settings()).toBeGreaterThan(before);
});

test('previous and next are off for listeners without access, and at the end of the list', () => {
  expect(setUpPlaying({ maySkip: false }).system.handlers.get('nexttrack')).toBeNull();
  const { system, player } = setUpPlaying();
  player.clearQueue();
  expect(system.handlers.get('nexttrack')).toBeNull();
  expect(system.handlers.get('previoustrack')).toBeTypeOf('function');
});

test('the position is sent on start, stop, jump and change of speed, but not continuously', () => {
  const { system, player, media, hear } = setUpPlaying();
  const before = system.positions.length;
  hear(0.75);
  expect(system.positions).toHaveLength(before);
  player.seekTo(0.5);
  expect(system.positions.at(-1)).toEqual({ duration: 300, position: 150, playbackRate: 1 });
  player.setRate(1.5);
  expect(system.positions.at(-1)).toEqual({ duration: 300, position: 150, playbackRate: 1.5 });
  media.finishSeek();
  const after = system.positions.length;
  hear(0.5);
  expect(system.positions).toHaveLength(after);
});

test('what plays already is shown at once, as when the code arrives after the first sound', () => {
  const { player, media } = createTestPlayer();
  player.playList(createTracks('abc'), 0);
  media.receiveFile(300);
  const { session, positions } = createSystem();
  connectMediaSession(player, {
    session,
    createMetadata: (init) => init as MediaMetadata,
    artworkUrl: () => '',
    neutral: { title: 'Sotto', artworkUrl: '' },
  });
  expect(session).toMatchObject({ metadata: { title: 'Audio a' }, playbackState: 'playing' });
  expect(positions).toEqual([{ duration: 300, position: 0, playbackRate: 1 }]);
});

test('an action that the browser does not know does not affect the others', () => {
  const { system } = setUpPlaying({ unknownActions: ['stop', 'seekto'] });
  expect(system.handlers.get('nexttrack')).toBeTypeOf('function');
});

test('disconnecting clears the session and stops updates', () => {
  const { system, player, disconnect } = setUpPlaying();
  disconnect();
  expect([...system.handlers.values()].every((handler) => handler === null)).toBe(true);
  player.next();
  expect(system.session).toMatchObject({ metadata: null, playbackState: 'none' });
});

test('does nothing where there is no media session', () => {
  const { player } = createTestPlayer();
  const disconnect = connectMediaSession(player, {
    session: undefined,
    artworkUrl: () => '',
    neutral: { title: 'Sotto', artworkUrl: '' },
  });
  player.playList(createTracks('a'), 0);
  expect(disconnect).not.toThrow();
});
