export type Rounds = {
  /** Runs rounds until nothing is left. One run at a time; a call during a run extends it. */
  deliver(): Promise<void>;
  /** Resolves when no round runs. */
  settled(): Promise<void>;
  /** Aborts the signal, and waits for the round that it interrupts. */
  stop(): Promise<void>;
};

/** @param round does some of the waiting work. @returns whether there may be more */
export function openRounds(round: (signal: AbortSignal) => Promise<boolean>): Rounds {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const abort = new AbortController();

  async function run(): Promise<void> {
    do {
      isWanted = false;
      while (!abort.signal.aborted && (await round(abort.signal)));
    } while (isWanted && !abort.signal.aborted);
  }

  async function settled(): Promise<void> {
    while (running !== undefined) await running;
  }

  return {
    deliver() {
      isWanted = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    settled,
    async stop() {
      abort.abort();
      await settled().catch(() => undefined);
    },
  };
}
