import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { pino } from 'pino';
import type { ServerBuild } from 'react-router';
import { afterAll, expect } from 'vitest';
import { parseConfig } from '#config';
import { listenForChanges } from '#db/changes.ts';
import { outageOf } from '#domain/kernel/database/outages.ts';
import type { AddJobs, Mail } from '#domain/gateways.ts';
import { socialIds } from '#domain/identity/social-rules.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import type { CardPaymentSettings, TestCard } from '#domain/membership/shapes.ts';
import { mailTextsOf } from '#domain/settings/mail-texts.ts';
import { isKept, openSettings } from '#domain/settings/open-settings.ts';
import { openSite } from '#domain/site.ts';
import { openCards } from '#gateways/cards/cards.ts';
import { openCovers } from '#gateways/covers.ts';
import { openImages } from '#gateways/images.ts';
import { createAgeGates } from '#http/age/age-gate.ts';
import { createApp } from '#http/app.ts';
import { serveAssets } from '#http/files/assets.ts';
import { concernedBy } from '#http/cache-topics.ts';
import { createFailures } from '#http/errors.ts';
import { createMetrics } from '#http/metrics.ts';
import { createPageHandler } from '#http/pages/pages.ts';
import { limitConnections } from '#http/limits/server-limits.ts';
import { createBlockCache, createPublicCache } from '#http/public-cache.ts';
import { openPaymentEventIntake } from '#http/webhooks.ts';
import { openProviders } from '#start/open-providers.ts';
import { openBlobs, openIncomingFiles } from '#start/open-blobs.ts';
import { openRegionDatabase } from '#start/region-database.ts';
import { createTestDatabase } from './database.ts';
import { watchAnswers } from './described-answers.ts';
import { openTestIdentity, testSecret } from './identity.ts';
import { mailInto } from './servers/mail-box.ts';
import { openPlainPayments } from './payments/plain-payments.ts';
import { testPayments } from './test-site.ts';

type TestSiteParts = {
  /** The built pages and their folder. */
  pages?: { build: ServerBuild; assets: string };
  identity?: Pick<NonNullable<Parameters<typeof openTestIdentity>[1]>, 'mail' | 'social'>;
  /** Mails of the identity provider, if they are sent. */
  openMail?: (db: Db) => Promise<Mail>;
  /** Default: the in-memory provider. */
  openPayments?: (database: { url: string }) => Promise<PaymentProvider>;
  /** The payment provider's browser settings and pages; called once it is open. */
  paymentPage?: () => { browser: CardPaymentSettings; testCards: TestCard[]; routes: Hono };
};

/**
 * The site on its own port (or `PORT`) with its own database, without pages unless given. Collects its log lines, and
 * separately its errors.
 */
export async function startTestSite(settings: Record<string, string> = {}, { pages, ...parts }: TestSiteParts = {}) {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-site-'));
  const config = parseConfig({ DATA_DIR: dataDir, ...settings });
  const blobs = await openBlobs(config);
  const incoming = await openIncomingFiles(config, blobs);
  /** Name and key of each added job. */
  const jobs: string[] = [];
  const addJobs: AddJobs = async (name, keys) => void jobs.push(...keys.map((key) => `${name} ${key}`));
  const images = openImages({ blobs, cacheDir: join(dataDir, 'cache'), maxCacheBytes: 10_000_000, concurrency: 1 });
  const [logged, errors]: [Record<string, unknown>[], Record<string, unknown>[]] = [[], []];
  const log = pino(
    { level: 'trace', base: undefined },
    {
      write(line: string) {
        const entry = JSON.parse(line) as Record<string, unknown>;
        logged.push(entry);
        if (Number(entry['level']) >= 50) errors.push(entry);
      },
    },
  );
  const mail = await parts.openMail?.(database.db);
  const siteSettings = await openSettings({ db: database.db });
  const identity = await openTestIdentity(database, {
    textOf: mailTextsOf(siteSettings),
    siteUrl: config.siteUrl,
    ...parts.identity,
    ...(mail && { mail }),
  });
  const payments = await (parts.openPayments?.(database) ?? openPlainPayments().provider);
  const paymentPage = parts.paymentPage?.();
  const site = await openSite({
    db: database.db,
    settings: siteSettings,
    facts: {
      name: config.siteName,
      url: config.siteUrl,
      appLinks: config.appLinks,
      identity: {
        provider: 'built-in',
        social: socialIds.filter((id) => parts.identity?.social?.[id]),
        isLocal: true,
      },
      payments: paymentPage?.browser ?? testPayments,
      cardPayments: paymentPage?.browser ?? testPayments,
      paymentTitles: ['Stripe'],
      testCards: paymentPage?.testCards ?? [],
      transportKey: config.transportKey,
      operator: config.operator,
      feedHub: config.feedHub,
      speechHost: config.speech && new URL(config.speech.url).host,
    },
    identityProvider: identity.provider,
    payments,
    mail: mailInto(identity.mails),
    blobs,
    incoming,
    covers: openCovers(),
    secret: testSecret,
    adminSecondFactor: config.adminSecondFactor,
    isOnlyLocal: config.isOnlyLocal,
    ...openProviders(config),
    addJobs,
  });
  const cache = createPublicCache({ maxBytes: 10_000_000, maxAge: 8000 });
  const blockCache = createBlockCache();
  const clearCaches = (table: string | undefined) => {
    for (const one of [cache, blockCache]) one.clear(concernedBy(table));
  };
  const failures = createFailures({ log, outageOf });
  const changes = await listenForChanges({
    url: database.url,
    onChange(table) {
      if (!isKept(table)) return clearCaches(table);
      void siteSettings.refresh().then(
        () => clearCaches(table),
        () => {},
      );
    },
    onError: () => {},
  });
  const paymentEvents = openPaymentEventIntake({ membership: site.membership, log, max: 5 });
  const app = createApp({
    config,
    site,
    ages: createAgeGates({
      site,
      config,
      regionOfClient: config.regionDatabase === undefined ? undefined : openRegionDatabase(config.regionDatabase).find,
    }),
    blobs,
    images,
    cards: openCards({ images, siteName: () => site.facts.name }),
    log,
    metrics: createMetrics(),
    cache,
    blockCache,
    handleIdentity: identity.handle,
    paymentEvents,
    paymentRoutes: paymentPage === undefined ? [] : [paymentPage.routes],
    incoming,
    failures,
    secret: testSecret,
    checkReady: database.checkReady,
    pages:
      pages &&
      createPageHandler({
        loadBuild: async () => pages.build,
        site,
        config,
        blobs,
        cache,
        failures,
        development: false,
      }),
    assets: pages && serveAssets({ dir: pages.assets }),
    assetsDir: pages?.assets,
  });
  const watched = watchAnswers(app);
  const server = await new Promise<Server>((resolve) => {
    const listening = serve({ fetch: watched.fetch, hostname: '127.0.0.1', port: Number(settings['PORT'] ?? 0) }, () =>
      resolve(listening),
    ) as Server;
    limitConnections(listening, config);
  });
  const { port } = server.address() as AddressInfo;
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await paymentEvents.settled();
    await changes.close();
    await rm(dataDir, { recursive: true, force: true });
    expect(await watched.undescribed(), 'answers that the OpenAPI document does not name').toEqual([]);
  });
  const { settled: eventsSettled } = paymentEvents;
  return {
    /** Method and path of each route. */
    routes: app.routes.map(({ method, path }) => ({ method, path })),
    identity,
    url: `http://127.0.0.1:${port}`,
    port,
    site,
    blobs,
    incoming,
    jobs,
    dataDir,
    logged,
    errors,
    database,
    db: database.db,
    eventsSettled,
  };
}
