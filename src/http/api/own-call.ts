import type { MiddlewareHandler } from 'hono';
import { errorResponse } from '../errors.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { requireLoggedIn } from '../viewer.ts';

/**
 * For calls about somebody's own: whoever may not is told so before anything of theirs is read, and nobody does it more
 * often than a person would. Other methods get their 405.
 * @param kind counted together
 */
export function ownCall(options: {
  rateLimit: RateLimit;
  kind: string;
  perMinute: number;
  methods: string[];
}): MiddlewareHandler<ViewerEnv> {
  const { rateLimit, kind, perMinute, methods } = options;
  return async (context, next) => {
    if (!methods.includes(context.req.method)) return next();
    const { viewer } = requireLoggedIn(context);
    if (!rateLimit(context, { perMinute, of: `${kind} ${viewer.id}` })) return errorResponse('request/too-many');
    return next();
  };
}
