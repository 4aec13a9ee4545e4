import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Database } from '#db/database.ts';
import type { Settings } from '#domain/settings/open-settings.ts';
import { openArchives } from '#gateways/archives/open-archive.ts';
import { openCards } from '#gateways/cards/cards.ts';
import { openCovers } from '#gateways/covers.ts';
import { openImages } from '#gateways/images.ts';
import type { StorageError } from '#gateways/s3-failure.ts';
import { openFeedHub } from '#gateways/feed-hub.ts';
import { openSpeech } from '#gateways/speech.ts';
import { openWeb } from '#gateways/web/open-web.ts';
import { readFeed } from '#gateways/web/read-feed.ts';
import { openWebPush } from '#gateways/web-push.ts';
import type { Metrics } from '#http/metrics.ts';
import { claimCacheFolder } from './cache-folder.ts';
import { oncePer } from './log.ts';
import { openBlobs, openIncomingFiles } from './open-blobs.ts';
import { openIdentityProvider } from './open-identity-provider.ts';
import { openPayments } from './open-payments.ts';
import { openSearchIndex } from './open-search-index.ts';
import { openSound } from './open-sound.ts';
import type { Shutdown } from './shutdown.ts';
import { readSecret } from './site-secret.ts';

export type Gateways = Awaited<ReturnType<typeof openGateways>>;

/** Opens the configured external services. @throws StartError */
export async function openGateways(options: {
  config: Config;
  database: Pick<Database, 'db' | 'primary'>;
  settings: Settings;
  databaseUrl: string;
  log: Logger;
  metrics: Metrics;
  shutdown: Shutdown;
  siteName: () => string;
}) {
  const { config, database, settings, databaseUrl, log, metrics, shutdown, siteName } = options;
  const onFailure = oncePer(30_000, ({ explanation }: StorageError) =>
    log.error({ reason: explanation }, 'The storage of files is away'),
  );
  const { primary: db } = database;
  const blobs = await openBlobs(config, { onFailure });
  const imageCache = claimCacheFolder(config.dataDir, 'images');
  shutdown.closeAtEnd('image cache', async () => imageCache.release());
  const images = openImages({
    blobs,
    cacheDir: imageCache.dir,
    maxCacheBytes: config.imageCacheBytes,
    concurrency: 2,
  });
  const sound = openSound({ config, blobs, log, directUrl: databaseUrl });
  shutdown.closeAtEnd('sound', async () => sound.release());
  const identity = await openIdentityProvider({ config, db, settings, log, siteName });
  shutdown.closeAtEnd('mail', () => identity.close());
  const payments = await openPayments({ config, db, databaseUrl, log, settings, siteName });
  shutdown.closeAtEnd('payments', payments.close);
  const forwarder =
    config.segment &&
    (await import('#gateways/segment/segment-events.ts')).openSegmentEvents({
      ...config.segment,
      onLost: (count) => metrics.dropEvents(count, 'forwarder'),
    });
  if (forwarder !== undefined) shutdown.closeAtEnd('analytics', forwarder.close);
  const web = openWeb();
  shutdown.closeAtEnd('foreign machines', web.close);
  return {
    blobs,
    incoming: await openIncomingFiles(config, blobs, onFailure),
    images,
    sound: sound.engine,
    covers: openCovers(),
    cards: openCards({ images, siteName }),
    identity,
    payments,
    forwarder,
    push: openWebPush({
      secret: await readSecret(config),
      contact: `mailto:${config.operator.email ?? `postmaster@${new URL(config.siteUrl).hostname}`}`,
      moreServices: config.pushServices,
    }),
    feedHub: config.feedHub === undefined ? undefined : openFeedHub(config.feedHub),
    speech: config.speech === undefined ? undefined : openSpeech(config.speech),
    web,
    readFeed,
    openArchive: openArchives({ blobs }),
    searchIndex: await openSearchIndex({ config, database, log }),
  };
}
