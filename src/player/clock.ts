/** Time as the player sees it, so that tests move it by hand. */
export type Clock = {
  /** Milliseconds that never run backwards; only differences mean something. */
  now(): number;
  /** Runs once after so many milliseconds; the answer takes it back. */
  after(milliseconds: number, run: () => void): () => void;
};

export const browserClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
