import { createHash } from 'node:crypto';
import type { ChangeTimes } from './change-times.ts';
import { type CachedBody, sendCached, toCachedBody } from './compression.ts';
import { errorResponse } from './errors.ts';
import type { PublicCache } from './public-cache.ts';

/**
 * A public text or file, made once and cached.
 * @param make resolves to undefined when there is no such text: 404
 */
export async function cachedText(
  request: Request,
  {
    cache,
    key,
    type,
    make,
    changeTimes,
    more,
  }: {
    cache: PublicCache;
    key: string;
    type: string;
    make: () => Promise<string | Uint8Array | undefined>;
    changeTimes?: ChangeTimes;
    /** Other headers. */
    more?: Record<string, string>;
  },
): Promise<Response> {
  const cached = await cache.get<CachedBody>(key, async () => {
    const text = await make();
    if (text === undefined) return undefined;
    const body = typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text);
    return toCachedBody(body, tagOf(body));
  });
  if (cached === undefined) return errorResponse('request/not-found');
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=300', ...more };
  return sendCached(cached, request, headers, changeTimes?.(key, cached.etag));
}

/** An entity tag of these bytes, without quotes. */
export function tagOf(body: Uint8Array | string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}
