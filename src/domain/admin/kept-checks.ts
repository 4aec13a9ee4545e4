import type { Finding } from './operations.ts';

export type KeptChecks = { findings: Finding[]; asOf: Date };

const freshMs = 60_000;
/** Maximum age of a result that is shown while a new one is computed. */
const usableMs = 15 * 60_000;

/** One result for all pages of this process, because the checks read folders and start a program. */
export function keepChecks(check: () => Promise<Finding[]>, clock: () => number = Date.now) {
  let kept: KeptChecks | undefined;
  let running: Promise<KeptChecks> | undefined;

  /** Callers at the same time share one run. */
  function runAgain(): Promise<KeptChecks> {
    running ??= check()
      .then((findings) => (kept = { findings, asOf: new Date(clock()) }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    runAgain,
    async read(): Promise<KeptChecks> {
      const age = kept === undefined ? Infinity : clock() - kept.asOf.getTime();
      if (kept === undefined || age > usableMs) return runAgain();
      // An error reaches the next reader, who waits for the run.
      if (age > freshMs) void runAgain().catch(() => undefined);
      return kept;
    },
  };
}
