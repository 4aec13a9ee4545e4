import type { MiddlewareHandler } from 'hono';
import type { AnyCall, Who } from '#api/call.ts';
import { isOperator, mayUse } from '#domain/admin/rules.ts';
import { isFresh } from '#domain/kernel/rules.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { hasStudio } from '#domain/studio/rules.ts';
import { errorResponse } from '../errors.ts';
import { searchBudget } from '../limits/rate-limit.ts';
import type { ApiEnv } from './api-env.ts';

/** Middleware of routes, which runs before their validators. */

/** Refuses users who may not make the call. */
export function guardFor(who: Who): MiddlewareHandler<ApiEnv> {
  return (context, next) => {
    const viewer = context.get('loggedIn')?.viewer;
    if (viewer === undefined) throw new DomainError('auth/login-required');
    if (who === 'user') return next();
    if (who === 'creator') {
      // Reading finds nothing of others’; acts of users without a creator are refused, whatever they name.
      const isAct = context.req.method !== 'GET';
      if (isAct && !hasStudio(viewer) && !isOperator(viewer)) throw new DomainError('studio/no-creator');
      return next();
    }
    // Other users get the answer for an unknown address.
    if (!isOperator(viewer)) throw new DomainError('request/not-found');
    if (who === 'any-operator') return next();
    if (viewer.adminStep !== undefined) throw new DomainError('auth/second-factor-required');
    if (!mayUse(viewer, who === 'moderator' ? 'desk' : 'everything')) throw new DomainError('request/not-found');
    if (who === 'fresh-operator' && !isFresh(viewer)) throw new DomainError('auth/fresh-login-required');
    return next();
  };
}

/** Counts the calls of an account, or of a client where no log-in is needed. */
export function limitOf(who: Who, limit: NonNullable<AnyCall['limit']>): MiddlewareHandler<ApiEnv> {
  if (limit === 'search') return limitSearches;
  return async (context, next) => {
    const account = who === 'anyone' ? undefined : context.get('loggedIn')?.viewer.id;
    const isWithin = context.get('rateLimit')(context, { ...limit, account });
    return isWithin ? next() : errorResponse('request/too-many');
  };
}

/** Counts searches in the API and the pages together. */
const limitSearches: MiddlewareHandler<ApiEnv> = async (context, next) => {
  const isWithin = context.get('rateLimit')(context, searchBudget(context.get('viewer')));
  return isWithin ? next() : errorResponse('request/too-many', undefined, { 'retry-after': '60' });
};

/** For calls that count: Hono answers HEAD like GET. */
export const refuseHead: MiddlewareHandler<ApiEnv> = async (context, next) =>
  context.req.method === 'HEAD' ? errorResponse('request/method-not-allowed', undefined, { allow: 'GET' }) : next();
