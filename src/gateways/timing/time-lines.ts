import type { LineTime } from '#domain/gateways.ts';
import { type Features, coefficients, createFeatures, frameSeconds } from './features.ts';
import { type Path, warp } from './warp.ts';

/** When each line of a script is said in a recording, found by comparing it with the same lines of a synthetic voice. */

const framesOf = (seconds: number) => Math.round(seconds / frameSeconds);
/** Silence between two lines of the synthetic voice. */
const pause = framesOf(0.25);
/** Steady sound for longer than this is not compared: rain between two readings, or an hour of it after them. */
const longestSteady = framesOf(3);
/** This much of it stays at both ends. */
const keptSteady = framesOf(0.5);
/** Frames before and after one in which its loudness is compared. */
const around = framesOf(0.6);
/** Standard deviation in dB below which a sound is steady: speech has 3 and more, also above rain. */
const steadyDeviation = 1.5;
/** Loudness between the quietest and the loudest part of the recording below which nothing is said. */
const quietShare = 0.4;
/** dB; the synthetic voice speaks at about -15, and pauses in silence. */
const syntheticQuiet = -45;

/** @param lines the synthetic voice; undefined for a line without words */
export function timeLines(recording: Features, lines: (Features | undefined)[]): LineTime[] {
  const spoken = lines.flatMap((line, index) => (line === undefined ? [] : [{ ...line, index }]));
  const steady = findSteady(recording.loudness);
  const threshold = quietThreshold(recording.loudness);
  const isQuiet = (frame: number) => steady[frame] === 1 || recording.loudness[frame]! < threshold;
  const kept = withoutLongSteady(recording, steady);
  if (spoken.length === 0 || kept.length === 0) return [];

  const voice = composeVoice(spoken);
  const said = normalize(pick(recording.mfcc, kept), (row) => !isQuiet(kept[row]!));
  const expected = normalize(voice.mfcc, (row) => voice.quiet[row] === 0);
  // The pauses of the recording have the sound of its room.
  const room = meanOf(said, (row) => isQuiet(kept[row]!));
  if (room !== undefined) voice.quiet.forEach((quiet, row) => quiet === 1 && expected.set(room, row * coefficients));
  const path = warp(expected, said);

  const found = spoken.map(({ frames, index }, at) => {
    const from = voice.starts[at]!;
    let first = kept[path.first[from]!]!;
    let last = kept[path.last[from + frames - 1]!]!;
    while (first < last && isQuiet(first)) first += 1;
    while (last > first && isQuiet(last)) last -= 1;
    return { index, first, last, frames, cost: costOf(path, from, frames) };
  });
  return inOrder(found, lines.length, recording.frames);
}

type Found = { index: number; first: number; last: number; frames: number; cost: number };

/** Lines do not overlap, and those without words are between their neighbours. */
function inOrder(found: Found[], count: number, frames: number): LineTime[] {
  const pace = median(found.map((line) => (line.last - line.first + 1) / line.frames));
  const cost = median(found.map((line) => line.cost));
  const known = new Map(found.map((line) => [line.index, line]));
  const times: LineTime[] = [];
  let before = 0;
  for (let index = 0; index < count; index += 1) {
    const line = known.get(index);
    const next = found.find((one) => one.index > index)?.first ?? frames;
    const first = Math.max(before, line?.first ?? before);
    // A line has a frame at least, also where its neighbours leave no room.
    const last = Math.max(first + 1, Math.min(line === undefined ? next : line.last + 1, Math.max(next, first + 1)));
    times.push({
      start: secondsAt(first),
      end: secondsAt(last),
      certainty: line === undefined ? 'unsure' : certaintyOf(line, { pace, cost }),
    });
    before = last;
  }
  return times;
}

const secondsAt = (frame: number) => Math.round(frame * frameSeconds * 100) / 100;

/** Factors by which a line may be slower or faster than the others. */
const [oddPace, wrongPace] = [1.25, 1.8];
/** Factors by which a line may sound less like the synthetic voice than the others. */
const [oddCost, wrongCost] = [1.15, 1.35];

function certaintyOf(
  { first, last, frames, cost }: Found,
  usual: { pace: number; cost: number },
): LineTime['certainty'] {
  const ratio = (last - first + 1) / frames / usual.pace;
  const pace = Math.max(ratio, 1 / ratio);
  if (pace > wrongPace || cost > wrongCost * usual.cost) return 'unsure';
  return pace > oddPace || cost > oddCost * usual.cost ? 'check' : 'sure';
}

function costOf({ cost }: Path, from: number, frames: number): number {
  let sum = 0;
  for (let row = from; row < from + frames; row += 1) sum += cost[row]!;
  return sum / frames;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 1;
}

function quietThreshold(loudness: Float32Array): number {
  const sorted = loudness.toSorted();
  const [low, high] = [sorted[Math.floor(0.05 * sorted.length)]!, sorted[Math.floor(0.95 * sorted.length)]!];
  return low + quietShare * (high - low);
}

/** 1 for frames around which the loudness does not move. */
function findSteady(loudness: Float32Array): Uint8Array {
  const steady = new Uint8Array(loudness.length);
  let [sum, squares, count] = [0, 0, 0];
  for (let end = 0; end < loudness.length + around; end += 1) {
    const [entering, leaving] = [loudness[end], loudness[end - 2 * around - 1]];
    if (entering !== undefined) [sum, squares, count] = [sum + entering, squares + entering ** 2, count + 1];
    if (leaving !== undefined) [sum, squares, count] = [sum - leaving, squares - leaving ** 2, count - 1];
    if (end >= around) steady[end - around] = squares / count - (sum / count) ** 2 < steadyDeviation ** 2 ? 1 : 0;
  }
  return steady;
}

/** Frames that are compared. */
function withoutLongSteady({ frames }: Features, steady: Uint8Array): Int32Array {
  const kept = new Int32Array(frames);
  let count = 0;
  for (let from = 0; from < frames;) {
    let to = from + 1;
    if (steady[from] === 1) while (to < frames && steady[to] === 1) to += 1;
    const isLong = steady[from] === 1 && to - from > longestSteady;
    for (let frame = from; frame < to; frame += 1)
      if (!isLong || frame < from + keptSteady || frame >= to - keptSteady) {
        kept[count] = frame;
        count += 1;
      }
    from = to;
  }
  return kept.subarray(0, count);
}

function pick(mfcc: Float32Array, rows: Int32Array): Float32Array {
  const picked = new Float32Array(rows.length * coefficients);
  rows.forEach((row, at) => picked.set(mfcc.subarray(row * coefficients, (row + 1) * coefficients), at * coefficients));
  return picked;
}

/** The lines with pauses before, between and after them. */
function composeVoice(lines: Features[]) {
  const rows = lines.reduce((sum, { frames }) => sum + frames + pause, pause);
  const mfcc = new Float32Array(rows * coefficients);
  const quiet = new Uint8Array(rows).fill(1);
  const { mfcc: silence } = createFeatures().finish();
  for (let row = 0; row < rows; row += 1) mfcc.set(silence, row * coefficients);
  const starts: number[] = [];
  let row = pause;
  for (const line of lines) {
    starts.push(row);
    mfcc.set(line.mfcc, row * coefficients);
    line.loudness.forEach((loudness, index) => (quiet[row + index] = loudness < syntheticQuiet ? 1 : 0));
    row += line.frames + pause;
  }
  return { mfcc, quiet, starts };
}

/** Each coefficient with mean 0 and deviation 1 over the chosen rows: microphones and speakers differ. */
function normalize(mfcc: Float32Array, isChosen: (row: number) => boolean): Float32Array {
  const rows = mfcc.length / coefficients;
  const mean = meanOf(mfcc, isChosen) ?? new Float64Array(coefficients);
  const squares = new Float64Array(coefficients);
  let count = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isChosen(row)) continue;
    count += 1;
    for (let index = 0; index < coefficients; index += 1)
      squares[index]! += (mfcc[row * coefficients + index]! - mean[index]!) ** 2;
  }
  return mfcc.map((value, at) => {
    const index = at % coefficients;
    return (value - mean[index]!) / Math.sqrt(Math.max(1e-9, squares[index]! / Math.max(1, count)));
  });
}

/** @returns undefined without any */
function meanOf(mfcc: Float32Array, isChosen: (row: number) => boolean): Float64Array | undefined {
  const sums = new Float64Array(coefficients);
  let count = 0;
  for (let row = 0; row < mfcc.length / coefficients; row += 1) {
    if (!isChosen(row)) continue;
    count += 1;
    for (let index = 0; index < coefficients; index += 1) sums[index]! += mfcc[row * coefficients + index]!;
  }
  return count === 0 ? undefined : sums.map((sum) => sum / count);
}
