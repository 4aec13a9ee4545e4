import { openForCommand } from '#db/command-database.ts';
import type { Database } from '#db/database.ts';
import type { Db } from '#domain/kernel/db.ts';
import { siteNameOf } from '#domain/look/settings.ts';
import { openSettings } from '#domain/settings/open-settings.ts';
import type { Site } from '#domain/site.ts';
import { openSite } from '#domain/site.ts';
import { openCovers } from '#gateways/covers.ts';
import { createLog } from '../log.ts';
import { openBlobs } from '../open-blobs.ts';
import { openIdentityProvider } from '../open-identity-provider.ts';
import { openPayments } from '../open-payments.ts';
import { openSystemActs } from '../open-system.ts';
import { readSecret } from '../site-secret.ts';
import { readVersion } from '../site-version.ts';
import type { CommandContext } from './command.ts';

export type SiteTools = { db: Db; pool: Database['pool']; site: Site };

/**
 * Runs with the functions that pages and the API call, whether the site is running or not. No search index is built, and
 * no job is started: a running site finds what waits within a minute.
 */
export async function withSite<Result>(
  context: CommandContext,
  act: (tools: SiteTools) => Promise<Result>,
): Promise<Result> {
  const config = context.readConfig();
  const log = createLog('silent');
  const { database, url, close } = await openForCommand(config, {
    create: false,
    schema: 'current',
    note: context.note,
  });
  const { db } = database;
  const closing: (() => Promise<void>)[] = [close];
  try {
    const settings = await openSettings({ db });
    const siteName = () => siteNameOf(settings, config.siteName);
    const identity = await openIdentityProvider({ config, db, settings, log, siteName });
    closing.push(identity.close);
    const payments = await openPayments({ config, db, databaseUrl: url, log, siteName });
    closing.push(payments.close);
    const blobs = await openBlobs(config);
    const site = await openSite({
      db,
      settings,
      facts: {
        name: config.siteName,
        url: config.siteUrl,
        appLinks: config.appLinks,
        identity: identity.browser,
        payments: payments.browser,
        testCards: payments.testCards,
        transportKey: config.transportKey,
        operator: config.operator,
      },
      identityProvider: identity.provider,
      payments: payments.provider,
      mail: identity.mail,
      blobs,
      covers: openCovers(),
      secret: await readSecret(config),
      adminSecondFactor: config.adminSecondFactor,
      operations: {
        version: readVersion(),
        readJobs: async () => ({ running: 0, waiting: 0, failed: 0, failedNames: [], lagSeconds: 0 }),
        system: openSystemActs({
          config,
          database,
          databaseUrl: url,
          gateways: { blobs, identity, payments },
          addJobs: async () => {},
        }),
      },
    });
    return await act({ db, pool: database.pool, site });
  } finally {
    for (const end of closing.toReversed()) await end();
  }
}
