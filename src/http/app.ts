import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Blobs, Cards, Images } from '#domain/gateways.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import type { AgeEnv, AgeGates } from './age/age-gate.ts';
import { createAgeProofs } from './age/age-proofs.ts';
import { ageRoutes } from './age/age-routes.ts';
import { seeAsRoutes } from './age/see-as.ts';
import { apiRoutes } from './api/api.ts';
import { appLinkRoutes } from './pages/app-links.ts';
import { takePlace } from './api/places.ts';
import { responseCache } from './api/response-cache.ts';
import { cardRoutes } from './files/cards.ts';
import { clipRoutes } from './embed/clips.ts';
import { frameRoutes } from './embed/frames.ts';
import { oembedRoutes } from './embed/oembed.ts';
import { compressJson } from './compression.ts';
import { createConcurrencyLimit } from './limits/concurrency-limit.ts';
import { type Failures, errorResponse, refuseUnlessRead } from './errors.ts';
import { consentRoutes } from './files/consent.ts';
import { feedCoverRoutes } from './feeds/feed-covers.ts';
import { feedRoutes } from './feeds/feeds.ts';
import { healthRoutes } from './health.ts';
import { identityProviderRoutes } from './identity-provider.ts';
import { imageRoutes } from './files/images.ts';
import { suggestionRoutes } from './files/suggestions.ts';
import { installableRoutes } from './pages/installable.ts';
import { limitBody, readBodyFirst } from './limits/limit-body.ts';
import { lookRoutes } from './files/look.ts';
import { mediaRoutes } from './files/media.ts';
import type { Metrics } from './metrics.ts';
import { ownHost } from './own-host.ts';
import type { PageHandler } from './pages/pages.ts';
import { loggedPath, privateFeedRoutes } from './feeds/private-feeds.ts';
import type { PublicCache } from './public-cache.ts';
import { observeRequests } from './observe.ts';
import { originalRoutes } from './files/originals.ts';
import { clientAddress, createRateLimit, searchBudget } from './limits/rate-limit.ts';
import { probeRoutes } from './site-probe.ts';
import { sitemapRoutes } from './feeds/sitemap.ts';
import { creatorCheckRoutes } from './pages/creator-checks.ts';
import { listenedLanguageRoutes } from './pages/listened-languages.ts';
import { noticeForms } from './pages/notice-forms.ts';
import { unsubscribeRoutes } from './unsubscribe.ts';
import { voiceArchiveRoutes } from './files/voice-archive.ts';
import { type UploadStore, uploadRoutes, uploadsPath } from './files/uploads.ts';
import { securityHeaders } from './security-headers.ts';
import { openTransport } from './transport.ts';
import { bearerOnly, findViewer } from './viewer.ts';
import { type FromReplica, readForVisitors } from './visitor-reads.ts';
import { inWantedLanguage } from './api/wanted-language.ts';
import { type PaymentEventIntake, webhookRoutes } from './webhooks.ts';

export type AppParts = {
  config: Config;
  site: Site;
  blobs: Blobs;
  images: Images;
  cards: Cards;
  log: Logger;
  metrics: Metrics;
  failures: Failures;
  /** Handles requests below `/identity`; set only for the built-in provider. */
  handleIdentity: ((request: Request) => Promise<Response>) | undefined;
  paymentEvents: PaymentEventIntake;
  /** Pages and scripts of what plays a payment provider; empty with real ones. */
  paymentRoutes: Hono[];
  /** Storage of the files that creators upload. */
  incoming: UploadStore;
  /** Lets `doctor` recognize the site; absent: the site does not answer it. */
  secret?: string;
  /** Rejects when the database is unreachable or unsuitable for the site. */
  checkReady(): Promise<void>;
  /** Lets a database replica answer visitors; default: no replica. */
  fromReplica?: FromReplica | undefined;
  /** Why a load balancer should send no requests to this process, although the database answers. */
  findObstacle?: () => string | undefined;
  /** Handles everything except files and API calls; undefined in tests of the API alone. */
  pages: PageHandler | undefined;
  /** Serves the built browser files: `build/client`. */
  assets: ((app: Hono) => void) | undefined;
  /** Directory of these files; without it there is no service worker. */
  assetsDir?: string | undefined;
  cache: PublicCache;
  /** Blocks of suggestions. */
  blockCache: PublicCache;
  /** Asks visitors for their age where a rule says so. */
  ages: AgeGates;
};

const versions = ['v1', 'v2'];

/** The whole site as one web-standard handler; `start.ts` listens, tests call it. */
export function createApp(parts: AppParts): Hono {
  const { config, site, log } = parts;
  const app = new Hono({ strict: true });
  const secure = config.siteUrl.startsWith('https:');

  app.use(inWantedLanguage(() => site.facts.languages));
  if (parts.fromReplica !== undefined) app.use(readForVisitors(parts.fromReplica));
  for (const version of versions) app.use(`/${version}/api/*`, compressJson);
  const transport = config.transportKey === undefined ? undefined : openTransport(config.transportKey);
  if (transport !== undefined) app.use('/v2/api/*', transport.encryptResponses);
  // Before the caches, which know no regions.
  app.use(parts.ages.middleware);
  for (const version of versions) app.use(`/${version}/api/*`, responseCache({ ...parts, words: site.settings.words }));
  app.use(observeRequests({ log, metrics: parts.metrics }));
  app.use(securityHeaders(config));
  app.use(ownHost({ config, log }));
  const places = {
    database: createConcurrencyLimit({ max: 2 * config.databasePoolSize }),
    provider: createConcurrencyLimit({ max: 4 * config.databasePoolSize }),
  };
  // Authenticates and reads the body before taking a place, so that a stalled body holds none.
  for (const version of versions)
    app.use(
      `/${version}/api/*`,
      bearerOnly({ site, secure, trustProxy: config.trustProxy }),
      readBodyFirst({ isEncrypted: version === 'v2' && transport !== undefined }),
      takePlace(places),
    );
  if (transport !== undefined) app.use('/v2/api/*', transport.decryptBodies);

  const rateLimit = createRateLimit({ trustProxy: config.trustProxy });
  const onMissingFile = ({ key }: { key: string }) => log.error({ key }, 'A sound file is missing');
  app.route('/', healthRoutes({ ...parts, metricsReaders: config.metrics }));
  if (parts.secret !== undefined) app.route('/', probeRoutes(parts.secret));
  app.route(
    '/',
    mediaRoutes({
      findPlayableFile: async (request, id, use) =>
        site.listening.findPlayableFile(await findViewer(site, request), id, use),
      blobs: parts.blobs,
      onMissingFile,
    }),
  );
  app.route(
    '/',
    originalRoutes({
      async findOriginal(request, id) {
        const viewer = await findViewer(site, request);
        return viewer.kind === 'user' ? site.studio.findOriginal(viewer, id) : undefined;
      },
      blobs: parts.blobs,
      onMissingFile: ({ key }) => log.error({ key }, 'An original file is missing'),
    }),
  );
  app.route('/', voiceArchiveRoutes({ ...parts, rateLimit }));
  app.route('/', consentRoutes({ ...parts, rateLimit, trustProxy: config.trustProxy, onMissingFile }));
  app.route('/', imageRoutes({ images: parts.images, trustProxy: config.trustProxy }));
  app.route('/', lookRoutes(parts));
  app.route('/', cardRoutes(parts));
  app.route('/', frameRoutes(parts));
  app.route('/', clipRoutes({ ...parts, onMissingFile }));
  app.route('/', oembedRoutes({ site, rateLimit }));
  app.route('/', suggestionRoutes({ ...parts, rateLimit, trustProxy: config.trustProxy }));
  app.route('/', feedRoutes(parts));
  app.route('/', feedCoverRoutes({ images: parts.images, trustProxy: config.trustProxy }));
  app.route('/', sitemapRoutes(parts));
  app.route('/', appLinkRoutes(config.linkedApps));
  app.route('/', installableRoutes({ site, blobs: parts.blobs, assetsDir: parts.assetsDir }));
  const proofs = createAgeProofs({ site, ages: parts.ages, rateLimit, secure });
  app.route('/', privateFeedRoutes({ ...parts, rateLimit, trustProxy: config.trustProxy, onMissingFile }));
  for (const path of [uploadsPath, `${uploadsPath}/*`])
    app.use(path, bearerOnly({ site, secure, trustProxy: config.trustProxy }));
  app.route(
    '/',
    uploadRoutes({
      site,
      store: parts.incoming,
      tools: { blobs: parts.blobs, incoming: parts.incoming },
      limits: config.uploads,
      failures: parts.failures,
      rateLimit,
    }),
  );
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
          ages: parts.ages,
          proofs,
          secure,
        },
        `/${version}/api`,
      ),
    );
  if (parts.handleIdentity !== undefined) {
    const { attempts, knownDevices } = site.identity;
    const { failures, handleIdentity: handle } = parts;
    app.route(
      '/',
      identityProviderRoutes({ handle, attempts, knownDevices, failures, trustProxy: config.trustProxy, secure }),
    );
  }
  app.route(
    '/',
    webhookRoutes({
      site,
      intake: parts.paymentEvents,
      failures: parts.failures,
      addressOf: (context) => clientAddress(context, config.trustProxy),
    }),
  );
  if (parts.paymentRoutes.length > 0) {
    // The sandbox key is public, and each call writes.
    app.use(
      '/stripe-sandbox/v1/*',
      (context, next) => {
        const isWithin = rateLimit(context, { perMinute: 240, kind: 'payment sandbox' });
        return isWithin ? next() : Promise.resolve(errorResponse('request/too-many'));
      },
      limitBody(16 * 1024),
    );
    for (const routes of parts.paymentRoutes) app.route('/', routes);
  }
  app.route('/', unsubscribeRoutes({ site, rateLimit }));
  app.route('/', ageRoutes({ site, ages: parts.ages, proofs, rateLimit, secure }));
  app.route('/', seeAsRoutes({ site, secure }));
  app.route('/', creatorCheckRoutes({ site, rateLimit, secure }));
  app.route('/', listenedLanguageRoutes({ site, secure, rateLimit }));
  parts.assets?.(app);
  app.get('*', proofs.beforePages);
  const { pages } = parts;
  if (pages !== undefined) {
    const askerOf = (context: Context) => ({
      address: clientAddress(context, config.trustProxy),
      maySearch: (viewer: Viewer) => rateLimit(context, searchBudget(viewer)),
      ageMissing: (context as Context<AgeEnv>).get('ageMissing'),
      age: (context as Context<AgeEnv>).get('agePage'),
      seenAs: (context as Context<AgeEnv>).get('seenAs'),
    });
    app.route(
      '/',
      noticeForms({
        site,
        secure,
        trustProxy: config.trustProxy,
        show: (context, url, form) =>
          pages(new Request(url, { headers: context.req.raw.headers }), { ...askerOf(context), form }),
      }),
    );
    app.get('*', (context) => pages(context.req.raw, askerOf(context)));
    app.all('*', refuseUnlessRead);
  }

  app.notFound(() => errorResponse('request/not-found'));
  app.onError((error, context) =>
    parts.failures.respond(error, 'A request failed', { path: loggedPath(context.req.path) }),
  );
  return app;
}
