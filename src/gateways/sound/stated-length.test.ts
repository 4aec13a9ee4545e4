import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { silentMp3, silentMp3WithCount } from '#test/support/sound/sound-files.ts';
import { missingOfMp3, missingOfOgg, missingOfWav } from './stated-length.ts';

const folder = mkdtempSync(join(tmpdir(), 'sotto-length-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(content: Uint8Array): string {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, content);
  return path;
}

const wav = (options: Partial<Parameters<typeof wavOf>[1]> = {}) =>
  wavOf(tone(200), { seconds: 8, rate: 8000, ...options });
const cut = (file: Buffer, share: number) => file.subarray(0, Math.round(file.length * share));
const chunk = (name: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};
const withSize = (file: Buffer, bytes: number) => {
  const changed = Buffer.from(file);
  changed.writeUInt32LE(bytes, 40);
  return changed;
};
const withChunkBefore = (file: Buffer, before: Buffer) =>
  Buffer.concat([file.subarray(0, 36), before, file.subarray(36)]);
/** RF64 (EBU Tech 3306), whose length stands in a chunk of its own. */
const rf64 = (file: Buffer) => {
  const sizes = Buffer.alloc(28);
  sizes.writeBigUInt64LE(BigInt(file.length - 44), 8);
  const long = Buffer.concat([file.subarray(0, 12), chunk('ds64', sizes), file.subarray(12)]);
  long.write('RF64', 0, 'latin1');
  long.writeUInt32LE(0xffff_ffff, long.indexOf('data') + 4);
  return long;
};

test.each([
  ['half', cut(wav(), 0.5), 4],
  ['a tenth', cut(wav(), 0.1), 7],
  ['all but two seconds', cut(wav(), 0.75), 2],
  ['all but a moment', cut(wav(), 0.99), undefined],
  ['half in stereo and 24 bit', cut(wav({ channels: 2, bits: 24 }), 0.5), 4],
  ['half in 8 bit', cut(wav({ bits: 8 }), 0.5), 4],
  ['half in floats', cut(wav({ bits: 'float' }), 0.5), 4],
  ['half, after a chunk of odd length', cut(withChunkBefore(wav(), chunk('LIST', Buffer.alloc(333))), 0.5), 4],
  ['half of an RF64', cut(rf64(wav()), 0.5), 4],
  ['the header alone', wav().subarray(0, 44), 8],
  ['all', wav(), undefined],
  ['all of an RF64', rf64(wav()), undefined],
  ['all, and a chunk after it', Buffer.concat([wav(), chunk('id3 ', Buffer.alloc(100))]), undefined],
  ['all, written to a pipe', withSize(wav(), 0xffff_ffff), undefined],
  ['all, written to a pipe by SoX', withSize(wav(), 0x7fff_ffdb), undefined],
  ['all, with a length of 0', withSize(wav(), 0), undefined],
  ['all, with a length that is too small', withSize(wav(), 1000), undefined],
  ['nothing but its name', Buffer.from('RIFF....WAVE'), undefined],
])('of a WAV there is %s', (_what, file, missing) => {
  expect(missingOfWav(put(file), file.length)).toBe(missing);
});

const mp3 = silentMp3WithCount(8);
const withCount = (frames: number, bytes?: number) => {
  const changed = Buffer.from(mp3);
  const at = changed.indexOf('Info');
  changed.writeUInt32BE(bytes === undefined ? 1 : 3, at + 4);
  changed.writeUInt32BE(frames, at + 8);
  if (bytes !== undefined) changed.writeUInt32BE(bytes, at + 12);
  return changed;
};
const frames = 306;

test.each([
  ['half', cut(mp3, 0.5), 4, 4],
  ['half, after a tag', cut(silentMp3WithCount(8, { TIT2: 'x'.repeat(90_000) }), 0.8), 4, 4],
  ['half, by the number of frames alone', cut(withCount(frames), 0.5), 4, 4],
  ['all', mp3, 8, undefined],
  ['all, without a count', silentMp3(8), 8, undefined],
  ['two files', Buffer.concat([mp3, mp3]), 16, undefined],
  ['two files of which the first is shorter', Buffer.concat([silentMp3WithCount(2), mp3]), 10, undefined],
  ['two files with tags', Buffer.concat([mp3, silentMp3WithCount(2, { TIT2: 'x' })]), 10, undefined],
  ['all, with a number of frames that cannot be', withCount(0xf_ffff, mp3.length), 8, undefined],
  ['all, with such a number alone', withCount(0xfff_ffff), 8, undefined],
  ['all, with a number of frames that is wrong', withCount(3 * frames, mp3.length - 500), 8, undefined],
  ['all, with a number of bytes that is wrong', withCount(frames, 3 * mp3.length), 8, undefined],
])('of an MP3 there is %s', (_what, file, seconds, missing) => {
  expect(missingOfMp3(put(file), file.length, seconds)).toBe(missing);
});

/** A page (RFC 3533, 6) without its checksum. */
function page(content: Buffer, { isLast = false } = {}): Buffer {
  const lacing = [...Array.from({ length: Math.floor(content.length / 255) }, () => 255), content.length % 255];
  const head = Buffer.alloc(27);
  head.write('OggS', 'latin1');
  head[5] = isLast ? 4 : 0;
  head[26] = lacing.length;
  return Buffer.concat([head, Buffer.from(lacing), content]);
}
const ogg = Buffer.concat([
  page(Buffer.alloc(19)),
  ...Array.from({ length: 9 }, () => page(Buffer.alloc(4000, 'x'))),
  page(Buffer.alloc(60_000, 'x'), { isLast: true }),
]);

test.each([
  ['half', cut(ogg, 0.5), 0],
  ['all but a byte', ogg.subarray(0, -1), 0],
  ['all but its last page, and five bytes of that', ogg.subarray(0, ogg.lastIndexOf('OggS') + 5), 0],
  ['a page, and half of its table', ogg.subarray(0, ogg.lastIndexOf('OggS') + 100), 0],
  ['all', ogg, undefined],
  ['all, and a tag after it', Buffer.concat([ogg, Buffer.alloc(128, 'TAG')]), undefined],
  ['a stream that was saved at a page', ogg.subarray(0, ogg.lastIndexOf('OggS')), undefined],
  ['two files', Buffer.concat([ogg, ogg]), undefined],
  ['two files, the second cut', Buffer.concat([ogg, cut(ogg, 0.3)]), 0],
  ['no page', Buffer.alloc(1000), undefined],
])('of an Ogg there is %s', (_what, file, missing) => {
  expect(missingOfOgg(put(file), file.length)).toBe(missing);
});
