import { expect, test } from 'vitest';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack, createTracks } from '#test/support/player/fake-tracks.ts';
import { isCurrent, isInProgress, progressOf, stateOf } from './playback.ts';

test('a row’s playback state stays the same object while audio plays', () => {
  const { player, media, hear } = createTestPlayer();
  player.playList(createTracks('abc'), 0);
  media.receiveFile(300);
  hear(1);
  let changes = 0;
  let positions = 0;
  player.subscribe(() => (changes += 1));
  player.subscribePosition(() => (positions += 1));
  const drawn = () =>
    ['a', 'b', 'c'].map((id) => [
      isCurrent(player.getSnapshot(), id),
      stateOf(player.getSnapshot(), id),
      isInProgress(player, id, 0),
    ]);
  const before = drawn();
  expect(before).toEqual([
    [true, 'playing', true],
    [false, 'idle', false],
    [false, 'idle', false],
  ]);
  hear(60);
  expect(drawn()).toEqual(before);
  expect(changes).toBe(0);
  expect(positions).toBeGreaterThan(200);
});

test('a row’s progress bar moves in steps of half a percent', () => {
  const { player, media, hear } = createTestPlayer();
  const track = createTrack('a', { numberDuration: 300 });
  player.playList([track], 0);
  media.receiveFile(300);
  const seen = new Set<number>();
  for (let second = 0; second < 30; second += 1) {
    hear(1);
    seen.add(progressOf(player, track, 0));
  }
  expect(progressOf(player, track, 0)).toBeCloseTo(0.1);
  expect(seen.size).toBeLessThanOrEqual(21);
});

test('the preview that has not been played is not current in any list', () => {
  const { player, media } = createTestPlayer();
  player.setPreview(createTrack('a'));
  expect(isCurrent(player.getSnapshot(), 'a')).toBe(false);
  player.play();
  media.receiveFile(300);
  expect(isCurrent(player.getSnapshot(), 'a')).toBe(true);
});

test('a half-heard audio is still in progress when another one plays', () => {
  const { player, media } = createTestPlayer();
  const track = createTrack('a', { numberDuration: 300 });
  player.playList([createTrack('b')], 0);
  media.receiveFile(300);
  expect(isInProgress(player, 'a', 30)).toBe(true);
  expect(isInProgress(player, 'a', 0)).toBe(false);
  expect(progressOf(player, track, 30)).toBeCloseTo(0.1);
  expect(stateOf(player.getSnapshot(), 'a')).toBe('idle');
});

test('an audio heard to the end offers Play, not Resume', () => {
  const { player, media, hear } = createTestPlayer();
  const track = createTrack('a', { numberDuration: 10 });
  player.playList([track], 0);
  media.receiveFile(10);
  hear(5);
  media.reachEnd();
  expect(player.getSnapshot().status).toBe('ended');
  expect(stateOf(player.getSnapshot(), 'a')).toBe('idle');
  expect(isInProgress(player, 'a', 5)).toBe(false);
  expect(progressOf(player, track, 0)).toBe(0);
});
