import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import { isLoopback } from '#config';
import { errorResponse } from '../errors.ts';
import type { ApiEnv } from './api-env.ts';

/** By Fetch metadata, which only browsers send. */
export function isFromElsewhere(req: HonoRequest): boolean {
  const from = req.header('sec-fetch-site');
  return from !== undefined && from !== 'same-origin';
}

/**
 * Refuses cross-site calls. CORS already blocks foreign JSON; this is a second defence, since logging in sets a cookie.
 */
export const sameSiteOnly: MiddlewareHandler<ApiEnv> = async (context, next) => {
  if (context.req.method !== 'GET' && isFromElsewhere(context.req))
    return errorResponse('request/invalid', 'This call has to come from the site itself.');
  return next();
};

/**
 * For the one call that accepts the cookie: requires both headers to name this site, which other sites cannot forge. A
 * local site has several host names; the page's own counts.
 */
export function isFromOwnPage({ req }: Context, siteUrl: string): boolean {
  const from = URL.parse(req.header('origin') ?? '');
  if (from === null || req.header('sec-fetch-site') !== 'same-origin') return false;
  const own = new URL(siteUrl);
  if (from.origin === own.origin) return true;
  return (
    isLoopback(own.hostname) && isLoopback(from.hostname) && from.origin === `${own.protocol}//${req.header('host')}`
  );
}
