import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { silentFlac, silentMp3 } from '#test/support/sound/sound-files.ts';
import { readStatedChapters } from './stated-chapters.ts';

const folder = mkdtempSync(join(tmpdir(), 'sotto-chapters-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(content: Buffer) {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, content);
  return readStatedChapters(path);
}

/** A frame of ID3v2 chapters (https://id3.org/id3v2-chapters-1.0). @param start in milliseconds */
function chapterFrame(start: number, title: string): Buffer {
  const times = Buffer.alloc(16, 0xff);
  times.writeUInt32BE(start, 0);
  times.writeUInt32BE(start + 1000, 4);
  const text = Buffer.concat([Buffer.from([0]), Buffer.from(title, 'latin1')]);
  const head = Buffer.alloc(10);
  head.write('TIT2', 0, 'latin1');
  head.writeUInt32BE(text.length, 4);
  return Buffer.concat([Buffer.from('ch0\0', 'latin1'), times, head, text]);
}

test('chapters of an ID3 tag', async () => {
  const file = silentMp3(3, { CHAP: chapterFrame(1500, 'The hall') });
  expect(await read(file)).toEqual([{ start: 1.5, title: 'The hall' }]);
});

test('chapters of Vorbis comments', async () => {
  const file = silentFlac(3, {
    CHAPTER000: '00:00:00.000',
    CHAPTER000NAME: 'At the door',
    CHAPTER001: '01:00:02.500',
    CHAPTER001NAME: 'The hall',
    CHAPTER002: 'soon',
    CHAPTER002NAME: 'No time',
    CHAPTER003: '00:00:03.000',
  });
  expect(await read(file)).toEqual([
    { start: 0, title: 'At the door' },
    { start: 3602.5, title: 'The hall' },
  ]);
});

test('a file without chapters, and one that is damaged, have none', async () => {
  expect(await read(silentMp3(3))).toEqual([]);
  expect(await read(silentMp3(3, { CHAP: Buffer.from('ch0') }))).toEqual([]);
  expect(await read(Buffer.from('no sound'))).toEqual([]);
});
