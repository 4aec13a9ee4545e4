import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, isSubscribed, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { newId } from '../../kernel/ids.ts';
import { findCustomerId } from '../customers.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import type { CustomerFacts } from '../payment-provider.ts';
import { giveTime } from '../gift-cards/operator-gifts.ts';
import { findSubscription } from '../subscription.ts';
import { syncSubscription } from './sync.ts';
import { invoices, paymentCustomers, paymentLocks, subscriptions } from '../tables.ts';
import { slow } from '#test/support/tags.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts } = site;
const day = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * day);

async function subscribed(kind: 'good' | 'fails-later', startsAt: Date) {
  const { id } = await createListener(site, { startsAt });
  const outcome = await site.createSubscription(id, orderOf(plain.newCard(kind)));
  expect(outcome).toEqual({ ok: true, action: undefined });
  const customerId = (await findCustomerId(db, id)) ?? '';
  const moveTo = async (to: Date) => {
    await plain.provider.testClock?.advance(customerId, to);
    await syncSubscription(parts, customerId);
  };
  return { id, customerId, moveTo };
}

test('a past-due subscription stays usable for seven days from its invoice, not from the sync', async () => {
  // The trial ended and the charge failed six days ago; the sync is today.
  const six = await subscribed('fails-later', ago(13));
  await six.moveTo(ago(0));
  expect(await site.findSubscriptionState(six.id)).toMatchObject({ state: 'past-due', isSubscribed: true });
  const { graceEndsAt } = await site.findSubscriptionState(six.id);
  expect(Math.abs((graceEndsAt?.getTime() ?? 0) - Date.now() - day)).toBeLessThan(60_000);

  const eight = await subscribed('fails-later', ago(15));
  await eight.moveTo(ago(0));
  expect(await site.findSubscriptionState(eight.id)).toMatchObject({ state: 'past-due', isSubscribed: false });
});

test('a sync that waited while its customer was replaced stores nothing of the former one', async () => {
  const { id, customerId } = await subscribed('good', ago(3));
  const key = `user ${id}`;
  await db.insert(paymentLocks).values({ key, token: newId(), until: sql`now() + interval '1 minute'` });
  const take = vi.spyOn(db, 'execute');
  const synced = syncSubscription(parts, customerId);
  // It knows the user, and asks for the lock.
  await expect.poll(() => take.mock.calls.length).toBeGreaterThan(0);
  take.mockRestore();
  await db.update(paymentCustomers).set({ customerId: newId() }).where(eq(paymentCustomers.userId, id));
  await db.delete(subscriptions).where(eq(subscriptions.userId, id));
  await db.delete(paymentLocks).where(eq(paymentLocks.key, key));
  expect(await synced).toBeUndefined();
  expect(await db.$count(subscriptions, eq(subscriptions.userId, id))).toBe(0);
});

test('a cancelled subscription is usable until its end, an ended one is not', async () => {
  const { id, moveTo } = await subscribed('good', ago(3));
  await site.cancelSubscription(id, 'too quiet');
  expect(await site.findSubscriptionState(id)).toMatchObject({ state: 'ending', isTrial: true, isSubscribed: true });
  await site.resumeSubscription(id);
  expect(await site.findSubscriptionState(id)).toMatchObject({ state: 'trialing', endsAt: null });
  await site.cancelSubscription(id, undefined);
  await moveTo(new Date(Date.now() + 5 * day));
  // Ended by the customer's test clock, but not yet by the real clock.
  await db
    .update(subscriptions)
    .set({ endsAt: ago(0) })
    .where(eq(subscriptions.userId, id));
  expect(await isSubscribed(db, id)).toBe(false);
  expect((await site.findSubscriptionState(id)).state).toBe('ended');
});

test('an invoice that was never paid is voided when its subscription ends, whoever ends it', async () => {
  const statuses = async (id: string) =>
    (await db.select().from(invoices).where(eq(invoices.userId, id))).map(({ status }) => status);
  const byListener = await subscribed('fails-later', ago(8));
  await byListener.moveTo(ago(0));
  await site.cancelSubscription(byListener.id, undefined);
  expect((await site.findSubscriptionState(byListener.id)).state).toBe('ended');
  expect(await statuses(byListener.id)).toEqual(['void']);
  // The mail of the failed payment named it.
  expect((await site.listInvoices(byListener.id, { limit: 9 })).items).toMatchObject([{ status: 'void', amount: 799 }]);

  const byProvider = await subscribed('fails-later', ago(30));
  await byProvider.moveTo(ago(0));
  expect((await site.findSubscriptionState(byProvider.id)).state).toBe('ended');
  expect(await statuses(byProvider.id)).toEqual(['void']);

  // One that an earlier version left open.
  const old = eq(subscriptions.userId, byProvider.id);
  await db
    .update(subscriptions)
    .set({ endsAt: ago(100) })
    .where(old);
  await db.update(invoices).set({ status: 'open' }).where(eq(invoices.userId, byProvider.id));
  await site.reconcile();
  expect(await statuses(byProvider.id)).toEqual(['void']);
});

test('gift time given while a payment is due follows the paid period once it is paid', async () => {
  const { id } = await subscribed('fails-later', ago(8));
  const customerId = (await findCustomerId(db, id)) ?? '';
  await plain.provider.testClock?.advance(customerId, ago(0));
  await syncSubscription(parts, customerId);
  await giveTime(parts, id, { months: 3 });
  const due = await site.findSubscriptionState(id);
  expect(due.state).toBe('past-due');
  const left = (due.giftUntil?.getTime() ?? 0) - Date.now();
  const { setupId } = await site.startCardChange(id);
  plain.finish(`${setupId} secret`, { cardId: plain.newCard('good') });
  expect(await site.finishCardChange(id, setupId)).toEqual({ ok: true, action: undefined });
  const { renewsAt, giftUntil } = await site.findSubscriptionState(id);
  expect(renewsAt).toEqual(giftUntil);
  const paidUntil = addMonths(due.renewsAt ?? new Date(), 1).getTime();
  expect(Math.abs((renewsAt?.getTime() ?? 0) - paidUntil - left)).toBeLessThan(60_000);
  expect((await plain.provider.readCustomer(customerId))?.subscriptions[0]?.periodEndsAt).toEqual(giftUntil);
});

test('an older answer never overwrites a newer one', async () => {
  const { id, customerId } = await subscribed('good', ago(1));
  const { provider } = plain;
  const gates: (() => void)[] = [];
  const answers: string[] = [];
  const slow = {
    ...parts,
    payments: {
      ...provider,
      async readCustomer(asked: string): Promise<CustomerFacts | undefined> {
        const facts = await provider.readCustomer(asked);
        answers.push(facts?.subscriptions[0]?.endsAt === undefined ? 'goes on' : 'cancelled');
        await new Promise<void>((resolve) => gates.push(resolve));
        return facts;
      },
    },
  };
  const until = (what: () => boolean) => expect.poll(what).toBe(true);
  const first = syncSubscription(slow, customerId);
  await until(() => answers.length === 1);
  // The first sync has its answer and hangs; meanwhile the subscription changes and the second sync asks.
  await provider.cancelAtPeriodEnd((await provider.readCustomer(customerId))?.subscriptions[0]?.id ?? '', undefined);
  const second = syncSubscription(slow, customerId);
  const third = syncSubscription(slow, customerId);
  gates.shift()?.();
  await first;
  await until(() => answers.length === 2);
  gates.shift()?.();
  await Promise.all([second, third]);
  expect(answers).toEqual(['goes on', 'cancelled']);
  expect((await site.findSubscriptionState(id)).state).toBe('ending');
});

test('a usable subscription takes precedence over others', async () => {
  const { id, customerId, moveTo } = await subscribed('good', ago(40));
  await site.cancelSubscription(id, undefined);
  await moveTo(ago(30));
  expect((await site.findSubscriptionState(id)).state).toBe('ended');
  await site.createSubscription(id, orderOf(plain.newCard('good'), { period: 'year' }));
  expect(await site.findSubscriptionState(id)).toMatchObject({ state: 'active', period: 'year' });
  expect((await plain.provider.readCustomer(customerId))?.subscriptions).toHaveLength(2);
});

test('a second sync changes nothing; an unknown customer syncs to nothing', async () => {
  const { customerId, moveTo } = await subscribed('good', ago(10));
  await moveTo(ago(1));
  expect(await syncSubscription(parts, customerId)).toMatchObject({ hasChanged: false });
  expect(await syncSubscription(parts, 'customer of something else')).toBeUndefined();
});

test('invoices are listed in pages, newest first, for one user only', async () => {
  const { id, moveTo } = await subscribed('good', ago(100));
  await moveTo(ago(1));
  const first = await site.listInvoices(id, { limit: 2 });
  expect(first.items).toMatchObject([
    { amount: 799, status: 'paid', currency: 'usd' },
    { amount: 799, status: 'paid', currency: 'usd' },
  ]);
  const second = await site.listInvoices(id, { limit: 2, cursor: first.nextCursor });
  expect(second.items).toHaveLength(2);
  expect(second.nextCursor).toBeUndefined();
  const times = [...first.items, ...second.items].map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => other - one));

  const [newest] = first.items;
  expect(await site.findInvoice(id, newest?.id ?? '')).toMatchObject({
    amount: 799,
    seller: 'Sotto',
    billedTo: expect.stringContaining('@example.org') as string,
    lines: [{ amount: 799 }],
  });
  await db
    .update(invoices)
    .set({ refunded: 200 })
    .where(eq(invoices.id, newest?.id ?? ''));
  expect((await site.listInvoices(id, { limit: 1 })).items).toMatchObject([{ amount: 799, refunded: 200 }]);
  const other = await createListener(site);
  expect(await site.findInvoice(other.id, newest?.id ?? '')).toBeUndefined();
  expect(await site.findInvoice(id, 'in_1')).toBeUndefined();
  expect((await db.select().from(invoices).where(eq(invoices.userId, id))).length).toBe(4);
});

test('month to year at once, year to month at the end, and back', async () => {
  const { id, moveTo } = await subscribed('good', ago(10));
  await moveTo(ago(1));
  const shown = await site.previewPeriodChange(id, 'year');
  expect(shown).toMatchObject({ preview: { when: 'now', amount: 5988 } });
  expect(await site.changePeriod(id, 'year')).toEqual({ ok: true, action: undefined });
  const [charge] = (await site.listInvoices(id, { limit: 1 })).items;
  expect(shown).toMatchObject({ preview: { dueToday: charge?.amount } });
  const { renewsAt } = await site.findSubscription(id);

  expect(await site.previewPeriodChange(id, 'month')).toEqual({
    ok: true,
    preview: {
      when: 'period-end',
      at: renewsAt,
      dueToday: 0,
      credit: 0,
      currency: 'usd',
      amount: 799,
      nextAmount: 799,
      nextChargeAt: renewsAt,
    },
  });
  await site.changePeriod(id, 'month');
  expect(await site.findSubscription(id)).toMatchObject({ period: 'year', nextPeriod: 'month', renewsAt });
  await site.changePeriod(id, 'year');
  expect(await site.findSubscription(id)).toMatchObject({ period: 'year', nextPeriod: null });
  expect((await site.listInvoices(id, { limit: 10 })).items).toHaveLength(2);
});

test('a change to a year states the charge after it with the discount', async () => {
  const { id, moveTo } = await subscribed('good', ago(10));
  await moveTo(ago(1));
  await plain.provider.createPromoCode({ code: 'HALF', percentOff: 50, currency: 'usd', duration: 'forever' });
  expect(await site.applyPromoCode(id, 'HALF')).toMatchObject({ ok: true });
  expect(await site.previewPeriodChange(id, 'year')).toMatchObject({
    preview: { when: 'now', amount: 5988, nextAmount: 2994 },
  });
});

test('a cancelled subscription goes on with a new period once that is paid, and not before', async () => {
  const { id, customerId, moveTo } = await subscribed('good', ago(10));
  await moveTo(ago(1));
  await site.cancelSubscription(id, undefined);
  const payWith = async (kind: 'fails-later' | 'always-needs-bank') => {
    const { setupId, clientSecret } = await site.startCardChange(id);
    plain.finish(clientSecret, { cardId: plain.newCard(kind) });
    await site.finishCardChange(id, setupId);
    return site.changePeriod(id, 'year');
  };
  expect(await payWith('fails-later')).toEqual({ ok: false, reason: 'payment/card-declined' });
  expect(await site.findSubscriptionState(id)).toMatchObject({ state: 'ending', period: 'month' });
  const waiting = await payWith('always-needs-bank');
  expect(await site.findSubscriptionState(id)).toMatchObject({ state: 'ending', period: 'month' });
  plain.finish((waiting.ok && waiting.action?.clientSecret) || '', { works: true });
  await syncSubscription(parts, customerId);
  expect(await site.findSubscriptionState(id)).toMatchObject({ state: 'active', period: 'year', endsAt: null });
});

test('a provider that does not answer does not block the account page', slow, async () => {
  const { id } = await subscribed('good', ago(3));
  const hanging = { ...plain.provider, readUpcoming: () => Promise.withResolvers<never>().promise };
  const began = Date.now();
  const shown = await findSubscription({ ...parts, payments: hanging }, id);
  expect(shown).toMatchObject({ state: 'trialing', card: null, nextCharge: null });
  expect(Date.now() - began).toBeLessThan(5000);
});

test('without a subscription there is nothing to change', async () => {
  const { id } = await createListener(site);
  const none = { ok: false, reason: 'subscription/none' };
  expect(await site.changePeriod(id, 'month')).toEqual(none);
  expect(await site.previewPeriodChange(id, 'month')).toEqual(none);
  expect(await site.cancelSubscription(id, undefined)).toEqual(none);
  expect(await site.resumeSubscription(id)).toEqual(none);
  expect(await site.payOpenInvoice(id)).toEqual(none);
  expect(await site.applyPromoCode(id, 'CANDLE')).toEqual(none);
  expect(await site.findSubscription(id)).toMatchObject({ state: 'none', card: null, nextCharge: null });
});

test('a failed charge is paid with a new card, and fails again with the old one', async () => {
  const { id, moveTo } = await subscribed('fails-later', ago(9));
  await moveTo(ago(1));
  expect(await site.changePeriod(id, 'year')).toEqual({ ok: false, reason: 'subscription/payment-due' });
  expect(await site.payOpenInvoice(id)).toEqual({ ok: false, reason: 'payment/card-declined' });
  const { setupId, clientSecret } = await site.startCardChange(id);
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  expect(await site.finishCardChange(id, setupId)).toEqual({ ok: true, action: undefined });
  expect(await site.findSubscription(id)).toMatchObject({ state: 'active', graceEndsAt: null, isSubscribed: true });
  const other = await createListener(site, { startsAt: ago(1) });
  expect(await site.finishCardChange(other.id, setupId)).toEqual({ ok: false, reason: 'payment/unknown-method' });
});
