import type { DecisionVerb } from '../community/rules.ts';
import type { Actor } from '../kernel/actor.ts';
import type { User } from '../kernel/viewer.ts';

/** Operators of the site, in the browser or on the command line. */
export function canAdminister(actor: Actor): boolean {
  return actor.kind === 'operator' || actor.isAdmin === true;
}

/** A decision as history and messages name it. */
export const decisionWords: Record<DecisionVerb, string> = {
  keep: 'Kept',
  remove: 'Removed',
  warn: 'Removed, and its author warned',
  suspend: 'Removed, and its author suspended',
};

/** Has the role, although this session may not have passed the second factor yet. */
export function isOperator({ isAdmin, adminStep }: User): boolean {
  return isAdmin === true || adminStep !== undefined;
}
