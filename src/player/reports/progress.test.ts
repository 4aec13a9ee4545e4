import { describe, expect, test } from 'vitest';
import {
  fractionOf,
  isInProgress,
  listen,
  listenedSeconds,
  markSent,
  nothingListened,
  resumePosition,
  secondsAt,
  secondsDue,
  SLIDER_MAX,
  type Listened,
  type Sample,
} from './progress.ts';

/** Playback with four samples a second, as browsers fire `timeupdate`. */
function hear(listened: Listened, seconds: number, from: { position: number; now: number }, rate = 1): Listened {
  const samples: Sample[] = [];
  for (let count = 0; count <= seconds * 4; count += 1) {
    const passed = count / 4;
    samples.push({ playing: true, position: from.position + passed * rate, now: from.now + passed * 1000, rate });
  }
  return samples.reduce(listen, listened);
}

describe('seconds listened', () => {
  test('are the wall-clock seconds of playback', () => {
    const listened = hear(nothingListened, 40, { position: 0, now: 0 });
    expect(listenedSeconds(listened, 300)).toBeCloseTo(40);
  });

  test('at double speed are half the seconds of the audio', () => {
    expect(listenedSeconds(hear(nothingListened, 40, { position: 0, now: 0 }, 2), 300)).toBeCloseTo(40);
  });

  test('exclude pauses', () => {
    const first = hear(nothingListened, 10, { position: 0, now: 0 });
    const paused = listen(first, { playing: false, position: 10, now: 10_000 });
    const second = hear(paused, 5, { position: 10, now: 500_000 });
    expect(listenedSeconds(second, 300)).toBeCloseTo(15);
  });

  test('exclude jumps forwards and backwards', () => {
    const first = hear(nothingListened, 10, { position: 0, now: 0 });
    const forwards = hear(first, 10, { position: 200, now: 10_250 });
    const backwards = hear(forwards, 10, { position: 20, now: 20_500 });
    expect(listenedSeconds(backwards, 300)).toBeCloseTo(30);
  });

  test('exclude the time that the computer slept', () => {
    const first = hear(nothingListened, 10, { position: 0, now: 0 });
    const slept = hear(first, 10, { position: 10.25, now: 3_600_000 });
    expect(listenedSeconds(slept, 300)).toBeCloseTo(20.25);
  });

  test('are complete even when events come a little early or late', () => {
    const listened = Array.from({ length: 241 }, (_, count) => ({
      playing: true,
      position: count / 4,
      now: count * 250 + (count % 2 ? 60 : 0),
    })).reduce(listen, nothingListened);
    expect(listenedSeconds(listened, 300)).toBeCloseTo(60);
  });

  test('are counted separately from a change of speed on', () => {
    const fast = hear(nothingListened, 10, { position: 0, now: 0 }, 2);
    const slow = hear(fast, 10, { position: 20, now: 10_000 }, 0.5);
    expect(listenedSeconds(slow, 300)).toBeCloseTo(20);
  });

  test('are capped at twice the duration', () => {
    let listened = nothingListened;
    for (let round = 0; round < 5; round += 1) listened = hear(listened, 40, { position: 0, now: round * 40_250 });
    expect(listenedSeconds(listened, 40)).toBe(80);
  });
});

describe('sending', () => {
  test('is due from 30 seconds on', () => {
    expect(secondsDue(hear(nothingListened, 29.75, { position: 0, now: 0 }), 300)).toBe(0);
    expect(secondsDue(hear(nothingListened, 30, { position: 0, now: 0 }), 300)).toBe(30);
  });

  test('after a report, only newer seconds are due', () => {
    const first = hear(nothingListened, 40, { position: 0, now: 0 });
    const sent = markSent(first, secondsDue(first, 300));
    expect(secondsDue(sent, 300)).toBe(0);
    expect(secondsDue(hear(sent, 5, { position: 40, now: 40_000 }), 300)).toBeCloseTo(5);
  });

  test('never exceeds the cap in total', () => {
    const first = hear(nothingListened, 70, { position: 0, now: 0 });
    const sent = markSent(first, secondsDue(first, 40));
    const again = hear(sent, 60, { position: 0, now: 80_000 });
    expect(sent.sent + secondsDue(again, 40)).toBe(80);
  });
});

describe('places', () => {
  test('the fraction stays between 0 and the end of the slider', () => {
    expect(fractionOf(75, 300)).toBe(0.25);
    expect(fractionOf(300, 300)).toBe(SLIDER_MAX);
    expect(fractionOf(-1, 300)).toBe(0);
    expect(fractionOf(10, 0)).toBe(0);
  });

  test('dragging to the end of the slider stays before the end of the audio', () => {
    expect(secondsAt(1, 300)).toBeLessThan(300);
    expect(secondsAt(0.5, 300)).toBe(150);
    expect(secondsAt(1 / 60 + 15 / 60 + 15 / 60, 60)).toBe(31);
    expect(secondsAt(-1, 300)).toBe(0);
  });

  test('an audio is in progress when something was heard or it is playing', () => {
    expect(isInProgress(0, false)).toBe(false);
    expect(isInProgress(0.1, false)).toBe(true);
    expect(isInProgress(0, true)).toBe(true);
  });

  test('resumes at the stored second, except at the very end', () => {
    expect(resumePosition(95, 300)).toBe(95);
    expect(resumePosition(299, 300)).toBe(0);
    expect(resumePosition(undefined, 300)).toBe(0);
    expect(resumePosition(Number.NaN, 300)).toBe(0);
    expect(resumePosition(-5, 300)).toBe(0);
    expect(resumePosition(95, 0)).toBe(95);
  });
});
