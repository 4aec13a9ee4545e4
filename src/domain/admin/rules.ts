import type { Actor } from '../kernel/actor.ts';
import type { User } from '../kernel/viewer.ts';

/** Operators of the site, in the browser or on the command line. */
export function canAdminister(actor: Actor): boolean {
  return actor.kind === 'operator' || actor.isAdmin === true;
}

/** Has the role, although this session may not have passed the second factor yet. */
export function isOperator({ isAdmin, adminStep }: User): boolean {
  return isAdmin === true || adminStep !== undefined;
}
