import { expect, test } from 'vitest';
import { createPeaks } from './peaks.ts';

const pairsOf = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / 2 }, (_none, point) => [bytes[2 * point], bytes[2 * point + 1]]);

test('each point has the largest and the mean amplitude of its part of the recording', () => {
  const peaks = createPeaks();
  peaks.add(new Float64Array(4800).fill(0.5), 1);
  peaks.add(new Float64Array(4800), 1);
  peaks.add(
    Float64Array.from({ length: 4800 }, (_none, index) => (index % 2 === 0 ? 1 : 0)),
    1,
  );
  expect(pairsOf(peaks.finish(3))).toEqual([
    [128, 128],
    [0, 0],
    [255, Math.round(255 * Math.SQRT1_2)],
  ]);
});

test('a recording of any length takes the same memory, and keeps its shape', () => {
  const peaks = createPeaks();
  const minute = new Float64Array(48_000 * 60);
  for (let turn = 0; turn < 6; turn += 1) {
    minute.fill(turn % 2 === 0 ? 0.8 : 0.2);
    peaks.add(minute, 2);
  }
  const pairs = pairsOf(peaks.finish(6));
  // Buckets on the edge between two parts belong to both.
  expect(pairs.map(([, loudness]) => loudness)).toEqual(
    [204, 51, 204, 51, 204, 51].map((value) => expect.closeTo(value, -0.5)),
  );
});

test('both channels count: the louder one for the peak, both for the mean', () => {
  const peaks = createPeaks();
  peaks.add(
    Float64Array.from({ length: 2000 }, (_none, index) => (index % 2 === 0 ? 1 : 0)),
    2,
  );
  expect(pairsOf(peaks.finish(1))).toEqual([[255, Math.round(255 * Math.SQRT1_2)]]);
});
