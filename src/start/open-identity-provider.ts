import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Config, isLoopback } from '#config';
import type { Db } from '#domain/kernel/db.ts';
import { passwordWasReset } from '#domain/identity/account-changes.ts';
import { countAttempts } from '#domain/identity/attempts.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { socialIds } from '#domain/identity/social-rules.ts';
import { mailTextsOf } from '#domain/settings/mail-texts.ts';
import { type Settings, openSettings } from '#domain/settings/open-settings.ts';
import { openBuiltInIdentity } from '#gateways/built-in-identity/built-in-identity.ts';
import { openFirebaseIdentity } from '#gateways/firebase-identity.ts';
import { type MailGateway, openMail } from '#gateways/mail.ts';
import { senderOf } from '../settings/mail.ts';
import { readSecret } from './site-secret.ts';

export type Identity = {
  provider: IdentityProvider;
  /** Settings for the browser. */
  browser: BrowserIdentitySettings;
  mail: MailGateway;
  /** Handles requests under `/identity`; undefined for an external provider. */
  handle: ((request: Request) => Promise<Response>) | undefined;
  /** Deletes expired links and sessions of the provider. */
  purgeExpired(signal?: AbortSignal): Promise<void>;
  /** Stores mails in progress. */
  close(): Promise<void>;
};

/** Opens the configured identity provider and its mail gateway: for the site and for the command line. */
export async function openIdentityProvider({
  config,
  db,
  settings,
  log,
  siteName,
}: {
  config: Config;
  db: Db;
  /** Default: read once. */
  settings?: Settings;
  log: Logger;
  siteName: () => string;
}): Promise<Identity> {
  const mail = await openMail({
    url: config.mail.url,
    from: () => senderOf(config.mail, siteName()),
    replyTo: config.operator.email,
    formerOutbox: join(config.dataDir, 'outbox'),
    db,
    log,
  });
  const { firebase, social } = config;
  if (firebase !== undefined) {
    const { emulatorHost, ...project } = firebase;
    return {
      provider: openFirebaseIdentity(firebase),
      browser: {
        provider: 'firebase',
        ...project,
        emulatorUrl: emulatorHost === undefined ? null : `http://${emulatorHost}`,
        social: socialIds,
      },
      mail,
      handle: undefined,
      purgeExpired: async () => {},
      close: () => mail.close(),
    };
  }
  const secret = await readSecret(config);
  const attempts = countAttempts(db, secret);
  const { provider, handle, purgeExpired, settled } = await openBuiltInIdentity({
    db,
    secret,
    siteUrl: config.siteUrl,
    siteName,
    takesAnswers: config.operator.email !== undefined,
    textOf: mailTextsOf(settings ?? (await openSettings({ db }))),
    mail,
    social,
    log,
    onPasswordChanged: (account) => passwordWasReset(db, attempts, { name: 'built-in' }, account),
  });
  return {
    provider,
    browser: {
      provider: 'built-in',
      social: socialIds.filter((id) => social[id]),
      isLocal: isLoopback(new URL(config.siteUrl).hostname),
    },
    mail,
    handle,
    purgeExpired,
    async close() {
      // Close mail first: mails prepared from now on are stored without a try.
      await mail.close();
      await settled();
    },
  };
}
