import Stripe from 'stripe';
import type { Postback } from '#domain/membership/hosted/hosted-provider.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { type StripeSandbox, type StripeSandboxOptions, openStripeSandbox } from 'stripe-sandbox';
import { type CardKind, openPlainPayments } from './plain-payments.ts';
import { type SentRequest, recordingClient } from 'stripe-sandbox/testing/published-description';
import { answerBank, createCard } from 'stripe-sandbox/testing';

/** A provider, and its customers' steps in their browsers. */
export type PaymentHarness = {
  provider: PaymentProvider;
  /** A card as sent by the browser. @returns its id at the provider */
  newCard(kind: CardKind): Promise<string>;
  /** The bank's step for a subscription. */
  answerBank(clientSecret: string, works: boolean): Promise<void>;
  /** Enters that card for a setup or a payment. */
  enterCard(clientSecret: string, cardId: string): Promise<void>;
  /** A refund that the operator makes at the provider. */
  refundByHand(paymentId: string, amount: number): Promise<void>;
  emailOf(customerId: string): Promise<string | undefined>;
  /** A signed event, as the provider posts it. `at`: time of the signature. */
  eventFor(about: { customerId?: string; paymentId?: string; at?: Date }): {
    body: string;
    headers: Record<string, string>;
  };
};

/** A request at the webhook, as a provider with signed bodies posts it. */
export function postbackOf(body: string, headers: Record<string, string>): Postback {
  return { method: 'POST', query: '', body, header: (name) => headers[name], address: undefined };
}

export function plainHarness(): PaymentHarness {
  const plain = openPlainPayments();
  return {
    provider: plain.provider,
    newCard: async (kind) => plain.newCard(kind),
    answerBank: async (clientSecret, works) => plain.finish(clientSecret, { works }),
    enterCard: async (clientSecret, cardId) => plain.finish(clientSecret, { cardId }),
    refundByHand: async (paymentId, amount) => plain.refundByHand(paymentId, amount),
    emailOf: async (customerId) => plain.emailOf(customerId),
    eventFor: plain.eventFor,
  };
}

const numbers: Record<CardKind, string> = {
  good: '4242424242424242',
  declining: '4000000000000002',
  'fails-later': '4000000000000341',
  'needs-bank': '4000002500003155',
  'always-needs-bank': '4000002760003184',
  disputed: '4000000000000259',
};

export type StripeHarness = PaymentHarness & {
  sandbox: StripeSandbox;
  stripe: Stripe;
  /** The adapter's requests. */
  sent: SentRequest[];
  /** The answer to the adapter's next request by this method is lost. */
  lost: { method: string | undefined };
};

/** The Stripe sandbox in that database, called over HTTP by the official SDK. The caller closes the sandbox. */
export async function stripeHarness(
  databaseUrl: string,
  options: Partial<StripeSandboxOptions> = {},
): Promise<StripeHarness> {
  const sandbox = await openStripeSandbox({
    databaseUrl,
    siteUrl: 'http://127.0.0.1:3000',
    log: { info: () => {}, warn: () => {} },
    ...options,
  });
  const { apiKey, publishableKey, webhookSecret, connection } = sandbox;
  const sent: SentRequest[] = [];
  const lost: StripeHarness['lost'] = { method: undefined };
  const httpClient = recordingClient(sent);
  const makeRequest = httpClient.makeRequest.bind(httpClient);
  httpClient.makeRequest = async (...request) => {
    const answer = await makeRequest(...request);
    if (lost.method !== request[3]) return answer;
    lost.method = undefined;
    throw new Error('the connection broke');
  };
  const provider = openStripePayments({
    apiKey,
    webhookSecret,
    connection: { ...connection, httpClient },
    siteName: () => 'Sotto',
  });
  const stripe = new Stripe(apiKey, { ...connection, telemetry: false, maxNetworkRetries: 2 });
  const browser = new Stripe(publishableKey, { ...connection, telemetry: false });
  return {
    sandbox,
    stripe,
    sent,
    lost,
    provider,
    newCard: async (kind) => (await createCard(browser, numbers[kind])).id,
    answerBank: (clientSecret, works) => answerBank(stripe, idIn(clientSecret), works ? 'complete' : 'fail'),
    async enterCard(clientSecret, cardId) {
      const id = idIn(clientSecret);
      const confirmed = { client_secret: clientSecret, payment_method: cardId };
      if (id.startsWith('seti_')) await browser.setupIntents.confirm(id, confirmed);
      else await browser.paymentIntents.confirm(id, confirmed);
    },
    async refundByHand(paymentId, amount) {
      await stripe.refunds.create({ payment_intent: paymentId, amount });
    },
    async emailOf(customerId) {
      const customer = await stripe.customers.retrieve(customerId);
      return customer.deleted ? undefined : (customer.email ?? undefined);
    },
    eventFor({ customerId, paymentId, at = new Date() }) {
      const object =
        paymentId === undefined
          ? { object: 'subscription', id: 'sub_any', customer: customerId }
          : { object: 'payment_intent', id: paymentId, customer: customerId ?? null };
      const created = Math.floor(at.getTime() / 1000);
      const body = JSON.stringify({
        id: `evt_${Math.random().toString(36).slice(2)}`,
        object: 'event',
        type: 'customer.subscription.updated',
        created,
        data: { object },
      });
      const header = stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret: webhookSecret,
        timestamp: created,
      });
      return { body, headers: { 'stripe-signature': header } };
    },
  };
}

/** The sandbox, whose `settled` also waits until the site has processed the events. */
export function withSiteSettled(sandbox: StripeSandbox, eventsSettled: () => Promise<void>): StripeSandbox {
  return {
    ...sandbox,
    async settled() {
      await sandbox.settled();
      await eventsSettled();
    },
  };
}

function idIn(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] ?? clientSecret;
}
