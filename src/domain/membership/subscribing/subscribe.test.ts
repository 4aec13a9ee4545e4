import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, isSubscribed, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { say } from '../../kernel/errors.ts';
import { findCustomerId } from '../customers.ts';
import { giveMonths } from '../entitlement.ts';
import type { SubscribeOutcome } from './subscribe.ts';
import { memberships, paymentCustomers, paymentLocks, subscriptions, trialCards } from '../tables.ts';

const database = await createTestDatabase();
const { db } = database;
const site = openTestMembership(db);
const { plain } = site;
const day = 24 * 60 * 60 * 1000;

async function providerFacts(userId: string) {
  const customerId = await findCustomerId(db, userId);
  const facts = customerId === undefined ? undefined : await plain.provider.readCustomer(customerId);
  return { subscriptions: facts?.subscriptions ?? [], invoices: facts?.invoices ?? [] };
}

const refusalOf = (outcome: SubscribeOutcome) => (outcome.ok ? [] : [outcome.reason, say(outcome.message ?? '')]);

test('subscribing begins a trial and unlocks everything at once', async () => {
  const { id } = await createListener(site);
  expect(await isSubscribed(db, id)).toBe(false);
  expect(await site.createSubscription(id, orderOf(plain.newCard('good'), { period: 'year' }))).toEqual({
    ok: true,
    action: undefined,
  });
  expect(await isSubscribed(db, id)).toBe(true);
  const subscription = await site.findSubscription(id);
  expect(subscription).toMatchObject({
    state: 'trialing',
    period: 'year',
    amount: 5988,
    currency: 'usd',
    isTrial: true,
    endsAt: null,
    isSubscribed: true,
    nextCharge: { amount: 5988 },
  });
  expect(Math.abs((subscription.trialEndsAt?.getTime() ?? 0) - Date.now() - 7 * day)).toBeLessThan(60_000);
  expect(subscription.renewsAt).toEqual(subscription.trialEndsAt);
});

test('20 concurrent requests make one subscription and one charge; other cards are refused', async () => {
  const { id } = await createListener(site);
  const card = plain.newCard('good');
  const orders = [
    ...Array.from({ length: 15 }, () => orderOf(card, { withoutTrial: true })),
    ...Array.from({ length: 5 }, () => orderOf(plain.newCard('good'), { withoutTrial: true })),
  ];
  const outcomes = await Promise.all(orders.map((order) => site.createSubscription(id, order)));
  const { subscriptions: all, invoices } = await providerFacts(id);
  process.stdout.write(
    `20 simultaneous subscribe calls → ${all.length} subscription, ${invoices.length} charges in the trial\n`,
  );
  expect(all).toHaveLength(1);
  expect(outcomes.slice(0, 15).every(({ ok }) => ok)).toBe(true);
  expect(outcomes.slice(15)).toEqual(
    Array.from({ length: 5 }, () => ({ ok: false, reason: 'subscription/already-subscribed' })),
  );
  expect(await db.select().from(paymentLocks)).toEqual([]);
});

test('two processes make one subscription', async () => {
  const other = openDatabase({ url: database.url, poolSize: 2 });
  try {
    const elsewhere = openTestMembership(other.db, plain);
    const { id } = await createListener(site);
    const card = plain.newCard('good');
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? site : elsewhere).createSubscription(id, orderOf(card)),
      ),
    );
    expect((await providerFacts(id)).subscriptions).toHaveLength(1);
  } finally {
    await other.close();
  }
});

test('a retry after a lost answer finds the first subscription', async () => {
  const { id } = await createListener(site);
  const order = orderOf(plain.newCard('good'));
  await site.createSubscription(id, order);
  // As if the process had died before it stored anything.
  await db.delete(subscriptions).where(eq(subscriptions.userId, id));
  expect(await site.createSubscription(id, order)).toEqual({ ok: true, action: undefined });
  expect((await providerFacts(id)).subscriptions).toHaveLength(1);
  expect(await isSubscribed(db, id)).toBe(true);
});

test('a subscribed user gets an error and is not charged', async () => {
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  expect(await site.createSubscription(id, orderOf(plain.newCard('good'), { period: 'year' }))).toEqual({
    ok: false,
    reason: 'subscription/already-subscribed',
  });
  expect((await providerFacts(id)).subscriptions).toHaveLength(1);
});

test('a declined card leaves neither a subscription nor a used trial', async () => {
  const { id } = await createListener(site);
  expect(await site.createSubscription(id, orderOf(plain.newCard('declining')))).toEqual({
    ok: false,
    reason: 'payment/card-declined',
  });
  expect(await site.findSubscription(id)).toMatchObject({ state: 'none', isSubscribed: false });
  expect(await db.select().from(trialCards).where(eq(trialCards.userId, id))).toEqual([]);
  expect(await site.createSubscription(id, orderOf(plain.newCard('good')))).toMatchObject({ ok: true });
  expect((await site.findSubscription(id)).state).toBe('trialing');
});

test("another's card is refused, and so is one that does not exist", async () => {
  const [one, other] = [await createListener(site), await createListener(site)];
  const card = plain.newCard('good');
  await site.createSubscription(one.id, orderOf(card));
  for (const id of [card, 'pm_nothing'])
    expect(await site.createSubscription(other.id, orderOf(id))).toEqual({
      ok: false,
      reason: 'payment/unknown-method',
    });
  expect((await providerFacts(other.id)).subscriptions).toEqual([]);
});

test('until the bank confirms the card nothing is unlocked, and a retry returns the same step', async () => {
  const { id } = await createListener(site);
  const order = orderOf(plain.newCard('needs-bank'));
  const first = await site.createSubscription(id, order);
  expect(first).toMatchObject({ ok: true, action: { kind: 'setup' } });
  expect(await isSubscribed(db, id)).toBe(false);
  expect(await site.findSubscription(id)).toMatchObject({ state: 'confirming', isSubscribed: false });
  expect(await site.createSubscription(id, order)).toEqual(first);
  expect((await providerFacts(id)).subscriptions).toHaveLength(1);

  plain.finish(first.ok ? (first.action?.clientSecret ?? '') : '', { works: true });
  expect(await site.refreshSubscription(id)).toBeUndefined();
  expect(await isSubscribed(db, id)).toBe(true);
  expect((await site.findSubscription(id)).state).toBe('trialing');
});

test('after the bank refused, another card starts again with the trial', async () => {
  const { id } = await createListener(site);
  const first = await site.createSubscription(id, orderOf(plain.newCard('needs-bank')));
  plain.finish(first.ok ? (first.action?.clientSecret ?? '') : '', { works: false });
  expect(await site.refreshSubscription(id)).toBeUndefined();
  expect(await isSubscribed(db, id)).toBe(false);
  expect(await site.createSubscription(id, orderOf(plain.newCard('good')))).toEqual({ ok: true, action: undefined });
  expect((await providerFacts(id)).subscriptions).toMatchObject([{ status: 'trialing' }]);
});

test('an account has one trial', async () => {
  const { id } = await createListener(site, { startsAt: new Date(Date.now() - 30 * day) });
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  await site.cancelSubscription(id, undefined);
  await plain.provider.testClock?.advance((await findCustomerId(db, id)) ?? '', new Date());
  await site.refreshSubscription(id);
  expect(await site.findSubscription(id)).toMatchObject({ state: 'ended', isSubscribed: false });
  expect(await site.previewSubscription(id, orderOf('', {}))).toMatchObject({
    preview: { trialEndsAt: null, dueToday: 799 },
  });
  expect(await site.createSubscription(id, orderOf(plain.newCard('good')))).toEqual({ ok: true, action: undefined });
  expect((await site.findSubscription(id)).state).toBe('active');
});

test('a step that the bank refused does not use up the trial of the card', async () => {
  const [one, other] = [await createListener(site), await createListener(site)];
  const refused = await site.createSubscription(one.id, orderOf(plain.newCard('needs-bank', 'refused once')));
  const taken = orderOf(plain.newCard('good', 'refused once'));
  // While the bank's step is pending, no other account may start a trial with the card.
  expect(await site.createSubscription(other.id, taken)).toMatchObject({ reason: 'subscription/trial-used' });
  plain.finish((refused.ok && refused.action?.clientSecret) || '', { works: false });
  await site.refreshSubscription(one.id);
  expect(await site.createSubscription(other.id, taken)).toEqual({ ok: true, action: undefined });
  expect((await site.findSubscription(other.id)).state).toBe('trialing');
});

test('a card has one trial across accounts, and a charge without a trial needs consent first', async () => {
  const [one, other] = [await createListener(site), await createListener(site)];
  await site.createSubscription(one.id, orderOf(plain.newCard('good', 'the same card')));
  const order = orderOf(plain.newCard('good', 'the same card'), { period: 'year' });
  expect(refusalOf(await site.createSubscription(other.id, order))).toEqual([
    'subscription/trial-used',
    'This card has had its free trial already. Without one, $59.88 is charged today.',
  ]);
  expect((await providerFacts(other.id)).invoices).toEqual([]);
  expect(await site.createSubscription(other.id, { ...order, withoutTrial: true })).toEqual({
    ok: true,
    action: undefined,
  });
  expect((await providerFacts(other.id)).invoices).toMatchObject([{ amountPaid: 5988 }]);
  expect((await site.findSubscription(other.id)).state).toBe('active');
});

test('a price that changed since it was shown is reported, not charged', async () => {
  const { id } = await createListener(site);
  const order = orderOf(plain.newCard('good'), { amount: 699 });
  expect(refusalOf(await site.createSubscription(id, order))).toEqual([
    'subscription/price-changed',
    'The price has changed: it is now $7.99 each month. Nothing was charged.',
  ]);
  expect(await providerFacts(id)).toMatchObject({ subscriptions: [], invoices: [] });
  expect(await site.createSubscription(id, { ...order, amount: 799 })).toEqual({ ok: true, action: undefined });
  // A repeated request finds the subscription, even when the price has changed.
  expect(await site.createSubscription(id, order)).toEqual({ ok: true, action: undefined });
});

test('a discount that changed since it was shown is reported, not charged, and the trial stays', async () => {
  await plain.provider.createPromoCode({ currency: 'usd', duration: 'once', code: 'LESS', percentOff: 10 });
  const { id } = await createListener(site);
  const order = orderOf(plain.newCard('good'), { promoCode: 'LESS', amount: 799, thenAmount: 799 });
  expect(refusalOf(await site.createSubscription(id, { ...order, firstCharge: 400 }))).toEqual([
    'subscription/price-changed',
    'The discount has changed: the first charge is now $7.19, later ones $7.99. Nothing was charged.',
  ]);
  expect(await providerFacts(id)).toMatchObject({ subscriptions: [], invoices: [] });
  expect(await site.createSubscription(id, { ...order, firstCharge: 719 })).toEqual({ ok: true, action: undefined });
  expect((await site.findSubscription(id)).state).toBe('trialing');
});

test('an order that is refused for its price leaves the card its trial, for other accounts too', async () => {
  const [one, other] = [await createListener(site), await createListener(site)];
  const order = orderOf(plain.newCard('good'));
  expect(await site.createSubscription(one.id, { ...order, firstCharge: 1 })).toMatchObject({
    reason: 'subscription/price-changed',
  });
  expect(await site.createSubscription(other.id, order)).toEqual({ ok: true, action: undefined });
  expect((await site.findSubscription(other.id)).state).toBe('trialing');
});

test('remaining gift time comes before the first charge', async () => {
  const { id } = await createListener(site);
  const giftUntil = await giveMonths(db, id, 3);
  expect(await site.previewSubscription(id, orderOf('', {}))).toMatchObject({
    preview: { trialEndsAt: giftUntil, dueToday: 0, firstCharge: { amount: 799, at: giftUntil } },
  });
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  expect(await site.findSubscription(id)).toMatchObject({ state: 'trialing', renewsAt: giftUntil });
});

test('promo codes: unknown, expired, exhausted, restricted; and the reduced price', async () => {
  const { provider } = plain;
  const terms = { currency: 'usd', duration: 'once' } as const;
  await provider.createPromoCode({ ...terms, code: 'CANDLE', percentOff: 25, duration: 'forever' });
  await provider.createPromoCode({ ...terms, code: 'OLD', percentOff: 25, expiresAt: new Date(Date.now() - 1000) });
  await provider.createPromoCode({ ...terms, code: 'GONE', percentOff: 25, maxRedemptions: 1 });
  await provider.createPromoCode({ ...terms, code: 'FIRST', amountOff: 300, isFirstTimeOnly: true });
  const yen = await provider.createPromoCode({ ...terms, code: 'YEN', amountOff: 300, currency: 'jpy' });
  expect(yen).toBeDefined();
  const first = await createListener(site);
  await site.createSubscription(first.id, orderOf(plain.newCard('good'), { promoCode: 'gone' }));

  const { id } = await createListener(site, { startsAt: new Date() });
  const refusals = { NOTHING: 'unknown', old: 'expired', Gone: 'used-up', YEN: 'other-currency' };
  for (const [promoCode, reason] of Object.entries(refusals)) {
    const refused = { ok: false, reason: `promo-code/${reason}` };
    expect(await site.previewSubscription(id, orderOf('', { promoCode }))).toEqual(refused);
    expect(await site.createSubscription(id, orderOf(plain.newCard('good'), { promoCode }))).toEqual(refused);
  }
  expect((await providerFacts(id)).subscriptions).toEqual([]);

  expect(await site.previewSubscription(id, orderOf('', { period: 'year', promoCode: 'candle' }))).toMatchObject({
    preview: {
      amount: 5988,
      dueToday: 0,
      firstCharge: { amount: 4491 },
      thenAmount: 4491,
      discount: { code: 'CANDLE', percentOff: 25, duration: 'forever' },
    },
  });
  expect(await site.previewSubscription(id, orderOf('', { promoCode: 'FIRST' }))).toMatchObject({
    preview: { firstCharge: { amount: 499 }, thenAmount: 799 },
  });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { period: 'year', promoCode: 'Candle' }));
  await provider.testClock?.advance((await findCustomerId(db, id)) ?? '', new Date(Date.now() + 8 * day));
  expect((await providerFacts(id)).invoices).toMatchObject([{ subtotal: 5988, discount: 1497, amountPaid: 4491 }]);
  expect(await site.applyPromoCode(id, 'FIRST')).toEqual({ ok: false, reason: 'promo-code/not-for-you' });
});

test('a disabled code is not called expired; one that ends before the first charge reduces none', async () => {
  const { provider } = plain;
  const terms = { currency: 'usd', percentOff: 50 } as const;
  const off = await provider.createPromoCode({ ...terms, code: 'SWITCHEDOFF', duration: 'once' });
  await provider.disablePromoCode(off?.id ?? '');
  await provider.createPromoCode({ ...terms, code: 'QUARTER', duration: 'months', months: 3 });
  const { id } = await createListener(site);
  expect(await site.previewSubscription(id, orderOf('', { promoCode: 'SWITCHEDOFF' }))).toEqual({
    ok: false,
    reason: 'promo-code/disabled',
  });
  const quarter = () => site.previewSubscription(id, orderOf('', { promoCode: 'QUARTER', withoutTrial: true }));
  expect(await quarter()).toMatchObject({ preview: { firstCharge: { amount: 399 }, discountedCharges: 3 } });
  await giveMonths(db, id, 6);
  expect(await quarter()).toMatchObject({ preview: { firstCharge: { amount: 799 }, discountedCharges: 0 } });
});

test('a code that would end before the next charge is refused for a running subscription, and not used', async () => {
  const terms = { currency: 'usd', percentOff: 50, duration: 'months' } as const;
  await plain.provider.createPromoCode({ ...terms, code: 'SPRING', months: 3 });
  await plain.provider.createPromoCode({ ...terms, code: 'LONGYEAR', months: 13 });
  const { id } = await createListener(site);
  await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { period: 'year' }));
  expect(await site.applyPromoCode(id, 'SPRING')).toEqual({ ok: false, reason: 'promo-code/ends-too-soon' });
  expect((await providerFacts(id)).subscriptions[0]?.discount).toBeUndefined();
  expect(await site.applyPromoCode(id, 'LONGYEAR')).toMatchObject({ ok: true });
});

test('a code is refused, and not used, while the subscription is cancelled or a payment is due', async () => {
  await plain.provider.createPromoCode({ code: 'LATER', percentOff: 50, currency: 'usd', duration: 'forever' });
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  await site.cancelSubscription(id, undefined);
  expect(await site.applyPromoCode(id, 'LATER')).toEqual({ ok: false, reason: 'promo-code/not-for-you' });
  await site.resumeSubscription(id);
  expect(await site.applyPromoCode(id, 'LATER')).toMatchObject({ ok: true });

  const unpaid = await createListener(site, { startsAt: new Date(Date.now() - 9 * day) });
  await site.createSubscription(unpaid.id, orderOf(plain.newCard('fails-later')));
  await plain.provider.testClock?.advance((await findCustomerId(db, unpaid.id)) ?? '', new Date());
  expect(await site.applyPromoCode(unpaid.id, 'LATER')).toEqual({ ok: false, reason: 'subscription/payment-due' });
  expect(await plain.provider.findPromoCode('LATER')).toMatchObject({ redemptions: 1 });
});

test('a customer deleted at the provider is created again', async () => {
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  const before = await findCustomerId(db, id);
  await plain.provider.deleteCustomer(before ?? '');
  expect(await site.createSubscription(id, orderOf(plain.newCard('good')))).toMatchObject({ ok: true });
  expect(await findCustomerId(db, id)).not.toBe(before);
  expect(await db.select().from(paymentCustomers).where(eq(paymentCustomers.userId, id))).toHaveLength(1);
});

test('an unreachable provider makes nothing look subscribed, and a later try succeeds', async () => {
  const { id } = await createListener(site);
  const order = orderOf(plain.newCard('good'));
  plain.failWith = new Error('away');
  await expect(site.createSubscription(id, order)).rejects.toThrow('away');
  plain.failWith = undefined;
  expect(await isSubscribed(db, id)).toBe(false);
  expect(await site.createSubscription(id, order)).toMatchObject({ ok: true });
});

test('a promo code is used once per user: neither again each month nor with another subscription', async () => {
  await plain.provider.createPromoCode({ code: 'AGAIN', percentOff: 50, currency: 'usd', duration: 'once' });
  const startsAt = new Date(Date.now() - 100 * day);
  const { id } = await createListener(site, { startsAt });
  await db.insert(memberships).values({ userId: id, trialUsedAt: startsAt });
  const order = orderOf(plain.newCard('good'), { promoCode: 'again' });
  expect(await site.createSubscription(id, order)).toMatchObject({ ok: true });
  const refused = { ok: false, reason: 'promo-code/not-for-you' };
  expect(await site.applyPromoCode(id, 'AGAIN')).toEqual(refused);
  const customerId = (await findCustomerId(db, id)) ?? '';
  await plain.provider.testClock?.advance(customerId, new Date(startsAt.getTime() + 40 * day));
  expect(await site.applyPromoCode(id, 'AGAIN')).toEqual(refused);
  const { invoices } = await providerFacts(id);
  expect(invoices.map(({ amountPaid }) => amountPaid)).toEqual([799, 399]);
  await site.cancelSubscription(id, undefined);
  await plain.provider.testClock?.advance(customerId, new Date(startsAt.getTime() + 80 * day));
  expect(await site.previewSubscription(id, order)).toEqual(refused);
  expect(await site.createSubscription(id, { ...order, paymentMethodId: plain.newCard('good') })).toEqual(refused);
});
