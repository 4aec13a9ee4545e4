import { join } from 'node:path';
import { openForCommand } from '#db/command-database.ts';
import { siteNameOf } from '#domain/look/settings.ts';
import type { MembershipParts } from '#domain/membership/customers.ts';
import { mailTextsOf } from '#domain/settings/mail-texts.ts';
import { openSettings } from '#domain/settings/open-settings.ts';
import { openMail } from '#gateways/mail.ts';
import { createLog } from '../log.ts';
import { openPayments } from '../open-payments.ts';
import { senderOf } from '../settings/mail.ts';
import type { CommandContext } from './command.ts';

/** Runs with the site's database and payment provider, whether the site is running or not. */
export async function withMembership<Result>(
  context: CommandContext,
  act: (parts: MembershipParts) => Promise<Result>,
): Promise<Result> {
  const config = context.readConfig();
  const log = createLog('silent');
  const { database, url, close } = await openForCommand(config, {
    create: false,
    schema: 'current',
    note: context.note,
  });
  try {
    const { url: mailUrl } = config.mail;
    const settings = await openSettings({ db: database.db });
    const siteName = () => siteNameOf(settings, config.siteName);
    const mail = await openMail({
      url: mailUrl,
      from: () => senderOf(config.mail, siteName()),
      outboxDir: join(config.dataDir, 'outbox'),
      db: database.db,
      log,
    });
    const payments = await openPayments({ config, db: database.db, databaseUrl: url, log, siteName });
    try {
      return await act({
        db: database.db,
        payments: payments.provider,
        mail,
        site: {
          name: siteName(),
          url: config.siteUrl,
          textOf: mailTextsOf(await openSettings({ db: database.db })),
        },
      });
    } finally {
      await payments.close();
      await mail.close();
    }
  } finally {
    await close();
  }
}
