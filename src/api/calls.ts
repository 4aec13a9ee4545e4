import type { AnyCall, ApiOf } from './call.ts';
import { callsOf } from './call.ts';
import * as studioAudios from './studio/audios.ts';

/** All calls, by the group that the reference shows them in. */
const files = [['Studio', studioAudios]] as const;

/** Type of the browser's typed client. */
export type Api = ApiOf<(typeof files)[number][1]>;

/** Fixed words before parameters, as the router takes the first match. */
export const calls: { tag: string; call: AnyCall }[] = files
  .flatMap(([tag, module]) => callsOf(module).map((call) => ({ tag, call })))
  .toSorted((one, other) => (one.call.path < other.call.path ? -1 : 1));
