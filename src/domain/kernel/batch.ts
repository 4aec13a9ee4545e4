import { setImmediate } from 'node:timers';
import { DomainError } from './errors.ts';

export type BatchOptions<Input, Output> = {
  /** Processes a batch; answers in the order of the inputs. */
  run(inputs: Input[]): Promise<Output[]>;
  /** Maximum inputs per run. */
  max: number;
  /** Maximum concurrent runs; with more than one, inputs may complete out of order. */
  atOnce?: number;
  /** Maximum queue length; further inputs are refused with `request/too-many`. */
  line?: number;
};

type Waiting<Input, Output> = {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
};

/**
 * Batches calls: inputs that arrive during a run share the next one, so that a burst costs one statement and one
 * commit. An idle batcher starts at once. An input that the database refuses does not fail the others of its batch.
 */
export function batch<Input, Output>(options: BatchOptions<Input, Output>): (input: Input) => Promise<Output> {
  const { run, max, atOnce = 1, line = 10_000 } = options;
  let waiting: Waiting<Input, Output>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || running >= atOnce || waiting.length === 0) return;
    isScheduled = true;
    // After all inputs of this turn of the event loop.
    setImmediate(() => {
      isScheduled = false;
      running += 1;
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
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

/** SQLSTATE classes (PostgreSQL, appendix A): bad data, constraint violation, deadlock. Other errors fail the batch. */
function isOneInputsFault(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && /^(?:22|23|40)[0-9A-Z]{3}$/.test(code)) return true;
  }
  return false;
}
