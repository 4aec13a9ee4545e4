import type { MembershipParts } from '#domain/membership/customers.ts';
import { mailTextsOf } from '#domain/settings/mail-texts.ts';
import { openMail } from '#gateways/mail.ts';
import { openPayments } from '#start/open-payments.ts';
import { senderOf } from '../../settings/mail.ts';
import type { CommandContext } from '../command.ts';
import { withSettings } from './with-settings.ts';

/** Runs with the site's database and payment provider, whether the site is running or not. */
export function withMembership<Result>(
  context: CommandContext,
  act: (parts: MembershipParts) => Promise<Result>,
): Promise<Result> {
  return withSettings(context, async ({ config, db, databaseUrl, settings, log, siteName }) => {
    const mail = await openMail({
      url: config.mail.url,
      from: () => senderOf(config.mail, siteName()),
      replyTo: config.operator.email,
      db,
      log,
    });
    const payments = await openPayments({ config, db, databaseUrl, log, siteName });
    try {
      const site = {
        name: siteName(),
        url: config.siteUrl,
        takesAnswers: config.operator.email !== undefined,
        textOf: mailTextsOf(settings),
      };
      return await act({ db, payments: payments.provider, mail, site });
    } finally {
      await payments.close();
      await mail.close();
    }
  });
}
