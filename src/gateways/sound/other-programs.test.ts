/** @module-tag slow */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type ReadSound, type SoundFile, makeSounds, readSounds } from '#test/support/sound/sounds.ts';
import { openAudioTags } from '../audio-tags.ts';
import { type Edit, withEdits } from '#test/support/sound/mp4-edits.ts';

/** Files as other programs write them, of eight seconds: read whole by the engine, and by the import. */
const folder = mkdtempSync(join(tmpdir(), 'sotto-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Kind = Partial<SoundFile> & Pick<SoundFile, 'container' | 'codec'>;
const made = new Map<string, string>();
function make(kinds: Kind[]): void {
  const files = kinds.map((kind, index) => ({ seconds: 8, ...kind, path: join(folder, `${made.size + index}.m4a`) }));
  makeSounds(files);
  for (const [index, kind] of kinds.entries()) made.set(JSON.stringify(kind), files[index]?.path ?? '');
}
const read = (kind: Kind) => readFileSync(made.get(JSON.stringify(kind)) ?? '');
function put(content: Buffer): string {
  const path = join(folder, `${crypto.randomUUID()}.m4a`);
  writeFileSync(path, content);
  return path;
}
const readOne = (content: Buffer) => readSounds([put(content)])[0];

const first = { movflags: 'faststart' };
const fragments = { movflags: 'frag_keyframe+empty_moov', frag_duration: '1000000' };

/** `cut`: the first half; a number: seconds that the header states beyond it. */
const programs: [name: string, kind: Kind, cut: ReadSound][] = [
  ['a Wave64', { container: 'w64', codec: 'pcm_s16le' }, { seconds: 4, missing: 4 }],
  ['an AIFF', { container: 'aiff', codec: 'pcm_s16be' }, { seconds: 4, missing: 4 }],
  ['a CAF of QuickTime', { container: 'caf', codec: 'pcm_s16le' }, { seconds: 4, missing: 4 }],
  ['an ALAC', { container: 'ipod', codec: 'alac', options: first }, { seconds: 3.9, missing: 4 }],
  ['an M4A', { container: 'ipod', codec: 'aac', options: first }, { seconds: 3.9, missing: 4 }],
  ['an M4A with its index last', { container: 'ipod', codec: 'aac' }, { refused: 'damaged' }],
  ['an M4A in fragments', { container: 'mp4', codec: 'aac', options: fragments }, { seconds: 4, missing: 0 }],
  ['a Matroska', { container: 'matroska', codec: 'libopus' }, { seconds: 4.2, missing: 4 }],
  ['a FLAC in Ogg', { container: 'ogg', codec: 'flac' }, { seconds: 3.2, missing: 0 }],
  ['an RF64', { container: 'wav', codec: 'pcm_s24le', options: { rf64: 'always' } }, { seconds: 4, missing: 4 }],
  ['a WAV of a telephone', { container: 'wav', codec: 'pcm_mulaw' }, { seconds: 4, missing: 4 }],
  ['an MP3 in WAV', { container: 'wav', codec: 'libmp3lame' }, { seconds: 4, missing: 0 }],
  ['an MP3 of 8 kHz', { container: 'mp3', codec: 'libmp3lame', rate: 8000 }, { seconds: 3.9, missing: 4 }],
];

test('a file of any program is whole, also twice or with something behind it, and cut when it is', () => {
  make(programs.map(([, kind]) => kind));
  const contents = programs.map(([, kind]) => read(kind));
  const found = (change: (content: Buffer) => Buffer) => {
    const results = readSounds(contents.map((content) => put(change(content))));
    return programs.map(([name], index) => ({ name, ...results[index] }));
  };
  const whole = programs.map(([name]) => ({ name, missing: null }));
  expect(found((content) => content)).toMatchObject(programs.map(([name]) => ({ name, seconds: 8, missing: null })));
  expect(found((content) => Buffer.concat([content, content]))).toMatchObject(whole);
  expect(found((content) => Buffer.concat([content, Buffer.alloc(3000)]))).toMatchObject(whole);
  const half = found((content) => content.subarray(0, content.length / 2));
  expect(half).toEqual(programs.map(([name, , cut]) => ({ name, ...cut })));
});

test('a recording that began before its first sound is whole', () => {
  const kind = { container: 'matroska', codec: 'libopus', startsAt: 3 };
  make([kind]);
  expect(readOne(read(kind))).toEqual({ seconds: 8, missing: null });
});

const aac = { container: 'mp4', codec: 'aac' };
const pictures: [name: string, kind: Kind, isSound: boolean][] = [
  ['a JPEG', { ...aac, pictures: { codec: 'mjpeg', count: 1, every: 1 } }, true],
  ['a PNG', { ...aac, pictures: { codec: 'png', count: 1, every: 1 } }, true],
  ['a JPEG, and the index first', { ...aac, options: first, pictures: { codec: 'mjpeg', count: 1, every: 1 } }, true],
  ['a JPEG of QuickTime', { container: 'mov', codec: 'alac', pictures: { codec: 'mjpeg', count: 1, every: 1 } }, true],
  ['pictures of twelve chapters', { ...aac, pictures: { codec: 'mjpeg', count: 12, every: 2 } }, true],
  ['pictures longer than its sound', { ...aac, pictures: { codec: 'png', count: 2, every: 400 } }, true],
  [
    'a JPEG beside sound that begins later',
    { ...aac, startsAt: 3, pictures: { codec: 'png', count: 1, every: 1 } },
    true,
  ],
  ['a JPEG, in fragments', { ...aac, options: fragments, pictures: { codec: 'mjpeg', count: 1, every: 1 } }, true],
  [
    'a picture of a telephone',
    { container: '3gp', codec: 'aac', pictures: { codec: 'mpeg4', count: 1, every: 1 } },
    true,
  ],
  [
    'a cover in an MP3',
    { container: 'mp3', codec: 'libmp3lame', pictures: { codec: 'mjpeg', count: 1, every: 1 } },
    true,
  ],
  ['ten pictures in a row', { ...aac, pictures: { codec: 'mpeg4', count: 10, every: 0.04 } }, true],
  ['eleven pictures in a row', { ...aac, pictures: { codec: 'mpeg4', count: 11, every: 0.04 } }, false],
  ['two pictures a second', { ...aac, pictures: { codec: 'mjpeg', count: 16, every: 0.5 } }, false],
  [
    'a video in fragments',
    { ...aac, options: fragments, pictures: { codec: 'mpeg4', count: 100, every: 0.04 } },
    false,
  ],
  [
    'a video of a telephone',
    { container: '3gp', codec: 'aac', pictures: { codec: 'mpeg4', count: 60, every: 0.04 } },
    false,
  ],
];

test('sound with a picture is sound, and a video is none', async () => {
  make(pictures.map(([, kind]) => kind));
  const paths = pictures.map(([, kind]) => made.get(JSON.stringify(kind)) ?? '');
  const sounds = readSounds(paths).map((sound) => !('refused' in sound && sound.refused === 'video'));
  const imported = await Promise.all(paths.map((path) => openAudioTags().read(path)));
  const videos = imported.map((file) => !file.ok && file.detail === 'is a video');
  const found = pictures.map(([name], index) => [name, sounds[index], !videos[index]]);
  expect(found).toEqual(pictures.map(([name, , isSound]) => [name, isSound, isSound]));
});

test.each<[string, Kind]>([
  ['an M4A', { container: 'ipod', codec: 'aac', startsAt: 3 }],
  ['an M4A with its index first', { ...aac, options: first, startsAt: 3 }],
  ['an M4A of 44.1 kHz', { container: 'ipod', codec: 'aac', rate: 44_100, startsAt: 3 }],
  ['a QuickTime file', { container: 'mov', codec: 'aac', startsAt: 3 }],
  ['a file of a telephone', { container: '3gp', codec: 'aac', startsAt: 3 }],
  ['an MP3 in MP4', { container: 'mp4', codec: 'libmp3lame', startsAt: 3 }],
])('three silent seconds at the start of %s are there, in the import too', async (_name, kind) => {
  make([kind]);
  expect(readOne(read(kind))).toEqual({ seconds: 11, missing: null });
  const imported = await openAudioTags().read(made.get(JSON.stringify(kind)) ?? '');
  expect(imported).toMatchObject({ ok: true, file: { durationMs: 11_000, endsEarly: false } });
});

/** The delay of the encoder, and a second, in the track's units. */
const [delay, second] = [1024, 48_000];

test.each<[string, Edit[], number | 'damaged' | 'too-long']>([
  ['leaves out the start', [[5000, delay + 3 * second]], 5],
  ['leaves out the end', [[3000, delay]], 3],
  [
    'leaves out a part',
    [
      [2000, delay],
      [2000, delay + 5 * second],
    ],
    4,
  ],
  [
    'has silence between two parts',
    [
      [2000, delay],
      [1000, -1],
      [3000, delay + 2 * second],
    ],
    6,
  ],
  [
    'has silence at the end',
    [
      [8000, delay],
      [2000, -1],
    ],
    10,
  ],
  [
    'has silence three times',
    [
      [1000, -1],
      [2000, delay],
      [1000, -1],
      [2000, delay + 2 * second],
      [500, -1],
    ],
    6.5,
  ],
  [
    'has silence and leaves out the start',
    [
      [3000, -1],
      [2000, delay + 5 * second],
    ],
    5,
  ],
  [
    'plays a part twice',
    [
      [2000, delay],
      [2000, delay],
    ],
    4,
  ],
  [
    'plays two parts in the other order',
    [
      [2000, delay + 4 * second],
      [2000, delay],
    ],
    4,
  ],
  ['says more than there is', [[9000, delay]], 8],
  ['is empty', [], 8],
  ['begins behind the end', [[2000, delay + 20 * second]], 'damaged'],
  ['has nothing but silence', [[3000, -1]], 'damaged'],
  [
    'has twelve and a half hours of silence',
    [
      [45_000_000, -1],
      [8000, delay],
    ],
    'too-long',
  ],
])('an edit list that %s is kept to, without a false alarm', async (_what, edits, seconds) => {
  const kind = { ...aac, options: first };
  if (!made.has(JSON.stringify(kind))) make([kind]);
  const edited = withEdits(read(kind), edits);
  expect(readOne(edited)).toEqual(typeof seconds === 'string' ? { refused: seconds } : { seconds, missing: null });
  if (typeof seconds === 'string') return;
  const imported = await openAudioTags().read(put(edited));
  expect(imported.ok && Math.round(imported.file.durationMs / 100) / 10).toBe(seconds);
});
