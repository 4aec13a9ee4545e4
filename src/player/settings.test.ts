import { expect, test } from 'vitest';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTracks } from '#test/support/player/fake-tracks.ts';
import { defaultSettings, readSettings } from './settings.ts';

const storageOf = (kept: Map<string, string>) => ({
  get: (key: string) => kept.get(key) ?? null,
  set: (key: string, value: string) => void kept.set(key, value),
});

test('volume, mute and speed are restored in the next session', () => {
  const { player, kept } = createTestPlayer();
  player.setVolume(0.4);
  player.toggleMute();
  player.setRate(1.25);
  const again = createTestPlayer({ storage: storageOf(kept) });
  expect(again.player.getEngineSnapshot()).toMatchObject({ volume: 0.4, muted: true, rate: 1.25 });
  expect(again.media).toMatchObject({ volume: 0.4, muted: true });
});

test('discreet mode is that of the page; the player does not store it', () => {
  const { player, kept } = createTestPlayer({ discreet: true });
  expect(player.getSnapshot().isDiscreet).toBe(true);
  expect(createTestPlayer({ storage: storageOf(kept), discreet: false }).player.getSnapshot().isDiscreet).toBe(false);
  player.setDiscreet(false);
  expect(player.getSnapshot().isDiscreet).toBe(false);
  player.setVolume(0.4);
  expect(kept.get('sotto_player')).not.toContain('isDiscreet');
});

test('moving the volume ends the mute; unmuting at volume zero makes sound audible', () => {
  const { player } = createTestPlayer();
  player.toggleMute();
  player.setVolume(0.3);
  expect(player.getEngineSnapshot()).toMatchObject({ volume: 0.3, muted: false });
  player.setVolume(0);
  player.toggleMute();
  expect(player.getEngineSnapshot()).toMatchObject({ volume: 0.5, muted: false });
});

test.each(['', 'null', '[]', '{', '{"volume":7,"rate":"fast","muted":1,"keepsPlaying":null}'])(
  'an invalid stored value %j is ignored',
  (text) => {
    expect(readSettings(storageOf(new Map([['sotto_player', text]])))).toEqual(defaultSettings);
  },
);

test('a tab that starts pauses the others, but not itself', async () => {
  const [one, two] = [new BroadcastChannel('sotto-player-test'), new BroadcastChannel('sotto-player-test')];
  const first = createTestPlayer({ channel: one });
  const second = createTestPlayer({ channel: two });
  try {
    first.player.playList(createTracks('a'), 0);
    first.media.receiveFile(300);
    first.reported();
    const paused = new Promise<void>((resolve) => {
      first.player.subscribe(() => {
        if (first.player.getSnapshot().status === 'paused') resolve();
      });
    });
    second.player.playList(createTracks('b'), 0);
    second.media.receiveFile(300);
    await paused;
    expect(second.player.getSnapshot().status).toBe('playing');
    expect(first.reported()).not.toContain('pause_click');
  } finally {
    one.close();
    two.close();
  }
});

test('other messages from tabs change nothing', () => {
  const channel = new EventTarget() as EventTarget & { postMessage(message: unknown): void };
  const sent: unknown[] = [];
  channel.postMessage = (message) => sent.push(message);
  const { player, media } = createTestPlayer({ channel: channel as BroadcastChannel });
  player.playList(createTracks('ab'), 0);
  media.receiveFile(300);
  channel.dispatchEvent(new MessageEvent('message', { data: { type: 'other' } }));
  expect(player.getSnapshot().status).toBe('playing');
  player.next();
  expect(sent).toEqual(['started']);
});
