import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { ServerBuild } from 'react-router';
import { ConfigError, isLoopback, readConfig } from '#config';
import type { Config } from '#config';
import { listenForChanges } from '#db/changes.ts';
import { openDataDir } from '#db/data-dir.ts';
import { migrateDatabase, openDatabase } from '#db/database.ts';
import { createDemoAccounts } from '#db/demo-accounts.ts';
import { loadDemo } from '#db/demo.ts';
import { StartError, startEmbeddedServer } from '#db/embedded-server.ts';
import { isUnavailable } from '#db/unavailable.ts';
import { openSite } from '#domain/site.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openCards } from '#gateways/cards/cards.ts';
import { openImages } from '#gateways/images.ts';
import { openSegmentEvents } from '#gateways/segment/segment-events.ts';
import { createApp } from '#http/app.ts';
import { serveAssets } from '#http/assets.ts';
import { answerClientError } from '#http/client-error.ts';
import { createFailures, errorResponse } from '#http/errors.ts';
import { createMetrics } from '#http/metrics.ts';
import { createPageHandler } from '#http/pages.ts';
import { createPublicCache } from '#http/public-cache.ts';
import { commonHeaders } from '#http/security-headers.ts';
import { paymentWebhookPath } from '#http/webhooks.ts';
import { createLog, oncePer } from './log.ts';
import { openIdentity } from './open-identity.ts';
import { checkPlans, doDueWorkEachMinute, openPayments } from './open-membership.ts';
import { openSearchIndex } from './open-search.ts';
import { readSecret } from './site-secret.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const development = process.argv.includes('--dev');

/** What has been opened, closed in the opposite order; each only once. */
const closers: { name: string; close: () => Promise<void> }[] = [];
let log = createLog('info');
let closing = false;

async function start(): Promise<void> {
  const config = readConfig();
  log = createLog(config.logLevel);
  openDataDir(config.dataDir);

  let databaseUrl = config.databaseUrl;
  if (databaseUrl === undefined) {
    const server = await startEmbeddedServer({ dataDir: config.dataDir, log });
    closers.push({ name: 'database server', close: () => server.stop() });
    server.onExit((reason: string) => {
      if (!closing) void stop(1, reason);
    });
    databaseUrl = server.url;
  }
  const database = openDatabase({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    onError: oncePer(30_000, ({ message }) => closing || log.warn({ message }, 'Idle database connections were lost')),
  });
  closers.push({ name: 'database', close: () => database.close() });
  await database.ping().catch((error: Error) => {
    throw new StartError(`the database cannot be reached: ${error.message}`);
  });
  await migrateDatabase(database);

  const blobs = await openDiskBlobs({ dir: join(config.dataDir, 'blobs') });
  const images = openImages({
    blobs,
    cacheDir: join(config.dataDir, 'cache', 'images'),
    maxCacheBytes: config.imageCacheBytes,
    concurrency: 2,
  });
  if (config.demo) {
    const loaded = await loadDemo({ db: database.db, blobs, demoDir: join(root, 'demo'), now: new Date() });
    if (loaded) log.info('The demo catalogue is loaded');
  }
  const identity = await openIdentity({ config, db: database.db, log });
  closers.push({ name: 'mail', close: () => identity.close() });
  if (config.demo && isLoopback(new URL(config.siteUrl).hostname))
    await createDemoAccounts(database.db, identity.provider);

  const payments = await openPayments({ config, db: database.db, databaseUrl, log });
  closers.push({ name: 'payments', close: payments.close });

  const metrics = createMetrics();
  const forwarder =
    config.segment &&
    openSegmentEvents({
      ...config.segment,
      onLost: (count) => metrics.dropEvents(count, 'forwarder'),
    });
  if (forwarder !== undefined) closers.push({ name: 'analytics', close: forwarder.close });
  const site = await openSite({
    db: database.db,
    facts: {
      name: config.siteName,
      url: config.siteUrl,
      appLinks: config.appLinks,
      identity: identity.browser,
      payments: payments.browser,
      testCards: payments.testCards,
      transportKey: config.transportKey,
      operator: config.operator,
      isForwarding: config.segment !== undefined,
    },
    identityProvider: identity.provider,
    payments: payments.provider,
    mail: identity.mail,
    secret: await readSecret(config),
    searchIndex: openSearchIndex({ config, db: database.db, log, metrics }),
    ...(forwarder && { forwarder }),
  });
  await checkPlans(site, log);
  const cache = createPublicCache({ maxBytes: 64 * 1024 * 1024, maxAge: 8000 });
  const changes = await listenForChanges({
    url: databaseUrl,
    onChange: () => {
      cache.clear();
      void site.search.catchUp();
    },
    onError: ({ message }) => closing || log.warn({ message }, 'The change feed was lost'),
  });
  closers.push({ name: 'change feed', close: changes.close });

  const forget = () =>
    Promise.all([
      site.insight.forgetOldEvents(),
      site.identity.forgetEndedSessions(),
      site.identity.forgetOldAttempts(),
      site.listening.forgetOldMarks(),
      site.search.forgetOldChanges(),
      site.library.forgetDeletedUserPlaylists(),
      identity.forgetExpired(),
    ]).catch((error: unknown) =>
      log.warn({ err: error }, 'Old events, sessions, tries, marks, lists and links could not be forgotten'),
    );
  void forget();
  setInterval(forget, 60 * 60 * 1000).unref();
  // What was not notified, or is out only now.
  setInterval(() => void site.search.catchUp(), 10_000).unref();

  // Here and not with the first visitor: a site without its pages is not ready.
  if (!development) await loadBuild();
  const failures = createFailures({ log, isUnavailable });
  const server = createServer();
  const vite = development ? await startVite(server) : undefined;
  const assetsDir = join(root, 'build', 'client');
  const app = createApp({
    config,
    site,
    blobs,
    images,
    cards: openCards({ images, siteName: config.siteName }),
    log,
    metrics,
    cache,
    handleIdentity: identity.handle,
    paymentRoutes: payments.sandbox?.routes,
    failures,
    checkReady: database.checkReady,
    pages: createPageHandler({ loadBuild: vite?.loadBuild ?? loadBuild, site, config, cache, failures, development }),
    assets: development ? undefined : serveAssets({ dir: assetsDir }),
    assetsDir: development ? undefined : assetsDir,
  });

  server.on('clientError', answerClientError(commonHeaders(config.siteUrl.startsWith('https:'))));
  server.on('request', answerWith(app.fetch, config, vite?.middlewares));
  await listen(server, config.host, config.port);
  closers.push({ name: 'HTTP server', close: () => closeServer(server) });
  // Only now: whoever comes first need not wait for it.
  void site.search.prepare();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  payments.sandbox?.sendEventsTo(`${originOf(config.host, port)}${paymentWebhookPath}`);
  const work = doDueWorkEachMinute({ site, payments, log });
  closers.push({ name: 'due work', close: work.close });
  if (config.mail.url === undefined)
    process.stdout.write(`Mails are not sent but kept in ${join(config.dataDir, 'outbox')}; MAIL_URL sends them\n`);
  if (config.stripe === undefined)
    process.stdout.write('Subscriptions are paid with test cards only; STRIPE_SECRET_KEY takes real ones\n');
  process.stdout.write(`Sotto is ready at ${config.port === 0 ? `http://${config.host}:${port}` : config.siteUrl}\n`);
}

/** Where this process itself is reached. */
function originOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

async function loadBuild(): Promise<ServerBuild> {
  const path = join(root, 'build', 'server', 'index.js');
  if (!existsSync(path)) throw new StartError('the pages are not built; npm start builds them');
  return (await import(pathToFileURL(path).href)) as ServerBuild;
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

async function startVite(server: Server): Promise<{ middlewares: Middleware; loadBuild: () => Promise<ServerBuild> }> {
  const { createServer: createViteServer } = await import('vite');
  const vite = await createViteServer({
    root,
    // Its socket comes in by the site's own port, so that two sites in development do not meet.
    server: { middlewareMode: true, hmr: { server } },
    appType: 'custom',
  });
  closers.push({ name: 'Vite', close: () => vite.close() });
  return {
    middlewares: vite.middlewares,
    loadBuild: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
  };
}

type Fetch = (request: Request) => Response | Promise<Response>;

function answerWith(fetch: Fetch, config: Config, middlewares: Middleware | undefined): RequestListener {
  const headers = commonHeaders(config.siteUrl.startsWith('https:'));
  const answer = getRequestListener(fetch, {
    // Probes of load balancers speak HTTP/1.0, which knows no Host header.
    hostname: new URL(config.siteUrl).host,
    // A Host header or a path that is none: nothing of the site has seen it yet.
    errorHandler: () => errorResponse('request/invalid', undefined, headers),
  });
  // Vite answers what is its own (modules, styles), the site the rest.
  if (middlewares === undefined) return answer;
  return (request, response) => middlewares(request, response, () => void answer(request, response));
}

async function listen(server: Server, hostname: string, port: number): Promise<void> {
  // Whoever takes nothing for two minutes holds no file open; a player asks again where it stopped.
  server.setTimeout(120_000);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE' ? 'something else listens there already' : (error.code ?? error.message);
      reject(new StartError(`nothing can listen on ${hostname}:${port}: ${reason}`));
    });
    // Of a crowd that comes at once nobody is to be left to the network's own, slow, tries.
    server.listen({ port, host: hostname, backlog: 4096 }, () => resolve());
  });
}

/** Running requests may finish; what is idle is closed at once, and what is still open after 6.5 s too. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 200);
  const force = setTimeout(() => server.closeAllConnections(), 6500);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}

async function stop(code: number, reason?: string): Promise<void> {
  if (closing) return;
  closing = true;
  if (reason !== undefined) process.stderr.write(`${reason}\n`);
  setTimeout(() => process.exit(code || 1), 9000).unref();
  for (const { name, close } of closers.toReversed()) {
    // A query that hangs holds only its own part back: the database server has to be ended in any case.
    await withinASecond(name, close()).catch((error: unknown) =>
      log.warn({ err: error }, `Closing the ${name} failed`),
    );
  }
  process.exit(code);
}

/** The HTTP server has its own, longer limit. */
async function withinASecond(name: string, closed: Promise<void>): Promise<void> {
  if (name === 'HTTP server' || name === 'database server') return closed;
  return Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, 1000))]);
}

process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));

start().catch((error: unknown) => {
  if (closing) return;
  void stop(1, `Sotto cannot start: ${describeStartFailure(error)}`);
});

/** One line for the operator. What is neither a setting nor the machine's doing also goes to the log, with where it arose. */
function describeStartFailure(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const reason = cause instanceof Error ? cause : error;
  const isExplained =
    reason instanceof ConfigError ||
    reason instanceof StartError ||
    typeof (reason as { code?: unknown }).code === 'string';
  if (!isExplained) log.fatal({ err: error }, 'The start failed');
  return (reason instanceof Error ? reason.message : String(reason)).replaceAll(/\s+/g, ' ').trim();
}
