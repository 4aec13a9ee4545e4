import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { matchedRoutes, routePath } from 'hono/route';
import { errorResponse } from '../errors.ts';
import { routesOfCalls } from './routes-of-calls.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { completeDescription } from './describe.ts';
import { answerRepeats } from './idempotency.ts';
import { refuseInvalid } from './invalid.ts';
import { referencePage } from './reference.ts';

/**
 * The calls of spec §7 under one version, after `bearerOnly`; v1 and v2 have the same ones.
 * @param base such as `/v1/api`
 */
export function apiRoutes(parts: ApiParts, base: string) {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
  app.use(jsonBodiesOnly, privateForUsers, (context, next) => {
    context.set('rateLimit', parts.rateLimit);
    return next();
  });
  app.use(answerRepeats(parts, base));
  app.route('/', routesOfCalls(parts));

  const { facts } = parts.site;
  let described: { name: string; document: object } | undefined;
  /** Made anew when operators rename their site. */
  function description(): object {
    const { name, url } = facts;
    if (described?.name === name) return described.document;
    const document = completeDescription(
      app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: `${name} API`,
          version: base.split('/')[1] ?? '',
          description:
            'Lists come in pages: follow `nextCursor` until it is `null`. Times are ISO 8601 in UTC, durations seconds.',
          termsOfService: `${url}/terms`,
        },
        servers: [{ url: `${url}${base}` }],
      }),
    );
    described = { name, document };
    return document;
  }
  app.get('/openapi.json', (context) => context.json(description()));
  app.get('/reference', () => referencePage(description()));

  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = new Set(ofPath.map(({ method }) => method));
    const allow = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', ');
    app.all(path, () => errorResponse('request/method-not-allowed', undefined, { allow }));
  }
  app.all('*', () => errorResponse('request/not-found'));
  app.onError((error, context) => {
    if (error instanceof HTTPException && error.status < 500)
      return errorResponse('request/invalid', 'The body is not JSON.');
    // A client that disconnects while sending is no server error and gets no answer.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' && context.req.raw.signal.aborted)
      return errorResponse('request/invalid');
    return parts.failures.respond(error, 'A call failed', { method: context.req.method, route: routePath(context) });
  });
  return app;
}

/** Lists depend on the user's hidden tags, so shared caches must not store them. */
const privateForUsers: MiddlewareHandler<ApiEnv> = async (context, next) => {
  await next();
  if (context.get('loggedIn') !== undefined && !context.res.headers.has('cache-control'))
    context.res.headers.set('cache-control', 'private, no-cache');
};

const jsonBodiesOnly: MiddlewareHandler = async (context, next) => {
  const { method } = context.req;
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  // Answers 405 when no route accepts this method, whatever the body.
  const isTaken = hasBody && matchedRoutes(context).some((route) => route.method === method);
  // Calls without a body, such as a log-out, need no content type.
  const isEmpty =
    context.req.header('content-type') === undefined &&
    (context.req.header('content-length') ?? '0') === '0' &&
    context.req.header('transfer-encoding') === undefined;
  if (isEmpty) return next();
  if (isTaken && !/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? ''))
    return errorResponse('request/unsupported-type');
  return next();
};
