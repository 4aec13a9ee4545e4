import type { Finding } from '../operations.ts';

export type CachedChecks = { findings: Finding[]; asOf: Date };

const freshMs = 60_000;
/** Maximum age of a result that is shown while a new one is computed. */
const usableMs = 15 * 60_000;

/** One result for all pages of this process, because the checks read folders and start a program. */
export function cacheChecks(check: () => Promise<Finding[]>, clock: () => number = Date.now) {
  let kept: CachedChecks | undefined;
  let running: Promise<CachedChecks> | undefined;

  /** Callers at the same time share one run. */
  function runAgain(): Promise<CachedChecks> {
    running ??= check()
      .then((findings) => (kept = { findings, asOf: new Date(clock()) }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    runAgain,
    async read(): Promise<CachedChecks> {
      const age = kept === undefined ? Infinity : clock() - kept.asOf.getTime();
      if (kept === undefined || age > usableMs) return runAgain();
      // An error reaches the next reader, who waits for the run.
      if (age > freshMs) void runAgain().catch(() => undefined);
      return kept;
    },
  };
}
