import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config';
import { isLoopback } from '#config';
import { checkMailServer } from '#gateways/mail.ts';
import { countOf } from '#formats/numbers.ts';
import { senderOf } from '../settings/mail.ts';
import { isOpenToOthers } from './data-dir.ts';
import type { StoredSite } from './database.ts';
import type { Report } from './report.ts';

export async function checkMail({ mail, dataDir, siteUrl, siteName }: Config, report: Report): Promise<void> {
  const outbox = join(dataDir, 'outbox');
  if (isOpenToOthers(outbox))
    report(
      'FAIL',
      'Outbox',
      `others on this machine may read ${outbox}, which holds links that open accounts; chmod 700 it`,
    );
  const waiting = await countWaitingMails(outbox);
  if (mail.url === undefined) return reportMissingServer({ siteUrl, waiting }, report);
  const host = URL.parse(mail.url)?.host ?? 'MAIL_URL';
  const refusal = await checkMailServer(mail.url);
  if (refusal === undefined) report('ok', 'Mail', `${host} takes mail, sent as ${senderOf(mail, siteName)}`);
  else report('FAIL', 'Mail', `${host} cannot be used (${refusal}); mails wait in the database; see MAIL_URL`);
  if (waiting > 0)
    report('warn', 'Outbox', `${countOf(waiting, 'mail')} not sent; see npm run sotto -- mails, and mails send`);
}

export async function checkWaitingMails({ opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ count: number }>(
    'select count(*)::int as count from outgoing_mails',
  );
  const waiting = rows[0]?.count ?? 0;
  if (waiting > 0)
    report('warn', 'Mails', `${countOf(waiting, 'mail')} not sent; see npm run sotto -- mails, and mails send`);
}

async function countWaitingMails(outbox: string): Promise<number> {
  const names = await readdir(outbox).catch(() => []);
  return names.filter((name) => name.endsWith('.eml')).length;
}

function reportMissingServer({ siteUrl, waiting }: { siteUrl: string; waiting: number }, report: Report): void {
  const message = `MAIL_URL is not set, so mails are kept in the outbox (${countOf(waiting, 'mail')})`;
  if (isLoopback(new URL(siteUrl).hostname)) report('ok', 'Mail', message);
  else report('warn', 'Mail', `${message}; nobody who forgot a password gets a link`);
}
