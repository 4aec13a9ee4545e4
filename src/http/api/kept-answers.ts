import { createHash } from 'node:crypto';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { Metrics } from '../metrics.ts';
import { nextRequestId } from '../observe.ts';
import type { PublicCache } from '../public-cache.ts';

type KeptJson = { bytes: number; body: Uint8Array<ArrayBuffer>; etag: string; headers: Record<string, string> };

/** All that lists and details read; what else stands in an address makes no entry of its own. */
const knownParameters = [
  'contentType',
  'cursor',
  'free',
  'limit',
  'page',
  'shorterThan',
  'sort',
  'sortBy',
  'tag',
  'topics',
  'voiceType',
];

/**
 * Keeps lists and details, which are the same for everyone (product.md: "never anything that depends on who asks"); an
 * answer that is not says `private`. Whoever brings a token is answered anew, and so is each play, which is counted, and
 * each search, whose terms are too many to be kept.
 * Stands before everything else, so that what is kept goes out in one step.
 */
export function keptAnswers({ cache, metrics }: { cache: PublicCache; metrics: Metrics }): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    if (req.header('authorization') !== undefined || isNeverKept(req.path)) return next();
    const key = keyOf(req);
    const kept = cache.peek<KeptJson>(key);
    if (kept !== undefined) {
      metrics.observe(req.method, '/api (kept)', 200, 0);
      return send(kept, req);
    }
    const answer = await cache.get<KeptJson>(key, async () => {
      await next();
      return toKept(context.res);
    });
    if (answer === undefined) {
      const stale = cache.peekStale<KeptJson>(key);
      // Not finalized: it was somebody else's request that was not answered.
      if (!context.finalized && stale === undefined) await next();
      if (stale !== undefined && (!context.finalized || context.res.status === 429)) context.res = send(stale, req);
      return;
    }
    context.res = send(answer, req);
  };
}

function isNeverKept(path: string): boolean {
  return path.includes('/audios/play/') || path.endsWith('/search');
}

function keyOf(req: HonoRequest): string {
  if (!req.url.includes('?')) return `api ${req.path}`;
  const query = req.queries();
  const parameters = knownParameters.flatMap((name) =>
    (query[name] ?? []).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return `api ${req.path}?${parameters.join('&')}`;
}

async function toKept(response: Response): Promise<KeptJson | undefined> {
  const { status, headers } = response;
  const cacheControl = headers.get('cache-control') ?? 'no-cache';
  if (
    status !== 200 ||
    cacheControl.startsWith('private') ||
    !headers.get('content-type')?.startsWith('application/json')
  )
    return undefined;
  const body = new Uint8Array(await response.arrayBuffer());
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const { 'x-request-id': _requestId, 'content-length': _length, ...rest } = Object.fromEntries(headers);
  return { bytes: body.byteLength, body, etag, headers: { ...rest, etag, 'cache-control': cacheControl } };
}

function send(kept: KeptJson, req: HonoRequest): Response {
  const headers = { ...kept.headers, 'x-request-id': nextRequestId() };
  const unchanged = req.header('if-none-match')?.split(/,\s*/).includes(kept.etag) === true;
  return unchanged ? new Response(null, { status: 304, headers }) : new Response(kept.body, { headers });
}
