import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import type { Db } from '#domain/kernel/db.ts';
import type { HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import { invoices, paymentEvents, subscriptions } from '#domain/membership/tables.ts';
import { createFailures } from '#http/errors.ts';
import { openPaymentEventIntake, webhookPathOf, webhookRoutes } from '#http/webhooks.ts';
import { createUser } from '../factories.ts';
import { press } from 'payment-stand-ins/testing';
import { inParallel, shuffle } from './billing-storm.ts';
import { hostedHarness } from './hosted-harness.ts';

export type PostbackStorm = {
  customers: number;
  deliveries: number;
  /** Users whose subscription or invoices are not as the stand-in's sales say. */
  wrong: string[];
  unsettled: number;
  /** Milliseconds until the answer, at the 99th of 100. */
  p99: number;
  refused: number;
};

/**
 * Lets customers subscribe and renew at a stand-in while the site hears nothing, then sends all its words over HTTP:
 * shuffled, each twice, a tenth lost at first. The site's process dies in the middle: its second half begins anew.
 */
export async function stormOfPostbacks(options: {
  db: Db;
  databaseUrl: string;
  name: HostedProvider['name'];
  customers: number;
}): Promise<PostbackStorm> {
  const { db, databaseUrl, name, customers } = options;
  let close = async () => {};
  const harness = await hostedHarness({ db, databaseUrl, name, atEnd: (one) => (close = one) });
  const { membership, standIns, received } = harness;
  const people: { userId: string; reference: string; months: number }[] = [];
  for (let number = 0; number < customers; number += 1) {
    const { id: userId } = await createUser(db, { email: `storm-${name}-${number}@example.org` });
    const order = { period: 'month', promoCode: undefined } as const;
    const begun = await membership.startCheckout(userId, order);
    if (!begun.ok) throw new Error(begun.reason);
    await press(begun.url, 'Pay');
    const sale = await harness.saleOf(begun.reference);
    const months = name === 'btcpay' ? 0 : number % 3;
    await standIns.sales.advance(sale.id, name === 'btcpay' ? { minutes: 60 } : { days: 8 + 31 * months });
    people.push({ userId, reference: begun.reference, months });
  }
  await standIns.settled();
  const words = received.slice();
  const shuffled = shuffle([...words, ...words]);
  const lost = shuffled.filter((_word, index) => index % 10 === 0);
  const first = shuffled.filter((_word, index) => index % 10 !== 0);
  const took: number[] = [];
  let refused = 0;

  /** A process of the site that takes these requests; it is killed without waiting for what it has begun. */
  async function process(requests: typeof words): Promise<void> {
    const log = pino({ level: 'silent' });
    const failures = createFailures({ log, outageOf: () => undefined });
    const intake = openPaymentEventIntake({ membership, log, max: 8 });
    const addressOf = () => '127.0.0.1';
    const routes = webhookRoutes({ site: { membership }, intake, failures, addressOf });
    const server = createServer(getRequestListener(routes.fetch));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${webhookPathOf(name)}`;
    await inParallel(8, requests, async ({ method, query, body, header }) => {
      const from = performance.now();
      const headers = Object.fromEntries(
        ['content-type', 'btcpay-sig'].flatMap((key) => (header(key) === undefined ? [] : [[key, header(key) ?? '']])),
      );
      // oxlint-disable-next-line no-restricted-globals -- of tests
      const answer = await fetch(query === '' ? url : `${url}?${query}`, {
        method,
        headers,
        ...(method === 'POST' && { body }),
      });
      await answer.arrayBuffer();
      took.push(performance.now() - from);
      if (!answer.ok) refused += 1;
    });
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }

  const half = Math.floor(first.length / 2);
  await process(first.slice(0, half));
  await process(first.slice(half));
  await process(lost);
  // The job of the next process settles what the killed ones left.
  for (const id of await membership.findWaitingEvents({ seconds: 0 })) await membership.settleEvent(id);
  const wrong: string[] = [];
  for (const { userId, months } of people) {
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    const paid = await db.select().from(invoices).where(eq(invoices.userId, userId));
    const charges = paid.filter(({ amountPaid }) => amountPaid > 0).length;
    const expected = name === 'btcpay' ? 1 : months + 1;
    if (row?.status !== 'active' || charges !== expected) wrong.push(userId);
  }
  const open = await db.select().from(paymentEvents);
  await close();
  return {
    customers,
    deliveries: shuffled.length,
    wrong,
    unsettled: open.filter(({ status }) => status !== 'done' && status !== 'ignored').length,
    p99: took.toSorted((one, other) => one - other)[Math.floor(took.length * 0.99)] ?? 0,
    refused,
  };
}
