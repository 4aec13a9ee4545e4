import { createHash } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Logger } from 'pino';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#domain/site.ts';
import { errorResponse } from '../errors.ts';
import type { PublicCache } from '../public-cache.ts';
import { createRateLimit } from '../rate-limit.ts';
import { catalogueRoutes } from './catalogue.ts';
import { insightRoutes } from './insight.ts';
import { libraryRoutes } from './library.ts';
import { referencePage } from './reference.ts';

export type ApiParts = { site: Site; cache: PublicCache; log: Logger; config: { trustProxy: number } };

/** The calls of spec §7 under one version; v1 and v2 have the same ones. @param base such as `/v1/api` */
export function apiRoutes(parts: ApiParts, base: string) {
  const app = new OpenAPIHono();
  app.use(keepForVisitors(parts.cache, base));
  app.use(jsonBodiesOnly);
  const routes = app
    .route('/', catalogueRoutes(parts.site))
    .route('/', libraryRoutes(parts.site))
    .route('/', insightRoutes(parts.site, createRateLimit({ trustProxy: parts.config.trustProxy })));

  const description = () =>
    routes.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: `${parts.site.facts.name} API`,
        version: base.split('/')[1] ?? '',
        description: 'Lists come in pages: follow `nextCursor` until it is absent. Times are ISO 8601 in UTC, durations seconds.',
      },
      servers: [{ url: `${parts.site.facts.url}${base}` }],
    });
  routes.get('/openapi.json', (context) => context.json(description()));
  routes.get('/reference', () => referencePage(description()));

  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes.routes) {
    if (method === 'ALL') continue;
    methods.set(path, (methods.get(path) ?? new Set<string>()).add(method));
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', ');
    routes.all(path, () => errorResponse('request/method-not-allowed', undefined, { allow }));
  }
  routes.all('*', () => errorResponse('request/not-found'));
  routes.onError((error, context) => {
    if (error instanceof DomainError) return errorResponse(error.code, error.message);
    if (error instanceof HTTPException && error.status < 500) return errorResponse('request/invalid', 'The body is not JSON.');
    parts.log.error({ err: error, path: context.req.path }, 'A call failed');
    return errorResponse('server/failed');
  });
  return routes;
}

/** For `hc<Api>` in the browser: types only. */
export type Api = ReturnType<typeof apiRoutes>;

const jsonBodiesOnly: MiddlewareHandler = async (context, next) => {
  const { method } = context.req;
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  if (hasBody && !/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? '')) return errorResponse('request/unsupported-type');
  return next();
};

type KeptJson = { bytes: number; body: Uint8Array<ArrayBuffer>; etag: string; cacheControl: string };

/** All that lists and details read; what else stands in an address makes no entry of its own. */
const knownParameters = ['contentType', 'cursor', 'free', 'limit', 'shorterThan', 'sort', 'tag', 'voiceType'];

/** Lists and details are the same for everyone (product.md: "never anything that depends on who asks"); what is not says `private`. */
function keepForVisitors(cache: PublicCache, base: string): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const query = req.url.includes('?') ? req.queries() : {};
    const parameters = knownParameters.flatMap((name) => (query[name] ?? []).map((value) => `${name}=${encodeURIComponent(value)}`));
    const answer = await cache.get<KeptJson>(`${base} ${req.path}?${parameters.join('&')}`, async () => {
      await next();
      const { status, headers } = context.res;
      const cacheControl = headers.get('cache-control') ?? 'no-cache';
      if (status !== 200 || cacheControl.startsWith('private') || !headers.get('content-type')?.startsWith('application/json')) return undefined;
      const body = new Uint8Array(await context.res.arrayBuffer());
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      return { bytes: body.byteLength, body, etag, cacheControl };
    });
    if (answer === undefined) {
      if (!context.finalized) await next();
      return;
    }
    const headers = { 'content-type': 'application/json', etag: answer.etag, 'cache-control': answer.cacheControl };
    const unchanged = req.header('if-none-match')?.split(/,\s*/).includes(answer.etag) === true;
    context.res = unchanged ? new Response(null, { status: 304, headers }) : new Response(answer.body, { headers });
  };
}
