type Timed = { start: number };

/** The line that is read at a second: the last one that has begun. -1 before the first. Lines are in order of their beginning. */
export function cueAt(cues: readonly Timed[], seconds: number): number {
  let low = 0;
  let high = cues.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // What was just sought may come back a hair early.
    if ((cues[middle]?.start ?? 0) <= seconds + 0.05) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
