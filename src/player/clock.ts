/** The player's source of time; tests replace it with a fake clock. */
export type Clock = {
  /** Monotonic milliseconds; only differences are meaningful. */
  now(): number;
  /** Runs once after the delay; the returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void;
};

export const browserClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
