import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { newId } from '../../kernel/ids.ts';
import { findCustomerId } from '../customers.ts';
import type { Plan } from '../payment-provider.ts';
import { reconcile } from './reconcile.ts';
import { giftCards, invoices, memberships, paymentCustomers, reconciliationRuns, subscriptions } from '../tables.ts';

const { db } = await createTestDatabase();
let site = openTestMembership(db);
const plan: Plan = { period: 'month', amount: 799, currency: 'usd' };
const day = 24 * 60 * 60 * 1000;
const month = new Date().toISOString().slice(0, 7);

beforeEach(async () => {
  for (const table of [reconciliationRuns, giftCards, invoices, subscriptions, paymentCustomers])
    await db.delete(table);
  site = openTestMembership(db);
});

async function subscribed(startsAt?: Date) {
  const { id } = await createListener(site, startsAt === undefined ? {} : { startsAt });
  await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  await site.createSubscription(id, orderOf(site.plain.newCard('good'), { withoutTrial: true }));
  return { id, customerId: (await findCustomerId(db, id)) ?? '' };
}

async function boughtCard() {
  const form = { months: 1 as const, recipientEmail: 'nora@example.org', senderName: undefined, message: undefined };
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, { ...form, buyerEmail: 'ada@example.org' });
  site.plain.finish(clientSecret, { cardId: site.plain.newCard('good') });
  return giftCard.id;
}

const totals = (paying: number, paid: number, refunded: number) => [
  { of: 'paying', atProvider: paying, here: paying },
  { of: 'paid', month, currency: 'usd', atProvider: paid, here: paid },
  ...(refunded === 0 ? [] : [{ of: 'refunded', month, currency: 'usd', atProvider: refunded, here: refunded }]),
];

test('who pays, what was paid and what was refunded agree, whatever events were lost', async () => {
  const people = [await subscribed(), await subscribed(), await subscribed()];
  const [one, two] = people;
  const [invoice] = await db
    .select()
    .from(invoices)
    .where(eq(invoices.userId, one?.id ?? ''));
  await site.plain.provider.refundInvoice({ invoiceId: invoice?.invoiceId ?? '', amount: 300, key: 'lost' });
  await db.delete(invoices).where(eq(invoices.userId, two?.id ?? ''));
  await boughtCard();
  const card = await boughtCard();
  await site.refreshGiftCard(card, undefined);
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, card));
  await site.plain.provider.refundPayment(row?.paymentId ?? '');
  const outcome = await reconcile(site.parts);
  expect(outcome).toMatchObject({ failed: [], customers: 3 });
  expect(outcome.totals).toEqual(totals(3, 3 * 799 + 2 * 799, 300 + 799));
});

test('a payer, a payment and a row that only one side knows are differences', async () => {
  const { id } = await subscribed();
  const { plain } = site;
  const customerId = await plain.provider.createCustomer({ userId: newId(), email: undefined });
  const cardId = plain.newCard('good');
  await plain.provider.subscribe({ customerId, cardId, plan, free: undefined, promoCodeId: undefined, key: 'twice' });
  const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, id));
  if (invoice === undefined) throw new Error('nothing was paid');
  await db.insert(invoices).values({ ...invoice, id: newId(), invoiceId: 'invented', paymentId: 'invented' });
  const { totals: found, failed } = await reconcile(site.parts);
  expect(found).toEqual([
    { of: 'paying', atProvider: 2, here: 1 },
    { of: 'paid', month, currency: 'usd', atProvider: 2 * 799, here: 2 * 799 },
  ]);
  expect(failed).toEqual([
    { customerId, reason: 'Pays, but is not known here' },
    { customerId, reason: expect.stringMatching(/^payment of .* is not known here$/) as string },
  ]);
  await db.update(invoices).set({ amountPaid: 5000 }).where(eq(invoices.invoiceId, 'invented'));
  expect((await reconcile(site.parts)).totals[1]).toMatchObject({ atProvider: 2 * 799, here: 799 + 5000 });
});

test('a second subscription of one customer is reported, and one that has ended here only is active again', async () => {
  const { customerId } = await subscribed();
  const lost = await subscribed();
  const { plain } = site;
  const cardId = plain.newCard('good');
  await plain.provider.subscribe({ customerId, cardId, plan, free: undefined, promoCodeId: undefined, key: 'second' });
  // Too long ago for the first step, which visits the customers that are known here.
  const endsAt = new Date(Date.now() - 40 * day);
  await db.update(subscriptions).set({ status: 'ended', endsAt }).where(eq(subscriptions.userId, lost.id));
  const outcome = await reconcile(site.parts);
  expect(outcome.totals[0]).toEqual({ of: 'paying', atProvider: 3, here: 2 });
  expect(outcome.failed).toEqual([{ customerId, reason: 'Pays for more than one subscription' }]);
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, lost.id));
  expect(row).toMatchObject({ status: 'active', endsAt: null });
});

test('a card whose dispute was won is not paid back; one whose refund was asked for is', async () => {
  const paymentOf = async (change: Partial<typeof giftCards.$inferInsert>) => {
    const id = await boughtCard();
    await site.refreshGiftCard(id, undefined);
    const [row] = await db.update(giftCards).set(change).where(eq(giftCards.id, id)).returning();
    return row?.paymentId ?? '';
  };
  const won = await paymentOf({ refundedAt: new Date() });
  const asked = await paymentOf({ refundedAt: new Date(), refundState: 'asked' });
  await reconcile(site.parts);
  expect(await site.plain.provider.findPayment(won)).toMatchObject({ status: 'paid' });
  expect(await site.plain.provider.findPayment(asked)).toMatchObject({ status: 'refunded' });
});

test('months are those of the payment, and what is older than a year is left alone', async () => {
  const first = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 2, 1) - 1000);
  const { customerId } = await subscribed(first);
  await site.plain.provider.testClock?.advance(customerId, new Date(first.getTime() + 2000));
  const old = await subscribed(new Date(Date.now() - 420 * day));
  await site.plain.provider.cancelNow((await rowOf(old.id))?.subscriptionId ?? '');
  const outcome = await reconcile(site.parts);
  expect(outcome.totals).toEqual([
    { of: 'paying', atProvider: 1, here: 1 },
    { of: 'paid', month: first.toISOString().slice(0, 7), currency: 'usd', atProvider: 799, here: 799 },
  ]);
});

async function rowOf(userId: string) {
  return (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0];
}

test.each(['findPayment', 'listPaying', 'listPayments'] as const)(
  'a run that ends within %s goes on there, days later, and counts everything once',
  async (call) => {
    for (let one = 0; one < 5; one += 1) await subscribed();
    for (let one = 0; one < 2; one += 1) await site.refreshGiftCard(await boughtCard(), undefined);
    const { provider } = site.plain;
    const [ask, stopping] = [provider[call] as (...args: unknown[]) => Promise<unknown>, new AbortController()];
    let asked = 0;
    provider[call] = (async (...args: unknown[]) => {
      asked += 1;
      if (asked === 2) stopping.abort(new Error('the process stops'));
      return ask(...args);
    }) as never;
    await expect(reconcile(site.parts, { resume: true, signal: stopping.signal })).rejects.toThrow('stops');
    expect(asked).toBe(2);
    await db.update(reconciliationRuns).set({ startedAt: new Date(Date.now() - 3 * day) });
    const customers = site.plain.calls.filter((name) => name === 'readCustomer').length;
    const outcome = await reconcile(site.parts, { resume: true });
    expect(outcome).toMatchObject({ customers: 5, failed: [] });
    expect(outcome.totals).toEqual(totals(5, 7 * 799, 0));
    expect(site.plain.calls.filter((name) => name === 'readCustomer')).toHaveLength(customers);
    expect(asked).toBe({ findPayment: 2, listPaying: 3, listPayments: 4 }[call]);
    // The next one begins anew.
    expect((await reconcile(site.parts, { resume: true })).id).not.toBe(outcome.id);
  },
);

const thisMonth = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth());
const firstCompared = new Date(Date.UTC(new Date(thisMonth).getUTCFullYear(), new Date(thisMonth).getUTCMonth() - 12));

/** Paid once, and ended so long ago that only the provider’s list of payments names it. */
async function longGone(paidAt: Date) {
  const person = await subscribed(paidAt);
  await site.plain.provider.cancelNow((await rowOf(person.id))?.subscriptionId ?? '');
  await site.refreshSubscription(person.id);
  await db.update(subscriptions).set({ endsAt: new Date(Date.now() - 40 * day) });
  return person;
}

test('the first moment of the first month counts, and the one before it does not', async () => {
  await longGone(firstCompared);
  await longGone(new Date(firstCompared.getTime() - 1));
  const outcome = await reconcile(site.parts);
  const key = { of: 'paid', month: firstCompared.toISOString().slice(0, 7), currency: 'usd' };
  expect([outcome.customers, outcome.totals[1]]).toEqual([0, { ...key, atProvider: 799, here: 799 }]);
  expect(outcome.totals).toHaveLength(2);
});

test('a payment that became known in the next month counts there, at the provider too', async () => {
  const { id } = await longGone(new Date(firstCompared.getTime() - 1000));
  await db
    .update(invoices)
    .set({ paidAt: new Date(firstCompared.getTime() + 1000) })
    .where(eq(invoices.userId, id));
  expect((await reconcile(site.parts)).totals[1]).toMatchObject({ of: 'paid', atProvider: 799, here: 799 });
});

test('payments of deleted customers and parts of a gift card paid back are no differences', async () => {
  const { plain } = site;
  const customerId = await plain.provider.createCustomer({ userId: newId(), email: undefined });
  const cardId = plain.newCard('good');
  await plain.provider.subscribe({ customerId, cardId, plan, free: undefined, promoCodeId: undefined, key: 'gone' });
  await plain.provider.deleteCustomer(customerId);
  const card = await boughtCard();
  await site.refreshGiftCard(card, undefined);
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, card));
  plain.refundByHand(row?.paymentId ?? '', 300);
  const outcome = await reconcile(site.parts);
  expect(outcome).toMatchObject({ failed: [], totals: totals(0, 799, 0) });
});

test('customers are visited until a month after the end, and while an invoice is open', async () => {
  for (const [days, visited] of [
    [29, 1],
    [31, 0],
  ] as const) {
    await db.delete(paymentCustomers);
    const { id } = await longGone(new Date());
    await db.update(subscriptions).set({ endsAt: new Date(Date.now() - days * day) });
    expect([days, (await reconcile(site.parts)).customers]).toEqual([days, visited]);
    if (visited === 1) continue;
    await db.update(invoices).set({ status: 'open' }).where(eq(invoices.userId, id));
    expect((await reconcile(site.parts)).customers).toBe(1);
  }
});

test.each([
  ['an unpaid card of two days', { createdAt: 2.9 }, true],
  ['an unpaid card of three days', { createdAt: 3.1 }, false],
  ['a paid card of 119 days', { paidAt: 119 }, true],
  ['a paid card of 121 days', { paidAt: 121 }, false],
  ['a redeemed card', { paidAt: 1, redeemedAt: 0 }, false],
] as const)('%s is asked about or not', async (_card, ages, isAsked) => {
  const id = await boughtCard();
  // Its payment is none that the list names.
  const times = Object.fromEntries(
    Object.entries(ages).map(([name, days]) => [name, new Date(Date.now() - days * day)]),
  );
  await db
    .update(giftCards)
    .set({ ...times, paymentId: 'elsewhere', appliedAt: new Date() })
    .where(eq(giftCards.id, id));
  site.plain.calls.length = 0;
  await reconcile(site.parts);
  expect(site.plain.calls.includes('findPayment')).toBe(isAsked);
});

test('an unpaid card of more than a week is deleted, unless it was paid meanwhile; a marked refund is made', async () => {
  const { plain } = site;
  const form = { months: 1 as const, recipientEmail: 'nora@example.org', senderName: undefined, message: undefined };
  const unpaid = async (days: number) => {
    const { giftCard } = await site.buyGiftCard(undefined, { ...form, buyerEmail: 'ada@example.org' });
    await db
      .update(giftCards)
      .set({ createdAt: new Date(Date.now() - days * day) })
      .where(eq(giftCards.id, giftCard.id));
    return giftCard.id;
  };
  const [young, old, paid, marked] = [await unpaid(6.9), await unpaid(7.1), await boughtCard(), await boughtCard()];
  await db
    .update(giftCards)
    .set({ createdAt: new Date(Date.now() - 8 * day) })
    .where(eq(giftCards.id, paid));
  await site.refreshGiftCard(marked, undefined);
  const [row] = await db
    .update(giftCards)
    .set({ refundedAt: new Date(), refundState: 'asked' })
    .where(eq(giftCards.id, marked))
    .returning();
  await reconcile(site.parts);
  const rows = await db.select({ id: giftCards.id, paidAt: giftCards.paidAt }).from(giftCards);
  const left = new Map(rows.map(({ id, paidAt }) => [id, paidAt !== null]));
  expect([young, old, paid].map((id) => left.get(id))).toEqual([false, undefined, true]);
  expect(await plain.provider.findPayment(row?.paymentId ?? '')).toMatchObject({ status: 'refunded' });
});
