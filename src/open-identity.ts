import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Db } from '#domain/db.ts';
import { passwordWasReset } from '#domain/identity/account-changes.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { openBuiltInIdentity } from '#gateways/built-in-identity/built-in-identity.ts';
import { openFirebaseIdentity } from '#gateways/firebase-identity.ts';
import type { MailGateway } from '#gateways/mail.ts';
import { openMail } from '#gateways/mail.ts';
import { readSecret } from './site-secret.ts';

export type Identity = {
  provider: IdentityProvider;
  /** What the browser is told. */
  browser: BrowserIdentitySettings;
  mail: MailGateway;
  /** Answers under `/identity`; absent where another site is the provider. */
  handle: ((request: Request) => Promise<Response>) | undefined;
  /** Links and sessions of the provider that have run out. */
  forgetExpired(): Promise<void>;
  /** What is being sent, or about to be, is kept in the outbox. */
  close(): Promise<void>;
};

/** The identity provider that the settings name, and the mail it needs: for the site and for the command line. */
export async function openIdentity({ config, db, log }: { config: Config; db: Db; log: Logger }): Promise<Identity> {
  const mail = await openMail({
    url: config.mail.url,
    from: config.mail.from,
    outboxDir: join(config.dataDir, 'outbox'),
    log,
  });
  const { firebase, social } = config;
  const buttons = { google: social.google !== undefined, facebook: social.facebook !== undefined };
  if (firebase !== undefined) {
    const { emulatorHost, ...project } = firebase;
    return {
      provider: openFirebaseIdentity(firebase),
      browser: {
        provider: 'firebase',
        ...project,
        emulatorUrl: emulatorHost === undefined ? null : `http://${emulatorHost}`,
        google: true,
        facebook: true,
      },
      mail,
      handle: undefined,
      forgetExpired: async () => {},
      close: () => mail.close(),
    };
  }
  const { provider, handle, forgetExpired, settled } = await openBuiltInIdentity({
    db,
    secret: await readSecret(config),
    siteUrl: config.siteUrl,
    siteName: config.siteName,
    mail,
    social,
    log,
    onPasswordChanged: (account) => passwordWasReset(db, { name: 'built-in' }, account),
  });
  return {
    provider,
    browser: { provider: 'built-in', ...buttons },
    mail,
    handle,
    forgetExpired,
    async close() {
      // First the mail: what is prepared from now on goes to the outbox at once.
      await mail.close();
      await settled();
    },
  };
}
