import { expect, test } from 'vitest';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { refusalOfContent } from './check-upload-file.ts';

const bytes = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(5000)]);

test.each([
  ['a letter', Buffer.from('Dear Ana,\r\n\tgood night.\n'.repeat(300))],
  ['a letter in German', Buffer.from('Schöne Träume, süße Nacht. '.repeat(300))],
  ['a page', Buffer.from('<!doctype html><title>Not found</title>')],
  ['a PDF', bytes('%PDF-1.7\n')],
  ['an archive', bytes('PK\x03\x04')],
  ['a JPEG', bytes('\xff\xd8\xff\xe0')],
  ['a PNG', bytes('\x89PNG\r\n')],
  ['a GIF', bytes('GIF89a')],
  ['a WebP', bytes('RIFF\x10\x00\x00\x00WEBPVP8 ')],
  ['an AVI', bytes('RIFF\x10\x00\x00\x00AVI LIST')],
])('%s that is named as sound is refused before it is sent', async (_what, content) => {
  expect(await refusalOfContent(new File([Uint8Array.from(content)], 'sound.mp3'))).toMatch(
    'There is no sound in this file.',
  );
});

test.each([
  ['a WAV', wavOf(tone(300), { seconds: 1 })],
  ['a FLAC', bytes('fLaC\x00\x00\x00\x22')],
  ['an MP3', bytes('\xff\xfb\x90\x64')],
  ['an MP3 with a tag', bytes('ID3\x04\x00\x00\x00\x00\x00\x7fTIT2')],
  ['an M4A', bytes('\x00\x00\x00\x20ftypM4A ')],
  ['an Ogg', bytes('OggS\x00\x02')],
  ['an MP3 that begins with zeros', Buffer.concat([Buffer.alloc(3000), bytes('\xff\xfb\x90\x64')])],
  ['a file that cannot be read yet', Buffer.alloc(0)],
])('%s is not', async (_what, content) => {
  expect(await refusalOfContent(new File([Uint8Array.from(content)], 'sound.wav'))).toBeUndefined();
});
