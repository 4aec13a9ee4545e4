import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { StartError } from '#db/embedded-start-error.ts';
import type { Db } from '#domain/db.ts';
import { passwordWasReset } from '#domain/identity/account-changes.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { openBuiltInIdentity } from '#gateways/built-in-identity/built-in-identity.ts';
import { openFirebaseIdentity } from '#gateways/firebase-identity.ts';
import type { MailGateway } from '#gateways/mail.ts';
import { openMail } from '#gateways/mail.ts';

export type Identity = {
  provider: IdentityProvider;
  /** What the browser is told. */
  browser: BrowserIdentitySettings;
  mail: MailGateway;
  /** Answers under `/identity`; absent where another site is the provider. */
  handle: ((request: Request) => Promise<Response>) | undefined;
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
    };
  }
  const { provider, handle } = await openBuiltInIdentity({
    db,
    secret: config.secret ?? (await readSecret(config.dataDir)),
    siteUrl: config.siteUrl,
    siteName: config.siteName,
    mail,
    social,
    log,
    onPasswordChanged: (account) => passwordWasReset(db, { name: 'built-in' }, account),
  });
  return { provider, browser: { provider: 'built-in', ...buttons }, mail, handle };
}

/** Made at the first start. Processes on several machines share one by the setting. */
async function readSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  // Of two that start at once, the first to write wins; both read what stands there.
  await writeFile(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw new StartError(`${path} cannot be written: ${error.code ?? error.message}`);
    },
  );
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret.length < 32) throw new StartError(`${path} is damaged; delete it, and the site makes a new one`);
  return secret;
}
