import type { Finding, KeptFinding } from '../operations.ts';

export type CachedChecks = { findings: Finding[]; asOf: Date };
type Kept = { findings: KeptFinding[]; asOf: Date };

const freshMs = 60_000;
/** Maximum age of a result that is shown while a new one is computed. */
const usableMs = 15 * 60_000;

/** One result for all pages of this process, because the checks read folders and start a program. */
export function cacheChecks(check: () => Promise<KeptFinding[]>, clock: () => number = Date.now) {
  let kept: Kept | undefined;
  let running: Promise<Kept> | undefined;

  /** Callers at the same time share one run. */
  function run(): Promise<Kept> {
    running ??= check()
      .then((findings) => (kept = { findings, asOf: new Date(clock()) }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    runAgain: async () => inWords(await run()),
    async read(): Promise<CachedChecks> {
      const age = kept === undefined ? Infinity : clock() - kept.asOf.getTime();
      if (kept === undefined || age > usableMs) return inWords(await run());
      // An error reaches the next reader, who waits for the run.
      if (age > freshMs) void run().catch(() => undefined);
      return inWords(kept);
    },
  };
}

function inWords({ findings, asOf }: Kept): CachedChecks {
  return { findings: findings.map(({ level, about, say }) => ({ level, about, message: say() })), asOf };
}
