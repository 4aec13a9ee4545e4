import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { DomainError } from '#domain/errors.ts';
import type { AttemptKind } from '#domain/identity/attempts.ts';
import type { Site } from '#domain/site.ts';
import { errorResponse } from '../errors.ts';
import { clientAddress } from '../rate-limit.ts';
import { ErrorAnswer, json } from './schemas.ts';

export const MeAnswer = z
  .object({
    id: z.uuid(),
    email: z.string().nullable(),
    username: z.string().nullable().describe('Null until a new social account has chosen one'),
    icon: z.string().nullable(),
    color: z.number().describe('Index into the avatar colours, 0–5'),
    isSubscribed: z.boolean(),
    subIsWeb: z.boolean(),
    isAdmin: z.boolean(),
    hasBlockedUsers: z.boolean(),
    blockedUsers: z.array(z.uuid()),
  })
  .openapi('Me');

export const Password = z.string().min(1).max(4000);
export const IdToken = z.string().min(1).max(8000);

export const unauthorized = json(ErrorAnswer, 'Log in first');
export const tooMany = json(ErrorAnswer, 'Too many tries');

export type IdentityParts = { site: Site; trustProxy: number; secure: boolean };

/** Too many of them close the account for a while; of the others there are just too many. */
const guessing: ReadonlySet<AttemptKind> = new Set(['log-in', 'password']);

/** Counts one try. @throws DomainError when it is one too many */
export async function takeAttempt(
  { site, trustProxy }: IdentityParts,
  context: Context,
  kind: AttemptKind,
  account: string | undefined,
): Promise<void> {
  const scope = await site.identity.attempts.take(kind, { account, address: clientAddress(context, trustProxy) });
  if (scope !== undefined) throw new DomainError(guessing.has(kind) ? 'auth/too-many-requests' : 'request/too-many');
}

/** @throws DomainError when the account is gone by now */
export async function findMe({ site }: IdentityParts, userId: string) {
  const user = await site.identity.findMe(userId);
  if (user === undefined) throw new DomainError('auth/login-required');
  return user;
}

/**
 * What browsers say of where a call comes from; apps and servers say nothing. A foreign page cannot send JSON here
 * without asking first, which is refused: this holds should that ever be loosened, since logging in sets a cookie.
 */
export async function sameSiteOnly(context: Context, next: () => Promise<void>): Promise<Response | void> {
  const from = context.req.header('sec-fetch-site');
  if (context.req.method !== 'GET' && from !== undefined && from !== 'same-origin')
    return errorResponse('request/invalid', 'This call has to come from the site itself.');
  return next();
}
