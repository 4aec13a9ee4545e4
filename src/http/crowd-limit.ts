import { DomainError } from '#domain/errors.ts';

export type CrowdLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets so many pieces of work be under way at once, so that what has begun is done soon and the database never has more
 * waiting than it can answer in time. Others wait in line for a moment, and are then turned away with `request/too-many`:
 * what can be kept is made once, so that only odd addresses come so dense. The wait also slows whoever asks in a loop.
 * @param patience milliseconds
 */
export function createCrowdLimit(options: { most: number; patience?: number; line?: number }): CrowdLimit {
  const { most, patience = 3000, line = 4000 } = options;
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

  return async (work) => {
    if (inside < most) inside += 1;
    else if (!(await turn())) throw new DomainError('request/too-many');
    try {
      return await work();
    } finally {
      // The place goes to the next in line, or is free again.
      const [next] = waiting;
      if (next === undefined) inside -= 1;
      else next(true);
    }
  };
}
