import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { type DemoRecording, readDemoRecordings } from '#test/support/sound/demo-recordings.ts';
import { type Figure, atMost, share, skipped } from './figures.ts';
import { childSeconds, watchChildMemory } from './sound.ts';

/** Seconds of the long recording. */
const longSeconds = 2 * 3600;

/** Scripts timed against all recordings of the demo, whose lines have known times, and against two hours. */
export async function benchTiming(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-timing-'));
  const engine = openSoundEngine({ blobs: openDiskBlobs({ dir: folder }), dir: join(folder, 'work') });
  if ((await engine.version()) === undefined) return [skipped('Timing scripts', 'no module for sound is installed')];
  try {
    const recordings = await readDemoRecordings();
    return [...(await timeAll(engine, recordings)), ...(await timeLong(engine, recordings, folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Engine = ReturnType<typeof openSoundEngine>;

async function timeAll(engine: Engine, recordings: DemoRecording[]): Promise<Figure[]> {
  const before = await childSeconds();
  const errors: number[] = [];
  const doubted = { errors: 0, all: 0 };
  for (const { path, language, cues } of recordings) {
    const outcome = await engine.time({ path }, { lines: cues.map(({ text }) => text), language });
    if (!outcome.ok) throw new Error(`${path} ${outcome.detail}`);
    for (const [index, cue] of cues.entries()) {
      const time = outcome.times[index];
      const error = time === undefined ? Infinity : Math.abs(time.start - cue.start);
      errors.push(error);
      const isDoubted = time?.certainty !== 'sure';
      if (isDoubted) doubted.all += 1;
      if (isDoubted && error > 1) doubted.errors += 1;
    }
  }
  const seconds = recordings.reduce((sum, recording) => sum + recording.seconds, 0);
  const wrong = errors.filter((error) => error > 1).length;
  return [
    share(`Lines of ${recordings.length} scripts timed within 1 s`, errors.length - wrong, errors.length, 98),
    atMost('Timed lines, mean error', errors.reduce((sum, error) => sum + error, 0) / errors.length, 0.2, 's'),
    atMost(
      'Timing a script, processor time per minute of sound',
      ((await childSeconds()) - before) / (seconds / 60),
      1.5,
      's',
    ),
    share('Timed lines to check', doubted.all, errors.length),
    {
      name: 'Lines with wrong times, and among them to check',
      value: `${wrong}, ${doubted.errors}`,
      limit: '',
      ok: undefined,
    },
  ];
}

/** All but the longest recordings, one after the other: MP3 files of one format can be joined. */
async function timeLong(engine: Engine, recordings: DemoRecording[], folder: string): Promise<Figure[]> {
  const parts: DemoRecording[] = [];
  let seconds = 0;
  for (const recording of recordings)
    if (recording.language === 'en' && recording.seconds < 1000 && seconds < longSeconds) {
      parts.push(recording);
      seconds += recording.seconds;
    }
  const path = join(folder, 'long.mp3');
  await writeFile(path, Buffer.concat(await Promise.all(parts.map((part) => readFile(part.path)))));
  const lines = parts.flatMap(({ cues }) => cues.map(({ text }) => text));
  const memory = watchChildMemory();
  const start = performance.now();
  const outcome = await engine.time({ path }, { lines, language: 'en' });
  const minutes = (performance.now() - start) / 60_000;
  const megabytes = await memory.stop();
  if (!outcome.ok) throw new Error(outcome.detail);
  const name = `A script of ${Math.round(seconds / 60)} minutes, ${lines.length} lines`;
  return [
    atMost(`${name}: timed in`, minutes, 10, 'min'),
    atMost(`${name}: most memory of its program`, megabytes, 600, 'MB'),
  ];
}

if (import.meta.main) console.table(await benchTiming());
