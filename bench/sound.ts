import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { noise, tone, wavOf } from '#test/support/sound/sounds.ts';
import { browserHeaders } from './browser-headers.ts';
import { type Figure, atLeast, atMost, median, skipped } from './figures.ts';
import { startSite } from './site-process.ts';

const minutes = Number(process.env['SOUND_MINUTES'] ?? 60);
/** USER_HZ, which Linux fixes at 100 for /proc. */
const ticks = 100;
const rounds = 5;

/** A long recording: CPU time, memory, and the effect on listeners on the same machine. */
export async function benchSound(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-sound-'));
  const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
  const engine = openSoundEngine({ blobs, dir: join(folder, 'work') });
  const name = `${minutes} minutes of WAV`;
  if ((await engine.version()) === undefined) return [skipped(name, 'no module for sound is installed')];
  const path = join(folder, 'long.wav');
  await writeLongWav(path);
  const site = await startSite({ DATA_DIR: join(folder, 'site') });
  try {
    await latency(site.url); // Warms up.
    const alone = await latencies(site.url);
    const before = await childSeconds();
    const memory = watchChildMemory();
    const busy = latenciesUntil(
      site.url,
      engine.process({ path }, {}, async ({ facts }) => facts),
    );
    const { outcome, measured } = await busy;
    const seconds = (await childSeconds()) - before;
    const megabytes = await memory.stop();
    if (!outcome.ok) throw new Error(outcome.detail);
    return [
      {
        name: `${name}: to AAC and Opus at ${outcome.result.loudnessAfter} LUFS, processor time`,
        value: `${Math.round(seconds)} s`,
        limit: '',
        ok: undefined,
      },
      atLeast('Processing sound, times real time on one core', (minutes * 60) / seconds, 40, '×'),
      atMost('Processing sound, most memory of its process', megabytes, 300, 'MB'),
      atMost(
        `Visitors' pages while sound is processed, p99 (${median(alone).toFixed(1)} ms without), of without`,
        median(measured) / median(alone),
        1.5,
        '×',
      ),
    ];
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ten seconds of something between noise and voice, again and again. */
async function writeLongWav(path: string): Promise<void> {
  const hiss = noise(0.05);
  const signal = (time: number, channel: number) =>
    (time % 4 < 3 ? tone(180 + 40 * Math.sin(3 * time), 0.3)(time, channel) : 0) + hiss(time, channel);
  const piece = wavOf(signal, { seconds: 10, channels: 2 });
  const data = piece.subarray(44);
  const times = minutes * 6;
  const head = Buffer.from(piece.subarray(0, 44));
  head.writeUInt32LE(36 + data.length * times, 4);
  head.writeUInt32LE(data.length * times, 40);
  const file = await open(path, 'w');
  await file.write(head);
  for (let index = 0; index < times; index += 1) await file.write(data);
  await file.close();
}

/** Milliseconds of the slowest hundredth, at a load that leaves the site mostly idle. */
async function latency(siteUrl: string): Promise<number> {
  const url = `${siteUrl}/audio/how-do-i-love-thee`;
  const result = await autocannon({ url, headers: browserHeaders, connections: 4, overallRate: 100, duration: 5 });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx + result.errors} calls failed`);
  return result.latency.p99;
}

async function latencies(siteUrl: string): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await latency(siteUrl));
  return measured;
}

async function latenciesUntil<Outcome>(siteUrl: string, work: Promise<Outcome>) {
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  ended.catch(() => undefined);
  const measured: number[] = [];
  while (!isDone && measured.length < rounds) measured.push(await latency(siteUrl));
  return { outcome: await ended, measured };
}

/** Processor time of ended children of this process (proc(5), cutime and cstime). */
export async function childSeconds(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticks;
}

/** Peak resident memory of the program that processes sound (proc(5), VmHWM). */
export function watchChildMemory() {
  let max = 0;
  async function look(): Promise<void> {
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (!command.includes('sound/program.ts')) continue;
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      if (!status.includes(`PPid:\t${process.pid}\n`)) continue;
      max = Math.max(max, (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024) / 1e6);
    }
  }
  const timer = setInterval(() => void look(), 500);
  return {
    async stop() {
      clearInterval(timer);
      return max;
    },
  };
}

if (import.meta.main) console.table(await benchSound());
