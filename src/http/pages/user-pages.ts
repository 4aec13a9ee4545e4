import { LRUCache } from 'lru-cache';
import { chooseCoding, encodeOnceOnly, plainOf } from '../compression.ts';
import type { RenderedPage } from './page-cache.ts';
import { evaluatePreconditions } from '../files/ranges.ts';
import { errorResponse } from '../errors.ts';

type Kept = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/** Some thousand pages, as each takes about 20 KB. */
const maxBytes = 32 * 1024 * 1024;
/** Some texts tell the time that has passed since something. */
const maxAgeMs = 10 * 60_000;
/** Besides its bytes. */
const bytesOfHeaders = 2048;
/** For the coding of a page that is not rendered yet: every page is large enough to be compressed. */
const typicalBytes = 100_000;

/**
 * Compressed pages of users. The HTML depends only on the data that the page brings along for the browser (React hydrates
 * it), so while that stays the same, as after a reload or when a phone has discarded the tab, it is not rendered again.
 */
export function createUserPages() {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.byteLength + bytesOfHeaders,
    ttl: maxAgeMs,
  });
  /** Also the entity tag: each coding has its own (RFC 9110 §8.8.3). */
  const keyFor = (tag: string, request: Request) =>
    `${tag}-${chooseCoding(request.headers.get('accept-encoding'), typicalBytes) ?? 'plain'}`;

  return {
    /**
     * The kept page, or 304 for a browser that has it.
     * @param tag a digest of everything that the HTML depends on
     */
    find(tag: string, request: Request): Response | undefined {
      const key = keyFor(tag, request);
      const page = kept.get(key);
      return page === undefined ? undefined : respond(page, key, request);
    },
    /** Keeps the page, and sends it. */
    async keep(tag: string, page: RenderedPage, request: Request): Promise<Response> {
      const key = keyFor(tag, request);
      const coding = chooseCoding(request.headers.get('accept-encoding'), page.size);
      // A copy, because the encoder's buffer may be larger.
      const bytes = coding === undefined ? plainOf(page) : new Uint8Array(await encodeOnceOnly(plainOf(page), coding));
      const own = {
        bytes,
        headers: {
          ...page.headers,
          etag: `"${key}"`,
          ...(coding !== undefined && { 'content-encoding': coding }),
        },
      };
      kept.set(key, own);
      return respond(own, key, request);
    },
  };
}

function respond({ bytes, headers }: Kept, etag: string, request: Request): Response {
  const outcome = evaluatePreconditions(request.headers, { etag });
  if (outcome === 'failed') return errorResponse('request/precondition-failed');
  if (outcome === 'not-modified') {
    const { 'content-encoding': _coding, ...rest } = headers;
    return new Response(null, { status: 304, headers: rest });
  }
  return new Response(request.method === 'HEAD' ? null : bytes, { headers });
}
