import { type Config, isLoopback } from '#config';
import { countOf } from '#formats/numbers.ts';
import { checkMailServer } from '#gateways/mail.ts';
import { senderOf } from '../settings/mail.ts';
import type { StoredSite } from './database.ts';
import type { Report } from './report.ts';

export async function checkMail({ mail, siteUrl, siteName }: Config, report: Report): Promise<void> {
  if (mail.url === undefined) {
    const message = 'MAIL_URL is not set, so mails are kept in the database';
    if (isLoopback(new URL(siteUrl).hostname)) report('ok', 'Mail', message);
    else report('warn', 'Mail', `${message}; nobody who forgot a password gets a link`);
    return;
  }
  const host = URL.parse(mail.url)?.host ?? 'MAIL_URL';
  const refusal = await checkMailServer(mail.url);
  if (refusal === undefined) report('ok', 'Mail', `${host} takes mail, sent as ${senderOf(mail, siteName)}`);
  else report('FAIL', 'Mail', `${host} cannot be used (${refusal}); mails wait in the database; see MAIL_URL`);
}

export async function checkWaitingMails({ config, opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ count: number }>(
    'select count(*)::int as count from outgoing_mails',
  );
  const waiting = rows[0]?.count ?? 0;
  if (waiting === 0) return;
  const message = `${countOf(waiting, 'mail')} not sent; see npm run sotto -- mails list`;
  if (config.mail.url === undefined) report('ok', 'Mails', message);
  else report('warn', 'Mails', `${message}, and mails send`);
}
