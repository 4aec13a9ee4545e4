import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAudioTags } from './audio-tags.ts';
import { silentFlac, silentMp3, silentMp3WithCount, silentWav } from '#test/support/sound/sound-files.ts';

let folder: string;
const { read } = openAudioTags();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-tags-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function readFile(name: string, content: Buffer) {
  const result = await read(put(name, content));
  if (!result.ok) throw new Error(result.detail);
  return result.file;
}

test('an MP3 has its tags, its length and the hash of its bytes', async () => {
  const content = silentMp3(3, {
    TIT2: 'Night Letter',
    TPE1: 'Ana Öst',
    TPE2: 'Various',
    TALB: 'Nights',
    TRCK: '2/9',
    TPOS: '1/2',
    TCON: 'Poetry',
    COMM: 'Two lines\nof words',
  });
  const file = await readFile('tagged.mp3', content);
  expect(file).toMatchObject({
    title: 'Night Letter',
    artist: 'Ana Öst',
    albumArtist: 'Various',
    album: 'Nights',
    track: 2,
    disk: 1,
    genres: ['Poetry'],
    description: 'Two lines\nof words',
  });
  expect(file).toMatchObject({ mime: 'audio/mpeg', extension: '.mp3', bytes: content.length, picture: undefined });
  expect(file.durationMs).toBeGreaterThan(2950);
  expect(file.durationMs).toBeLessThan(3050);
  expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('a comment with a term of IPTC says whose voice it is, and is no description', async () => {
  const terms = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
  const read = (COMM: string) => readFile('voice.mp3', silentMp3(1, { COMM }));
  expect(await read(`${terms}trainedAlgorithmicMedia`)).toMatchObject({
    syntheticVoice: 'wholly',
    description: undefined,
  });
  expect(await read(`${terms}compositeWithTrainedAlgorithmicMedia`)).toMatchObject({ syntheticVoice: 'partly' });
  const others = [`${terms}digitalCapture`, 'trainedAlgorithmicMedia', 'A poem'];
  for (const one of others) expect((await read(one)).syntheticVoice).toBeUndefined();
});

test('a WAV and a FLAC have their lengths and tags, in UTF-8 although a WAV does not declare it', async () => {
  const wav = await readFile('sound.wav', silentWav(2, { INAM: 'Märchen', IART: 'Zoë' }));
  expect(wav).toMatchObject({
    title: 'Märchen',
    artist: 'Zoë',
    durationMs: 2000,
    mime: 'audio/wav',
    extension: '.wav',
  });
  const flac = await readFile('sound.flac', silentFlac(20, { TITLE: 'Rain', ARTIST: 'Zoë' }));
  expect(flac).toMatchObject({ title: 'Rain', artist: 'Zoë', mime: 'audio/flac', extension: '.flac' });
  expect(flac.durationMs).toBeGreaterThan(19_990);
  expect(flac.durationMs).toBeLessThan(20_100);
});

test('an MP3 joined from parts is as long as all of them', async () => {
  const file = await readFile('joined.mp3', Buffer.concat([silentMp3WithCount(2), silentMp3(3)]));
  expect(Math.abs(file.durationMs - 5000)).toBeLessThan(100);
});

test('a file without tags is accepted', async () => {
  expect(await readFile('bare.mp3', silentMp3(1))).toMatchObject({
    title: undefined,
    artist: undefined,
    genres: [],
    track: undefined,
  });
});

test.each([
  ['empty.mp3', Buffer.alloc(0), 'damaged', 'is empty'],
  ['noise.mp3', Buffer.from('This is no sound at all. '.repeat(200)), 'damaged', 'is not a sound file'],
  ['other.mp3', silentWav(1), 'not-playable', 'holds WAV, which its name does not say; rename it'],
  [
    'tagged-other.flac',
    silentMp3(1, { TIT2: 'x' }),
    'not-playable',
    'holds MP3, which its name does not say; rename it',
  ],
  ['header-only.wav', silentWav(0), 'damaged', 'is damaged: it has no length'],
  ['tag-only.mp3', silentMp3(0, { TIT2: 'Nothing' }), 'not-playable', 'holds no sound'],
])('%s is refused with its reason', async (name, content, reason, detail) => {
  expect(await read(put(name, content))).toEqual({ ok: false, reason, detail });
});

test.each([
  ['cut.wav', silentWav(2).subarray(0, 20_000), true],
  ['cut.flac', silentFlac(20).subarray(0, -100), true],
  ['cut.mp3', silentMp3WithCount(8).subarray(0, 16_000), true],
  ['whole.wav', silentWav(2), false],
  ['whole.flac', silentFlac(20), false],
  ['joined.mp3', Buffer.concat([silentMp3WithCount(2), silentMp3WithCount(3)]), false],
  ['wrong-count.mp3', withCount(silentMp3WithCount(8), 0xf_ffff), false],
])('%s is accepted, and it is known whether it ends early', async (name, content, endsEarly) => {
  expect(await readFile(name, content)).toMatchObject({ endsEarly });
});

function withCount(mp3: Buffer, frames: number): Buffer {
  const changed = Buffer.from(mp3);
  changed.writeUInt32BE(frames, changed.indexOf('Info') + 8);
  return changed;
}

test('a missing path and a folder are unreadable', async () => {
  expect(await read(folder)).toMatchObject({ ok: false, reason: 'unreadable' });
  expect(await read(join(folder, 'not-there.mp3'))).toEqual({
    ok: false,
    reason: 'unreadable',
    detail: 'cannot be read (ENOENT)',
  });
});

/** An optional program: without it, only fixtures cover its formats. */
const encoder = 'ffmpeg';
const hasEncoder = spawnSync(encoder, ['-version'], { stdio: 'ignore' }).status === 0;

test.skipIf(!hasEncoder)('files by ffmpeg in each format are read, but only complete ones', async () => {
  const made: [name: string, args: string[], mime: string][] = [
    ['a.mp3', [], 'audio/mpeg'],
    ['a.m4a', ['-c:a', 'aac'], 'audio/mp4'],
    ['a.ogg', ['-c:a', 'libvorbis'], 'audio/ogg'],
    ['a.opus', ['-c:a', 'libopus'], 'audio/ogg'],
    ['a.flac', [], 'audio/flac'],
    ['a.wav', [], 'audio/wav'],
  ];
  for (const [name, args, mime] of made) {
    const path = join(folder, name);
    const source = ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'anoisesrc=d=3:c=pink:a=0.3'];
    const { status } = spawnSync(encoder, [
      ...source,
      ...args,
      '-metadata',
      'title=Pänk',
      '-metadata',
      'artist=Noise',
      '-metadata',
      'comment=Said',
      path,
    ]);
    expect([name, status]).toEqual([name, 0]);
    const result = await read(path);
    expect([name, result]).toMatchObject([
      name,
      { ok: true, file: { title: 'Pänk', artist: 'Noise', description: 'Said', mime } },
    ]);
    if (result.ok) expect(Math.abs(result.file.durationMs - 3000)).toBeLessThan(80);
    truncateSync(path, Math.floor(readFileSync(path).length * 0.6));
    // MPEG-4 has its index at the end.
    const cut = name === 'a.m4a' ? { ok: false, reason: 'damaged' } : { ok: true, file: { endsEarly: true } };
    expect([name, await read(path)]).toMatchObject([name, cut]);
  }
  const video = join(folder, 'video.mp4');
  spawnSync(encoder, [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc=d=1:s=64x64',
    '-f',
    'lavfi',
    '-i',
    'sine=d=1',
    '-c:a',
    'aac',
    '-c:v',
    'mpeg4',
    video,
  ]);
  expect(await read(video)).toEqual({ ok: false, reason: 'not-playable', detail: 'is a video' });
  const lossless = join(folder, 'alac.m4a');
  spawnSync(encoder, ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'alac', lossless]);
  expect(await read(lossless)).toMatchObject({ ok: false, reason: 'not-playable' });
});
