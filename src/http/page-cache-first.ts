import type { MiddlewareHandler } from 'hono';
import type { Config } from '#config';
import type { Metrics } from './metrics.ts';
import { ownHostTest } from './own-host.ts';
import type { PageHandler } from './pages.ts';

/** Answers visitors' cached pages in one step, before all other middleware. */
export function pageCacheFirst(
  pages: PageHandler,
  { config, metrics }: { config: Pick<Config, 'siteUrl' | 'trustProxy'>; metrics: Metrics },
): MiddlewareHandler {
  const isOwnHost = ownHostTest(config);
  return async ({ req }, next) => {
    if ((req.method !== 'GET' && req.method !== 'HEAD') || !isOwnHost(req.raw)) return next();
    const cached = pages.findCached(req.raw);
    if (cached === undefined) return next();
    metrics.observeCached(req.method, 'pages (cached)');
    return cached;
  };
}
