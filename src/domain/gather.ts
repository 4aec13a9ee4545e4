import { setImmediate } from 'node:timers';
import { DomainError } from './errors.ts';

export type GatherOptions<Input, Output> = {
  /** Does the work for many at once; answers in the order of the inputs. */
  run(inputs: Input[]): Promise<Output[]>;
  /** In one run. */
  most: number;
  /** Runs under way at once; with more than one, later inputs may be done before earlier ones. */
  atOnce?: number;
  /** So many may wait; the next is refused with `request/too-many`. */
  line?: number;
};

type Waiting<Input, Output> = {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
};

/**
 * Makes many small calls into few large ones: what comes while a run is under way goes into the next one together, so
 * that a crowd costs one statement and one commit, and a single caller waits for nobody. An input that the database
 * refuses does not fail those it came with.
 */
export function gather<Input, Output>(options: GatherOptions<Input, Output>): (input: Input) => Promise<Output> {
  const { run, most, atOnce = 1, line = 10_000 } = options;
  let waiting: Waiting<Input, Output>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || running >= atOnce || waiting.length === 0) return;
    isScheduled = true;
    // After all that arrived in this turn of the event loop.
    setImmediate(() => {
      isScheduled = false;
      running += 1;
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      void settle(batch).then(() => {
        running -= 1;
        schedule();
      });
      schedule();
    });
  }

  async function settle(batch: Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output);
    } catch (error) {
      if (batch.length > 1 && isOneInputsFault(error)) for (const one of batch) await settle([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= line) return reject(new DomainError('request/too-many'));
      waiting.push({ input, resolve, reject });
      schedule();
    });
}

/** SQLSTATE classes (PostgreSQL, appendix A): bad data, a broken constraint, a deadlock. Anything else fails them all. */
function isOneInputsFault(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && /^(?:22|23|40)[0-9A-Z]{3}$/.test(code)) return true;
  }
  return false;
}
