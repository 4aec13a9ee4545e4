import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { parseConfig } from '#config';
import { listenForChanges } from '#db/changes.ts';
import { isUnavailable } from '#db/unavailable.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { openSite } from '#domain/site.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openImages } from '#gateways/images.ts';
import { createApp } from '#http/app.ts';
import { createFailures } from '#http/errors.ts';
import { createMetrics } from '#http/metrics.ts';
import { createPublicCache } from '#http/public-cache.ts';
import { createTestDatabase } from './database.ts';
import { openTestIdentity } from './identity.ts';
import { openPlainPayments } from './plain-payments.ts';
import { testPayments } from './test-site.ts';

/** The site without its pages, on a port of its own with a database of its own. What it logs as an error is collected. */
export async function startTestSite(
  settings: Record<string, string> = {},
  openPayments: (database: { url: string }) => Promise<PaymentProvider> = async () => openPlainPayments().provider,
) {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-site-'));
  const config = parseConfig({ DATA_DIR: dataDir, ...settings });
  const blobs = await openDiskBlobs({ dir: join(dataDir, 'blobs') });
  const images = openImages({ blobs, cacheDir: join(dataDir, 'cache'), maxCacheBytes: 10_000_000, concurrency: 1 });
  const errors: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'error', base: undefined },
    { write: (line: string) => void errors.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const identity = await openTestIdentity(database, { siteUrl: config.siteUrl });
  const payments = await openPayments(database);
  const site = await openSite({
    db: database.db,
    facts: {
      name: config.siteName,
      url: config.siteUrl,
      appLinks: config.appLinks,
      identity: { provider: 'built-in', google: false, facebook: false },
      payments: testPayments,
      testCards: [],
      transportKey: config.transportKey,
    },
    identityProvider: identity.provider,
    payments,
    mail: {
      async send(message) {
        identity.mails.push(message);
      },
    },
    secret: 'a secret that is only for tests',
  });
  const cache = createPublicCache({ maxBytes: 10_000_000, maxAge: 8000 });
  const changes = await listenForChanges({ url: database.url, onChange: cache.clear, onError: () => {} });
  const app = createApp({
    config,
    site,
    blobs,
    images,
    log,
    metrics: createMetrics(),
    cache,
    handleIdentity: identity.handle,
    paymentRoutes: undefined,
    failures: createFailures({ log, isUnavailable }),
    checkReady: database.checkReady,
    pages: undefined,
    assets: undefined,
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(listening)) as Server;
  });
  const { port } = server.address() as AddressInfo;
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await changes.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { identity, url: `http://127.0.0.1:${port}`, port, site, blobs, errors, database, db: database.db };
}
