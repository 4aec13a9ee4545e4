import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { StartError } from '#db/embedded-start-error.ts';
import type { Db } from '#domain/db.ts';
import { hadLivePayments, noteLivePayments } from '#domain/membership/live-payments.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { PlansMissingError } from '#domain/membership/payment-provider.ts';
import type { BrowserPaymentSettings, TestCard } from '#domain/membership/rules.ts';
import type { Site } from '#domain/site.ts';
import { isTestKey, openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { testCards } from './stripe-sandbox/cards/test-cards.ts';
import { refuseLiveKey } from './stripe-sandbox/live-key.ts';
import { openStripeSandbox } from './stripe-sandbox/stripe-sandbox.ts';

export type Payments = {
  provider: PaymentProvider;
  /** What the browser is told. */
  browser: BrowserPaymentSettings;
  /** Empty where cards are real. */
  testCards: TestCard[];
  /** Absent where Stripe itself is asked. */
  sandbox:
    | {
        /** Its script, and the pages of its invoices. */
        routes: Hono;
        sendEventsTo(url: string): void;
        /** Charges what is due, and sends what waits. */
        tick(): Promise<void>;
      }
    | undefined;
  close(): Promise<void>;
};

/**
 * The payment provider that the settings name: for the site and for the command line.
 * @throws StartError where a live site would meet test cards
 */
export async function openPayments(options: {
  config: Config;
  db: Db;
  databaseUrl: string;
  log: Logger;
}): Promise<Payments> {
  const { config, db, databaseUrl, log } = options;
  const { siteName, stripe } = config;
  const isLive = stripe !== undefined && !isTestKey(stripe.secretKey);
  if (isLive) await noteLivePayments(db);
  else if (await hadLivePayments(db))
    throw new StartError(
      'real cards were taken with this database: it needs the live keys of Stripe. A copy that is to take test cards forgets its customers first: npm run sotto -- payments detach',
    );
  if (stripe !== undefined) {
    const { secretKey, publishableKey, webhookSecret } = stripe;
    return {
      provider: openStripePayments({ apiKey: secretKey, webhookSecret, siteName }),
      browser: { provider: 'stripe', publishableKey, scriptSrc: null, isSandbox: false },
      testCards: [],
      sandbox: undefined,
      close: async () => {},
    };
  }
  const sandbox = await openStripeSandbox({ databaseUrl, siteUrl: config.siteUrl, log });
  const { apiKey, webhookSecret, connection, publishableKey } = sandbox;
  refuseLiveKey(apiKey, publishableKey);
  return {
    provider: openStripePayments({ apiKey, webhookSecret, connection, siteName }),
    browser: { provider: 'stripe', publishableKey, scriptSrc: sandbox.browserScript.src, isSandbox: true },
    testCards: testCards.map(({ number, says }) => ({ number, says })),
    sandbox: {
      routes: sandbox.browser,
      sendEventsTo: (url) => sandbox.sendEventsTo(url),
      tick: () => sandbox.tick(),
    },
    close: () => sandbox.close(),
  };
}

/** @throws StartError where the operator has to make the prices first; a provider that is away is asked again later */
export async function checkPlans(site: Site, log: Logger): Promise<void> {
  try {
    await site.membership.checkPlans();
  } catch (error) {
    if (error instanceof PlansMissingError) throw new StartError(error.message);
    log.warn({ err: error }, 'The payment provider could not be asked for its prices');
  }
}

/** Mails, late gift cards and the nightly reconciliation; any number of processes share the work. */
export function doDueWorkEachMinute(options: { site: Site; payments: Payments; log: Logger }): {
  close(): Promise<void>;
} {
  const { site, payments, log } = options;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    try {
      await payments.sandbox?.tick();
      const { reconciliation } = await site.membership.doDueWork();
      if (reconciliation === undefined) return;
      const { failed, ...counts } = reconciliation;
      const say = failed.length > 0 ? log.warn.bind(log) : log.info.bind(log);
      say({ ...counts, failed: failed.length, first: failed[0]?.reason }, 'Subscriptions are as the provider has them');
    } catch (error) {
      log.warn({ err: error }, 'Due mails and charges could not be worked through');
    }
  }

  const timer = setInterval(() => {
    running ??= work().finally(() => (running = undefined));
  }, 60_000).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
