import '#start/quiet-warnings.ts';
import { readFile } from 'node:fs/promises';
import { type SoundFacts, type SoundStep, peakPoints } from '#domain/gateways.ts';
import { lowerPriority } from '../lower-priority.ts';
import { type ProgramLine, ProgramTask, ScriptFile } from './messages.ts';
import { readStatedChapters } from './stated-chapters.ts';
import { createPeaks } from './peaks.ts';
import type { Source } from './source.ts';
import { followTurns } from './turns.ts';

/** A separate process, so that no file can crash or slow the site. It decodes with FFmpeg, and only prints lines. */

/** LUFS of every listening file. */
const target = -16;
/** Limiting and encoding change the loudness of some files; those off by more than this, in LU, are encoded again. */
const tolerance = 0.3;

/** Both listening files (128 and 64 kbit/s), here and in the storage, which may be the same disk. */
const bytesPerSecond = (2 * (128_000 + 64_000)) / 8;
const beyondDay = 'is more sound than may be uploaded in 24 hours';

function writeLine(line: ProgramLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Reports progress at most twice a second. */
function reportProgress(step: SoundStep, total: number | undefined, facts: Partial<SoundFacts>) {
  let reportedAt = 0;
  writeLine({ kind: 'progress', step, percent: 0, facts });
  return (seconds: number) => {
    const now = Date.now();
    if (now - reportedAt < 500 || !total) return;
    reportedAt = now;
    writeLine({ kind: 'progress', step, percent: Math.min(99, Math.floor((100 * seconds) / total)), facts });
  };
}

async function run(task: ProgramTask): Promise<void> {
  // Lower priority than requests, but high enough to finish on a busy machine.
  lowerPriority(10);
  const { openSource, Refused } = await import('./source.ts');
  const { measureLoudness, silence } = await import('./loudness.ts');
  const { encodeBoth, encodeClip, encodePieces } = await import('./encode.ts');

  const isLenient = task.work !== 'process' || task.isLenient;

  async function withSource<Result>(path: string, act: (source: ReturnType<typeof openSource>) => Promise<Result>) {
    const source = openSource(path, { minSeconds: isLenient ? 0 : 1 });
    try {
      return await act(source);
    } finally {
      source.close();
    }
  }

  /** By the header, since decoding twelve hours takes long. */
  function refuseBeforeWork(
    { claimedSeconds, likelySeconds }: ReturnType<typeof openSource>,
    { maxSeconds = Infinity, room }: Extract<ProgramTask, { work: 'process' }>,
  ): void {
    if (claimedSeconds !== undefined && claimedSeconds > maxSeconds) throw new Refused('daily-limit', beyondDay);
    if (likelySeconds * bytesPerSecond > room) throw new Refused('no-space', 'needs more room than this server has');
  }

  /** @returns measures of that file as listeners hear it */
  async function listenTo(path: string, total: number | undefined, facts: Partial<SoundFacts>) {
    const peaks = createPeaks();
    return withSource(path, async (source) => {
      const loudness = await measureLoudness(source, reportProgress('waveform', total, facts), peaks);
      return { ...loudness, peaks: Buffer.from(peaks.finish(peakPoints)).toString('base64'), facts: factsOf(source) };
    });
  }

  if (task.work === 'version') {
    const { getFFmpegInfo } = await import('node-av/lib');
    return writeLine({ kind: 'version', version: getFFmpegInfo().version });
  }
  try {
    writeLine({ kind: 'progress', step: 'reading', percent: 0, facts: {} });
    if (task.work === 'time') {
      const { timeScript } = await import('../timing/time-script.ts');
      const { createCpuBudget } = await import('../timing/cpu-budget.ts');
      const script = ScriptFile.parse(JSON.parse(await readFile(task.script, 'utf8')));
      const note = reportProgress('reading', 1, {});
      const budget = createCpuBudget(task.cpuSeconds);
      const times = await withSource(task.source, (source) => timeScript(source, script, { budget, onProgress: note }));
      return writeLine({ kind: 'timed', times });
    }
    if (task.work === 'cut') {
      const note = reportProgress('encoding', undefined, {});
      return writeLine({
        kind: 'cut',
        pieces: await withSource(task.source, (s) => encodePieces(s, task.folder, note)),
      });
    }
    if (task.work === 'clip') {
      await withSource(task.source, (source) => encodeClip(source, task));
      return writeLine({ kind: 'clipped' });
    }
    if (task.work === 'measure') {
      const { integrated, truePeak, peaks, facts } = await listenTo(task.source, undefined, {});
      const loudness = { loudnessBefore: integrated, loudnessAfter: integrated, truePeakAfter: truePeak };
      return writeLine({ kind: 'done', facts: rounded({ ...facts, ...loudness }), peaks });
    }

    const before = await withSource(task.source, async (source) => {
      refuseBeforeWork(source, task);
      const loudness = await measureLoudness(source, reportProgress('loudness', source.claimedSeconds, source.facts));
      const facts = { ...factsOf(source), loudnessBefore: loudness.integrated };
      return { ...loudness, seconds: source.seconds(), facts };
    });
    if (before.seconds > (task.maxSeconds ?? Infinity)) throw new Refused('daily-limit', beyondDay);
    const isSilent = before.integrated <= silence;
    if (isSilent && !isLenient) throw new Refused('silent', 'is silent');

    const { seconds, facts } = before;
    // At most 53 dB, since anything quieter is silence.
    let gain = isSilent ? 0 : target - before.integrated;
    for (let attempt = 1; ; attempt += 1) {
      await withSource(task.source, (source) =>
        encodeBoth(
          source,
          task,
          { gain, truePeak: before.truePeak },
          reportProgress('encoding', seconds, rounded(facts)),
        ),
      );
      const after = await listenTo(task.listening, seconds, rounded(facts));
      const off = target - after.integrated;
      if (attempt === 1 && !isSilent && Math.abs(off) > tolerance) {
        gain += off;
        continue;
      }
      const loudness = { loudnessAfter: after.integrated, truePeakAfter: after.truePeak };
      const chapters = await readStatedChapters(task.source);
      return writeLine({ kind: 'done', facts: rounded({ ...facts, ...loudness }), peaks: after.peaks, chapters });
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    writeLine({ kind: 'refused', reason: error.reason, detail: error.message });
  }
}

/** After the last frame. */
function factsOf(source: Source) {
  const durationMs = Math.round(source.seconds() * 1000);
  return { ...source.facts, durationMs, missingSeconds: source.missingSeconds() };
}

/** One decimal, as meters show it. */
function rounded<Facts extends Partial<SoundFacts>>(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'number' && name !== 'durationMs' ? Math.round(value * 10) / 10 : value,
    ]),
  ) as Facts;
}

function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' || /node-av|native binding/i.test(String(message));
}

followTurns();
try {
  await run(ProgramTask.parse(JSON.parse(process.argv[2] ?? '')));
} catch (error) {
  if (isMissing(error))
    writeLine({ kind: 'refused', reason: 'engine-missing', detail: 'cannot be processed on this machine' });
  else {
    process.stderr.write(`${(error as Error).message}\n`);
    writeLine({ kind: 'refused', reason: 'failed', detail: 'could not be processed' });
  }
}
// The module keeps handles open, so exit once the output is written.
process.stdout.write('', () => process.exit(0));
