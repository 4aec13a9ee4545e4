import type { Actor } from '../kernel/actor.ts';

/** Operators of the site, in the browser or on the command line. */
export function canAdminister(actor: Actor): boolean {
  return actor.kind === 'operator' || actor.isAdmin === true;
}
