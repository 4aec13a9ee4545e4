import type { Actor } from '../kernel/actor.ts';
import { DomainError } from '../kernel/errors.ts';
import { type AdminPart, mayUse } from './rules.ts';

/** @throws DomainError `request/not-found` for everybody else: to them Admin does not exist */
export function administratorsOnly(actor: Actor, part: AdminPart = 'everything'): void {
  if (!mayUse(actor, part)) throw new DomainError('request/not-found');
}
