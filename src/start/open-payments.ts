import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { type Config, isLoopback } from '#config';
import { StartError } from '#db/embedded/start-error.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { PaymentMode } from '#domain/admin/operations.ts';
import { hadLivePayments, noteLivePayments } from '#domain/membership/live-payments.ts';
import { type PaymentProvider, PlansMissingError } from '#domain/membership/payment-provider.ts';
import type { BrowserPaymentSettings, TestCard } from '#domain/membership/shapes.ts';
import { isTestKey, openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { testCards } from 'stripe-sandbox/test-cards';
import { refuseLiveKey } from 'stripe-sandbox/live-key';
import { openStripeSandbox } from 'stripe-sandbox';

export type Payments = {
  provider: PaymentProvider;
  mode: PaymentMode;
  /** Settings for the browser. */
  browser: BrowserPaymentSettings;
  /** Empty with real cards. */
  testCards: TestCard[];
  /** Undefined with Stripe itself. */
  sandbox:
    | {
        /** Its script and its invoice pages. */
        routes: Hono;
        sendEventsTo(url: string): void;
        /** Charges due invoices and sends pending events. */
        tick(): Promise<void>;
      }
    | undefined;
  close(): Promise<void>;
};

/**
 * Opens the configured payment provider: for the site and for the command line.
 * @throws StartError if a live site would accept test cards
 */
export async function openPayments(options: {
  config: Config;
  db: Db;
  databaseUrl: string;
  log: Logger;
  siteName: () => string;
}): Promise<Payments> {
  const { config, db, databaseUrl, log, siteName } = options;
  const { stripe } = config;
  const isLive = hasLiveKeys(config);
  await refuseForgottenKeys(config, db);
  if (isLive) await noteLivePayments(db);
  if (stripe !== undefined) {
    const { secretKey, publishableKey, webhookSecret } = stripe;
    return {
      provider: openStripePayments({ apiKey: secretKey, webhookSecret, siteName }),
      mode: isLive ? 'live' : 'test',
      browser: { provider: 'stripe', publishableKey, scriptSrc: null, isSandbox: false },
      testCards: [],
      sandbox: undefined,
      close: async () => {},
    };
  }
  refuseTestCards(config);
  const sandbox = await openStripeSandbox({ databaseUrl, siteUrl: config.siteUrl, log });
  const { apiKey, webhookSecret, connection, publishableKey } = sandbox;
  refuseLiveKey(apiKey, publishableKey);
  return {
    provider: openStripePayments({ apiKey, webhookSecret, connection, siteName }),
    mode: 'sandbox',
    browser: { provider: 'stripe', publishableKey, scriptSrc: sandbox.browserScript.src, isSandbox: true },
    testCards: testCards.map(({ number, outcome }) => ({ number, outcome })),
    sandbox: {
      routes: sandbox.browser,
      sendEventsTo: (url) => sandbox.sendEventsTo(url),
      tick: () => sandbox.tick(),
    },
    close: () => sandbox.close(),
  };
}

/** @throws StartError when anyone could subscribe at a public site with a test card */
export function refuseTestCards({ stripe, isSandboxAccepted, siteUrl }: Config): void {
  if (stripe === undefined && !isSandboxAccepted && !isLoopback(new URL(siteUrl).hostname))
    throw new StartError(
      `anyone could subscribe at ${siteUrl} with a test card: set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET to take real ones, or PAYMENTS=sandbox where no money is to move`,
    );
}

/** @throws StartError when the database has customers of a live account, and the settings no live keys */
export async function refuseForgottenKeys(config: Config, db: Db): Promise<void> {
  if (!hasLiveKeys(config) && (await hadLivePayments(db)))
    throw new StartError(
      'real cards were taken with this database: it needs the live keys of Stripe. A copy that is to take test cards forgets its customers first: npm run sotto -- payments detach',
    );
}

function hasLiveKeys({ stripe }: Pick<Config, 'stripe'>): boolean {
  return stripe !== undefined && !isTestKey(stripe.secretKey);
}

/** The provider of a live account, which is asked before the database is. */
export function openLivePayments(config: Config, siteName: () => string): PaymentProvider | undefined {
  const { stripe } = config;
  if (stripe === undefined || !hasLiveKeys(config)) return undefined;
  return openStripePayments({ apiKey: stripe.secretKey, webhookSecret: stripe.webhookSecret, siteName });
}

/**
 * @param check asks the provider for the configured prices
 * @throws StartError if the operator must create the prices first; an unreachable provider is retried later
 */
export async function checkPlans(check: () => Promise<void>, log: Logger): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof PlansMissingError) throw new StartError(error.message);
    log.warn({ err: error }, 'The payment provider could not be asked for its prices');
  }
}
