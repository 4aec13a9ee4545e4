import { randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import { oncePer } from '../log.ts';
import type { Metrics } from './metrics.ts';

const processMark = randomBytes(5).toString('hex');
let requests = 0;

/** Unique among all processes of the site, and cheap. */
export function nextRequestId(): string {
  requests += 1;
  return `${processMark}-${requests.toString(36)}`;
}

/**
 * Gives every request an id, counts it, and writes one line when it fails or is slow. No address, no agent and no query
 * string is written: they tell who listens to what.
 */
export function observeRequests({ log, metrics }: { log: Logger; metrics: Metrics }): MiddlewareHandler {
  const reportSlow = oncePer(1000, (line: object) => log.warn(line, 'slow request'));
  return async (context, next) => {
    const requestId = nextRequestId();
    const start = performance.now();
    await next();
    const seconds = (performance.now() - start) / 1000;
    const { status } = context.res;
    const route = routePath(context);
    metrics.observe(context.req.method, route, status, seconds);
    // Not `context.header()`: it would make the answer anew, and files would leave their quick path.
    context.res.headers.set('x-request-id', requestId);
    const line = { requestId, method: context.req.method, route, status, ms: Math.round(seconds * 1000) };
    // Of an outage each request is a part, and the outage has its own line.
    if (status >= 500 && status !== 503) log.error(line, 'request failed');
    else if (seconds > 1 && status !== 429) reportSlow(line);
    else log.debug(line, 'request');
  };
}
