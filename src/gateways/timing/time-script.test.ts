import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type DemoRecording, readDemoRecordings } from '#test/support/sound/demo-recordings.ts';
import { slow } from '#test/support/tags.ts';
import { openDiskBlobs } from '../disk-blobs.ts';
import { openSoundEngine } from '../sound/sound-engine.ts';

// The programs run at low priority.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'sotto-timing-'));
const dir = join(folder, 'work');
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const crashes: string[] = [];
const onCrash = (reason: string) => void crashes.push(reason);
const engine = openSoundEngine({ blobs, dir, onCrash });
const isThere = (await engine.version()) !== undefined;
const recordings = await readDemoRecordings();

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  expect(readdirSync(dir)).toEqual([]);
  expect(crashes.splice(0)).toEqual([]);
});

const ofDemo = (slug: string) => recordings.find((one) => one.slug === slug)!;

async function time({ path, language }: DemoRecording, lines: string[], of = engine) {
  const outcome = await of.time({ path }, { lines, language });
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail}`);
  return outcome.times;
}

const linesOf = ({ cues }: DemoRecording) => cues.map(({ text }) => text);

/** Seconds by which each line starts too early or too late. */
async function errorsIn(recording: DemoRecording, of = engine): Promise<number[]> {
  const times = await time(recording, linesOf(recording), of);
  expect(times).toHaveLength(recording.cues.length);
  return times.map(({ start }, index) => Math.abs(start - recording.cues[index]!.start));
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe.skipIf(!isThere)('a script', () => {
  test.each(['the-voice', 'mondnacht'])('is timed against %s, in order and without overlaps', async (slug) => {
    const recording = ofDemo(slug);
    const times = await time(recording, linesOf(recording));
    const errors = times.map(({ start }, index) => Math.abs(start - recording.cues[index]!.start));
    expect(mean(errors)).toBeLessThan(0.2);
    expect(Math.max(...errors)).toBeLessThan(1);
    for (const [index, { start, end }] of times.entries()) {
      expect(end).toBeGreaterThan(start);
      expect(start).toBeGreaterThanOrEqual(times[index - 1]?.end ?? 0);
      expect(end).toBeLessThanOrEqual(recording.seconds);
    }
    expect(times.filter(({ certainty }) => certainty !== 'sure').length).toBeLessThan(times.length / 4);
  });

  test('is timed by npm’s eSpeak NG where the system has none', slow, async () => {
    const { PATH } = process.env;
    const bare = join(folder, 'bin');
    mkdirSync(bare);
    symlinkSync('/bin/sh', join(bare, 'sh'));
    process.env['PATH'] = bare;
    try {
      expect(mean(await errorsIn(ofDemo('bright-star')))).toBeLessThan(0.2);
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  test('in a language without a voice is spread by length, to be checked', async () => {
    const recording = { ...ofDemo('bright-star'), language: 'zxx' };
    const times = await time(recording, ['One', 'Two two two']);
    expect(times.map(({ certainty }) => certainty)).toEqual(['check', 'check']);
    expect(times[0]).toMatchObject({ start: 0, end: expect.closeTo(recording.seconds * (3 / 14), 0) });
  });

  test('that says something else than the recording is unsure', slow, async () => {
    const other = ofDemo('the-voice');
    const times = await time(ofDemo('bright-star'), [...linesOf(other), ...linesOf(ofDemo('adlestrop'))]);
    expect(times.filter(({ certainty }) => certainty !== 'sure').length).toBeGreaterThan(times.length / 4);
  });

  test('is text alone: options, commands and markup are read like any other line', async () => {
    const recording = ofDemo('bright-star');
    const hostile = [
      '--version',
      '-w /tmp/sotto-was-here',
      '</speak><break time="9000s"/>',
      '[[Oo]] & $(id) `id`',
      '🔥🔥',
    ];
    const lines = linesOf(recording);
    const times = await time(recording, [...lines.slice(0, 7), ...hostile, ...lines.slice(7)]);
    expect(times).toHaveLength(lines.length + hostile.length);
    expect(times[11]).toMatchObject({ certainty: 'unsure' });
    expect((await time(recording, [...lines, '🔥'])).at(-1)?.end).toBeLessThanOrEqual(recording.seconds);
    expect(readdirSync(tmpdir())).not.toContain('sotto-was-here');
    const errors = recording.cues.slice(0, 7).map(({ start }, index) => Math.abs(start - times[index]!.start));
    expect(Math.max(...errors)).toBeLessThan(2);
  });

  test.each([
    ['only signs', ['🔥🔥🔥', '—', '...', '[[']],
    ['a single word', ['Yes']],
    ['more lines than fit', Array.from({ length: 400 }, (_none, index) => `Line ${index}`)],
  ])('of %s has a time for each line', slow, async (_name, lines) => {
    const times = await time(ofDemo('the-cloths-of-heaven'), lines);
    expect(times).toHaveLength(lines.length);
    for (const { start, end } of times) expect(end).toBeGreaterThanOrEqual(start);
  });

  test('ends at its limit of time or memory, and when nobody wants it', async () => {
    const recording = ofDemo('bright-star');
    const script = { lines: linesOf(recording), language: 'en' };
    for (const limits of [{ seconds: 0.2 }, { megabytes: 40 }]) {
      const limited = openSoundEngine({ blobs, dir, limits });
      expect(await limited.time({ path: recording.path }, script)).toMatchObject({ ok: false });
    }
    // The voice alone takes longer, in a program of its own.
    const busy = openSoundEngine({ blobs, dir, limits: { cpuSeconds: 1 } });
    const long = { lines: Array.from({ length: 3000 }, () => script.lines[0]!), language: 'en' };
    expect(await busy.time({ path: recording.path }, long)).toMatchObject({ reason: 'takes-too-much' });
    const late = openSoundEngine({ blobs, dir, limits: { seconds: 0.2 } });
    expect(await late.time({ path: recording.path }, script)).toMatchObject({ reason: 'takes-too-much' });
    const stop = AbortSignal.timeout(300);
    await expect(engine.time({ path: recording.path }, script, { signal: stop })).rejects.toThrow();
  });

  test('of every recording of the demo is timed within a second', { ...slow, timeout: 1_800_000 }, async () => {
    const errors: number[] = [];
    for (const recording of recordings) errors.push(...(await errorsIn(recording)));
    expect(errors.filter((error) => error <= 1).length / errors.length).toBeGreaterThanOrEqual(0.98);
    expect(mean(errors)).toBeLessThanOrEqual(0.2);
  });
});
