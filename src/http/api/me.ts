import { DomainError } from '#domain/kernel/errors.ts';
import type { ApiParts } from './api-env.ts';

/**
 * The user as their own calls return them.
 * @throws DomainError `auth/login-required` when the account no longer exists
 */
export async function findMe({ site }: Pick<ApiParts, 'site'>, userId: string) {
  const user = await site.identity.findMe(userId);
  if (user === undefined) throw new DomainError('auth/login-required');
  return user;
}
