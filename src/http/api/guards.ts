import type { MiddlewareHandler } from 'hono';
import { canAdminister } from '#domain/admin/rules.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { errorResponse } from '../errors.ts';
import type { ApiEnv, LoggedInEnv } from './api-env.ts';

/**
 * Middleware of routes, which runs before their validators. Contracts list it in this order: caching, session, rate,
 * body.
 */

/** Keeps the type of each middleware: the handler's context knows what they set. */
export function inOrder<Guards extends MiddlewareHandler[]>(...guards: Guards): Guards {
  return guards;
}

/** Personal answers: no intermediary may cache them. */
export const personal: MiddlewareHandler<ApiEnv> = async (context, next) => {
  await next();
  // `context.header()` would rebuild the answer.
  context.res.headers.set('cache-control', 'private, no-store');
};

/** Answers 401 without a session. */
export const loggedInOnly: MiddlewareHandler<LoggedInEnv> = (context, next) => {
  if (context.get('loggedIn') === undefined) throw new DomainError('auth/login-required');
  return next();
};

/** Answers 404 to everybody but operators. After `loggedInOnly`. */
export const adminOnly: MiddlewareHandler<LoggedInEnv> = (context, next) => {
  if (!canAdminister(context.get('loggedIn').viewer)) throw new DomainError('request/not-found');
  return next();
};

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
