import type { Context, MiddlewareHandler } from 'hono';
import { canAdminister, isOperator } from '#domain/admin/rules.ts';
import { isFresh } from '#domain/kernel/rules.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { hasStudio } from '#domain/studio/rules.ts';
import { errorResponse } from '../errors.ts';
import { searchBudget } from '../limits/search-budget.ts';
import type { LoggedIn } from '../viewer.ts';
import type { ApiEnv, LoggedInEnv } from './api-env.ts';

/** Middleware of routes, which runs before their validators. */

/** Answers 401 without a session. */
export const loggedInOnly: MiddlewareHandler<LoggedInEnv> = (context, next) => {
  if (context.get('loggedIn') === undefined) throw new DomainError('auth/login-required');
  return next();
};

/** Reading finds nothing of others’; acts of users without a creator are refused, whatever they name. */
export const creatorsOnly: MiddlewareHandler<LoggedInEnv> = (context, next) => {
  const loggedIn = context.get('loggedIn') as LoggedIn | undefined;
  if (loggedIn === undefined) throw new DomainError('auth/login-required');
  const { viewer } = loggedIn;
  if (context.req.method !== 'GET' && !hasStudio(viewer) && !isOperator(viewer))
    throw new DomainError('studio/no-creator');
  return next();
};

/** For operators whose session has passed the second factor. Other users get the answer for an unknown address. */
export const adminOnly: MiddlewareHandler<LoggedInEnv> = (context, next) => {
  const { viewer } = operatorOf(context);
  if (!canAdminister(viewer)) throw new DomainError('auth/second-factor-required');
  return next();
};

/** For sensitive acts: the session must also have proved its user within the last ten minutes. */
export const freshAdminOnly: MiddlewareHandler<LoggedInEnv> = (context, next) => {
  const { viewer } = operatorOf(context);
  if (!canAdminister(viewer)) throw new DomainError('auth/second-factor-required');
  if (!isFresh(viewer)) throw new DomainError('auth/fresh-login-required');
  return next();
};

/** For the second factor itself: operators, whether or not their session has passed it. */
export const operatorOnly: MiddlewareHandler<LoggedInEnv> = (context, next) => {
  operatorOf(context);
  return next();
};

function operatorOf(context: Context<LoggedInEnv>): LoggedIn {
  const loggedIn = context.get('loggedIn') as LoggedIn | undefined;
  if (loggedIn === undefined) throw new DomainError('auth/login-required');
  if (!isOperator(loggedIn.viewer)) throw new DomainError('request/not-found');
  return loggedIn;
}

/** @param kind key under which a user's calls are counted together */
export function limitAccount(kind: string, perMinute: number): MiddlewareHandler<ApiEnv & LoggedInEnv> {
  return async (context, next) => {
    const account = context.get('loggedIn').viewer.id;
    const isWithin = context.get('rateLimit')(context, { kind, perMinute, account });
    return isWithin ? next() : errorResponse('request/too-many');
  };
}

/** @param kind key under which a client's calls are counted together, with or without a session */
export function limitClient(kind: string, perMinute: number): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const isWithin = context.get('rateLimit')(context, { kind, perMinute });
    return isWithin ? next() : errorResponse('request/too-many');
  };
}

/** Counts searches in the API and the pages together. */
export const limitSearches: MiddlewareHandler<ApiEnv> = async (context, next) => {
  const isWithin = context.get('rateLimit')(context, searchBudget(context.get('viewer')));
  return isWithin ? next() : errorResponse('request/too-many', undefined, { 'retry-after': '60' });
};

/** For calls that count: Hono answers HEAD like GET. */
export const refuseHead: MiddlewareHandler<ApiEnv> = async (context, next) =>
  context.req.method === 'HEAD' ? errorResponse('request/method-not-allowed', undefined, { allow: 'GET' }) : next();
