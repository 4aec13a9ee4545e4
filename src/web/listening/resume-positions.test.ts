import { expect, test } from 'vitest';
import type { PlayerEvent } from '#player/player-events.ts';
import { createResumePositions } from './resume-positions.ts';

function eventOf(name: 'audio_progress' | 'audio_completed', position: number): PlayerEvent {
  const about = { trackId: 'a', voiceId: 'v', source: 'category', position };
  return name === 'audio_progress' ? { ...about, name, isPlaying: true } : { ...about, name };
}

test('an audio resumes at the position saved with the account', () => {
  const resumePositions = createResumePositions();
  expect(resumePositions.of('a')).toBe(0);
  resumePositions.take({ a: 95 });
  expect(resumePositions.of('a')).toBe(95);
  expect(resumePositions.find('b')).toBeUndefined();
});

test('a position from this page overrides the one from the account', () => {
  const resumePositions = createResumePositions();
  resumePositions.report(eventOf('audio_progress', 40));
  resumePositions.take({ a: 95, b: 7 });
  expect(resumePositions.of('a')).toBe(40);
  expect(resumePositions.of('b')).toBe(7);
});

test('an audio finished on this page has no position, even when the account has one', () => {
  const resumePositions = createResumePositions();
  resumePositions.take({ a: 95 });
  resumePositions.report(eventOf('audio_completed', 300));
  resumePositions.take({ a: 95 });
  expect(resumePositions.of('a')).toBe(0);
});

test('a position deleted from the account or removed from the history is gone', () => {
  const resumePositions = createResumePositions();
  resumePositions.take({ a: 95, b: 7 });
  resumePositions.take({ b: 7 });
  expect(resumePositions.of('a')).toBe(0);
  resumePositions.report(eventOf('audio_progress', 40));
  resumePositions.clear('a');
  expect(resumePositions.of('a')).toBe(0);
  resumePositions.clear();
  expect(resumePositions.of('b')).toBe(0);
});

test('a completed audio without a position counts as heard to the end', () => {
  const resumePositions = createResumePositions();
  resumePositions.take({ a: 95 }, ['a', 'b']);
  expect(['a', 'b', 'c'].map(resumePositions.isHeard)).toEqual([false, true, false]);
  resumePositions.report(eventOf('audio_completed', 300));
  expect(resumePositions.isHeard('a')).toBe(true);
  resumePositions.report(eventOf('audio_progress', 12));
  expect(resumePositions.isHeard('a')).toBe(false);
  resumePositions.clear('b');
  expect(resumePositions.isHeard('b')).toBe(false);
});
