import { createTestStandIns } from 'payment-stand-ins/testing';
import type { ProviderName } from '#domain/membership/capabilities.ts';
import type { HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import type { Db } from '#domain/kernel/db.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { openHostedPayments } from '#domain/membership/hosted/hosted-payments.ts';
import { openPaymentProviders } from '#domain/membership/payment-providers.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { openStandIn } from '#start/open-hosted-payments.ts';
import type { MailMessage } from '#domain/gateways.ts';
import { mailInto } from '../servers/mail-box.ts';

/** A membership whose main provider is a stand-in, with the site's own gateway between them, over HTTP. */
export async function hostedHarness(options: {
  db: Db;
  databaseUrl: string;
  name: HostedProvider['name'];
  /** Beside it. */
  others?: PaymentProvider[];
  /** Default: `name`. */
  main?: () => ProviderName;
  /** As of `createTestStandIns`. */
  atEnd?: (close: () => Promise<void>) => void;
}) {
  const { db, databaseUrl, name, others = [], main = () => name, atEnd } = options;
  const test = await createTestStandIns({ databaseUrl, now: () => new Date(), ...(atEnd && { atEnd }) });
  const { standIns, received } = test;
  const hosted = openStandIn(standIns, name);
  const provider = openHostedPayments({ db, provider: hosted, siteUrl: 'http://site.test', siteName: () => 'Sotto' });
  const payments = openPaymentProviders([provider, ...others], main);
  const mails: MailMessage[] = [];
  const site = { name: 'Sotto', url: 'http://site.test' };
  const parts = { db, payments, mail: mailInto(mails), site };
  const membership = openMembership({ ...parts, secret: 'test' });
  let taken = 0;

  /** Takes one request at the webhook. @returns whether it was believed */
  async function take(request: (typeof received)[number]): Promise<boolean> {
    const events = await membership.readEvents(name, request);
    for (const event of events ?? []) {
      await membership.storeEvent(event);
      await membership.settleEvent(event.id);
    }
    return events !== undefined;
  }

  return {
    ...test,
    name,
    provider,
    payments,
    parts,
    membership,
    mails,
    take,
    /** Takes what was posted since the last time, in that order. @returns how many */
    async takeAll(arrange: (requests: typeof received) => typeof received = (requests) => requests): Promise<number> {
      await standIns.settled();
      const fresh = received.slice(taken);
      taken = received.length;
      for (const request of arrange(fresh)) await take(request);
      return fresh.length;
    },
    async saleOf(reference: string) {
      const sale = await standIns.sales.find(name, reference);
      if (sale === undefined) throw new Error('the stand-in has no such sale');
      return sale;
    },
  };
}
