import { expect, test } from 'vitest';
import type { PlayerEvent } from '#player/reports/player-events.ts';
import { withNewer } from './listening-calls.ts';
import { createResumePositions } from './resume-positions.ts';

function eventOf(name: 'audio_progress' | 'audio_completed', position: number): PlayerEvent {
  const about = { trackId: 'a', voiceId: 'v', source: 'category', position };
  return name === 'audio_progress' ? { ...about, name, isPlaying: true } : { ...about, name };
}

test('an audio resumes at the position saved with the account', () => {
  const resumePositions = createResumePositions();
  expect(resumePositions.of('a')).toBe(0);
  resumePositions.replace({ a: 95 });
  expect(resumePositions.of('a')).toBe(95);
  expect(resumePositions.find('b')).toBeUndefined();
});

test('a position from this page overrides the earlier one of the account and those of a page’s data', () => {
  const resumePositions = createResumePositions();
  resumePositions.replace({ a: 95, b: 7 });
  resumePositions.report(eventOf('audio_progress', 40));
  resumePositions.seed({ a: 95 });
  expect(resumePositions.of('a')).toBe(40);
  expect(resumePositions.of('b')).toBe(7);
});

test('the account’s position overrides the earlier one of this page, because another device played on', () => {
  const resumePositions = createResumePositions();
  resumePositions.report(eventOf('audio_progress', 600));
  resumePositions.replace({ a: 2400 });
  resumePositions.seed({ a: 600 });
  expect(resumePositions.of('a')).toBe(2400);
  resumePositions.report(eventOf('audio_progress', 2410));
  expect(resumePositions.of('a')).toBe(2410);
  resumePositions.replace({}, ['a']);
  expect([resumePositions.find('a'), resumePositions.isHeard('a')]).toEqual([undefined, true]);
});

test('positions that the account has not received yet are newer than its own', () => {
  const newer = new Map([
    ['a', 40],
    ['b', undefined],
    ['c', 3],
  ]);
  expect(withNewer({ positions: { a: 95, b: 7, d: 1 }, completed: ['c'] }, newer)).toEqual({
    positions: { a: 40, c: 3, d: 1 },
    completed: ['c', 'b'],
  });
});

test('an audio finished on this page has no position, even when the account has one', () => {
  const resumePositions = createResumePositions();
  resumePositions.replace({ a: 95 });
  resumePositions.report(eventOf('audio_completed', 300));
  expect(resumePositions.of('a')).toBe(0);
});

test('a position deleted from the account or removed from the history is gone', () => {
  const resumePositions = createResumePositions();
  resumePositions.replace({ a: 95, b: 7 });
  resumePositions.replace({ b: 7 });
  expect(resumePositions.of('a')).toBe(0);
  resumePositions.report(eventOf('audio_progress', 40));
  resumePositions.clear('a');
  expect(resumePositions.of('a')).toBe(0);
  resumePositions.clear();
  expect(resumePositions.of('b')).toBe(0);
});

test('a completed audio without a position counts as heard to the end', () => {
  const resumePositions = createResumePositions();
  resumePositions.replace({ a: 95 }, ['a', 'b']);
  expect(['a', 'b', 'c'].map(resumePositions.isHeard)).toEqual([false, true, false]);
  resumePositions.report(eventOf('audio_completed', 300));
  expect(resumePositions.isHeard('a')).toBe(true);
  resumePositions.report(eventOf('audio_progress', 12));
  expect(resumePositions.isHeard('a')).toBe(false);
  resumePositions.clear('b');
  expect(resumePositions.isHeard('b')).toBe(false);
});
