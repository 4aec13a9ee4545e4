import type { Config } from '#config';
import { openForCommand } from '#db/command-database.ts';
import type { Database } from '#db/database.ts';
import { bulkActJob, runBulkAct } from '#domain/admin/content/bulk-acts.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import type { Db } from '#domain/kernel/db.ts';
import { siteNameOf } from '#domain/look/settings.ts';
import type { MembershipParts } from '#domain/membership/customers.ts';
import { mailTextsOf } from '#domain/settings/mail-texts.ts';
import { openSettings } from '#domain/settings/open-settings.ts';
import { type Site, openSite } from '#domain/site.ts';
import { mailOwners } from '#domain/verification/verifications.ts';
import { openCovers } from '#gateways/covers.ts';
import type { MailGateway } from '#gateways/mail.ts';
import { createLog } from '#start/log.ts';
import { openProviders } from '#start/open-providers.ts';
import { openBlobs, openIncomingFiles } from '#start/open-blobs.ts';
import { openIdentityProvider } from '#start/open-identity-provider.ts';
import { openPayments } from '#start/open-payments.ts';
import { openSystemActs } from '#start/open-system.ts';
import { readVersion, siteFacts } from '#start/site-facts.ts';
import { readSecret } from '#start/site-secret.ts';
import type { CommandContext } from '../command.ts';

export type SiteTools = {
  config: Config;
  db: Db;
  pool: Database['pool'];
  site: Site;
  parts: MembershipParts;
  provider: IdentityProvider;
  mail: MailGateway;
};

/**
 * Runs with the functions that pages and the API call, whether the site is running or not. Builds no search index and
 * starts no jobs: a running site picks up waiting work within a minute.
 */
export async function withSite<Result>(
  context: CommandContext,
  act: (tools: SiteTools) => Promise<Result>,
): Promise<Result> {
  const config = context.readConfig();
  await using closing = new AsyncDisposableStack();
  const opened = await openForCommand(config, { create: false, schema: 'current', note: context.note });
  closing.defer(opened.close);
  const { database, url: databaseUrl } = opened;
  const { db, pool } = database;
  const settings = await openSettings({ db });
  const siteName = () => siteNameOf(settings, config.siteName);
  // Commands print what operators need.
  const log = createLog('silent');
  const identity = await openIdentityProvider({ config, db, settings, log, siteName });
  closing.defer(identity.close);
  const payments = await openPayments({ config, db, databaseUrl, log, settings, siteName });
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
    isOnlyLocal: config.isOnlyLocal,
    regionSources: { headers: config.regionHeaders, hasDatabase: config.regionDatabase !== undefined },
    ...openProviders(config),
    async addJobs(name, ids) {
      // Finishes here what its call left, also on a stopped site.
      if (name === bulkActJob) for (const id of ids) await runBulkAct(db, id);
    },
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
  const ownSite = {
    name: siteName(),
    url: config.siteUrl,
    takesAnswers: config.operator.email !== undefined,
    textOf: mailTextsOf(settings),
  };
  return await act({
    config,
    db,
    pool,
    site,
    parts: {
      db,
      payments: payments.provider,
      mail: identity.mail,
      site: ownSite,
      mailOwners: (tx, voiceId, write) => mailOwners({ db: tx, mail: identity.mail }, voiceId, write),
    },
    provider: identity.provider,
    mail: identity.mail,
  });
}
