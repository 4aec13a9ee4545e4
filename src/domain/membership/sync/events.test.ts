import { eq, inArray, isNotNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, isSubscribed, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { users } from '../../identity/tables.ts';
import { newId } from '../../kernel/ids.ts';
import { findCustomerId } from '../customers.ts';
import { findWaitingEvents, replayEvents, settleEvent, storeEvents } from './events.ts';
import type { PaymentEvent } from '../payment-provider.ts';
import { reconcile } from './reconcile.ts';
import { paymentCustomers, paymentEvents, reconciliationRuns, subscriptions } from '../tables.ts';
import { slow } from '#test/support/tags.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts } = site;
const day = 24 * 60 * 60 * 1000;
let count = 0;

const eventAbout = (about: { customerId?: string; paymentId?: string }) => ({
  id: `evt_${(count += 1)}`,
  type: 'something.happened',
  createdAt: new Date(),
  customerId: undefined,
  paymentId: undefined,
  ...about,
});

async function receiveEvent(event: PaymentEvent) {
  await storeEvents(db, [event]);
  await settleEvent(parts, event.id);
  return (await rowOf(event.id))?.status;
}

async function rowOf(eventId: string) {
  const [row] = await db.select().from(paymentEvents).where(eq(paymentEvents.eventId, eventId));
  return row;
}

async function subscribed() {
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  const customerId = (await findCustomerId(db, id)) ?? '';
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, id));
  return { id, customerId, subscriptionId: row?.subscriptionId ?? '' };
}

test('an event triggers a sync and is stored; a repeat of it triggers nothing', async () => {
  const { id, customerId, subscriptionId } = await subscribed();
  await plain.provider.cancelNow(subscriptionId);
  const event = eventAbout({ customerId });
  expect(await receiveEvent(event)).toBe('done');
  expect(await isSubscribed(db, id)).toBe(false);
  expect(await rowOf(event.id)).toMatchObject({ status: 'done', attempts: 1, error: null, customerId });
  const asked = plain.calls.length;
  expect(await receiveEvent(event)).toBe('done');
  expect(plain.calls.length).toBe(asked);
  expect(await rowOf(event.id)).toMatchObject({ status: 'done', attempts: 2 });
});

test('events about unrelated customers and payments are stored and ignored', async () => {
  for (const about of [{ customerId: 'someone' }, { paymentId: 'something' }, {}]) {
    const event = eventAbout(about);
    expect(await receiveEvent(event)).toBe('ignored');
    expect(await rowOf(event.id)).toMatchObject({ status: 'ignored' });
  }
});

test('an attempt that fails late leaves what another one has settled meanwhile', async () => {
  const { customerId } = await subscribed();
  const event = eventAbout({ customerId });
  await storeEvents(db, [event]);
  const { readCustomer } = plain.provider;
  plain.provider.readCustomer = async () => {
    plain.provider.readCustomer = readCustomer;
    await db.update(paymentEvents).set({ status: 'done' }).where(eq(paymentEvents.eventId, event.id));
    throw new Error('the provider is away');
  };
  await expect(settleEvent(parts, event.id)).rejects.toThrow('the provider is away');
  expect(await rowOf(event.id)).toMatchObject({ status: 'done', error: null });
});

test('several waiting events of one customer are settled by one sync, those of others are not', async () => {
  const [one, other] = [await subscribed(), await subscribed()];
  const events = [one, one, one, other].map(({ customerId }) => eventAbout({ customerId }));
  const [twice] = events;
  expect(await storeEvents(db, [...events, twice ?? eventAbout({})])).toEqual(
    events
      .map(() => false)
      .concat(false)
      .map((isSettled) => ({ isSettled })),
  );
  const waiting = await findWaitingEvents(db, { seconds: 0 });
  expect(waiting.toSorted()).toEqual([events[0]?.id, events[3]?.id].toSorted());
  expect(await findWaitingEvents(db)).toEqual([]);
  const { readCustomer } = plain.provider;
  const asked: string[] = [];
  plain.provider.readCustomer = async (customerId) => {
    asked.push(customerId);
    return readCustomer(customerId);
  };
  await settleEvent(parts, events[0]?.id ?? '');
  expect(asked).toEqual([one.customerId]);
  expect((await Promise.all(events.map(({ id }) => rowOf(id)))).map((row) => [row?.status, row?.attempts])).toEqual([
    ['done', 2],
    ['done', 1],
    ['done', 1],
    ['received', 1],
  ]);
  await Promise.all([settleEvent(parts, events[3]?.id ?? ''), settleEvent(parts, events[1]?.id ?? '')]);
  plain.provider.readCustomer = readCustomer;
  expect(asked).toEqual([one.customerId, other.customerId]);
  expect(await findWaitingEvents(db, { seconds: 0 })).toEqual([]);
});

test('a failure is stored with its reason, and settled when the event is sent again', async () => {
  const { customerId } = await subscribed();
  const event = eventAbout({ customerId });
  plain.failWith = new Error('the provider is away');
  await expect(receiveEvent(event)).rejects.toThrow('away');
  expect(await rowOf(event.id)).toMatchObject({ status: 'failed', error: 'the provider is away', settledAt: null });
  plain.failWith = undefined;
  expect(await receiveEvent(event)).toBe('done');
  expect(await rowOf(event.id)).toMatchObject({ status: 'done', attempts: 2, error: null });
});

test('replay handles one event, all since a day, or all unsettled ones', async () => {
  await db.delete(paymentEvents);
  const { id, customerId, subscriptionId } = await subscribed();
  const [first, second] = [eventAbout({ customerId }), eventAbout({ customerId })];
  await receiveEvent(first);
  plain.failWith = new Error('away');
  await expect(receiveEvent(second)).rejects.toThrow();
  expect(await replayEvents(parts, 'unsettled')).toEqual({
    replayed: 1,
    failed: [{ eventId: second.id, reason: 'away' }],
  });
  plain.failWith = undefined;
  expect(await replayEvents(parts, 'unsettled')).toEqual({ replayed: 1, failed: [] });
  expect(await replayEvents(parts, 'unsettled')).toEqual({ replayed: 0, failed: [] });

  await plain.provider.cancelNow(subscriptionId);
  expect(await isSubscribed(db, id)).toBe(true);
  expect(await replayEvents(parts, { eventId: first.id })).toEqual({ replayed: 1, failed: [] });
  expect(await isSubscribed(db, id)).toBe(false);
  expect(await replayEvents(parts, { since: new Date(Date.now() - day) })).toEqual({ replayed: 2, failed: [] });
  expect(await replayEvents(parts, { since: new Date(Date.now() + day) })).toEqual({ replayed: 0, failed: [] });
});

test('the nightly reconciliation repairs what lost events left behind', async () => {
  const lost = await subscribed();
  const unheard = await subscribed();
  const fine = await subscribed();
  await plain.provider.cancelNow(lost.subscriptionId);
  await db.delete(subscriptions).where(eq(subscriptions.userId, unheard.id));
  expect(await isSubscribed(db, lost.id)).toBe(true);
  const outcome = await reconcile(parts);
  expect(outcome).toMatchObject({ mended: 2, failed: [] });
  expect(await isSubscribed(db, lost.id)).toBe(false);
  expect(await isSubscribed(db, unheard.id)).toBe(true);
  expect(await isSubscribed(db, fine.id)).toBe(true);
  expect(await reconcile(parts)).toMatchObject({ mended: 0 });
});

test('a payment that the bank never confirmed is abandoned after a day', async () => {
  const { id } = await createListener(site, { startsAt: new Date(Date.now() - 2 * day) });
  await site.createSubscription(id, orderOf(plain.newCard('needs-bank')));
  expect((await site.findSubscriptionState(id)).state).toBe('confirming');
  const fresh = await createListener(site);
  await site.createSubscription(fresh.id, orderOf(plain.newCard('needs-bank')));
  expect(await reconcile(parts)).toMatchObject({ abandoned: 1 });
  expect((await site.findSubscriptionState(id)).state).toBe('none');
  expect((await site.findSubscriptionState(fresh.id)).state).toBe('confirming');
});

test.each([
  [22.5, 0],
  [23.5, 1],
])('a payment that waits for the bank for %s hours: abandoned %s', async (hours, abandoned) => {
  const { id } = await createListener(site, { startsAt: new Date(Date.now() - hours * 60 * 60 * 1000) });
  await site.createSubscription(id, orderOf(plain.newCard('needs-bank')));
  expect(await reconcile(parts)).toMatchObject({ abandoned });
  await plain.provider.deleteCustomer((await findCustomerId(db, id)) ?? '');
});

test('a payment that the bank confirms while it is being abandoned stays', async () => {
  const { id } = await createListener(site, { startsAt: new Date(Date.now() - 2 * day) });
  const made = await site.createSubscription(id, orderOf(plain.newCard('needs-bank')));
  const own = await findCustomerId(db, id);
  const { readCustomer } = plain.provider;
  plain.provider.readCustomer = async (customerId) => {
    const facts = await readCustomer(customerId);
    if (customerId !== own) return facts;
    plain.provider.readCustomer = readCustomer;
    plain.finish(made.ok ? (made.action?.clientSecret ?? '') : '', { works: true });
    return facts;
  };
  expect(await reconcile(parts)).toMatchObject({ abandoned: 0, failed: [] });
  expect(await isSubscribed(db, id)).toBe(true);
});

test('one failing customer does not stop the reconciliation of the others', async () => {
  const { id, subscriptionId } = await subscribed();
  await plain.provider.cancelNow(subscriptionId);
  const broken = await createListener(site);
  await db.insert(paymentCustomers).values({ userId: broken.id, customerId: 'broken' });
  const { readCustomer } = plain.provider;
  plain.provider.readCustomer = async (asked) =>
    asked === 'broken' ? Promise.reject(new Error('not now')) : readCustomer(asked);
  expect(await reconcile(parts)).toMatchObject({ failed: [{ customerId: 'broken', reason: 'not now' }] });
  plain.provider.readCustomer = readCustomer;
  expect(await isSubscribed(db, id)).toBe(false);
});

test('an interrupted reconciliation continues where it stopped; the next one starts over', slow, async () => {
  const people = Array.from({ length: 45 }, () => newId());
  await db
    .insert(users)
    .values(people.map((id) => ({ id, identityProvider: 'built-in' as const, identitySubject: id })));
  await db.insert(paymentCustomers).values(people.map((id) => ({ userId: id, customerId: `of ${id}` })));
  const asked: string[] = [];
  const stopping = new AbortController();
  const { readCustomer } = plain.provider;
  plain.provider.readCustomer = async (customerId) => {
    asked.push(customerId);
    if (asked.length === 40) stopping.abort(new Error('the process stops'));
    return { subscriptions: [], invoices: [], givenUpId: undefined };
  };
  const total = (await db.select().from(paymentCustomers)).length;
  await expect(reconcile(parts, { resume: true, signal: stopping.signal })).rejects.toThrow('the process stops');
  expect(asked).toHaveLength(40);
  expect(await reconcile(parts, { resume: true })).toMatchObject({ failed: [] });
  expect(new Set(asked).size).toBe(asked.length);
  expect(people.filter((id) => !asked.includes(`of ${id}`))).toEqual([]);
  expect(await db.$count(reconciliationRuns, isNotNull(reconciliationRuns.position))).toBe(0);
  expect(total).toBeGreaterThanOrEqual(asked.length);
  plain.provider.readCustomer = readCustomer;
  await db.delete(paymentCustomers).where(inArray(paymentCustomers.userId, people));
});

test('a dispute names only the payment, and ends the subscription that it was charged for', async () => {
  const { id } = await createListener(site, { startsAt: new Date(Date.now() - 8 * day) });
  await site.createSubscription(id, orderOf(plain.newCard('disputed'), { period: 'year' }));
  expect(await isSubscribed(db, id)).toBe(true);
  const customerId = (await findCustomerId(db, id)) ?? '';
  await plain.provider.testClock?.advance(customerId, new Date());
  const [invoice] = (await plain.provider.readCustomer(customerId))?.invoices ?? [];
  expect(invoice).toMatchObject({ status: 'paid', amountPaid: 5988 });
  expect(await receiveEvent(eventAbout({ paymentId: `payment of ${invoice?.id}` }))).toBe('done');
  expect(await isSubscribed(db, id)).toBe(false);
  expect(await site.findSubscription(id)).toMatchObject({ state: 'ended' });
});
