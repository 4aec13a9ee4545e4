import { type Config, isLoopback } from '#config';
import { checkMailServer } from '#gateways/mail.ts';
import { senderOf } from '../settings/mail.ts';
import type { StoredSite } from './database.ts';
import { type Report, reportOn } from './report.ts';

export async function checkMail({ mail, siteUrl, siteName }: Config, report: Report): Promise<void> {
  const part = reportOn('Mail', report);
  if (mail.url === undefined) {
    if (isLoopback(new URL(siteUrl).hostname))
      return part.ok(
        /*i18n*/ { id: 'doctor.mail.kept', message: 'MAIL_URL is not set, so mails are kept in the database' },
      );
    return part.warn(
      /*i18n*/ {
        id: 'doctor.mail.none',
        message: 'MAIL_URL is not set, so mails are kept in the database; nobody who forgot a password gets a link',
      },
    );
  }
  const host = URL.parse(mail.url)?.host ?? 'MAIL_URL';
  const refusal = await checkMailServer(mail.url);
  if (refusal === undefined)
    part.ok(
      /*i18n*/ {
        id: 'doctor.mail',
        message: '{host} takes mail, sent as {sender}',
        values: { host, sender: senderOf(mail, siteName) },
      },
    );
  else
    part.fail(
      /*i18n*/ {
        id: 'doctor.mail.refused',
        message: '{host} cannot be used ({refusal}); mails wait in the database; see MAIL_URL',
        values: { host, refusal },
      },
    );
}

export async function checkWaitingMails({ config, opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ count: number }>(
    'select count(*)::int as count from outgoing_mails',
  );
  const waiting = rows[0]?.count ?? 0;
  if (waiting === 0) return;
  const [list, send] = ['npm run sotto -- mails list', 'mails send'];
  const part = reportOn('Mails', report);
  if (config.mail.url === undefined)
    part.ok(
      /*i18n*/ {
        id: 'doctor.mails.kept',
        message: '{mails, plural, one {# mail not sent} other {# mails not sent}}; see {list}',
        values: { mails: waiting, list },
      },
    );
  else
    part.warn(
      /*i18n*/ {
        id: 'doctor.mails.waiting',
        message: '{mails, plural, one {# mail not sent} other {# mails not sent}}; see {list}, and {send}',
        values: { mails: waiting, list, send },
      },
    );
}
