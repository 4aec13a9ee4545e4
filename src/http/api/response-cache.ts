import type { HonoRequest, MiddlewareHandler } from 'hono';
import { type CachedAnswer, type EncodingEnv, sendCached, toCachedBody } from '../compression.ts';
import { tagOf } from '../cached-text.ts';
import { filterNames } from '#domain/catalogue/filters/rules.ts';
import { keyOfListening, listeningOfCookies } from '#domain/identity/listening-rules.ts';
import type { Translations } from '#domain/settings/translations.ts';
import type { Metrics } from '../metrics.ts';
import { nextRequestId } from '../observe.ts';
import type { PublicCache } from '../public-cache.ts';

/** All parameters that lists and details read. Others are not part of the key, so that they cannot fill the cache. */
export const knownParameters = [
  'contentType',
  'category',
  'cursor',
  'languages',
  'limit',
  'page',
  'playlist',
  'series',
  'sort',
  'sortBy',
  'topics',
  'voice',
  'voiceId',
  ...filterNames,
].toSorted();

/**
 * Caches lists and details for visitors (product.md: "never anything that depends on who asks"). Calls with a token,
 * plays (counted), searches (too many terms) and `private` answers bypass it. Runs first, so that a hit is answered in
 * one step.
 */
export function responseCache({
  cache,
  metrics,
  words,
}: {
  cache: PublicCache;
  metrics: Metrics;
  words: Translations;
}): MiddlewareHandler<EncodingEnv> {
  return async (context, next) => {
    const { req } = context;
    if (!isCacheable(req)) return next();
    const key = keyOf(req.path, searchOf(req.url), { cookies: req.header('cookie'), scope: words.scope() });
    const fresh = cache.peek<CachedAnswer>(key);
    if (fresh !== undefined) {
      metrics.observeCached(req.method, '/api (cached)');
      context.set('isEncoded', true);
      return send(fresh, req);
    }
    const value = await cache.get<CachedAnswer>(key, async () => {
      await next();
      return toCachedAnswer(context.res, words.any());
    });
    const stale = cache.peekStale<CachedAnswer>(key);
    // Not finalized: another client's request made the value, or failed to.
    const isOwn = context.finalized;
    if (value !== undefined) context.res = await send(value, req);
    else if (stale !== undefined && (!isOwn || context.res.status === 429)) context.res = await send(stale, req);
    else if (!isOwn) await next();
    return undefined;
  };
}

function isCacheable(req: HonoRequest): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  if (req.header('authorization') !== undefined) return false;
  return !req.path.includes('/audios/play/') && !/\/search(?:\/filters)?$/.test(req.path);
}

type Sent = {
  /** The Cookie header. */
  cookies: string | undefined;
  /** Tells answers apart whose texts are in several languages. */
  scope: string;
};

/** @param url path and query, as sent */
export function findCachedCall(cache: PublicCache, url: string, sent: Sent): CachedAnswer | undefined {
  return cache.peek<CachedAnswer>(keyOf(url.replace(/\?.*/s, ''), searchOf(url), sent));
}

const searchOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Answers depend on one cookie, the choice of languages, and on the language of the call where it has texts. */
function keyOf(path: string, search: string, { cookies = '', scope }: Sent): string {
  const end = `${keyOfListening(listeningOfCookies(cookies))}${scope === '' ? '' : ` ${scope}`}`;
  if (search === '') return `api ${path}${end}`;
  const query = new URLSearchParams(search);
  const parameters = knownParameters.flatMap((name) =>
    query.getAll(name).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return `api ${path}?${parameters.join('&')}${end}`;
}

/** @param isWorded whether it may be in another language for others */
async function toCachedAnswer(response: Response, isWorded: boolean): Promise<CachedAnswer | undefined> {
  const { status, headers } = response;
  const cacheControl = headers.get('cache-control') ?? 'no-cache';
  if (
    status !== 200 ||
    cacheControl.startsWith('private') ||
    !headers.get('content-type')?.startsWith('application/json')
  )
    return undefined;
  const body = new Uint8Array(await response.arrayBuffer());
  const { 'x-request-id': _requestId, 'content-length': _length, ...rest } = Object.fromEntries(headers);
  return {
    ...toCachedBody(body, tagOf(body)),
    headers: {
      ...rest,
      'cache-control': cacheControl,
      ...(isWorded && { vary: 'Accept-Encoding, Accept-Language' }),
    },
  };
}

function send(cached: CachedAnswer, req: HonoRequest): Response | Promise<Response> {
  return sendCached(cached, req.raw, { ...cached.headers, 'x-request-id': nextRequestId() });
}
