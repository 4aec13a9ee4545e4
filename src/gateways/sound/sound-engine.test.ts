import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type ProcessedSound, type SoundStep, type SoundWork, peakPoints } from '#domain/gateways.ts';
import { type Signal, hush, makeVideo, noise, tone, wavOf } from '#test/support/sound/sounds.ts';
import { slow } from '#test/support/tags.ts';
import { openAudioTags } from '../audio-tags.ts';
import { openDiskBlobs } from '../disk-blobs.ts';
import { picture, silentFlac, silentMp3, silentMp3WithCount } from '#test/support/sound/sound-files.ts';
import { type Edit, withEdits } from '#test/support/sound/mp4-edits.ts';
import { openSoundEngine } from './sound-engine.ts';

// The encoder runs at low priority.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'sotto-sound-'));
const dir = join(folder, 'work');
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const crashes: string[] = [];
const engine = openSoundEngine({ blobs, dir, onCrash: (reason) => crashes.push(reason) });
const isThere = (await engine.version()) !== undefined;
const spoken = readFileSync(new URL('../../../demo/audio/adlestrop.mp3', import.meta.url));

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  expect(existsSync(dir) ? readdirSync(dir) : []).toEqual([]);
  expect(crashes.splice(0)).toEqual([]);
});

let files = 0;
function put(content: Uint8Array | string, extension: string): string {
  files += 1;
  const path = join(folder, `file-${files}.${extension}`);
  writeFileSync(path, content);
  return path;
}

type KeptSound = Omit<ProcessedSound, 'listening' | 'small'> & { listening: Buffer; small: Buffer };

/** Reads the files before their folder is removed. */
const keep = async ({ listening, small, ...rest }: ProcessedSound): Promise<KeptSound> => ({
  ...rest,
  listening: readFileSync(listening.path),
  small: readFileSync(small.path),
});

async function processed(path: string, work: SoundWork = {}): Promise<KeptSound> {
  const outcome = await engine.process({ path }, work, keep);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail}`);
  return outcome.result;
}

async function refusal(path: string): Promise<string> {
  const outcome = await engine.process({ path }, {}, keep);
  return outcome.ok ? 'taken' : outcome.reason;
}

describe.skipIf(!isThere)('a recording', () => {
  test('has the comment in both files, which the same tag reader finds', async () => {
    const comment = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
    const { listening, small } = await processed(put(wavOf(tone(440), { seconds: 1 }), 'wav'), { comment });
    for (const path of [put(listening, 'm4a'), put(small, 'opus')])
      expect(await openAudioTags().read(path)).toMatchObject({ ok: true, file: { syntheticVoice: 'wholly' } });
  });

  test('becomes a file for every browser and a small one, and says how far it is', slow, async () => {
    const steps: SoundStep[] = [];
    const path = put(wavOf(hush(0.3), { seconds: 3, channels: 2, bits: 24 }), 'wav');
    const sound = await processed(path, { onProgress: (step) => steps.push(step) });
    expect(sound.facts).toMatchObject({
      format: 'WAV',
      sampleRate: 48_000,
      bits: 24,
      channels: 2,
      durationMs: 3000,
      loudnessAfter: expect.closeTo(-16, 0),
    });
    // In the order of ISO/IEC 14496-12: the index before the sound.
    const atoms = sound.listening.toString('latin1');
    expect(atoms.indexOf('moov')).toBeLessThan(atoms.indexOf('mdat'));
    expect(sound.small.toString('latin1', 0, 4)).toBe('OggS');
    expect(sound.small.length).toBeLessThan(0.7 * sound.listening.length);
    expect([...new Set(steps)]).toEqual(['reading', 'loudness', 'encoding', 'waveform']);
  });

  test('keeps every sample: the listening files are as long as the recording', slow, async () => {
    const path = put(wavOf(tone(440), { seconds: 2.013 }), 'wav');
    const { listening, small } = await processed(path);
    for (const file of [put(listening, 'm4a'), put(small, 'opus')]) {
      const measured = await engine.measure({ path: file });
      expect(measured).toMatchObject({ ok: true, facts: { durationMs: 2013 } });
    }
  });

  test('looks like it sounds: tone, silence, tone', slow, async () => {
    const signal: Signal = (time) => (time < 1 || time >= 2 ? tone(300)(time, 0) : 0);
    const { peaks } = await processed(put(wavOf(signal, { seconds: 3 }), 'wav'));
    expect(peaks).toHaveLength(2400);
    const loudness = (from: number, to: number) =>
      Array.from({ length: to - from }, (_none, point) => peaks[2 * (from + point) + 1] ?? 0);
    // A margin at the edges, where encoders blur.
    expect(Math.min(...loudness(20, 380), ...loudness(820, 1180))).toBeGreaterThan(30);
    expect(Math.max(...loudness(420, 780))).toBeLessThanOrEqual(1);
  });

  const voice = hush(0.3);
  const odd: [string, Buffer][] = [
    ['very quiet', wavOf(tone(500, 0.003), { seconds: 3 })],
    ['as loud as can be', wavOf((time) => Math.sign(Math.sin(2 * Math.PI * 220 * time)), { seconds: 3 })],
    ['8 kHz', wavOf(tone(440), { seconds: 3, rate: 8000 })],
    ['96 kHz and 24 bit', wavOf(tone(440), { seconds: 3, rate: 96_000, bits: 24, channels: 2 })],
    ['5.1', wavOf((time, channel) => tone(200 + 100 * channel, 0.3)(time, 0), { seconds: 3, channels: 6 })],
    ['with a DC offset', wavOf((time) => 0.5 + tone(440, 0.2)(time, 0), { seconds: 3 })],
    ['quiet, with a large DC offset', wavOf((time) => 0.3 + tone(440, 0.03)(time, 0), { seconds: 3 })],
    ['near silence', wavOf(tone(500, 0.0011), { seconds: 3, bits: 24 })],
    ['above full scale', wavOf(tone(440, 2), { seconds: 3, bits: 'float', channels: 2 })],
    [
      'one channel silent',
      wavOf((time, channel) => (channel === 0 ? tone(440)(time, 0) : 0), { seconds: 3, channels: 2 }),
    ],
    ['a hush', wavOf(hush(0.8), { seconds: 3, rate: 44_100 })],
    ['8 bit', wavOf(tone(440, 0.4), { seconds: 3, rate: 11_025, bits: 8 })],
    ['with pauses', wavOf((time) => (time % 1 < 0.6 ? tone(440)(time, 0) : 0), { seconds: 3 })],
    ['with clicks', wavOf((time, channel) => (time % 0.5 < 0.0005 ? 1 : 0.2 * voice(time, channel)), { seconds: 3 })],
  ];
  test.each(odd)('%s comes out at -16 LUFS, without a peak above -1.5 dBTP', slow, async (_what, content) => {
    const { facts, listening, small } = await processed(put(content, 'wav'));
    const heard = await engine.measure({ path: put(listening, 'm4a') });
    const saving = await engine.measure({ path: put(small, 'opus') });
    if (!heard.ok || !saving.ok) throw new Error('not playable');
    expect(facts.loudnessAfter).toBe(heard.facts.loudnessAfter);
    expect(Math.abs(heard.facts.loudnessAfter + 16)).toBeLessThanOrEqual(0.5);
    // Encoders differ in the highest frequencies.
    expect(Math.abs(saving.facts.loudnessAfter + 16)).toBeLessThanOrEqual(0.8);
    expect(saving.facts.truePeakAfter).toBeLessThanOrEqual(-1);
    expect(facts.truePeakAfter).toBeLessThanOrEqual(-1.5);
  });

  test('is what its content is, not what its name says', slow, async () => {
    const renamed = await engine.measure({ path: put(spoken, 'wav') });
    expect(renamed).toMatchObject({ ok: true, facts: { format: 'MP3', sampleRate: 24_000, channels: 1 } });
    const { listening } = await processed(put(wavOf(tone(440), { seconds: 1 }), 'mp3'));
    expect(await engine.measure({ path: put(listening, 'flac') })).toMatchObject({
      ok: true,
      facts: { format: 'M4A' },
    });
  });

  test('a clip has the seconds that were chosen, and no more', async () => {
    // Each second has its own loudness.
    const signal: Signal = (time) => tone(300, [0.05, 0.5, 0.1, 0.8][Math.floor(time)] ?? 0)(time, 0);
    const path = put(wavOf(signal, { seconds: 4, rate: 44_100, channels: 2 }), 'wav');
    const measured = async (part: { start: number; seconds: number }) => {
      const clip = await engine.clip({ path }, part, {}, async (file) => {
        expect([file.mime, file.extension]).toEqual(['audio/mp4', '.m4a']);
        return put(readFileSync(file.path), 'm4a');
      });
      const outcome = clip.ok ? await engine.measure({ path: clip.result }) : expect.fail(clip.detail);
      if (!outcome.ok) throw new Error(outcome.detail);
      const { peaks, facts } = outcome;
      const points = peaks.length / 2;
      const loudness = (at: number) => (peaks[2 * Math.floor(at * points) + 1] ?? 0) / 255;
      return { ms: facts.durationMs, loudness };
    };
    const { ms, loudness } = await measured({ start: 1, seconds: 2 });
    expect(ms).toBeGreaterThanOrEqual(2000);
    expect(ms).toBeLessThan(2100);
    expect(loudness(0.25)).toBeCloseTo(0.5 * Math.SQRT1_2, 1);
    expect(loudness(0.75)).toBeCloseTo(0.1 * Math.SQRT1_2, 1);
    // Faded at both ends.
    expect(loudness(0.005)).toBeLessThan(loudness(0.25) / 2);
    expect((await measured({ start: 3, seconds: 10 })).ms).toBeLessThan(1100);
    const beyond = await engine.clip({ path }, { start: 9, seconds: 1 }, {}, async () => undefined);
    expect(beyond).toMatchObject({ ok: false, reason: 'too-short' });
  });

  test('may lie in the storage', slow, async () => {
    await blobs.write('originals/one.wav', wavOf(tone(440), { seconds: 1 }));
    expect(await engine.measure({ key: 'originals/one.wav' })).toMatchObject({ ok: true, facts: { durationMs: 1000 } });
    // Storage behind a network has no paths.
    const { localPath: _none, ...remote } = blobs;
    const elsewhere = openSoundEngine({ blobs: remote, dir });
    expect(await elsewhere.measure({ key: 'originals/one.wav' })).toMatchObject({
      ok: true,
      facts: { durationMs: 1000 },
    });
  });
});

describe.skipIf(!isThere)('a bad file', () => {
  test.each([
    ['nothing', new Uint8Array(), 'mp3', 'empty'],
    ['text', 'once upon a time '.repeat(1000), 'mp3', 'not-sound'],
    ['random bytes', randomBytes(200_000), 'mp3', 'not-sound'],
    ['an MP3 of nothing but its tag', silentMp3(0, { TIT2: 'x'.repeat(500) }), 'mp3', 'damaged'],
    ['a WAV without data', wavOf(tone(440), { seconds: 0 }), 'wav', 'damaged'],
    ['half a second', wavOf(tone(440), { seconds: 0.5 }), 'wav', 'too-short'],
    ['silence', wavOf(() => 0, { seconds: 2 }), 'wav', 'silent'],
    ['a DC offset alone', wavOf(() => 0.5, { seconds: 3 }), 'wav', 'taken'],
  ])('%s is named for what it is', slow, async (_what, content, extension, reason) => {
    if (reason === 'taken') expect(['taken', 'silent']).toContain(await refusal(put(content, extension)));
    else expect(await refusal(put(content, extension))).toBe(reason);
  });

  test('a video is refused, but not a cover picture', slow, async () => {
    const video = join(folder, 'video.m4a');
    makeVideo(video);
    expect(await refusal(video)).toBe('video');
    // As FFmpeg stores a cover that it is given beside the sound.
    const sound = put((await processed(put(wavOf(tone(440), { seconds: 2 }), 'wav'))).listening, 'm4a');
    for (const [pictures, outcome] of [
      [1, 'taken'],
      [8, 'taken'],
      [50, 'video'],
    ] as const) {
      makeVideo(video, { pictures, sound });
      expect([pictures, await refusal(video)]).toEqual([pictures, outcome]);
    }
    const cover = silentMp3(2, { APIC: picture(randomBytes(8_000_000)), TIT2: 'ש'.repeat(500) });
    expect(await engine.process({ path: put(cover, 'mp3') }, { isLenient: true }, keep)).toMatchObject({ ok: true });
  });

  test('a tag of 10 MB costs nothing', slow, async () => {
    const tagged = silentMp3(2, { TIT2: 'x'.repeat(500), COMM: 'long '.repeat(2_000_000) });
    expect(await engine.measure({ path: put(tagged, 'mp3') })).toMatchObject({ ok: true, facts: { format: 'MP3' } });
  });

  test('a truncated file has the length of its content, and reports the missing part', slow, async () => {
    const cut = await processed(put(spoken.subarray(0, 60_000), 'mp3'));
    expect(cut.facts.durationMs).toBeGreaterThan(9000);
    expect(cut.facts.durationMs).toBeLessThan(11_000);
    expect(cut.facts.missingSeconds).toBeGreaterThan(20);
    const { listening, small } = await processed(put(wavOf(tone(440), { seconds: 8 }), 'wav'));
    const halves: [Buffer, string, number | undefined][] = [
      [wavOf(tone(440), { seconds: 8 }), 'wav', 4],
      [silentFlac(8), 'flac', 4],
      [silentMp3WithCount(8), 'mp3', 4],
      // Nearly all of the small file is sound; the index of the other comes first.
      [small, 'opus', 0],
      [listening, 'm4a', 4],
    ];
    for (const [whole, extension, missing] of halves) {
      const measure = async (content: Uint8Array) => {
        const measured = await engine.measure({ path: put(content, extension) });
        return measured.ok ? measured.facts.missingSeconds : measured.reason;
      };
      expect([extension, await measure(whole)]).toEqual([extension, undefined]);
      const middle =
        extension === 'm4a' ? whole.indexOf('mdat') + (whole.length - whole.indexOf('mdat')) / 2 : whole.length / 2;
      expect([extension, await measure(whole.subarray(0, middle))]).toEqual([extension, missing]);
    }
  });

  test('silence that an M4A’s edit list puts before the sound is kept', slow, async () => {
    const { listening } = await processed(put(wavOf(tone(440), { seconds: 2 }), 'wav'));
    for (const [parts, seconds] of [
      [
        [
          [3000, -1],
          [2000, 1024],
        ],
        5,
      ],
      [
        [
          [1500, -1],
          [500, -1],
          [2000, 1024],
        ],
        4,
      ],
      [[[2000, 1024]], 2],
    ] as [Edit[], number][]) {
      const path = put(withEdits(listening, parts), 'm4a');
      const measured = await engine.measure({ path });
      if (!measured.ok) throw new Error(measured.reason);
      expect(measured.facts.durationMs / 1000).toBeCloseTo(seconds, 1);
      expect(measured.facts.missingSeconds).toBeUndefined();
      const half = peakPoints * (1 - 2 / seconds);
      expect(Math.max(...measured.peaks.slice(0, 2 * Math.max(0, Math.floor(half - 20))), 0)).toBe(0);
      expect(Math.min(...measured.peaks.slice(2 * Math.ceil(half + 40), -80))).toBeGreaterThan(20);
    }
  });

  test.each([
    ['a sample rate of 0', 24, 0],
    ['a sample rate of 3 Hz', 24, 3],
    ['no channels', 22, 0],
    ['65,535 channels', 22, 65_535],
    ['a format that does not exist', 20, 0x7777],
  ])('a WAV whose header says %s is damaged, and no further try is offered', slow, async (_what, offset, value) => {
    const wav = Buffer.from(wavOf(tone(300), { seconds: 2 }));
    if (offset === 24) wav.writeUInt32LE(value, offset);
    else wav.writeUInt16LE(value, offset);
    expect(await refusal(put(wav, 'wav'))).toBe('damaged');
  });

  test('a recording is refused by the length in its header, before it is decoded', slow, async () => {
    const wav = Buffer.from(wavOf(tone(300), { seconds: 2 }));
    const steps: SoundStep[] = [];
    const outcome = await engine.process(
      { path: put(wav, 'wav') },
      { maxSeconds: 1.5, onProgress: (step) => void steps.push(step) },
      keep,
    );
    expect([outcome, steps]).toMatchObject([{ ok: false, reason: 'daily-limit' }, ['reading']]);
    expect(await engine.process({ path: put(wav, 'wav') }, { maxSeconds: 2.5 }, keep)).toMatchObject({ ok: true });
  });

  test('an M4A that ends before its index is damaged', slow, async () => {
    const { listening } = await processed(put(wavOf(tone(440), { seconds: 1 }), 'wav'));
    expect(await refusal(put(listening.subarray(0, 40), 'm4a'))).toBe('damaged');
  });

  test('an M4A that is locked to the shop it comes from is refused', slow, async () => {
    const { listening } = await processed(put(wavOf(tone(440), { seconds: 2 }), 'wav'));
    const locked = Buffer.from(listening);
    // The name of the sample entry in such files; the samples are encrypted.
    locked.write('drms', locked.indexOf('mp4a', locked.indexOf('stsd')), 'latin1');
    locked.fill(randomBytes(512), locked.indexOf('mdat') + 4);
    expect(await refusal(put(locked, 'm4a'))).toBe('damaged');
  });

  test('a playlist in disguise opens no other file and no address', slow, async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const secret = put(wavOf(tone(440), { seconds: 2 }), 'wav');
    for (const target of [`http://127.0.0.1:${port}/a.ts`, secret]) {
      expect(await refusal(put(`#EXTM3U\n#EXTINF:2,\n${target}\n#EXT-X-ENDLIST\n`, 'mp3'))).toBe('not-sound');
      expect(await refusal(put(`ffconcat version 1.0\nfile '${target}'\n`, 'mp3'))).toBe('not-sound');
      expect(await refusal(put(`v=0\nc=IN IP4 127.0.0.1\nm=audio ${port} RTP/AVP 0\n`, 'mp3'))).toBe('not-sound');
    }
    server.close();
    expect(asked).toEqual([]);
  });

  test('work beyond the limits of time and CPU is ended', slow, async () => {
    const path = put(spoken, 'mp3');
    const late = openSoundEngine({ blobs, dir, limits: { seconds: 0.05 } });
    expect(await late.process({ path }, {}, keep)).toMatchObject({ ok: false, reason: 'takes-too-much' });
    const long = put(wavOf(noise(), { seconds: 60, channels: 2 }), 'wav');
    const poor = openSoundEngine({ blobs, dir, limits: { cpuSeconds: 1 } });
    expect(await poor.process({ path: long }, {}, keep)).toMatchObject({ ok: false, reason: 'takes-too-much' });
  });

  test('work without waiting callers ends at once', slow, async () => {
    const stop = new AbortController();
    const running = engine.process(
      { path: put(spoken, 'mp3') },
      { signal: stop.signal, onProgress: (step) => step === 'encoding' && stop.abort(new Error('enough')) },
      keep,
    );
    await expect(running).rejects.toThrow('enough');
  });
});
