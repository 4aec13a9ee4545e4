import { expect, test } from 'vitest';
import { createFakeClock } from '#test/support/player/fake-clock.ts';
import { createTrack } from '#test/support/player/fake-tracks.ts';
import { createListening } from './listening.ts';
import { createResumePositions, MAX_LAG_SECONDS } from './resume-positions.ts';

const [rain, sea] = [createTrack('rain'), createTrack('sea')];

/** @param there the account's position of each audio */
function open(there: Record<string, number> = {}) {
  const listening = createListening(createFakeClock(), () => {});
  return { listening, positions: createResumePositions(listening, ({ id }) => there[id]) };
}

test('the browser’s own position wins over the account’s, which lags behind by what is reported each time', () => {
  for (const [here, there, taken] of [
    [60, undefined, 60],
    [undefined, 60, 60],
    [undefined, undefined, 0],
    [60, 60 - MAX_LAG_SECONDS, 60],
    [60, 60 + MAX_LAG_SECONDS, 60],
    // Another device played on, or back.
    [60, 60 - MAX_LAG_SECONDS - 1, 60 - MAX_LAG_SECONDS - 1],
    [60, 60 + MAX_LAG_SECONDS + 1, 60 + MAX_LAG_SECONDS + 1],
  ] as const) {
    const { positions } = open(there === undefined ? {} : { rain: there });
    if (here !== undefined) positions.restore({ id: 'rain', seconds: here });
    expect([here, there, positions.of(rain)]).toEqual([here, there, taken]);
    expect(positions.of(sea)).toBe(0);
  }
});

test('the position that came with the saved queue gives way to the account’s, and to the browser’s', () => {
  const { positions } = open({ rain: 58 });
  positions.suggest({ id: 'rain', seconds: 60 });
  expect(positions.of(rain)).toBe(58);
  positions.suggest({ id: 'sea', seconds: 30 });
  expect([positions.of(rain), positions.of(sea)]).toEqual([58, 30]);
  positions.restore({ id: 'rain', seconds: 61 });
  positions.suggest({ id: 'rain', seconds: 10 });
  expect(positions.of(rain)).toBe(61);
});

test('new positions of the account win over those of this page, but for the audio that is current and has not sounded', () => {
  const { positions, listening } = open();
  positions.restore({ id: 'rain', seconds: 60 });
  listening.savePosition('sea', 20);
  positions.renew(rain);
  expect([positions.of(rain), positions.of(sea)]).toEqual([60, 0]);
  positions.renew(sea);
  expect(positions.of(rain)).toBe(0);
});

test('an audio that was removed from the history begins anew, others stay', () => {
  const { positions, listening } = open();
  positions.restore({ id: 'rain', seconds: 60 });
  listening.savePosition('sea', 20);
  positions.drop('sea');
  expect([positions.of(rain), positions.of(sea)]).toEqual([60, 0]);
  positions.drop('rain');
  expect(positions.of(rain)).toBe(0);
});

test('a log-out leaves no position of the former listener', () => {
  const { positions, listening } = open();
  positions.restore({ id: 'rain', seconds: 60 });
  listening.savePosition('sea', 20);
  positions.clear();
  expect([positions.of(rain), positions.of(sea)]).toEqual([0, 0]);
});
