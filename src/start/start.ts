import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, envFile, isLoopback, readConfig } from '#config';
import { listenForChanges } from '#db/changes.ts';
import { createDemoAccounts, retireDemoAdmin } from '#demo/accounts.ts';
import { openDemoPayments } from '#demo/open-payments.ts';
import { addDemoPayments } from '#demo/payments.ts';
import { loadDemo } from '#demo/load.ts';
import { outageOf } from '#domain/kernel/database/outages.ts';
import type { Db } from '#domain/kernel/db.ts';
import { say } from '#domain/kernel/errors.ts';
import { createSharedReads } from '#domain/kernel/shared-reads.ts';
import { hasAdmin } from '#domain/identity/operators.ts';
import { siteNameOf } from '#domain/look/settings.ts';
import { isKept, openSettings } from '#domain/settings/open-settings.ts';
import { noteStart } from '#domain/admin/site/system.ts';
import { type Site, openSite } from '#domain/site.ts';
import { createAgeGates } from '#http/age/age-gate.ts';
import { createApp } from '#http/app.ts';
import { serveAssets } from '#http/files/assets.ts';
import { concernedBy } from '#http/cache-topics.ts';
import { scopeOfCalls } from '#http/api/wanted-language.ts';
import { sendFromCaches } from '#http/cached-answers.ts';
import { createFailures } from '#http/errors.ts';
import { createMetrics } from '#http/metrics.ts';
import { createPageHandler } from '#http/pages/pages.ts';
import { createBlockCache, createPublicCache } from '#http/public-cache.ts';
import { limitConnections } from '#http/limits/server-limits.ts';
import { openPaymentEventIntake, webhookPathOf } from '#http/webhooks.ts';
import { readJobFigures, sumJobs } from '../jobs/job-records.ts';
import { type Jobs, addJobsOrWarn, openJobs } from '../jobs/open-jobs.ts';
import { siteJobs } from '../jobs/site-jobs.ts';
import { collectGarbage } from './collect-garbage.ts';
import { connectDatabase } from './connect-database.ts';
import { closeServer, listen, originOf } from './http-server.ts';
import { createLog } from './log.ts';
import { openProviders } from './open-providers.ts';
import { type Gateways, openGateways } from './open-gateways.ts';
import { openBackupJob, openSystemActs } from './open-system.ts';
import { openPages } from './open-pages.ts';
import { checkPlans } from './open-payments.ts';
import { checkSettings } from './preflight.ts';
import { openRegionDatabase } from './region-database.ts';
import { createShutdown } from './shutdown.ts';
import { keepSiteAddress } from './site-address.ts';
import { readVersion, siteFacts } from './site-facts.ts';
import { readSecret } from './site-secret.ts';
import { keepStandardReview } from '#domain/catalogue/review/settings.ts';
import {
  announceReady,
  createAnnounce,
  describeMissingOperator,
  describeStartFailure,
  warnWithoutNotifications,
} from './start-messages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const development = process.argv.includes('--dev');

const announce = createAnnounce();

let log = createLog('info');
const shutdown = createShutdown(
  (error, name) => log.warn({ err: error }, `Closing the ${name} failed`),
  announce.failure,
);

async function start(): Promise<void> {
  const config = readConfig();
  log = createLog(config.logLevel);
  for (const name of config.unknownSettings) log.warn(`${envFile} has ${name}, which is no setting of Sotto`);
  const missing = describeMissingOperator(config);
  if (missing !== undefined) log.warn(say(missing));
  await checkSettings(config);
  const regions = config.regionDatabase === undefined ? undefined : openRegionDatabase(config.regionDatabase);
  const { database, databaseUrl, unlock } = await connectDatabase({ config, log, shutdown });
  const { db } = database;

  const metrics = createMetrics();
  const settings = await openSettings({ db: database.primary });
  const siteName = () => siteNameOf(settings, config.siteName);
  const gateways = await openGateways({
    config,
    database,
    settings,
    databaseUrl,
    log,
    metrics,
    shutdown,
    siteName,
  });
  const { blobs, images, covers, cards, identity, payments, forwarder, searchIndex } = gateways;
  if (config.demo) await loadDemoSite(config, db, gateways);

  if (!isLoopback(new URL(config.siteUrl).hostname) && (await retireDemoAdmin(db)))
    log.warn('The demo admin is no longer an admin: its password is public, and others can open this site');
  await unlock();

  const secret = await readSecret(config);
  const shared = createSharedReads({ scope: () => (database.isFromReplica() ? 'replica' : '') });
  /** Opened once the site listens. */
  const opened: { jobs?: Jobs } = {};
  const addJobs: Jobs['add'] = async (...added) => {
    if (opened.jobs === undefined) throw new Error('the jobs are not started yet');
    await opened.jobs.add(...added);
  };
  const site = await openSite({
    db,
    shared,
    settings,
    facts: siteFacts(config, { identity, payments }),
    identityProvider: identity.provider,
    payments: payments.provider,
    mail: identity.mail,
    blobs,
    incoming: gateways.incoming,
    covers,
    secret,
    adminSecondFactor: config.adminSecondFactor,
    isOnlyLocal: config.isOnlyLocal,
    regionSources: { headers: config.regionHeaders, hasDatabase: config.regionDatabase !== undefined },
    ...openProviders(config),
    searchIndex,
    forwarder,
    push: gateways.push,
    addJobs,
    addJobsOrWarn: addJobsOrWarn(addJobs, log),
    operations: {
      version: readVersion(),
      readJobs: async () => sumJobs(await readJobFigures(database.pool)),
      system: openSystemActs({ config, database, databaseUrl, gateways, addJobs }),
    },
  });
  await keepStandardReview(db, config.isOnlyLocal);
  // A live account was asked before the database was migrated.
  if (payments.mode !== 'live') await checkPlans(() => site.membership.checkPlans(), log);

  const cache = createPublicCache({ maxBytes: 64 * 1024 * 1024, maxAge: 8000 });
  const blockCache = createBlockCache();
  const clearCaches = (table: string | undefined) => {
    for (const one of [cache, blockCache]) one.clear(concernedBy(table));
  };
  const changes = await listenForChanges({
    url: databaseUrl,
    onChange: (table) => {
      void site.search.catchUp();
      shared.clear();
      if (!isKept(table)) return clearCaches(table);
      // After the settings, so that nothing with the old ones, or with old translations, stays cached.
      void refreshSettings(site).then(() => {
        shared.clear();
        clearCaches(table);
      });
    },
    onError: ({ message }) => shutdown.isClosing || log.warn({ message }, 'The change feed was lost'),
  });
  shutdown.closeAtEnd('change feed', changes.close);
  void warnWithoutNotifications(changes, { db, log, isClosing: () => shutdown.isClosing });

  const server = createServer();
  limitConnections(server, config);
  const { loadBuild, middlewares } = await openPages({ root, development, server, shutdown });
  const failures = createFailures({ log, outageOf });
  const assetsDir = join(root, 'build', 'client');
  function findObstacle(): string | undefined {
    return shutdown.isDraining ? 'This process is stopping.' : undefined;
  }
  const max = Math.ceil(config.databasePoolSize / 2);
  const paymentEvents = openPaymentEventIntake({ membership: site.membership, log, max });
  shutdown.closeAtEnd('payment events', paymentEvents.settled);
  const pages = createPageHandler({
    loadBuild,
    site,
    config,
    blobs,
    cache,
    failures,
    development,
    together: database.together,
  });
  const ages = createAgeGates({ site, config, regionOfClient: regions?.find });
  const app = createApp({
    config,
    site,
    ages,
    blobs,
    images,
    cards,
    log,
    metrics,
    cache,
    blockCache,
    handleIdentity: identity.handle,
    paymentEvents,
    paymentRoutes: payments.played.map(({ routes }) => routes),
    incoming: gateways.incoming,
    failures,
    secret,
    checkReady: database.checkReady,
    findObstacle,
    fromReplica: config.databaseReadUrl === undefined ? undefined : database.fromReplica,
    pages,
    assets: development ? undefined : serveAssets({ dir: assetsDir, formerDir: join(root, 'build.former') }),
    assetsDir: development ? undefined : assetsDir,
  });
  const closeMs = config.shutdownSeconds * 1000 + 500;
  shutdown.allow({ drainMs: config.drainSeconds * 1000, closeMs });
  const isLeaving = () => shutdown.isDraining;
  const port = await listen(server, {
    config,
    fetch: app.fetch,
    sendFromCaches: sendFromCaches({ config, cache, pages, metrics, scopeOf: scopeOfCalls(site), ages }),
    middlewares,
    isLeaving,
  });
  shutdown.closeAtEnd('HTTP server', () => closeServer(server, closeMs));

  const siteUrl = config.port === 0 ? `http://${config.host}:${port}` : config.siteUrl;
  await keepSiteAddress(config.dataDir, { siteUrl, host: config.host, port, trustProxy: config.trustProxy });
  // After listening, so that the first requests do not wait for it.
  for (const { sendEventsTo } of payments.played)
    sendEventsTo((name) => `${originOf(config.host, port)}${webhookPathOf(name)}`);
  const makeBackup = openBackupJob({ config, database, databaseUrl, gateways, log });
  const jobs = (opened.jobs = openJobs({
    connectionString: databaseUrl,
    log,
    jobs: (add) => siteJobs({ site, gateways, log, makeBackup, uploads: config.uploads }, add),
  }));
  shutdown.closeAtEnd('jobs', jobs.close);
  metrics.jobGauges(() => readJobFigures(database.pool));
  metrics.newsGauges(site.notifications.measureLag);
  followChanges(site);
  await logStart(db);
  if (!(await hasAdmin(db)))
    announce.info('There is no admin yet; make one: npm run sotto -- admin you@example.org --username you');
  collectGarbage();
  announceReady(announce, config, siteUrl);
  if (config.demo && payments.card?.isSandbox === true)
    addPaymentsToDemo(database.primary, { config, databaseUrl, log, siteName });
}

/** Adds this start to the list in Admin. A failure is only logged, so that the site starts anyway. */
async function logStart(db: Db): Promise<void> {
  try {
    const entry = await noteStart(db, { version: readVersion(), host: hostname(), pid: process.pid });
    setInterval(() => void entry.beat().catch(() => undefined), 60_000).unref();
    shutdown.closeAtEnd('log of starts', () => entry.stop(shutdown.reason));
  } catch (error) {
    log.warn({ err: error }, 'The start was not noted');
  }
}

/** Updates the search index, and this process's settings. */
function followChanges(site: Site): void {
  void site.search.catchUp();
  // Catches changes without a notification, and scheduled publications.
  setInterval(() => {
    void site.search.catchUp();
    void refreshSettings(site);
  }, 10_000).unref();
}

/** While the database is unavailable, the settings do not change. */
async function refreshSettings({ settings }: Site): Promise<void> {
  await settings.refresh().catch(({ message }: Error) => log.warn({ message }, 'The settings were not read again'));
}

async function loadDemoSite(config: Config, db: Db, { blobs, identity }: Gateways): Promise<void> {
  const loaded = await loadDemo({ db, blobs, demoDir: join(root, 'demo'), now: new Date() });
  if (loaded) log.info('The demo catalogue is loaded');
  // Their passwords are public.
  if (isLoopback(new URL(config.siteUrl).hostname)) await createDemoAccounts(db, identity.provider);
}

/** In the background, because it takes some seconds. Its failure does not stop the site. */
function addPaymentsToDemo(db: Db, options: Parameters<typeof openDemoPayments>[0]): void {
  const stop = new AbortController();
  const added = addDemoPayments(db, () => openDemoPayments(options), { signal: stop.signal }).then(
    (isNew) => isNew && log.info('The demo has members and payments'),
    (error: unknown) => stop.signal.aborted || log.warn({ err: error }, 'The demo has no payments'),
  );
  shutdown.closeAtEnd('payments of the demo', async () => {
    stop.abort();
    await added;
  });
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (shutdown.isClosing) return;
    if (!shutdown.isDraining) {
      announce.info(`Sotto is stopping (${signal})`);
      process.once('exit', () => announce.info('Sotto has stopped'));
    }
    // Ctrl+C does not wait for load balancers.
    void (signal === 'SIGTERM' ? shutdown.drain() : shutdown.stop(0));
  });

start().catch((error: unknown) => {
  if (!shutdown.isClosing) void shutdown.stop(1, `Sotto cannot start: ${describeStartFailure(error, log)}`);
});
