import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '#config';
import { type AgeGates, privately } from './age/age-gate.ts';
import { findCachedCall } from './api/response-cache.ts';
import { chooseCoding, copyOf, headersOfCopy } from './compression.ts';
import { clientOf } from './limits/server-limits.ts';
import type { Metrics } from './metrics.ts';
import { nextRequestId } from './observe.ts';
import { ownHostTest } from './own-host.ts';
import type { PageHandler } from './pages/pages.ts';
import type { PublicCache } from './public-cache.ts';

/** Requests with these are left to the app: conditions, bodies, and a token. */
const leftToApp = [
  'authorization',
  'content-length',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'transfer-encoding',
] satisfies (keyof IncomingHttpHeaders)[];

/**
 * Sends visitors' cached pages and API answers by Node's own request and response: the app would make web-standard
 * objects of them and find a route, which takes longer than the answer. Everything else is the app's.
 * @returns a function that returns false when it has not answered
 */
export function sendFromCaches({
  config,
  cache,
  pages,
  metrics,
  scopeOf,
  ages,
}: {
  config: Pick<Config, 'siteUrl' | 'trustProxy' | 'transportKey'>;
  cache: PublicCache;
  pages: Pick<PageHandler, 'findCached'>;
  metrics: Pick<Metrics, 'observeCached'>;
  /** See `Translations`. @param wanted `Accept-Language` */
  scopeOf: (wanted: string | undefined) => string;
  ages: Pick<AgeGates, 'ofCached'>;
}): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const isOwnHost = ownHostTest(config);
  // With a transport key, v2 answers are encrypted one by one.
  const calls = config.transportKey === undefined ? /^\/v[12]\/api\// : /^\/v1\/api\//;
  return (incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    if ((method !== 'GET' && method !== 'HEAD') || outgoing.destroyed) return false;
    if (leftToApp.some((name) => headers[name] !== undefined) || !isOwnHost(headers)) return false;
    const path = url.replace(/\?.*/s, '');
    const age = ages.ofCached(
      method,
      path,
      (name) => headers[name]?.toString(),
      () => clientOf(incoming, config.trustProxy),
    );
    if (age === undefined) return false;
    const isCall = calls.test(url);
    const cached = isCall
      ? findCachedCall(cache, url, { cookies: headers.cookie, scope: scopeOf(headers['accept-language']) })
      : pages.findCached(url, headers.cookie ?? '', age.missing);
    if (cached === undefined) return false;
    const coding = chooseCoding(headers['accept-encoding']?.toString(), cached.size, cached.codings);
    const copy = copyOf(cached, coding);
    if (copy instanceof Promise) return false;
    metrics.observeCached(method, isCall ? '/api (cached)' : 'pages (cached)');
    const own = {
      ...cached.headers,
      ...(age.isPrivate && { 'cache-control': privately(cached.headers['cache-control'] ?? null) }),
      'x-request-id': nextRequestId(),
    };
    outgoing.writeHead(200, headersOfCopy(cached, coding, copy, own));
    outgoing.end(method === 'HEAD' ? undefined : copy.bytes);
    return true;
  };
}
