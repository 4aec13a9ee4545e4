import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Frees the memory that only the start needed, about 100 MB, which V8 keeps while an idle site allocates nothing. Stops
 * the process for 0.1 to 0.3 s.
 */
export function collectGarbage(): void {
  // Node exposes `gc` only through this flag, which applies to contexts created from now on.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
