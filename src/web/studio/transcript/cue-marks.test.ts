import { expect, test } from 'vitest';
import { CueMarks } from './cue-marks.ts';

const cues = () => [1, 2, 3].map((start) => ({ start, end: start + 1, text: 'x' }));
const keysOf = (marks: ReturnType<CueMarks['read']>) => marks.map(({ key }) => key);

test('a line keeps its key when it changes, moves, or is reloaded from the server', () => {
  const marks = new CueMarks();
  const [first, second, third] = cues() as [Cue, Cue, Cue];
  const [a, b, c] = keysOf(marks.read([first, second, third])) as [number, number, number];
  expect(new Set([a, b, c]).size).toBe(3);

  const changed = { ...second, text: 'y' };
  marks.replace(second, changed);
  expect(keysOf(marks.read([third, changed]))).toEqual([c, b]);
  expect(keysOf(marks.read(structuredClone([third, changed])))).toEqual([c, b]);
});

test('times that were spread by length count as timed once they are changed', () => {
  const marks = new CueMarks();
  const lines = cues();
  marks.markSpread(lines);
  const [first, second] = lines as [Cue, Cue];
  const [retimed, rewritten] = [
    { ...first, end: 1.5 },
    { ...second, text: 'y' },
  ];
  marks.replace(first, retimed);
  marks.replace(second, rewritten);
  expect(marks.read([retimed, rewritten]).map(({ isSpread }) => isSpread)).toEqual([false, true]);
});

type Cue = ReturnType<typeof cues>[number];
