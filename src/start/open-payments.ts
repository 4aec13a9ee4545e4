import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { type Config, isLoopback } from '#config';
import { StartError } from '#db/embedded/start-error.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { PaymentMode } from '#domain/admin/operations.ts';
import { type ProviderName, providerTitles } from '#domain/membership/capabilities.ts';
import { hadLivePayments, noteLivePayments } from '#domain/membership/live-payments.ts';
import { type PaymentProvider, PlansMissingError } from '#domain/membership/payment-provider.ts';
import { type PaymentProviders, openPaymentProviders } from '#domain/membership/payment-providers.ts';
import { paymentSetting } from '#domain/membership/settings.ts';
import type { BrowserPaymentSettings, CardPaymentSettings, TestCard } from '#domain/membership/shapes.ts';
import type { ReadSettings } from '#domain/settings/setting.ts';
import { isTestKey, openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { testCards } from 'stripe-sandbox/test-cards';
import { refuseLiveKey } from 'stripe-sandbox/live-key';
import { openStripeSandbox } from 'stripe-sandbox';
import { openHostedProviders } from './open-hosted-payments.ts';

export type Payments = {
  /** All that the site works with, as one. */
  provider: PaymentProviders;
  mode: PaymentMode;
  /** Settings of the main provider for the browser. */
  browser: () => BrowserPaymentSettings;
  /** Settings of the provider with a card form. */
  card: CardPaymentSettings | undefined;
  /** Names of all providers. */
  titles: string[];
  /** Empty with real cards. */
  testCards: TestCard[];
  /** The sandbox of Stripe, and stand-ins of other providers. */
  played: Played[];
  close(): Promise<void>;
};

/** Providers that this process plays. */
export type Played = {
  /** Its script and its pages. */
  routes: Hono;
  /** @param urlOf address of this site at which a provider tells what happened */
  sendEventsTo(urlOf: (name: ProviderName) => string): void;
  /** Charges what is due and sends pending events. */
  tick(): Promise<void>;
};

type Opened = { provider: PaymentProvider; browser: BrowserPaymentSettings; close?: () => Promise<void> };

/**
 * Opens the configured payment providers: for the site and for the command line.
 * @throws StartError if a live site would accept test cards
 */
export async function openPayments(options: {
  config: Config;
  db: Db;
  databaseUrl: string;
  log: Logger;
  settings: ReadSettings;
  siteName: () => string;
}): Promise<Payments> {
  const { config, db, settings } = options;
  const isLive = hasLiveKeys(config);
  await refuseForgottenKeys(config, db);
  if (isLive) await noteLivePayments(db);
  refuseTestCards(config);
  const played: Played[] = [];
  const { opened: hosted, standIns } = await openHostedProviders(options);
  if (standIns !== undefined)
    played.push({
      routes: standIns.browser,
      sendEventsTo: (urlOf) =>
        standIns.sendPostbacksTo({ verotel: urlOf('verotel'), ccbill: urlOf('ccbill'), btcpay: urlOf('btcpay') }),
      tick: () => standIns.tick(),
    });
  const stripe = config.stripe === undefined ? undefined : openStripe(options, config.stripe);
  const sandbox = stripe === undefined && !takesMoney(config) ? await openSandbox(options, played) : undefined;
  const opened: Opened[] = [...(stripe ? [stripe] : []), ...hosted, ...(sandbox ? [sandbox] : [])];
  const names = opened.map(({ provider }) => provider.name);
  function main(): ProviderName {
    const chosen = settings.read(paymentSetting).main;
    const first = names[0] ?? 'stripe';
    return chosen !== null && names.includes(chosen) ? chosen : first;
  }
  const cardForm = (stripe ?? sandbox)?.browser;
  return {
    provider: openPaymentProviders(
      opened.map(({ provider }) => provider),
      main,
    ),
    mode: isLive ? 'live' : stripe !== undefined ? 'test' : 'sandbox',
    browser() {
      const found = opened.find(({ provider }) => provider.name === main());
      if (found === undefined) throw new Error('the site has no payment provider');
      return found.browser;
    },
    titles: names.map((name) => providerTitles[name]),
    card: cardForm?.form === 'card' ? cardForm : undefined,
    testCards: sandbox === undefined ? [] : testCards.map(({ number, outcome }) => ({ number, outcome })),
    played,
    close: async () => {
      for (const { close } of opened) await close?.();
      await standIns?.close();
    },
  };
}

type Options = Parameters<typeof openPayments>[0];

function openStripe({ siteName }: Options, account: NonNullable<Config['stripe']>): Opened {
  const { secretKey, publishableKey, webhookSecret } = account;
  return {
    provider: openStripePayments({ apiKey: secretKey, webhookSecret, siteName }),
    browser: { form: 'card', provider: 'stripe', publishableKey, scriptSrc: null, isSandbox: false },
  };
}

async function openSandbox({ config, databaseUrl, log, siteName }: Options, played: Played[]): Promise<Opened> {
  const sandbox = await openStripeSandbox({ databaseUrl, siteUrl: config.siteUrl, log });
  const { apiKey, webhookSecret, connection, publishableKey } = sandbox;
  refuseLiveKey(apiKey, publishableKey);
  played.push({
    routes: sandbox.browser,
    sendEventsTo: (urlOf) => sandbox.sendEventsTo(urlOf('stripe')),
    tick: () => sandbox.tick(),
  });
  const scriptSrc = sandbox.browserScript.src;
  return {
    provider: openStripePayments({ apiKey, webhookSecret, connection, siteName }),
    browser: { form: 'card', provider: 'stripe', publishableKey, scriptSrc, isSandbox: true },
    close: () => sandbox.close(),
  };
}

/** @throws StartError when anyone could subscribe at a public site with a test card */
export function refuseTestCards(config: Config): void {
  const { stripe, paymentStandIns, isSandboxAccepted, siteUrl } = config;
  const isPublic = !isSandboxAccepted && !isLoopback(new URL(siteUrl).hostname);
  if (isPublic && paymentStandIns.length > 0)
    throw new StartError(
      `anyone could subscribe at ${siteUrl} without paying: remove PAYMENT_STAND_INS, or set PAYMENTS=sandbox where no money is to move`,
    );
  if (stripe === undefined && !takesMoney(config) && isPublic)
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

/** Whether a provider with a page of its own is configured: such a site has no sandbox beside it. */
function takesMoney({ verotel, ccbill, btcpay }: Config): boolean {
  return verotel !== undefined || ccbill !== undefined || btcpay !== undefined;
}

function hasLiveKeys({ stripe }: Pick<Config, 'stripe'>): boolean {
  return stripe !== undefined && !isTestKey(stripe.secretKey);
}

/** Stripe, if there are keys: live or of a test. */
export function openConfiguredStripe({ stripe }: Pick<Config, 'stripe'>): PaymentProvider | undefined {
  if (stripe === undefined) return undefined;
  return openStripePayments({ apiKey: stripe.secretKey, webhookSecret: stripe.webhookSecret, siteName: () => 'Sotto' });
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
