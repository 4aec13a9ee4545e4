import { DomainError } from '#domain/errors.ts';

export type CrowdLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets so many pieces of work be under way at once. Whoever comes then is turned away with `request/too-many` at once,
 * where waiting would end in a timeout for all: what can be kept is made once, so that only odd addresses come so dense.
 */
export function createCrowdLimit({ most }: { most: number }): CrowdLimit {
  let inside = 0;
  return async (work) => {
    if (inside >= most) throw new DomainError('request/too-many');
    inside += 1;
    try {
      return await work();
    } finally {
      inside -= 1;
    }
  };
}
