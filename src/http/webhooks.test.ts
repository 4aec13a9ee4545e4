import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findCustomerId } from '#domain/membership/customers.ts';
import { paymentEvents, subscriptions } from '#domain/membership/tables.ts';
import { registerUser } from '#test/support/identity.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';

const plain = openPlainPayments();
const { url, site, identity, db, errors, logged, eventsSettled } = await startTestSite(
  {},
  { openPayments: async () => plain.provider },
);

function post({ body, headers }: { body: string; headers: Record<string, string> }) {
  return fetch(`${url}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

async function subscribed() {
  const user = await registerUser(site, identity);
  await site.membership.createSubscription(user.id, {
    paymentMethodId: plain.newCard('good'),
    period: 'month',
    promoCode: undefined,
    withoutTrial: false,
  });
  return { ...user, customerId: (await findCustomerId(db, user.id)) ?? '' };
}

test('a forged, unsigned, changed or old event is refused and changes nothing', async () => {
  const { customerId } = await subscribed();
  const event = plain.eventFor({ customerId });
  for (const refused of [
    { ...event, headers: {} },
    { ...event, headers: { 'plain-signature': 'f'.repeat(64) } },
    { ...event, body: `${event.body} ` },
    plain.eventFor({ customerId, at: new Date(Date.now() - 60 * 60 * 1000) }),
    { body: '', headers: event.headers },
    { body: 'null', headers: {} },
  ]) {
    const answer = await post(refused);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'request/invalid' } }]);
  }
  expect(await db.select().from(paymentEvents)).toEqual([]);
  expect((await post({ ...event, body: 'x'.repeat(1_100_000) })).status).toBe(413);
  expect((await fetch(`${url}/webhooks/payments`)).status).toBe(405);
});

test('the signature covers the exact bytes received, whatever their content', async () => {
  const { customerId } = await subscribed();
  const event = plain.eventFor({ customerId, id: 'evt_é😀' });
  // Equal when parsed as JSON.
  expect((await post({ ...event, body: event.body.replace('é', '\\u00e9') })).status).toBe(400);
  expect((await post(event)).status).toBe(200);
});

test('an event is processed once, however often it is sent', async () => {
  const user = await subscribed();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, user.id));
  await plain.provider.cancelNow(row?.subscriptionId ?? '');
  const event = plain.eventFor({ customerId: user.customerId });
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(event)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await eventsSettled();
  const [kept, ...others] = await db.select().from(paymentEvents).where(eq(paymentEvents.customerId, user.customerId));
  expect([kept?.status, kept?.attempts, others]).toEqual(['done', 10, []]);
  expect((await site.identity.findMe(user.id))?.isSubscribed).toBe(false);
  const asked = plain.calls.length;
  expect(await (await post(event)).json()).toEqual({ received: true });
  await eventsSettled();
  expect(plain.calls.length).toBe(asked);
});

test('the answer does not wait for the provider; what fails is stored and settled later', async () => {
  const { customerId } = await subscribed();
  const event = plain.eventFor({ customerId });
  const { readCustomer } = plain.provider;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  plain.provider.readCustomer = async () => {
    await answered;
    throw new Error('the provider is away');
  };
  expect(await (await post(event)).json()).toEqual({ received: true });
  const rowOf = async () => (await db.select().from(paymentEvents).where(eq(paymentEvents.customerId, customerId)))[0];
  expect(await rowOf()).toMatchObject({ status: 'received' });
  answer();
  await eventsSettled();
  expect(await rowOf()).toMatchObject({ status: 'failed', error: 'the provider is away' });
  expect(logged.filter(({ level }) => Number(level) >= 40)).toMatchObject([
    { level: 40, msg: 'An event of the payment provider failed; a job tries it again' },
  ]);
  plain.provider.readCustomer = readCustomer;
  await site.membership.settleEvent((await rowOf())?.eventId ?? '');
  expect(await rowOf()).toMatchObject({ status: 'done', attempts: 1, error: null });
});

test('a burst of events about one customer becomes a few syncs', async () => {
  const { customerId } = await subscribed();
  const { readCustomer } = plain.provider;
  let asked = 0;
  plain.provider.readCustomer = async (id) => {
    asked += 1;
    return readCustomer(id);
  };
  const events = Array.from({ length: 50 }, () => plain.eventFor({ customerId }));
  const answers = await Promise.all(events.map((event) => post(event)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await eventsSettled();
  plain.provider.readCustomer = readCustomer;
  const rows = await db.select().from(paymentEvents).where(eq(paymentEvents.customerId, customerId));
  expect(rows.map(({ status }) => status)).toEqual(Array(50).fill('done'));
  expect(asked).toBeLessThanOrEqual(10);
  expect(errors).toEqual([]);
});

test('an event that comes while another about its customer is settled is settled after it', async () => {
  const { customerId } = await subscribed();
  const { readCustomer } = plain.provider;
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  plain.provider.readCustomer = async (id) => {
    asked.resolve();
    await answered.promise;
    return readCustomer(id);
  };
  await post(plain.eventFor({ customerId }));
  await asked.promise;
  await post(plain.eventFor({ customerId }));
  answered.resolve();
  await eventsSettled();
  plain.provider.readCustomer = readCustomer;
  const rows = await db.select().from(paymentEvents).where(eq(paymentEvents.customerId, customerId));
  expect(rows.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('events of other kinds are stored and ignored, without personal data', async () => {
  const event = plain.eventFor({ customerId: 'somebody else', id: 'evt_else' });
  expect(await (await post(event)).json()).toEqual({ received: true });
  await eventsSettled();
  expect(await db.select().from(paymentEvents).where(eq(paymentEvents.eventId, 'evt_else'))).toMatchObject([
    { status: 'ignored', customerId: null },
  ]);
});
