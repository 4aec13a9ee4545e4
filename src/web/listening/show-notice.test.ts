import { expect, test } from 'vitest';
import { localClock } from '#formats/local/local-clock.ts';
import { noticeText } from './show-notice.ts';

test('the audios dropped from a queue are counted', () => {
  expect(noticeText({ kind: 'dropped-from-queue', count: 1 })).toBe('Skipped 1 audio that is no longer available');
  expect(noticeText({ kind: 'dropped-from-queue', count: 12 })).toBe('Skipped 12 audios that are no longer available');
});

test('a broken file is named, with what plays next', () => {
  const broken = { kind: 'file-broken', trackId: 'a', title: 'Echo' } as const;
  expect(noticeText({ ...broken, continues: true })).toBe('“Echo” cannot be played. Playing the next audio');
  expect(noticeText({ ...broken, continues: false })).toBe('“Echo” cannot be played');
});

test('an audio that is no longer free is named, with what plays next', () => {
  const locked = { kind: 'now-locked', title: 'Echo' } as const;
  expect(noticeText({ ...locked, continues: true })).toBe('“Echo” is for subscribers now. Playing the next audio');
  expect(noticeText({ ...locked, continues: false })).toBe('“Echo” is for subscribers now.');
});

test('a full queue states its limit', () => {
  expect(noticeText({ kind: 'queue-full', limit: 1000 })).toBe('Your queue is full: it holds 1,000 audios');
});

test('a prolonged timer says until when', () => {
  const until = Date.parse('2026-11-30T23:52:00Z');
  expect(noticeText({ kind: 'prolonged', until, undo: () => {} })).toBe(`Plays until ${localClock(until)}`);
});

test('another device that missed a report counts as having played, not as playing', () => {
  const fallbackUrl = { kind: 'playing-elsewhere', device: 'Chrome on Android' } as const;
  expect(noticeText({ ...fallbackUrl, secondsAgo: 9 })).toBe('Playing on another device: Chrome on Android');
  expect(noticeText({ ...fallbackUrl, secondsAgo: 18 })).toBe(
    'Was playing 18 seconds ago on another device: Chrome on Android',
  );
});
