import { readFileSync } from 'node:fs';
import type { Config } from '#config';
import type { SiteFacts } from '#domain/site.ts';
import type { Identity } from './open-identity-provider.ts';
import type { Payments } from './open-payments.ts';

/** For the site and for the command line. */
export function siteFacts(
  config: Config,
  {
    identity,
    payments,
  }: { identity: Pick<Identity, 'browser'>; payments: Pick<Payments, 'browser' | 'card' | 'titles' | 'testCards'> },
): Omit<SiteFacts, 'languages'> {
  return {
    name: config.siteName,
    url: config.siteUrl,
    appLinks: config.appLinks,
    identity: identity.browser,
    get payments() {
      return payments.browser();
    },
    cardPayments: payments.card,
    paymentTitles: payments.titles,
    testCards: payments.testCards,
    transportKey: config.transportKey,
    feedHub: config.feedHub,
    speechHost: config.speech && new URL(config.speech.url).host,
    operator: config.operator,
    isForwarding: config.segment !== undefined,
  };
}

/** Version of the package. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
