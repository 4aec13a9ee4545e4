import type { Actor } from '../kernel/actor.ts';
import { DomainError } from '../kernel/errors.ts';
import { canAdminister } from './rules.ts';

/** @throws DomainError `request/not-found` for everybody else: to them Admin does not exist */
export function administratorsOnly(actor: Actor): void {
  if (!canAdminister(actor)) throw new DomainError('request/not-found');
}
