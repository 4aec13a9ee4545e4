/**
 * Counts distinct listeners without keeping who they were: HyperLogLog (Flajolet et al., 2007) with 4,096 registers of
 * four bits. A few listeners are counted exactly, many with a standard error of 1.6 % (docs/decisions/028).
 *
 * A kept sketch is a list of marks in order, two bytes each, or from 1,024 marks on all registers, two to a byte.
 */
const registerBits = 12;
const registerCount = 2 ** registerBits;
/** Four bits; saturates beyond 60 million listeners. */
const highestRank = 15;
const denseBytes = registerCount / 2;

/** The highest rank seen in each register; 0 is an empty one. */
export type Registers = Uint8Array;

/**
 * The part of a listener's hash that a sketch stores: 12 bits of register, 4 bits of rank. @param listener base64url
 */
export function markOf(listener: string): number {
  const hash = Buffer.from(listener, 'base64url');
  const register = hash.readUInt16BE(0) >>> (16 - registerBits);
  const rank = Math.min(highestRank, Math.clz32(hash.readUInt32BE(2)) + 1);
  return (register << 4) | rank;
}

export function emptyRegisters(): Registers {
  return new Uint8Array(registerCount);
}

export function addMark(registers: Registers, mark: number): void {
  const register = mark >>> 4;
  registers[register] = Math.max(registers[register] ?? 0, mark & 15);
}

/** Adds the listeners of a kept sketch. */
export function addSketch(registers: Registers, sketch: Uint8Array | null): void {
  if (sketch === null) return;
  if (sketch.length < denseBytes) {
    for (let at = 0; at + 1 < sketch.length; at += 2)
      addMark(registers, ((sketch[at] ?? 0) << 8) | (sketch[at + 1] ?? 0));
    return;
  }
  for (let at = 0; at < denseBytes; at += 1) {
    const pair = sketch[at] ?? 0;
    const [high, low] = [pair >>> 4, pair & 15];
    if (high > (registers[2 * at] ?? 0)) registers[2 * at] = high;
    if (low > (registers[2 * at + 1] ?? 0)) registers[2 * at + 1] = low;
  }
}

export function addRegisters(registers: Registers, others: Registers): void {
  for (let at = 0; at < registerCount; at += 1)
    if ((others[at] ?? 0) > (registers[at] ?? 0)) registers[at] = others[at] ?? 0;
}

/** @returns null for an empty sketch */
export function toSketch(registers: Registers): Buffer | null {
  const marks: number[] = [];
  for (let at = 0; at < registerCount; at += 1) if (registers[at]) marks.push((at << 4) | (registers[at] ?? 0));
  if (marks.length === 0) return null;
  if (2 * marks.length < denseBytes) {
    const sketch = Buffer.alloc(2 * marks.length);
    for (const [at, mark] of marks.entries()) sketch.writeUInt16BE(mark, 2 * at);
    return sketch;
  }
  const sketch = Buffer.alloc(denseBytes);
  for (let at = 0; at < denseBytes; at += 1)
    sketch[at] = ((registers[2 * at] ?? 0) << 4) | (registers[2 * at + 1] ?? 0);
  return sketch;
}

/** A dense sketch without its marks, for callers that only need to know that there are many listeners. */
export const manyListeners: Uint8Array = new Uint8Array(denseBytes).fill(0x11);

/**
 * Whether a stored sketch has at least this many listeners; a dense one has a thousand or more.
 * @param min up to a thousand
 */
export function hasListeners(sketch: Uint8Array | null, min: number): boolean {
  return sketch !== null && (sketch.length === denseBytes || linearCount(registerCount - sketch.length / 2) >= min);
}

/** `countListeners` of a kept sketch. */
export function countSketch(sketch: Uint8Array | null): number {
  if (sketch === null) return 0;
  if (sketch.length < denseBytes) return linearCount(registerCount - sketch.length / 2);
  const registers = emptyRegisters();
  addSketch(registers, sketch);
  return countListeners(registers);
}

function linearCount(empty: number): number {
  return Math.round(registerCount * Math.log(registerCount / empty));
}

/** Number of distinct listeners. Never too high while they are few: two in one register count as one. */
export function countListeners(registers: Registers): number {
  const counts = Array.from({ length: highestRank + 1 }, () => 0);
  // Called hundreds of times for a page: an iterator would take ten times as long.
  for (let at = 0; at < registerCount; at += 1) {
    const rank = registers[at] ?? 0;
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  const empty = counts[0] ?? 0;
  // Linear counting is the more exact one while many registers are empty.
  if (empty > registerCount / 4) return linearCount(empty);
  return Math.round(estimateMany(counts));
}

/** Ertl, “New cardinality estimation algorithms for HyperLogLog sketches” (2017), algorithm 6: needs no corrections. */
function estimateMany(counts: number[]): number {
  let sum = registerCount * tau(1 - (counts[highestRank] ?? 0) / registerCount);
  for (let rank = highestRank - 1; rank >= 1; rank -= 1) sum = 0.5 * (sum + (counts[rank] ?? 0));
  sum += registerCount * sigma((counts[0] ?? 0) / registerCount);
  return (registerCount / (2 * Math.LN2)) * (registerCount / sum);
}

function sigma(start: number): number {
  if (start === 1) return Number.POSITIVE_INFINITY;
  let [x, y, z] = [start, 1, start];
  for (let before = Number.NaN; z !== before; y += y) {
    before = z;
    x *= x;
    z += x * y;
  }
  return z;
}

function tau(start: number): number {
  if (start === 0 || start === 1) return 0;
  let [x, y, z] = [start, 1, 1 - start];
  for (let before = Number.NaN; z !== before;) {
    before = z;
    x = Math.sqrt(x);
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}
