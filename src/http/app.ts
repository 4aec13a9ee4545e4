import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { DomainError } from '#domain/errors.ts';
import type { Blobs, Images } from '#domain/gateways.ts';
import { visitor } from '#domain/identity/rules.ts';
import type { Site } from '#domain/site.ts';
import { apiRoutes } from './api/api.ts';
import { keptAnswers } from './api/kept-answers.ts';
import { createCrowdLimit } from './crowd-limit.ts';
import { errorResponse } from './errors.ts';
import { healthRoutes } from './health.ts';
import { imageRoutes } from './images.ts';
import { mediaRoutes } from './media.ts';
import type { Metrics } from './metrics.ts';
import type { PageHandler } from './pages.ts';
import type { PublicCache } from './public-cache.ts';
import { observeRequests } from './observe.ts';
import { securityHeaders } from './security-headers.ts';

export type AppParts = {
  config: Config;
  site: Site;
  blobs: Blobs;
  images: Images;
  log: Logger;
  metrics: Metrics;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Answers everything that is no file and no call; absent in tests of the API alone. */
  pages: PageHandler | undefined;
  /** Built files of the browser: `build/client`. */
  assets: ((app: Hono) => void) | undefined;
  cache: PublicCache;
};

const versions = ['v1', 'v2'];

/** The whole site as one web-standard handler; `main.ts` listens, tests call it. */
export function createApp(parts: AppParts): Hono {
  const { config, site, log } = parts;
  const app = new Hono({ strict: true });

  for (const version of versions) app.use(`/${version}/api/*`, keptAnswers(parts));
  app.use(observeRequests({ log, metrics: parts.metrics }));
  const calling = createCrowdLimit({ most: 200 });
  app.use(securityHeaders({ secure: config.siteUrl.startsWith('https:') }));
  for (const version of versions) app.use(`/${version}/api/*`, (_context, next) => calling(next));

  app.route('/', healthRoutes({ ping: parts.ping, metrics: parts.metrics }));
  app.route(
    '/',
    mediaRoutes({
      findPlayableFile: (_request, id) => site.listening.findPlayableFile(visitor, id),
      blobs: parts.blobs,
      onMissingFile: (file) => log.error({ key: file.key }, 'A sound file is missing'),
    }),
  );
  app.route('/', imageRoutes({ images: parts.images }));
  for (const version of versions) app.route(`/${version}/api`, apiRoutes(parts, `/${version}/api`));
  parts.assets?.(app);
  const { pages } = parts;
  if (pages !== undefined) {
    app.all('*', (context) =>
      context.req.method === 'GET' || context.req.method === 'HEAD'
        ? pages(context.req.raw)
        : errorResponse('request/method-not-allowed', undefined, { allow: 'GET, HEAD' }),
    );
  }

  app.notFound(() => errorResponse('request/not-found'));
  app.onError((error, context) => {
    if (error instanceof DomainError)
      return errorResponse(error.code, error.message, error.code === 'request/too-many' ? { 'retry-after': '5' } : {});
    log.error({ err: error, path: context.req.path }, 'A request failed');
    return errorResponse('server/failed');
  });
  return app;
}
