import { fileURLToPath } from 'node:url';
import { takeTurn } from '../sound/turns.ts';
import { type CpuBudget, startCounted } from './cpu-budget.ts';
import { type Features, createFeatures, frameSeconds, rate } from './features.ts';

/** A synthetic voice reads the lines: eSpeak NG, as a program of its own. */

/** The system's program, else npm's. WebAssembly reserves more address space than the program may have without that. */
const programs = [
  ['espeak-ng'],
  [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    '--disable-wasm-trap-handler',
    fileURLToPath(new URL('espeak.ts', import.meta.url)),
  ],
];
/** Words a minute; text as SSML in UTF-8. */
const options = ['-s', '140', '-m', '-b', '1'];

/** One run reads many lines, because its start costs more than some of them. */
const maxBatch = { lines: 40, characters: 3000 };
/** Digits take much longer than letters. */
const maxSpoken = 4 * 3600;

/** Between two lines; inside of a line no pause is as long. */
const breakMs = 3000;
const shortestBreak = 2.5 * rate;
/** Amplitude of sound, of 32,768. */
const audible = 327;

/** Languages that eSpeak NG has under another code. */
const aliases: Partial<Record<string, string>> = { no: 'nb', zh: 'cmn', iw: 'he', in: 'id', fil: 'tl' };

/**
 * @param language BCP 47
 * @returns undefined for a line without words; undefined in all without a voice for the language
 */
export async function speakLines(
  lines: string[],
  language: string,
  { budget, onProgress }: { budget: CpuBudget; onProgress: (part: number) => void },
): Promise<(Features | undefined)[] | undefined> {
  const texts = lines.map(speakable);
  const spoken = texts.flatMap((text, index) => (text === '' ? [] : [{ text, index }]));
  const found: (Features | undefined)[] = lines.map(() => undefined);
  const batches = batchesOf(spoken);
  const first = batches[0];
  const reader =
    first &&
    (await findReader(
      first.slice(0, 3).map(({ text }) => text),
      language,
      budget,
    ));
  if (reader === undefined) return undefined;
  let frames = 0;
  for (const [index, batch] of batches.entries()) {
    const heard = await readBatch(
      reader,
      batch.map(({ text }) => text),
    );
    batch.forEach((line, at) => (found[line.index] = heard[at]));
    frames += heard.reduce((sum, line) => sum + (line?.frames ?? 0), 0);
    if (frames * frameSeconds > maxSpoken) return undefined;
    onProgress((index + 1) / batches.length);
    await takeTurn();
  }
  return found;
}

/** Letters, digits and plain punctuation: eSpeak NG reads out the names of other signs. */
function speakable(line: string): string {
  const text = line.replaceAll(/[^\p{L}\p{M}\p{N}\s.,;:!?'’"“”«»()–—-]/gu, ' ').replaceAll(/\s+/g, ' ');
  return /[\p{L}\p{N}]/u.test(text) ? text.trim() : '';
}

type Line = { text: string; index: number };

function batchesOf(lines: Line[]): Line[][] {
  const batches: Line[][] = [];
  let characters = Infinity;
  for (const line of lines) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= maxBatch.lines || characters + line.text.length > maxBatch.characters) {
      batches.push([line]);
      characters = line.text.length;
    } else {
      last.push(line);
      characters += line.text.length;
    }
  }
  return batches;
}

type Reader = { command: string[]; voice: string; budget: CpuBudget };

/** The first program that has a voice of the language. */
async function findReader(texts: string[], language: string, budget: CpuBudget): Promise<Reader | undefined> {
  const tag = language.toLowerCase();
  const [base = ''] = tag.split('-');
  for (const command of programs)
    for (const voice of new Set([tag, base, aliases[base] ?? base])) {
      const reader = { command, voice, budget };
      const segments = await run(reader, texts);
      if (segments !== undefined) return reader;
    }
  return undefined;
}

/** Halves a batch in which the breaks between lines are not found. */
async function readBatch(reader: Reader, texts: string[]): Promise<(Features | undefined)[]> {
  const segments = (await run(reader, texts)) ?? [];
  if (segments.length === texts.length) return segments;
  if (texts.length === 1) return [segments.toSorted((a, b) => b.frames - a.frames)[0]];
  const middle = texts.length >> 1;
  return [...(await readBatch(reader, texts.slice(0, middle))), ...(await readBatch(reader, texts.slice(middle)))];
}

/** @returns the sound of each text; undefined where the program or its voice is missing, or it fails */
async function run({ command, voice, budget }: Reader, texts: string[]): Promise<Features[] | undefined> {
  const [, ...before] = command;
  const isOwn = before.length > 0;
  const args = [...command, '-v', voice, ...options, ...(isOwn ? [] : ['--stdin', '--stdout'])];
  const { child, ended } = startCounted(args, budget);
  child.stdin.on('error', () => undefined);
  child.stdin.end(toSsml(texts));
  const listener = listenToLines();
  for await (const bytes of child.stdout) listener.add(bytes as Buffer);
  const segments = listener.finish();
  return (await ended) && segments.length > 0 ? segments : undefined;
}

function toSsml(texts: string[]): string {
  const lines = texts.map(
    (text) => `${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')} <break time="${breakMs}ms"/>`,
  );
  return `<speak>${lines.join('\n')}</speak>`;
}

const headBytes = 44;

/** Reads WAV of 16 bits, mono, and cuts it at the long breaks. */
function listenToLines() {
  const segments: Features[] = [];
  let rest = Buffer.alloc(0);
  let skipped = 0;
  let current: ReturnType<typeof createFeatures> | undefined;
  /** Quiet samples that end a line, or belong to it if it goes on. */
  let quiet = 0;

  function take(sample: number): void {
    if (Math.abs(sample) <= audible) {
      if (current === undefined) return;
      quiet += 1;
      if (quiet >= shortestBreak) end();
      return;
    }
    current ??= createFeatures();
    if (quiet > 0) current.add(new Float32Array(quiet));
    quiet = 0;
    one[0] = sample / 32_768;
    current.add(one);
  }
  const one = new Float32Array(1);

  function end(): void {
    if (current !== undefined) segments.push(current.finish());
    current = undefined;
    quiet = 0;
  }

  return {
    add(bytes: Buffer): void {
      const skip = Math.min(headBytes - skipped, bytes.length);
      skipped += skip;
      const all = Buffer.concat([rest, bytes.subarray(skip)]);
      const whole = all.length - (all.length % 2);
      for (let at = 0; at < whole; at += 2) take(all.readInt16LE(at));
      rest = all.subarray(whole);
    },
    finish(): Features[] {
      end();
      return segments;
    },
  };
}

/** Whether a program reads aloud on this machine, the system's or npm's; timing spreads lines by length without one. */
export async function hasVoice(): Promise<boolean> {
  const budget = { left: () => longestCheck, spend: () => undefined };
  return (await findReader(['Come in.'], 'en', budget)) !== undefined;
}

/** Seconds. */
const longestCheck = 10;
