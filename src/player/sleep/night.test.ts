import { expect, test } from 'vitest';
import {
  type RemoteState,
  afterSign,
  afterStop,
  answerTo,
  audibleFraction,
  createShakeDetector,
  isWithinHours,
  noNight,
  offerOf,
  wasLeft,
} from './night.ts';

const minute = 60_000;
const place = (audioId: string, seconds: number, at: number) => ({ audioId, seconds, at });

test('the sound fades in the last thirty seconds, faster at first', () => {
  expect([60_000, 30_000, 15_000, 0, -10].map(audibleFraction)).toEqual([1, 1, 0.25, 0, 0]);
});

test('the next start goes back thirty seconds before the last sign, and not before the beginning', () => {
  const night = afterStop(afterSign(noNight, place('a', 292, 0)), place('a', 621, 6 * minute));
  expect(offerOf(night, 7 * minute)).toMatchObject({ from: { audioId: 'a', seconds: 262 }, stopped: { seconds: 621 } });
  const early = afterStop(afterSign(noNight, place('a', 12, 0)), place('b', 40, 6 * minute));
  expect(offerOf(early, 7 * minute)).toMatchObject({ from: { audioId: 'a', seconds: 0 }, stopped: { audioId: 'b' } });
});

test.each([
  ['within a minute of the sign', place('a', 340, 0.8 * minute)],
  ['where the listener had paused', place('a', 292, 9 * minute)],
])('sound that stopped %s was stopped awake', (_, stopped) => {
  expect(afterStop(afterSign(noNight, place('a', 292, 0)), stopped)).toEqual(noNight);
});

test('signs after the end change nothing, and the offer is forgotten after three days', () => {
  const night = afterStop(afterSign(noNight, place('a', 292, 0)), place('a', 621, 6 * minute));
  expect(afterSign(night, place('a', 621, 400 * minute))).toBe(night);
  expect(offerOf(night, 4 * 24 * 60 * minute)).toBeUndefined();
});

test('a page that ended under a timer was left, but not a paused one', () => {
  const night = { ...afterSign(noNight, place('a', 292, 0)), isTimed: true };
  expect(wasLeft(night, 11 * minute)).toBe(true);
  expect(wasLeft(night, 9 * minute)).toBe(false);
  expect(wasLeft({ ...night, isTimed: false }, 11 * minute)).toBe(false);
});

const state: RemoteState = {
  isOn: true,
  isPlaying: true,
  isEnding: false,
  isNight: true,
  msSinceStop: undefined,
  msSinceDevices: Number.POSITIVE_INFINITY,
};
const stopped = { ...state, isPlaying: false, msSinceStop: 20_000 };

test.each([
  ['pause', state, 'obey'],
  ['pause', { ...state, isEnding: true }, 'prolong'],
  ['next', { ...state, isEnding: true }, 'prolong'],
  ['pause', { ...state, isEnding: true, isOn: false }, 'obey'],
  ['play', stopped, 'resume'],
  ['pause', stopped, 'obey'],
  ['play', { ...stopped, msSinceStop: 5 * minute }, 'obey'],
  ['play', { ...stopped, isOn: false }, 'obey'],
  // Headphones were lost, or connect again.
  ['pause', { ...state, isEnding: true, msSinceDevices: 800 }, 'obey-unseen'],
  ['play', { ...stopped, msSinceDevices: 800 }, 'ignore'],
  ['play', { ...stopped, msSinceStop: undefined, isNight: false, msSinceDevices: 800 }, 'obey'],
] as const)('the key %s in the state %j: %s', (key, now, answer) => {
  expect(answerTo(key, now)).toBe(answer);
});

test('hours may go over midnight, and equal ones are the whole day', () => {
  const at = (from: string, to: string) =>
    ['05:59', '06:00', '12:00', '22:29', '22:30', '23:59', '00:00'].filter((clock) =>
      isWithinHours({ from, to }, clock),
    );
  expect(at('22:30', '06:00')).toEqual(['05:59', '22:30', '23:59', '00:00']);
  expect(at('06:00', '22:30')).toEqual(['06:00', '12:00', '22:29']);
  expect(at('22:30', '22:30')).toHaveLength(7);
});

test('two strokes are a shake; turning over, one bump and two that are far apart are none', () => {
  const shakes = (samples: [x: number, at: number][]) => {
    const isShaken = createShakeDetector();
    return samples.filter(([x, at]) => isShaken({ x, y: 0, z: 9.8 }, at)).length;
  };
  expect(
    shakes([
      [25, 0],
      [25, 20],
      [-25, 300],
    ]),
  ).toBe(1);
  expect(
    shakes([
      [12, 0],
      [-12, 300],
      [12, 600],
    ]),
  ).toBe(0);
  expect(
    shakes([
      [25, 0],
      [25, 50],
    ]),
  ).toBe(0);
  expect(
    shakes([
      [25, 0],
      [-25, 2000],
    ]),
  ).toBe(0);
});
