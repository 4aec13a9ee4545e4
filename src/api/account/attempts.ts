import type { AttemptKind, AttemptRefusal } from '#domain/identity/attempts.ts';
import { TooManyTries } from '#domain/kernel/errors.ts';
import type { Site } from '#domain/site.ts';

/** Many of these lock the account for a while; the others only answer "too many". */
const guessing: ReadonlySet<AttemptKind> = new Set(['log-in', 'password']);

/**
 * Counts one attempt in the database, for acts that are public, secret, or use the payment provider.
 * @param account undefined counts only the client's address
 * @throws TooManyTries over the limit
 */
export async function takeAttempt(
  { site, address }: { site: Site; readonly address: string },
  kind: AttemptKind,
  account: string | undefined,
): Promise<void> {
  const refusal = await site.identity.attempts.take(kind, { account, address });
  if (refusal !== undefined) throw tooManyTries(kind, refusal);
}

export function tooManyTries(kind: AttemptKind, { retryAfter }: AttemptRefusal): TooManyTries {
  return new TooManyTries(retryAfter, guessing.has(kind) ? 'auth/too-many-requests' : 'request/too-many');
}
