import { expect, test } from 'vitest';
import { cueBetween, indexAt, joinCues, splitCue } from './cue-edits.ts';

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
