import { expect, test } from 'vitest';
import type { Cue } from '#domain/catalogue/rules.ts';
import { correctTimes, cueBetween, indexAt, joinCues, nextToCheck, splitCue } from './cue-edits.ts';

const line = { start: 10, end: 14, text: 'I love thee freely' };

test('a line is cut at the playhead and at the caret', () => {
  expect(splitCue(line, 11.5, 7)).toEqual([
    { start: 10, end: 11.5, text: 'I love' },
    { start: 11.5, end: 14, text: 'thee freely' },
  ]);
});

test('with the playhead elsewhere, the caret says the time; without a caret, the playhead says the word', () => {
  expect(splitCue(line, 3, 9)[0]).toEqual({ start: 10, end: 12, text: 'I love th' });
  expect(splitCue(line, 13, undefined).map(({ text }) => text)).toEqual(['I love thee', 'freely']);
});

test('a word that cannot be cut leaves the second line empty', () => {
  expect(splitCue({ start: 0, end: 2, text: 'Love' }, 9, undefined).map(({ text }) => text)).toEqual(['Love', '']);
});

test('joined lines reach from the first start to the last end', () => {
  expect(joinCues(line, { start: 14.5, end: 16, text: ' as men ' })).toEqual({
    start: 10,
    end: 16,
    text: 'I love thee freely as men',
  });
});

test('a new line takes the gap, from the playhead on where that is in it', () => {
  const after = { start: 20, end: 21, text: 'x' };
  expect(cueBetween(line, after, 0, 60)).toEqual({ start: 14, end: 16, text: '' });
  expect(cueBetween(line, after, 19, 60)).toEqual({ start: 19, end: 20, text: '' });
  expect(cueBetween(undefined, undefined, 0, 1.5)).toEqual({ start: 0, end: 1.5, text: '' });
});

test('the current line is the last that has begun', () => {
  expect([9, 10, 14.2, 25].map((at) => indexAt([line, { start: 20, end: 21, text: 'x' }], at))).toEqual([-1, 0, 0, 1]);
});

/** Three unconfirmed lines between two confirmed ones. */
const timed: Cue[] = [
  { start: 0, end: 2, text: 'a' },
  { start: 2, end: 4, text: 'b', certainty: 'unsure' },
  { start: 4, end: 6, text: 'c', certainty: 'check' },
  { start: 6.5, end: 8, text: 'd', certainty: 'check' },
  { start: 10, end: 12, text: 'e' },
];
const timesOf = (cues: Cue[]) => cues.map(({ start, end }) => [start, end]);

test('a corrected start takes its own end and the unconfirmed lines after it along, up to the next confirmed one', () => {
  const moved = correctTimes(timed, 1, { start: 3 }, 60);
  expect(timesOf(moved)).toEqual([
    [0, 2],
    [3, 5],
    [5, 7],
    [7.5, 9],
    [10, 12],
  ]);
  expect(moved.map(({ certainty }) => certainty)).toEqual(timed.map(({ certainty }) => certainty));
});

test('a corrected end takes the lines after it along, as far as there is room', () => {
  expect(timesOf(correctTimes(timed, 2, { end: 9 }, 60)).slice(2)).toEqual([
    [4, 9],
    [8.5, 10],
    [10, 12],
  ]);
  expect(timesOf(correctTimes(timed, 2, { end: 5 }, 60)).slice(2)).toEqual([
    [4, 5],
    [5.5, 7],
    [10, 12],
  ]);
  // The end of the recording.
  expect(timesOf(correctTimes(timed.slice(0, 4), 2, { end: 8 }, 9)).slice(2)).toEqual([
    [4, 8],
    [7.5, 9],
  ]);
});

test('lines that are confirmed move by themselves alone', () => {
  const confirmed = timed.map(({ start, end, text }) => ({ start, end, text }));
  expect(timesOf(correctTimes(confirmed, 1, { start: 3 }, 60))).toEqual([
    [0, 2],
    [3, 4],
    [4, 6],
    [6.5, 8],
    [10, 12],
  ]);
});

test('the next line to check is after this one, or from the beginning again', () => {
  expect([-1, 1, 3].map((index) => nextToCheck(timed, index))).toEqual([1, 2, 1]);
  expect(nextToCheck([timed[0]!], -1)).toBe(-1);
});
