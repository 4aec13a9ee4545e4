import { randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import { oncePer } from '#start/log.ts';
import { uploadsPath } from './files/uploads.ts';
import type { Metrics } from './metrics.ts';

const processMark = randomBytes(5).toString('hex');
let requests = 0;

/** Unique among all processes of the site, and cheap. */
export function nextRequestId(): string {
  requests += 1;
  return `${processMark}-${requests.toString(36)}`;
}

/**
 * Adds a request id, counts the request, and logs failed or slow ones. Logs no address, user agent or query string,
 * because they reveal who listens to what.
 */
export function observeRequests({ log, metrics }: { log: Logger; metrics: Metrics }): MiddlewareHandler {
  const reportSlow = oncePer(1000, (line: object) => log.warn(line, 'slow request'));
  return async (context, next) => {
    const start = performance.now();
    await next();
    const seconds = (performance.now() - start) / 1000;
    const { status } = context.res;
    const route = routePath(context);
    metrics.observe(context.req.method, route, status, seconds);
    // A failed page shows its id, so that the person can report it.
    const requestId = context.res.headers.get('x-request-id') ?? nextRequestId();
    // `context.header()` would rebuild the answer, and files would lose their fast path.
    context.res.headers.set('x-request-id', requestId);
    const line = { requestId, method: context.req.method, route, status, ms: Math.round(seconds * 1000) };
    // An outage fails every request and has its own log line, and a format that is not offered (501) is no failure.
    if (status >= 500 && status !== 503 && status !== 501) log.error(line, 'request failed');
    else if (seconds > 1 && status !== 429 && !route.startsWith(uploadsPath)) reportSlow(line);
    else log.debug(line, 'request');
  };
}
