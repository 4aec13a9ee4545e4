import { expect, test } from 'vitest';
import type { SoundFile } from '../../gateways.ts';
import { cleanLine, cleanTags } from './import-tags.ts';

function soundFile(tags: Partial<SoundFile>): SoundFile {
  return { genres: [], ...tags } as SoundFile;
}

test.each([
  ['no text', undefined, undefined],
  ['only white space and control characters', ' \t\u0001\u2028', undefined],
  ['several lines', ' Rain\r\n  fell ', 'Rain fell'],
  ['direction marks', 'A\u202eB\u2066C', 'ABC'],
  ['half of a surrogate pair', 'A\ud83d', 'A\ufffd'],
  ['ten characters', '1234567890', '1234567890'],
  ['more than ten, of two code units each', '😀'.repeat(11), `${'😀'.repeat(9)}…`],
  ['a cut behind a space', '12345678 abc', '12345678…'],
])('cleanLine: %s', (_title, text, line) => {
  expect(cleanLine(text, 10)).toBe(line);
});

test.each([
  [undefined, undefined, undefined],
  [1, undefined, 0],
  [3, 1, 2],
  [3, 2, 10_002],
  [0, 1, undefined],
  [10_000, 1, undefined],
  [3, 0, 2],
  [3, 1000, 2],
])('track %s on disc %s is place %s', (track, disk, place) => {
  expect(cleanTags(soundFile({ track, disk }), 'x').place).toBe(place);
});

test('the title falls back to the file name, then to “Untitled”', () => {
  expect(cleanTags(soundFile({ title: 'Echo' }), 'file').title).toBe('Echo');
  expect(cleanTags(soundFile({ title: ' ' }), 'file').title).toBe('file');
  expect(cleanTags(soundFile({}), '\0').title).toBe('Untitled');
});

test('genres are split, and at most eight are taken', () => {
  expect(cleanTags(soundFile({ genres: ['Sleep; Love,Rain', ' ; ', 'A\0B'] }), 'x').genres).toEqual([
    'Sleep',
    'Love',
    'Rain',
    'A',
    'B',
  ]);
  expect(cleanTags(soundFile({ genres: ['1;2;3;4;5;6;7;8;9'] }), 'x').genres).toHaveLength(8);
});

test('a description keeps its lines, with at most one blank line in a row', () => {
  expect(cleanTags(soundFile({ description: 'One\r\n\r\n\r\n\r\nTwo\tthree\u0007' }), 'x').description).toBe(
    'One\n\nTwothree',
  );
});
