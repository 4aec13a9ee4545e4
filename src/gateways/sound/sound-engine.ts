import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type {
  Blobs,
  ProcessedFile,
  RecordingMeasures,
  SoundEngine,
  SoundRefusal,
  SoundSource,
  SoundWork,
} from '#domain/gateways.ts';
import { readableChapters } from '#domain/catalogue/chapter-rules.ts';
import { hashFile } from '../local-files.ts';
import { type ProgramTask, ProgramLine } from './messages.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

export type SoundLimits = {
  /** Processor time; 12 hours of sound take a quarter of it on one slow core. */
  cpuSeconds: number;
  /** Address space; only a small part of it is memory. */
  megabytes: number;
  /** Elapsed time. */
  seconds: number;
};

const usual: SoundLimits = { cpuSeconds: 3600, megabytes: 4000, seconds: 4 * 3600 };
/** Two hours take a minute of it. */
const timing: SoundLimits = { cpuSeconds: 900, megabytes: 4000, seconds: 3600 };

/** Runs `work` when it may keep a core busy. @throws the signal's reason while it waits */
export type InSlot = <Result>(work: (letOthers: LetOthers) => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** While others wait: pauses, lets them work, and resumes when its turn is again. @throws the signal's reason */
export type LetOthers = (turn: { pause(): void; resume(): void; signal: AbortSignal }) => Promise<void>;

const nobodyWaits: LetOthers = async () => undefined;

/**
 * FFmpeg in a separate process with low priority, which is killed at its limits. It gets no settings of the site, so
 * that an exploit in a decoder finds no secret.
 */
export function openSoundEngine(options: {
  blobs: Blobs;
  /** Folder for files in progress; nobody else writes there. */
  dir: string;
  limits?: Partial<SoundLimits>;
  /** Waits for a core of the machine; absent: the program runs at once. */
  inSlot?: InSlot | undefined;
  /** How long a program works before others that wait for a core go on. */
  turnMs?: number;
  /** Receives the program's output after an unexpected end. */
  onCrash?: (reason: string) => void;
}): SoundEngine {
  const { blobs, dir, limits, turnMs = 10_000, onCrash, inSlot = (work) => work(nobodyWaits) } = options;

  async function withFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
    await mkdir(dir, { recursive: true });
    const folder = await mkdtemp(join(dir, 'work-'));
    try {
      return await act(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function pathOf(source: SoundSource, folder: string, signal: AbortSignal | undefined): Promise<string> {
    if ('path' in source) return source.path;
    const local = await blobs.localPath?.(source.key);
    if (local !== undefined) return local;
    const path = join(folder, 'source');
    const body = Readable.fromWeb(blobs.read(source.key) as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(body, createWriteStream(path), { ...(signal && { signal }) });
    return path;
  }

  async function run(task: ProgramTask, work: SoundWork): Promise<ProgramEnd> {
    work.signal?.throwIfAborted();
    const max = { ...(task.work === 'time' ? timing : usual), ...limits };
    const end = await inSlot((letOthers) => runProgram(task, max, work, { letOthers, turnMs }), work.signal);
    if (end.kind === 'crashed') onCrash?.(end.reason);
    work.signal?.throwIfAborted();
    return end;
  }

  return {
    version: findSoundVersion,

    process: (source, work, keep) =>
      withFolder(async (folder) => {
        const path = await pathOf(source, folder, work.signal);
        const listening = join(folder, 'listening.m4a');
        const small = join(folder, 'small.opus');
        const { isLenient = false, maxSeconds, comment } = work;
        const { bavail, bsize } = await statfs(folder);
        const room = bavail * bsize;
        const wanted = { isLenient, maxSeconds, comment, room };
        const end = await run({ work: 'process', source: path, listening, small, ...wanted }, work);
        if (end.kind !== 'done') return refusalOf(end);
        const [listeningFile, smallFile] = await Promise.all([
          describeFile(listening, 'audio/mp4', '.m4a'),
          describeFile(small, 'audio/ogg', '.opus'),
        ]);
        return {
          ok: true,
          result: await keep({
            ...measuresOf(end),
            listening: listeningFile,
            small: smallFile,
            chapters: readableChapters(end.chapters ?? [], end.facts.durationMs / 1000),
          }),
        };
      }),

    measure: (source, work = {}) =>
      withFolder(async (folder) => {
        const end = await run({ work: 'measure', source: await pathOf(source, folder, work.signal) }, work);
        return end.kind === 'done' ? { ok: true, ...measuresOf(end) } : refusalOf(end);
      }),

    time: (source, wanted, work = {}) =>
      withFolder(async (folder) => {
        const script = join(folder, 'script.json');
        await writeFile(script, JSON.stringify(wanted));
        const path = await pathOf(source, folder, work.signal);
        const { cpuSeconds } = { ...timing, ...limits };
        const end = await run({ work: 'time', source: path, script, cpuSeconds }, work);
        return end.kind === 'timed' ? { ok: true, times: end.times } : refusalOf(end);
      }),

    cut: (source, work, keep) =>
      withFolder(async (folder) => {
        const end = await run({ work: 'cut', source: await pathOf(source, folder, work.signal), folder }, work);
        return end.kind === 'cut' ? { ok: true, result: await keep(end.pieces) } : refusalOf(end);
      }),

    clip: (source, part, work, keep) =>
      withFolder(async (folder) => {
        const path = join(folder, 'clip.m4a');
        const end = await run({ work: 'clip', source: await pathOf(source, folder, work.signal), path, ...part }, work);
        if (end.kind !== 'clipped') return refusalOf(end);
        return { ok: true, result: await keep(await describeFile(path, 'audio/mp4', '.m4a')) };
      }),
  };
}

/** Starts the program once. @returns undefined when the module is not installed or does not run */
export async function findSoundVersion(): Promise<string | undefined> {
  const end = await runProgram({ work: 'version' }, usual, {});
  return end.kind === 'version' ? end.version : undefined;
}

type Ending = Exclude<ProgramLine, { kind: 'progress' }>;
type ProgramEnd = Ending | { kind: 'limit' | 'killed' } | { kind: 'crashed'; reason: string };

/** Trusts the last message, not the exit code: native modules may crash while a process ends. */
async function runProgram(
  task: ProgramTask,
  limits: SoundLimits,
  work: SoundWork,
  { letOthers, turnMs }: { letOthers: LetOthers; turnMs: number } = { letOthers: nobodyWaits, turnMs: 0 },
): Promise<ProgramEnd> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', program, JSON.stringify(task)];
  const limited = [
    'sh',
    '-c',
    `ulimit -St ${limits.cpuSeconds}; ulimit -Ht ${limits.cpuSeconds + 10}; ulimit -v ${limits.megabytes * 1024}; exec "$@"`,
    'sh',
  ];
  const [name = '', ...args] = process.platform === 'linux' ? [...limited, ...command] : command;
  // The path finds eSpeak NG, where the system has it.
  const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] } });
  // A line to a program that has just ended.
  child.stdin.on('error', () => undefined);
  const kill = () => void child.kill('SIGKILL');
  let isLate = false;
  const deadline = createDeadline(limits.seconds * 1000, () => {
    isLate = true;
    kill();
  });
  const turns = new AbortController();
  if (turnMs > 0)
    void takeTurns(letOthers, turnMs, {
      pause() {
        deadline.pause();
        child.stdin.write('pause\n');
      },
      resume() {
        deadline.resume();
        child.stdin.write('resume\n');
      },
      signal: turns.signal,
    });
  work.signal?.addEventListener('abort', kill, { once: true });
  // The program must not outlive this process.
  process.once('exit', kill);
  try {
    let ending: Ending | undefined;
    let complaint = '';
    child.stderr.on('data', (text: Buffer) => (complaint = (complaint + text.toString()).slice(-500)));
    const ended = new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(signal ?? code));
    });
    ended.catch(() => undefined);
    for await (const text of createInterface({ input: child.stdout })) {
      const line = readLine(text);
      if (line?.kind === 'progress') work.onProgress?.(line.step, line.percent, line.facts);
      else ending = line ?? ending;
    }
    const how = await ended;
    if (ending !== undefined) return ending;
    // A process at its CPU limit gets SIGXCPU; out of memory, Node aborts.
    if (isLate || how === 'SIGXCPU' || how === 'SIGABRT' || how === 'SIGTRAP') return { kind: 'limit' };
    // By an operator, a shutdown, or a machine without memory: says nothing about the file.
    if (how === 'SIGKILL' || how === 'SIGTERM') return { kind: 'killed' };
    return { kind: 'crashed', reason: `ended with ${how}: ${complaint.trim()}` };
  } finally {
    turns.abort();
    deadline.pause();
    work.signal?.removeEventListener('abort', kill);
    process.off('exit', kill);
    kill();
  }
}

async function takeTurns(letOthers: LetOthers, turnMs: number, turn: Parameters<LetOthers>[0]): Promise<void> {
  try {
    for (;;) {
      await wait(turnMs, undefined, { signal: turn.signal });
      await letOthers(turn);
    }
  } catch (error) {
    // The program has ended.
    if (!turn.signal.aborted) throw error;
  }
}

/** Paused time does not count. */
function createDeadline(ms: number, onLate: () => void) {
  let left = ms;
  let since = performance.now();
  let timer = setTimeout(onLate, left);
  return {
    pause() {
      clearTimeout(timer);
      left -= performance.now() - since;
    },
    resume() {
      since = performance.now();
      timer = setTimeout(onLate, left);
    },
  };
}

function readLine(text: string): ProgramLine | undefined {
  try {
    return ProgramLine.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function refusalOf(end: ProgramEnd): SoundRefusal {
  if (end.kind === 'refused') return { ok: false, reason: end.reason, detail: end.detail };
  if (end.kind === 'killed')
    return { ok: false, reason: 'killed', detail: 'could not be processed: its program was ended' };
  if (end.kind === 'limit')
    return { ok: false, reason: 'takes-too-much', detail: 'takes more time or memory than a recording may' };
  return { ok: false, reason: 'failed', detail: 'could not be processed' };
}

function measuresOf({ facts, peaks }: Extract<ProgramLine, { kind: 'done' }>): RecordingMeasures {
  return { facts, peaks: Buffer.from(peaks, 'base64') };
}

async function describeFile(path: string, mime: string, extension: string): Promise<ProcessedFile> {
  return { path, mime, extension, bytes: (await stat(path)).size, sha256: await hashFile(path) };
}
