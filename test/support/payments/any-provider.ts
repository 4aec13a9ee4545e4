import { createTestStandIns, press } from 'payment-stand-ins/testing';
import type { Db } from '#domain/kernel/db.ts';
import { openHostedPayments } from '#domain/membership/hosted/hosted-payments.ts';
import type { HostedProvider, Postback } from '#domain/membership/hosted/hosted-provider.ts';
import type {
  FreeTime,
  PaymentProvider,
  PaymentStep,
  Plan,
  PromoCode,
  SubscriptionFacts,
} from '#domain/membership/payment-provider.ts';
import { currentOf } from '#domain/membership/sync/current.ts';
import { openStandIn } from '#start/open-hosted-payments.ts';
import { type PaymentHarness, plainHarness, postbackOf } from './payment-harness.ts';

/** A provider of either kind, what its customers do in their browsers, and its time. */
export type AnyProvider = {
  title: string;
  provider: PaymentProvider;
  /** The newest customer's time begins at a fixed moment. */
  now(): Date;
  newCustomer(): Promise<string>;
  /** Orders and pays. `isDisputed`: the bank takes it back. */
  subscribe(order: {
    customerId: string;
    plan: Plan;
    free?: FreeTime;
    promoCode?: PromoCode;
    isDisputed?: boolean;
  }): Promise<SubscriptionFacts>;
  /** Pays a single payment. */
  pay(payment: { paymentId: string } & PaymentStep): Promise<void>;
  /** The provider’s words of that time reach the site. */
  advance(customerId: string, days: number): Promise<void>;
  /** As the provider posts it. */
  postbackAbout(customerId: string, plan: Plan): Promise<Postback>;
};

const dayMs = 24 * 60 * 60 * 1000;
/** In the past, so that due charges are due by the real clock too. */
const start = new Date('2025-01-10T12:00:00Z');

export function plainPayer(): AnyProvider {
  return cardPayer('the plain one', plainHarness());
}

export function cardPayer(title: string, harness: PaymentHarness): AnyProvider {
  const { provider, newCard } = harness;
  let keys = 0;
  return {
    title,
    provider,
    now: () => start,
    async newCustomer() {
      if (provider.testClock === undefined) throw new Error('its time cannot be moved');
      return provider.testClock.createCustomer({ userId: 'a', email: 'ada@example.org', startsAt: start });
    },
    async subscribe({ customerId, plan, free, promoCode, isDisputed = false }) {
      const cardId = await newCard(isDisputed ? 'disputed' : 'good');
      const key = `contract ${(keys += 1)}`;
      const order = { customerId, cardId, plan, free, promoCodeId: promoCode?.id, key };
      const outcome = await provider.subscribe(order);
      if (!outcome.ok) throw new Error(outcome.reason);
      return outcome.subscription;
    },
    pay: async ({ clientSecret }) => harness.enterCard(clientSecret, await newCard('good')),
    advance: async (customerId, days) =>
      provider.testClock?.advance(customerId, new Date(start.getTime() + days * dayMs)),
    async postbackAbout(customerId) {
      const { body, headers } = harness.eventFor({ customerId });
      return postbackOf(body, headers);
    },
  };
}

/** Over HTTP, as the site does. */
export async function hostedPayer(options: {
  db: Db;
  databaseUrl: string;
  name: HostedProvider['name'];
}): Promise<AnyProvider> {
  const { db, databaseUrl, name } = options;
  let time = start.getTime();
  const now = () => new Date(time);
  const { standIns, received } = await createTestStandIns({ databaseUrl, now });
  const hosted = openStandIn(standIns, name, now);
  const provider = openHostedPayments({
    db,
    provider: hosted,
    siteUrl: 'http://site.test',
    siteName: () => 'Sotto',
    now,
  });
  let taken = 0;

  async function takeAll(): Promise<void> {
    await standIns.settled();
    for (; taken < received.length; taken += 1) {
      const postback = received[taken];
      if (postback?.provider === name) await provider.readEvents(postback);
    }
  }

  /** A payment on a chain is certain after a while. */
  async function payOn(page: string, reference: string): Promise<string> {
    await press(page, 'Pay');
    const sale = await standIns.sales.find(name, reference);
    if (sale === undefined) throw new Error('the stand-in has no such sale');
    if (name === 'btcpay') await standIns.sales.advance(sale.id, { minutes: 60 });
    return sale.id;
  }

  async function order({ customerId, plan, free, promoCode }: Parameters<AnyProvider['subscribe']>[0]) {
    const begun = { customerId, plan, free, promoCode, userId: crypto.randomUUID(), returnTo: undefined };
    const checkout = await provider.checkouts?.startCheckout(begun);
    if (checkout === undefined) throw new Error('it has no page');
    return payOn(checkout.url, checkout.reference);
  }

  return {
    title: name,
    provider,
    now,
    async newCustomer() {
      time = start.getTime();
      return provider.createCustomer({ userId: crypto.randomUUID(), email: 'ada@example.org' });
    },
    async subscribe(given) {
      const saleId = await order(given);
      if (given.isDisputed === true) await standIns.sales.chargeBack(saleId);
      await takeAll();
      const facts = await provider.readCustomer(given.customerId);
      const current = facts && currentOf(facts);
      if (current === undefined) throw new Error('it was not paid');
      return current;
    },
    async pay({ paymentId, url = '' }) {
      await payOn(url, paymentId.slice(name.length + 1));
      await takeAll();
    },
    async advance(_customerId, days) {
      time = start.getTime() + days * dayMs;
      await standIns.tick();
      await takeAll();
    },
    async postbackAbout(customerId, plan) {
      await takeAll();
      await order({ customerId, plan });
      await standIns.settled();
      const about = received.slice(taken).findLast((one) => one.provider === name);
      if (about === undefined) throw new Error('nothing was posted');
      return about;
    },
  };
}
