import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Blobs, Cards, Images } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import { apiRoutes } from './api/api.ts';
import { keptAnswers } from './api/kept-answers.ts';
import { cardRoutes } from './cards.ts';
import { createCrowdLimit } from './crowd-limit.ts';
import { errorResponse } from './errors.ts';
import type { Failures } from './errors.ts';
import { feedRoutes } from './feeds.ts';
import { healthRoutes } from './health.ts';
import { identityProviderRoutes } from './identity-provider.ts';
import { imageRoutes } from './images.ts';
import { installableRoutes } from './installable.ts';
import { mediaRoutes } from './media.ts';
import type { Metrics } from './metrics.ts';
import type { PageHandler } from './pages.ts';
import type { PublicCache } from './public-cache.ts';
import { observeRequests } from './observe.ts';
import { clientAddress, createRateLimit } from './rate-limit.ts';
import { sitemapRoutes } from './sitemap.ts';
import { securityHeaders } from './security-headers.ts';
import { openTransport } from './transport.ts';
import { findViewer } from './viewer.ts';
import { webhookRoutes } from './webhooks.ts';

export type AppParts = {
  config: Config;
  site: Site;
  blobs: Blobs;
  images: Images;
  cards: Cards;
  log: Logger;
  metrics: Metrics;
  failures: Failures;
  /** Answers below `/identity` where the built-in provider is the one. */
  handleIdentity: ((request: Request) => Promise<Response>) | undefined;
  /** Pages and scripts of the payment provider's stand-in; absent with a real one. */
  paymentRoutes: Hono | undefined;
  /** Rejects when the database does not answer, or is not what the site needs. */
  checkReady(): Promise<void>;
  /** Answers everything that is no file and no call; absent in tests of the API alone. */
  pages: PageHandler | undefined;
  /** Built files of the browser: `build/client`. */
  assets: ((app: Hono) => void) | undefined;
  /** Where they lie; absent, nothing is kept for later in browsers. */
  assetsDir?: string | undefined;
  cache: PublicCache;
};

const versions = ['v1', 'v2'];

/** Calls that are done for many at once, and hold no place at the database of their own: their line is in `gather`. */
const isGathered = (path: string) => path.endsWith('/api/history/me/value') || path.endsWith('/api/events');

/** Calls that wait for the payment provider: should it hang, they are not to take the places of all others. */
const isPaying = (path: string) =>
  /^\/v\d\/api\/(?:stripe|gift-cards|subscription\/preview|user\/(?:subscription|gift-cards?))(?:\/|$)/.test(path);

/** The whole site as one web-standard handler; `main.ts` listens, tests call it. */
export function createApp(parts: AppParts): Hono {
  const { config, site, log } = parts;
  const app = new Hono({ strict: true });
  const secure = config.siteUrl.startsWith('https:');

  const transport = config.transportKey === undefined ? undefined : openTransport(config.transportKey);
  if (transport !== undefined) app.use('/v2/api/*', transport.encryptAnswers);
  for (const version of versions) app.use(`/${version}/api/*`, keptAnswers(parts));
  app.use(observeRequests({ log, metrics: parts.metrics }));
  const calling = createCrowdLimit({ most: 2 * config.databasePoolSize });
  const paying = createCrowdLimit({ most: 4 * config.databasePoolSize });
  app.use(securityHeaders({ secure }));
  for (const version of versions)
    app.use(`/${version}/api/*`, ({ req }, next) =>
      isGathered(req.path) ? next() : isPaying(req.path) ? paying(next) : calling(next),
    );
  if (transport !== undefined) app.use('/v2/api/*', transport.decryptBodies);

  app.route('/', healthRoutes(parts));
  app.route(
    '/',
    mediaRoutes({
      findPlayableFile: async (request, id) => site.listening.findPlayableFile(await findViewer(site, request), id),
      blobs: parts.blobs,
      onMissingFile: (file) => log.error({ key: file.key }, 'A sound file is missing'),
    }),
  );
  app.route('/', imageRoutes({ images: parts.images }));
  app.route('/', cardRoutes(parts));
  app.route('/', feedRoutes(parts));
  app.route('/', sitemapRoutes(parts));
  app.route('/', installableRoutes({ site, assetsDir: parts.assetsDir }));
  const rateLimit = createRateLimit({ trustProxy: config.trustProxy });
  for (const version of versions)
    app.route(
      `/${version}/api`,
      apiRoutes(
        {
          site,
          failures: parts.failures,
          metrics: parts.metrics,
          rateLimit,
          trustProxy: config.trustProxy,
          secure,
        },
        `/${version}/api`,
      ),
    );
  if (parts.handleIdentity !== undefined) {
    const { attempts } = site.identity;
    const { failures, handleIdentity: handle } = parts;
    app.route('/', identityProviderRoutes({ handle, attempts, failures, trustProxy: config.trustProxy }));
  }
  app.route('/', webhookRoutes({ site, failures: parts.failures, most: Math.ceil(config.databasePoolSize / 2) }));
  if (parts.paymentRoutes !== undefined) {
    // Its key is in everybody's hands, and each call writes.
    app.use('/stripe-sandbox/v1/*', (context, next) => {
      const of = `payment sandbox ${clientAddress(context, config.trustProxy)}`;
      return rateLimit(context, { perMinute: 240, of }) ? next() : Promise.resolve(errorResponse('request/too-many'));
    });
    app.route('/', parts.paymentRoutes);
  }
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
  app.onError((error, context) => parts.failures.answer(error, 'A request failed', { path: context.req.path }));
  return app;
}
