import type { Database } from '#db/database.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { Site } from '#domain/site.ts';
import { openSite } from '#domain/site.ts';
import { openCovers } from '#gateways/covers.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { openIncomingFiles } from '#start/open-incoming-files.ts';
import { openIdentityProvider } from '#start/open-identity-provider.ts';
import { openPayments } from '#start/open-payments.ts';
import { openSystemActs } from '#start/open-system.ts';
import { siteFacts } from '#start/site-facts.ts';
import { readSecret } from '#start/site-secret.ts';
import { readVersion } from '#start/site-version.ts';
import type { CommandContext } from '../command.ts';
import { withSettings } from './with-settings.ts';

export type SiteTools = { db: Db; pool: Database['pool']; site: Site };

/**
 * Runs with the functions that pages and the API call, whether the site is running or not. Builds no search index and
 * starts no jobs: a running site picks up waiting work within a minute.
 */
export function withSite<Result>(context: CommandContext, act: (tools: SiteTools) => Promise<Result>): Promise<Result> {
  return withSettings(context, async ({ config, database, db, databaseUrl, settings, log, siteName }) => {
    await using closing = new AsyncDisposableStack();
    const identity = await openIdentityProvider({ config, db, settings, log, siteName });
    closing.defer(identity.close);
    const payments = await openPayments({ config, db, databaseUrl, log, siteName });
    closing.defer(payments.close);
    const blobs = await openBlobs(config);
    const site = await openSite({
      db,
      settings,
      facts: siteFacts(config, { identity, payments }),
      identityProvider: identity.provider,
      payments: payments.provider,
      mail: identity.mail,
      blobs,
      incoming: await openIncomingFiles(config, blobs),
      covers: openCovers(),
      secret: await readSecret(config),
      adminSecondFactor: config.adminSecondFactor,
      operations: {
        version: readVersion(),
        readJobs: async () => ({ running: 0, waiting: 0, failed: 0, failedNames: [], lagSeconds: 0 }),
        system: openSystemActs({
          config,
          database,
          databaseUrl,
          gateways: { blobs, identity, payments },
          addJobs: async () => {},
        }),
      },
    });
    return await act({ db, pool: database.pool, site });
  });
}
