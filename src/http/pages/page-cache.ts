import { DomainError } from '#domain/kernel/errors.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { nextRequestId } from '../observe.ts';
import { type CachedAnswer, chooseCoding, encodeOnceOnly, plainOf, sendCached, shrink } from '../compression.ts';
import type { PublicCache } from '../public-cache.ts';

/** A rendered page, or its data. Contains nothing of one request, so that visitors share it with its policy. */
export type RenderedPage = CachedAnswer & { status: number };

type Render = () => Promise<RenderedPage>;

/**
 * Visitors' pages, cached for a few seconds.
 * @param max concurrent renders: a page runs several queries at once, and more would wait for connections until they
 *   time out
 */
export function createPageCache({ cache, max }: { cache: PublicCache; max: number }) {
  const rendering = createConcurrencyLimit({ max });
  // Refreshes have a limit of their own, so that a flood of uncached URLs does not block them.
  const refreshing = createConcurrencyLimit({ max: Math.ceil(max / 2) });

  return {
    /** A page that is never cached. */
    render: (render: Render) => rendering(render),
    /**
     * The cached page, or a new one; while the site is too busy to render it, the previous page.
     * @throws DomainError `request/too-many`
     */
    async find(key: string, render: Render): Promise<RenderedPage> {
      const fresh = cache.peek<RenderedPage>(key);
      if (fresh !== undefined) return fresh;
      const stale = cache.peekStale<RenderedPage>(key);
      const limit = stale === undefined ? rendering : refreshing;
      let own: RenderedPage | undefined;
      try {
        const cached = await cache.get(key, async () => {
          own = await limit(render);
          if (own.status !== 200) return undefined;
          if (stale?.etag !== own.etag) return own;
          // Unchanged: its encoded copies are still good, and worth making smaller.
          void shrink(stale).catch(() => undefined);
          return stale;
        });
        // Without both, another request's page was an error, which is not shared.
        return cached ?? own ?? (await limit(render));
      } catch (error) {
        if (stale !== undefined && error instanceof DomainError && error.code === 'request/too-many') return stale;
        throw error;
      }
    },
  };
}

/** A page of visitors: compressed once for each coding, with an entity tag. */
export function sendSharedPage(page: RenderedPage, request: Request): Response | Promise<Response> {
  return sendCached(page, request, { ...page.headers, 'x-request-id': nextRequestId() });
}

/** Encodes an unshared page as the client accepts. */
export async function sendPage(page: RenderedPage, request: Request): Promise<Response> {
  const headers = { ...page.headers };
  if (request.method === 'HEAD' || page.status === 204 || page.status === 304)
    return new Response(null, { status: page.status, headers });
  const body = plainOf(page);
  const coding = chooseCoding(request.headers.get('accept-encoding'), body.length);
  if (coding === undefined) return new Response(body, { status: page.status, headers });
  headers['content-encoding'] = coding;
  return new Response(await encodeOnceOnly(body, coding), { status: page.status, headers });
}
