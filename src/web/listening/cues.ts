type Timed = { start: number };

/** Index of the line read at a second: the last that has begun, or -1 before the first. Cues are sorted by start. */
export function cueAt(cues: readonly Timed[], seconds: number): number {
  let low = 0;
  let high = cues.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Browsers may report a position slightly before the one sought.
    if ((cues[middle]?.start ?? 0) <= seconds + 0.05) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
