import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isStillPicture, readMp4Tracks } from './mp4-tracks.ts';

const folder = mkdtempSync(join(tmpdir(), 'sotto-mp4-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(...parts: Buffer[]) {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, Buffer.concat(parts));
  return readMp4Tracks(path);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const inner = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + inner.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, inner]);
}
const words = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, 4 * index);
  return bytes;
};

/** Units of the movie: a thousandth of a second. */
const movie = box('mvhd', words(0, 0, 0, 1000, 8000));
type Edit = [length: number, mediaTime: number];
const edits = (...list: Edit[]) =>
  box('edts', box('elst', words(0, list.length, ...list.flatMap(([length, time]) => [length, time, 0x1_0000]))));
const longEdits = (...list: Edit[]) =>
  box(
    'edts',
    box(
      'elst',
      words(
        0x0100_0000,
        list.length,
        ...list.flatMap(([length, time]) => [0, length, time < 0 ? -1 : 0, time, 65_536]),
      ),
    ),
  );
type TrackOptions = { samples?: number; seconds?: number; edited?: Buffer };
const track = (kind: string, { samples = 376, seconds = 8, edited = Buffer.alloc(0) }: TrackOptions = {}) =>
  box(
    'trak',
    edited,
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, 48_000, seconds * 48_000)),
      box('hdlr', words(0, 0), Buffer.from(kind, 'latin1')),
      box('minf', box('stbl', box('stsz', words(0, 0, samples)))),
    ),
  );
const sound = (edited: Buffer) => box('moov', movie, track('soun', { edited }));

test.each([
  ['none', Buffer.alloc(0), 0],
  ['an edit that leaves out the delay of the encoder', edits([8000, 1024]), 0],
  ['three seconds at the start', edits([3000, -1], [8000, 1024]), 3],
  ['three seconds at the start, in 64 bits', longEdits([3000, -1], [8000, 1024]), 3],
  ['two at the start', edits([1000, -1], [500, -1], [8000, 0]), 1.5],
  ['one between two parts', edits([4000, 0], [2000, -1], [4000, 192_000]), 2],
  ['one at the start and one between', edits([250, -1], [4000, 0], [2000, -1], [4000, 192_000]), 2.25],
  ['a list that says more than it has', box('edts', box('elst', words(0, 900, 3000, -1, 0x1_0000))), 3],
  ['a list without entries', edits(), 0],
  ['an empty box', box('edts'), 0],
])('silence of an edit list: %s', (_what, edited, seconds) => {
  expect(read(box('ftyp'), sound(edited))).toMatchObject([
    { kind: 'soun', samples: 376, rate: 47, emptySeconds: seconds },
  ]);
  // The index may come after the sound.
  expect(read(box('ftyp'), box('mdat', Buffer.alloc(5000)), sound(edited))[0]?.emptySeconds).toBe(seconds);
});

test.each([
  ['one picture', 'vide', 1, 8, true],
  ['one picture in a second', 'vide', 8, 8, true],
  ['one picture a second for an hour', 'vide', 3600, 3600, true],
  ['one picture without a length', 'vide', 1, 0, true],
  ['ten pictures in a second', 'vide', 10, 1, true],
  ['25 pictures a second', 'vide', 200, 8, false],
  ['25 pictures a second for a second', 'vide', 25, 1, false],
  ['two pictures a second', 'vide', 16, 8, false],
  ['many pictures without a length', 'vide', 200, 0, false],
  ['sound', 'soun', 1, 8, false],
])('%s: a cover or not', (_what, kind, samples, seconds, isStill) => {
  const [found] = read(box('moov', movie, track(kind, { samples, seconds })));
  expect(found && isStillPicture(found)).toBe(isStill);
});

test('other files and broken ones have no tracks', () => {
  expect(read(Buffer.from('RIFF....WAVE'))).toEqual([]);
  expect(read(box('ftyp'), words(0x7fff_ffff))).toEqual([]);
  expect(read(box('ftyp'), words(3), Buffer.from('moov'))).toEqual([]);
  expect(read(sound(edits([3000, -1])).subarray(0, 60))).toEqual([]);
  expect(read(Buffer.alloc(0))).toEqual([]);
});
