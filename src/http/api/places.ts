import type { MiddlewareHandler } from 'hono';
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { findMark } from '../route-marks.ts';
import type { ApiEnv } from './api-env.ts';

type PlaceKind = 'payment-provider' | 'none';

/** Kind of each `takesPlace` middleware, for `takePlace`. */
const kinds = new WeakMap<object, PlaceKind>();

function takesPlace(kind: PlaceKind): MiddlewareHandler<ApiEnv> {
  const middleware: MiddlewareHandler<ApiEnv> = (_context, next) => next();
  kinds.set(middleware, kind);
  return middleware;
}

/**
 * Marks a call that waits for the payment provider: these have their own limit, so that a hanging provider cannot block
 * all others.
 */
export const waitsForProvider = takesPlace('payment-provider');

/** Marks a call whose work is batched and limited there, instead of by a database place of its own. */
export const batched = takesPlace('none');

/** Holds a place for the rest of the call: of the limit that its route names, otherwise one of the database. */
export function takePlace(limits: { database: ConcurrencyLimit; provider: ConcurrencyLimit }): MiddlewareHandler {
  return (context, next) => {
    const kind = findMark(context, kinds);
    if (kind === 'none') return next();
    return kind === 'payment-provider' ? limits.provider(next) : limits.database(next);
  };
}
