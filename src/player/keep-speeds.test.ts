import { expect, test } from 'vitest';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack } from '#test/support/player/fake-tracks.ts';
import { keepSpeeds } from './keep-speeds.ts';

const by = (id: string, creator: string) => createTrack(id, { voice: { id: creator, name: creator, slug: creator } });
const list = [by('a', 'noor'), by('b', 'amara'), by('c', 'noor')];

function open(kept = new Map<string, string>()) {
  const storage = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void kept.set(key, value),
  };
  const page = createTestPlayer({ storage });
  keepSpeeds(page.player, storage);
  return { ...page, kept, rate: () => page.media.playbackRate };
}

test('a speed is kept for the creator of the audio, and others keep theirs', () => {
  const { player, rate, media } = open();
  player.playList(list, 0);
  media.receiveFile(300);
  player.setRate(1.25);
  player.next();
  expect(rate()).toBe(1);
  player.setRate(0.75);
  player.next();
  expect(rate()).toBe(1.25);
  player.playList(list, 1);
  expect(rate()).toBe(0.75);
});

test('it survives a reload, and unreadable speeds are ignored', () => {
  const { player, kept } = open();
  player.playList(list, 0);
  player.setRate(1.5);
  const again = open(kept);
  again.player.playList(list, 1);
  expect(again.rate()).toBe(1);
  again.player.playList(list, 0);
  expect(again.rate()).toBe(1.5);
  const broken = open(new Map([['sotto_speeds', '{"noor":9,"amara":"fast"}']]));
  broken.player.playList(list, 0);
  expect(broken.rate()).toBe(1);
});

test('the speed that was set for all before goes on for creators without one of their own', () => {
  const { player, rate } = open(new Map([['sotto_player', '{"rate":1.75}']]));
  player.playList(list, 0);
  expect(rate()).toBe(1.75);
  player.setRate(1);
  player.playList(list, 1);
  expect(rate()).toBe(1.75);
});
