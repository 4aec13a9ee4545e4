import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import type Stripe from 'stripe';
import type { Db } from '#domain/kernel/db.ts';
import { writeCustomer } from '#domain/membership/customers.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { rowOf } from '#domain/membership/sync/sync.ts';
import { invoices, paymentEvents, subscriptions } from '#domain/membership/tables.ts';
import { createFailures } from '#http/errors.ts';
import { openPaymentEventIntake, webhookRoutes } from '#http/webhooks.ts';
import { eq } from 'drizzle-orm';
import { createUser } from '../factories.ts';
import { mailInto } from '../servers/mail-box.ts';
import { stripeHarness } from './payment-harness.ts';
import { liveStory, generateStory } from 'stripe-sandbox/testing/stories';
import { currentOf } from '#domain/membership/sync/current.ts';

export type Storm = {
  customers: number;
  deliveries: number;
  events: number;
  /** Events lost in the first round; each arrived in the second. */
  lost: number;
  /** Users whose stored subscription or invoices differ from the provider's. */
  wrong: string[];
  unsettled: number;
  livedMs: number;
  deliveredMs: number;
};

/** Enough for 10,000 deliveries; further events would only name the same customers again. */
const deliveredTypes = /^(customer\.subscription\.(created|updated|deleted)|invoice\.payment_failed)$/;

/**
 * Lets customers live through a year at the sandbox while the site gets no events, then sends all of them over HTTP:
 * shuffled, each event twice, a tenth lost at first and sent again at the end.
 */
export async function stormOfEvents(options: { db: Db; databaseUrl: string; customers: number }): Promise<Storm> {
  const { db, databaseUrl } = options;
  const harness = await stripeHarness(databaseUrl);
  const { provider, stripe, sandbox } = harness;
  const membership = openMembership({
    secret: 'test',
    db,
    payments: provider,
    mail: mailInto([]),
    site: { name: 'Sotto', url: 'https://sotto.example' },
  });
  const failures = createFailures({ log: pino({ level: 'silent' }), outageOf: () => undefined });
  const intake = openPaymentEventIntake({ membership, log: pino({ level: 'silent' }), max: 8 });
  const server = createServer(getRequestListener(webhookRoutes({ site: { membership }, intake, failures }).fetch));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/payments`;

  async function deliver(event: Stripe.Event): Promise<void> {
    const payload = JSON.stringify(event);
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: sandbox.webhookSecret });
    const answer = await fetch(url, { method: 'POST', headers: { 'stripe-signature': signature }, body: payload });
    await answer.arrayBuffer();
    // The provider sends refused events again.
    if (!answer.ok) return deliver(event);
  }

  try {
    await membership.checkPlans();
    const began = Date.now();
    const people = await liveYears(stripe, db, options.customers);
    const livedMs = Date.now() - began;
    const events = (await listEvents(stripe)).filter(({ type }) => deliveredTypes.test(type));

    const shuffled = shuffle([...events, ...events]);
    const lost = shuffled.filter((_event, index) => index % 10 === 0);
    const first = shuffled.filter((_event, index) => index % 10 !== 0);
    const start = Date.now();
    await inParallel(8, first, deliver);
    await inParallel(8, shuffle(lost), deliver);
    await intake.settled();
    const deliveredMs = Date.now() - start;

    const wrong: string[] = [];
    for (const { userId, customerId } of people) {
      const facts = await provider.readCustomer(customerId);
      if (facts === undefined) throw new Error('a customer is missing');
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
      const kept = await db.select().from(invoices).where(eq(invoices.userId, userId));
      const isSame =
        JSON.stringify(sorted(row)) === JSON.stringify(sorted(rowOf(userId, facts))) &&
        facts.invoices.every(({ id, status, amountPaid }) =>
          kept.some((one) => one.invoiceId === id && one.status === status && one.amountPaid === amountPaid),
        ) &&
        (await isAsAtStripe(stripe, customerId, currentOf(facts)?.id, row?.status));
      if (!isSame) wrong.push(userId);
    }
    const open = await db.select().from(paymentEvents);
    return {
      customers: people.length,
      deliveries: shuffled.length,
      events: events.length,
      lost: lost.length,
      wrong,
      unsettled: open.filter(({ status }) => status !== 'done' && status !== 'ignored').length,
      livedMs,
      deliveredMs,
    };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await sandbox.close();
  }
}

async function liveYears(stripe: Stripe, db: Db, count: number) {
  const { data } = await stripe.prices.list({ lookup_keys: ['sotto_month', 'sotto_year'] });
  const [month, year] = ['sotto_month', 'sotto_year'].map((key) => data.find(({ lookup_key }) => lookup_key === key));
  if (month === undefined || year === undefined) throw new Error('the prices are missing');
  const people: { userId: string; customerId: string }[] = [];
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  await inParallel(4, seeds, async (seed) => {
    const { customer } = await liveStory(stripe, { month, year }, generateStory(seed));
    const { id } = await createUser(db, { email: `story-${seed}@example.org` });
    await writeCustomer(db, id, customer);
    people.push({ userId: id, customerId: customer });
  });
  return people;
}

async function listEvents(stripe: Stripe): Promise<Stripe.Event[]> {
  const events: Stripe.Event[] = [];
  for await (const event of stripe.events.list({ limit: 100 })) events.push(event);
  return events;
}

/** Reads Stripe's objects directly, without the adapter. */
async function isAsAtStripe(
  stripe: Stripe,
  customer: string,
  id: string | undefined,
  status: string | undefined,
): Promise<boolean> {
  if (id === undefined) return status === undefined;
  const subscription = await stripe.subscriptions.retrieve(id);
  const expected: Record<string, string> = {
    active: 'active',
    trialing: 'trialing',
    past_due: 'past-due',
    unpaid: 'past-due',
    canceled: 'ended',
    incomplete: 'confirming',
  };
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
  const usable = data.filter((one) => one.status === 'active' || one.status === 'trialing');
  const isTheUsable = usable.length === 0 || usable.some((one) => one.id === id);
  return isTheUsable && expected[subscription.status] === status;
}

function sorted(row: object | undefined): unknown {
  return row === undefined
    ? null
    : Object.entries(row)
        .map(([key, value]) => [
          key,
          value !== null && typeof value === 'object' && !(value instanceof Date) ? sorted(value as object) : value,
        ])
        .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

/** The same sequence in each run, so that a failure can be reproduced. */
export function shuffle<Item>(items: Item[]): Item[] {
  let state = 42;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

export async function inParallel<Item>(max: number, items: Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: max }, async () => {
      for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await act(item);
    }),
  );
}
