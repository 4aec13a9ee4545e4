import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pino } from 'pino';
import type { ServerBuild } from 'react-router';
import { afterAll, expect } from 'vitest';
import type { Db } from '#domain/kernel/db.ts';
import { openMail } from '#gateways/mail.ts';
import { startMailServer } from './servers/mail-server.ts';
import { socialAt, startOpenId } from './servers/openid.ts';
import { startTestSite } from './site.ts';
import { findSiteUrl } from './servers/free-port.ts';

const build = fileURLToPath(new URL('../../build', import.meta.url));

/**
 * The built site in this process, for browser tests that read its database or mails, or sign in with Google and
 * Facebook. Browsers set their address by `x-forwarded-for`, because attempts are counted per address.
 */
export async function startWholeSite(
  settings: Record<string, string> = {},
  payments: Pick<NonNullable<Parameters<typeof startTestSite>[1]>, 'openPayments' | 'paymentPage'> = {},
) {
  const [mails, openId, url] = [await startMailServer(), await startOpenId(), await findSiteUrl()];
  const openSiteMail = async (db: Db) => {
    const log = pino({ level: 'silent' });
    const mail = await openMail({ url: mails.url, from: () => 'Sotto <no-reply@sotto.test>', db, log });
    afterAll(() => mail.close());
    return mail;
  };
  afterAll(async () => {
    await Promise.all([mails.close(), openId.close()]);
  });
  const pages = {
    build: (await import(pathToFileURL(join(build, 'server', 'index.js')).href)) as ServerBuild,
    assets: join(build, 'client'),
  };
  const site = await startTestSite(
    { PORT: new URL(url).port, TRUST_PROXY: '1', ...settings },
    { pages, openMail: openSiteMail, identity: { social: socialAt(openId.issuer) }, ...payments },
  );
  // No request of a browser may cause an error of the site.
  afterAll(() => expect(site.errors).toEqual([]));
  return { ...site, mails };
}
