import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Gives back the memory that only the start needed, about 100 MB: V8 keeps it while an idle site allocates nothing. Stops
 * the process for 0.1 to 0.3 s.
 */
export function collectGarbage(): void {
  // Node has no other way to it than this flag, which counts for contexts made from now on.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
