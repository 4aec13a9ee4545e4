import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createRequestHandler } from 'react-router';
import type { RouterContextProvider, ServerBuild } from 'react-router';
import type { Config } from '#config';
import { DomainError } from '#domain/errors.ts';
import type { Viewer } from '#domain/identity/rules.ts';
import { visitor } from '#domain/identity/rules.ts';
import type { Site } from '#domain/site.ts';
import type { RequestFacts } from '#web/context.ts';
import { createCrowdLimit } from './crowd-limit.ts';
import { errorResponse } from './errors.ts';
import type { Failures } from './errors.ts';
import { readPreferences } from './preferences.ts';
import type { PublicCache } from './public-cache.ts';
import { allOrigins, commonHeaders, identityOrigins, pagePolicy, paymentOrigins } from './security-headers.ts';
import { findViewer, sessionTokenOf } from './viewer.ts';

export type PageHandler = (request: Request) => Promise<Response>;

type CreateLoadContext = (site: Site, facts: RequestFacts) => RouterContextProvider;

/** Query parameters that a page reads; any other one makes no page of its own in the cache. */
const knownParameters = [
  // Which of a page's loaders its data is asked of (React Router).
  '_routes',
  'cursor',
  'free',
  'page',
  'search',
  'shorterThan',
  'sort',
  'standalone',
  'tag',
  'tab',
  'utm_source',
  'voiceType',
];

/** Their addresses hold the secret of a mailed link; the first request for styles would repeat it before any tag is read. */
const secretAddress = /^\/(?:reset-password|confirm-email)\/*$/i;

/** Terms are without end, and what listeners call their lists is to be found at once; the caches hear of neither. */
const neverKept = /^\/search(?:\.data)?\/*$/;

/** Stands in rendered pages where each answer's own nonce goes. */
const nonceMark = `nonce-mark-${randomBytes(12).toString('hex')}`;

type KeptPage = {
  bytes: number;
  status: number;
  headers: Record<string, string>;
  /** Both cut where the nonce goes. */
  policy: string[] | undefined;
  segments: Buffer[];
};

const compress = promisify(gzip);

/**
 * Answers pages and their data. Visitors' pages are kept for a few seconds, cut where the nonce stands, and put together
 * again with a new one; nobody else's answer is kept anywhere.
 * @param loadBuild the server build; asked for each time in development
 */
export function createPageHandler(options: {
  loadBuild: () => Promise<ServerBuild>;
  site: Site;
  config: Config;
  cache: PublicCache;
  failures: Failures;
  development: boolean;
}): PageHandler {
  const { site, config, cache, failures, development } = options;
  const secure = config.siteUrl.startsWith('https:');
  const origins = allOrigins(identityOrigins(site.facts.identity), paymentOrigins(site.facts.payments));
  // A page asks several things at once: with more of them some would wait for a connection until it counts as lost.
  const rendering = createCrowdLimit({ most: config.databasePoolSize });
  // Whoever is logged in, and what was asked for before, have doors of their own: no crowd of odd addresses is before them.
  const renderingForUsers = createCrowdLimit({ most: config.databasePoolSize });
  const renderingAgain = createCrowdLimit({ most: Math.ceil(config.databasePoolSize / 2) });
  let handler: ReturnType<typeof createRequestHandler> | undefined;

  async function render(request: Request, facts: Omit<RequestFacts, 'reportError'>): Promise<Response> {
    const build = await options.loadBuild();
    if (handler === undefined || development)
      handler = createRequestHandler(build, development ? 'development' : 'production');
    const { createLoadContext } = build.entry.module as unknown as { createLoadContext: CreateLoadContext };
    let unavailable = false;
    const reportError = (error: unknown) => {
      if (failures.report(error, 'A page failed') === 'server/unavailable') unavailable = true;
    };
    const response = await handler(request, createLoadContext(site, { ...facts, reportError }));
    if (!unavailable || response.status !== 500) return response;
    // The router knows one status for all that is thrown.
    const headers = new Headers(response.headers);
    headers.set('retry-after', '5');
    return new Response(response.body, { status: 503, headers });
  }

  async function toKept(response: Response, path: string, { kind }: Viewer): Promise<KeptPage> {
    const text = await response.text();
    const { 'content-length': _length, ...own } = Object.fromEntries(response.headers);
    const headers: Record<string, string> = {
      ...commonHeaders(secure),
      ...own,
      'cache-control':
        config.proxyCache && response.status === 200 && kind === 'visitor'
          ? 'public, max-age=0, s-maxage=10'
          : 'private, no-cache',
      vary: 'Cookie, Accept-Encoding',
      ...(secretAddress.test(path) && { 'referrer-policy': 'no-referrer' }),
    };
    const isDocument = own['content-type']?.startsWith('text/html') === true;
    if (isDocument) headers['content-security-policy'] = pagePolicy({ nonce: nonceMark, secure, development, origins });
    return {
      bytes: text.length,
      status: response.status,
      headers,
      policy: headers['content-security-policy']?.split(nonceMark),
      segments: text.split(nonceMark).map((segment) => Buffer.from(segment)),
    };
  }

  async function answer(page: KeptPage, request: Request): Promise<Response> {
    const nonce = randomBytes(16).toString('base64url');
    const headers = { ...page.headers };
    if (page.policy !== undefined) headers['content-security-policy'] = page.policy.join(nonce);
    if (request.method === 'HEAD' || page.status === 204 || page.status === 304)
      return new Response(null, { status: page.status, headers });
    const body = joined(page.segments, Buffer.from(nonce));
    if (body.length < 1000 || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? ''))
      return new Response(body, { status: page.status, headers });
    headers['content-encoding'] = 'gzip';
    return new Response(new Uint8Array(await compress(body, { level: 4 })), { status: page.status, headers });
  }

  return async (request) => {
    if (request.url.length > 4096) return errorResponse('request/too-large', 'This address is too long.');
    const url = new URL(request.url);
    if (!isDecodable(url.pathname)) return errorResponse('request/invalid', 'This address has a broken escape in it.');
    const cookies = request.headers.get('cookie') ?? '';
    const preferences = readPreferences(cookies);
    const whole = new Request(site.facts.url + url.pathname + url.search);
    const pageFor = (viewer: Viewer) =>
      renderingForUsers(() => render(whole, { viewer, nonce: nonceMark, preferences }));
    let viewer: Viewer = visitor;
    try {
      if (sessionTokenOf(request) !== undefined) viewer = await findViewer(site, request);
    } catch (error) {
      if (failures.report(error, 'A session could not be looked up') !== 'server/unavailable') throw error;
      // The page that says so is the same for all. Should the database be back by now, it is not: who asks decides.
      const page = await pageFor(visitor);
      if (page.status === 503) return answer(await toKept(page, url.pathname, viewer), request);
      viewer = await findViewer(site, request);
    }
    const facts = { viewer, nonce: nonceMark, preferences };

    const address = url.pathname + knownQuery(url);
    const key = `page ${address} ${preferences.theme} ${preferences.discreet}`;
    if (viewer.kind === 'user') return answer(await toKept(await pageFor(viewer), url.pathname, viewer), request);
    const isKept = !development && !neverKept.test(url.pathname);
    if (isKept) {
      const ready = cache.peek<KeptPage>(key);
      if (ready !== undefined) return answer(ready, request);
    }
    // What is kept depends on nothing but its key: no other part of the query, no header, not this visitor's connection.
    const asked = new Request(site.facts.url + address);
    let own: KeptPage | undefined;
    const stale = cache.peekStale<KeptPage>(key);
    const make = async () =>
      toKept(await (stale ? renderingAgain : rendering)(() => render(asked, facts)), url.pathname, viewer);
    try {
      const kept = isKept
        ? await cache.get(key, async () => {
            own = await make();
            return own.status === 200 ? own : undefined;
          })
        : undefined;
      return await answer(kept ?? own ?? (await make()), request);
    } catch (error) {
      if (stale && error instanceof DomainError && error.code === 'request/too-many') return answer(stale, request);
      throw error;
    }
  };
}

/** The query with what a page reads, each in its place: the same for all who get the same page. */
function knownQuery({ search, searchParams }: URL): string {
  if (search === '') return '';
  const known = knownParameters.flatMap((name) => searchParams.getAll(name).map((value) => [name, value]));
  return known.length === 0 ? '' : `?${new URLSearchParams(known)}`;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function joined(segments: Buffer[], between: Buffer): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(
    segments.reduce((sum, segment) => sum + segment.length + between.length, -between.length),
  );
  let at = 0;
  for (const [index, segment] of segments.entries()) {
    if (index > 0) {
      whole.set(between, at);
      at += between.length;
    }
    whole.set(segment, at);
    at += segment.length;
  }
  return whole;
}
