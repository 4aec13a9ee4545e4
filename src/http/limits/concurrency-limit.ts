import { DomainError } from '#domain/kernel/errors.ts';
import { withSlot } from '#domain/kernel/worker-slot.ts';

export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits concurrent work, so that the database never queues more than it can answer in time. Excess work waits, then
 * fails with `request/too-many`; the wait also slows down clients that ask in a loop.
 * @param patience milliseconds
 */
export function createConcurrencyLimit(options: { max: number; patience?: number; line?: number }): ConcurrencyLimit {
  const { max, patience = 3000, line = 4000 } = options;
  const waiting = new Set<(mayEnter: boolean) => void>();
  let inside = 0;

  function turn(): Promise<boolean> {
    if (waiting.size >= line) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => called(false), patience);
      const called = (mayEnter: boolean) => {
        clearTimeout(timer);
        waiting.delete(called);
        resolve(mayEnter);
      };
      waiting.add(called);
    });
  }

  async function enter(): Promise<void> {
    if (inside < max) inside += 1;
    else if (!(await turn())) throw new DomainError('request/too-many');
  }

  /** Passes the place to the next in line, or releases it. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) inside -= 1;
    else next(true);
  }

  return async (work) => {
    await enter();
    let isInside = true;
    /** Number of running waits for the same work. */
    let aside = 0;
    const place = {
      leave() {
        aside += 1;
        if (!isInside) return;
        isInside = false;
        leave();
      },
      async enter() {
        aside -= 1;
        if (aside > 0 || isInside) return;
        await enter();
        isInside = true;
      },
    };
    try {
      return await withSlot(place, work);
    } finally {
      if (isInside) leave();
    }
  };
}
