import { coefficients } from './features.ts';

/** Dynamic time warping: which frame of one sound matches which frame of another one that says the same. */

/** For each frame of the first sound, the part of the second one that its path may go through: from, to (exclusive). */
type Bounds = { from: Int32Array; to: Int32Array };

export type Path = {
  /** The first and last matching frame of the second sound for each frame of the first. */
  first: Int32Array;
  last: Int32Array;
  /** Distance to the matching frames, on average. */
  cost: Float32Array;
};

/** The coarse pass looks at that many pairs of frames at most: a byte each. */
const maxPairs = 120_000_000;
/** Part of the second sound that the coarse path may be off the straight line, on each side. */
const slack = 0.15;
/** Frames that the fine path may be off the coarse one, on each side: 8 seconds. */
const fineSlack = 200;
/** Frames of 40 ms in one of the coarse pass, at least. */
const coarsest = 5;

/** Two passes: on frames of 0.2 s and more in a wide band, and on all frames close to that path. */
export function warp(first: Float32Array, second: Float32Array): Path {
  const [rows, columns] = [first.length / coefficients, second.length / coefficients];
  let factor = coarsest;
  while ((rows / factor) * (columns / factor) * Math.min(1, 2 * slack + 0.02) > maxPairs) factor += 1;
  const [small, other] = [average(first, factor), average(second, factor)];
  const coarse = findPath(small, other, wideBounds(small.length / coefficients, other.length / coefficients));
  return findPath(first, second, boundsAround(coarse, factor, rows, columns));
}

function average(frames: Float32Array, factor: number): Float32Array {
  const rows = frames.length / coefficients;
  const averaged = new Float32Array(Math.ceil(rows / factor) * coefficients);
  for (let row = 0; row * factor < rows; row += 1) {
    const count = Math.min(factor, rows - row * factor);
    for (let index = 0; index < count; index += 1)
      for (let column = 0; column < coefficients; column += 1)
        averaged[row * coefficients + column]! += frames[(row * factor + index) * coefficients + column]! / count;
  }
  return averaged;
}

function wideBounds(rows: number, columns: number): Bounds {
  const width = Math.max(50, Math.ceil(columns * slack));
  const at = (row: number) => Math.round((row * columns) / rows);
  return {
    from: Int32Array.from({ length: rows }, (_none, row) => Math.max(0, at(row) - width)),
    to: Int32Array.from({ length: rows }, (_none, row) => Math.min(columns, at(row + 1) + width)),
  };
}

function boundsAround({ first, last }: Path, factor: number, rows: number, columns: number): Bounds {
  const coarse = (row: number) => Math.min(first.length - 1, Math.floor(row / factor));
  return {
    from: Int32Array.from({ length: rows }, (_none, row) => Math.max(0, first[coarse(row)]! * factor - fineSlack)),
    to: Int32Array.from({ length: rows }, (_none, row) =>
      Math.min(columns, (last[coarse(row)]! + 1) * factor + fineSlack),
    ),
  };
}

/** Steps that lead to a pair of frames: from the pair before in both, in the first sound, in the second one. */
const both = 0;
const down = 1;
const along = 2;

function findPath(first: Float32Array, second: Float32Array, { from, to }: Bounds): Path {
  const [rows, columns] = [first.length / coefficients, second.length / coefficients];
  const starts = new Float64Array(rows + 1);
  for (let row = 0; row < rows; row += 1) starts[row + 1] = starts[row]! + to[row]! - from[row]!;
  const steps = new Uint8Array(starts[rows]!);
  let above = new Float64Array(columns + 1).fill(Infinity);
  let current = new Float64Array(columns + 1).fill(Infinity);
  // Sums are at their column + 1, so that there is one before the first.
  above[0] = 0;
  for (let row = 0; row < rows; row += 1) {
    const [low, high, start] = [from[row]!, to[row]!, starts[row]! - from[row]!];
    current[low] = Infinity;
    for (let column = low; column < high; column += 1) {
      let sum = above[column]!;
      let step = both;
      if (above[column + 1]! < sum) {
        sum = above[column + 1]!;
        step = down;
      }
      if (current[column]! < sum) {
        sum = current[column]!;
        step = along;
      }
      steps[start + column] = step;
      current[column + 1] = sum + distance(first, row, second, column);
    }
    // A later row reads up to its own end.
    const next = to[Math.min(row + 1, rows - 1)]!;
    for (let column = high; column < next; column += 1) current[column + 1] = Infinity;
    [above, current] = [current, above];
  }
  return readPath(first, second, { steps, starts, from, rows, columns });
}

function readPath(
  first: Float32Array,
  second: Float32Array,
  {
    steps,
    starts,
    from,
    rows,
    columns,
  }: {
    steps: Uint8Array;
    starts: Float64Array;
    from: Int32Array;
    rows: number;
    columns: number;
  },
): Path {
  const path = { first: new Int32Array(rows), last: new Int32Array(rows), cost: new Float32Array(rows) };
  let column = columns - 1;
  for (let row = rows - 1; row >= 0; row -= 1) {
    path.last[row] = column;
    let sum = 0;
    let step: number;
    for (;;) {
      sum += distance(first, row, second, column);
      step = column < from[row]! ? both : steps[starts[row]! + column - from[row]!]!;
      if (step !== along || column === 0) break;
      column -= 1;
    }
    path.first[row] = column;
    path.cost[row] = sum / (path.last[row]! - column + 1);
    if (step === both && column > 0) column -= 1;
  }
  return path;
}

function distance(first: Float32Array, row: number, second: Float32Array, column: number): number {
  const a = row * coefficients;
  const b = column * coefficients;
  let sum = 0;
  for (let index = 0; index < coefficients; index += 1) {
    const difference = first[a + index]! - second[b + index]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}
