import { expect, test } from 'vitest';
import { createTimeLeft } from './time-left.ts';

test('the time left follows what the steps took on this machine, and is unknown at first', () => {
  let now = 0;
  const timeLeft = createTimeLeft(() => now);
  const at = (ms: number, step: Parameters<typeof timeLeft>[0], percent: number) => {
    now = ms;
    return timeLeft(step, percent);
  };
  expect(at(0, 'loudness', 0)).toBeUndefined();
  expect(at(1000, 'loudness', 50)).toBeUndefined();
  // Ten seconds of loudness; thirty of encoding and ten of waveform follow.
  expect(at(5000, 'loudness', 50)).toBe(45);
  expect(at(10_000, 'encoding', 0)).toBe(40);
  // Encoding is twice as slow as estimated: it needs 54 seconds, and the waveform is scaled by the speed so far.
  expect(at(16_000, 'encoding', 10)).toBe(67);
  expect(at(70_000, 'waveform', 0)).toBe(18);
  expect(at(74_000, 'waveform', 50)).toBe(4);
});

test('a step that begins again counts from its new beginning', () => {
  let now = 0;
  const timeLeft = createTimeLeft(() => now);
  timeLeft('loudness', 0);
  now = 10_000;
  timeLeft('waveform', 0);
  now = 12_000;
  expect(timeLeft('encoding', 0)).toBeGreaterThan(0);
  now = 22_000;
  expect(timeLeft('encoding', 50)).toBeGreaterThanOrEqual(10);
});
