import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { matchedRoutes } from 'hono/route';
import type { Site } from '#domain/site.ts';
import { errorResponse } from '../errors.ts';
import type { Failures } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { bearerOnly } from '../viewer.ts';
import { accountRoutes } from './account.ts';
import { authenticationRoutes } from './authentication.ts';
import { blogRoutes } from './blog.ts';
import { catalogueRoutes } from './catalogue.ts';
import { commentRoutes } from './comments.ts';
import { favoriteRoutes } from './favorites.ts';
import { insightRoutes } from './insight.ts';
import { giftCardRoutes } from './gift-cards.ts';
import { libraryRoutes } from './library.ts';
import { listeningRoutes } from './listening.ts';
import { ownPlaylistRoutes } from './own-playlists.ts';
import { queueRoutes } from './queue.ts';
import { membershipRoutes } from './membership.ts';
import { referencePage } from './reference.ts';
import { searchRoutes } from './search.ts';
import { sessionRoutes } from './sessions.ts';
import { unwantedRoutes } from './unwanted.ts';

export type ApiParts = {
  site: Site;
  failures: Failures;
  /** One for all versions: they are the same calls. */
  rateLimit: RateLimit;
  metrics: Pick<Metrics, 'dropEvents'>;
  /** How many proxies append to X-Forwarded-For. */
  trustProxy: number;
  /** The site is reached over TLS. */
  secure: boolean;
};

/** The calls of spec §7 under one version; v1 and v2 have the same ones. @param base such as `/v1/api` */
export function apiRoutes(parts: ApiParts, base: string) {
  const app = new OpenAPIHono<ViewerEnv>();
  app.use(jsonBodiesOnly, bearerOnly(parts.site), ownAnswers);
  const routes = app
    .route('/', catalogueRoutes(parts.site))
    .route('/', libraryRoutes(parts))
    // Before the account's calls, whose smaller limit of a body is for everything under /user.
    .route('/', queueRoutes(parts))
    .route('/', listeningRoutes(parts))
    .route('/', favoriteRoutes(parts))
    .route('/', ownPlaylistRoutes(parts))
    .route('/', commentRoutes(parts))
    .route('/', unwantedRoutes(parts))
    .route('/', searchRoutes(parts))
    .route('/', insightRoutes(parts))
    .route('/', blogRoutes(parts.site))
    .route('/', authenticationRoutes(parts))
    .route('/', accountRoutes(parts))
    .route('/', sessionRoutes(parts))
    .route('/', membershipRoutes(parts))
    .route('/', giftCardRoutes(parts));

  const description = () =>
    routes.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: `${parts.site.facts.name} API`,
        version: base.split('/')[1] ?? '',
        description:
          'Lists come in pages: follow `nextCursor` until it is absent. Times are ISO 8601 in UTC, durations seconds.',
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
    if (error instanceof HTTPException && error.status < 500)
      return errorResponse('request/invalid', 'The body is not JSON.');
    // Whoever went away while still sending is nobody's failure, and gets no answer.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' && context.req.raw.signal.aborted)
      return errorResponse('request/invalid');
    return parts.failures.answer(error, 'A call failed', { path: context.req.path });
  });
  return routes;
}

/** For the browser's typed client. */
export type Api = ReturnType<typeof apiRoutes>;

/** A list may leave out what this user does not want to meet: on the way nobody keeps it for others. */
const ownAnswers: MiddlewareHandler<ViewerEnv> = async (context, next) => {
  await next();
  if (context.get('loggedIn') !== undefined && !context.res.headers.has('cache-control'))
    context.res.headers.set('cache-control', 'private, no-cache');
};

const jsonBodiesOnly: MiddlewareHandler = async (context, next) => {
  const { method } = context.req;
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  // Where this method is not taken at all, that is the answer, whatever the body.
  const isTaken = hasBody && matchedRoutes(context).some((route) => route.method === method);
  // A call that is only its address, such as a log-out, brings nothing to be of a type.
  const isEmpty =
    context.req.header('content-type') === undefined &&
    (context.req.header('content-length') ?? '0') === '0' &&
    context.req.header('transfer-encoding') === undefined;
  if (isEmpty) return next();
  if (isTaken && !/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? ''))
    return errorResponse('request/unsupported-type');
  return next();
};
