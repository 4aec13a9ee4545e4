import { eq } from 'drizzle-orm';
import { press } from 'payment-stand-ins/testing';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { hostedHarness } from '#test/support/payments/hosted-harness.ts';
import { findCustomerId } from '../customers.ts';
import { reconcile } from '../sync/reconcile.ts';
import { invoices, paymentEvents } from '../tables.ts';
import { hostedEvents, paymentOrders } from './tables.ts';

const order = { period: 'month', promoCode: undefined } as const;
const names = ['verotel', 'ccbill', 'btcpay'] as const;

describe.each(names)('%s', async (name) => {
  const { db, url } = await createTestDatabase();
  const harness = await hostedHarness({ db, databaseUrl: url, name });
  const { membership, payments, standIns } = harness;
  const { capabilities } = payments;
  let users = 0;

  async function newUser(): Promise<string> {
    users += 1;
    return (await createUser(db, { email: `listener-${users}@example.org` })).id;
  }

  async function ordered(userId: string, given: Partial<Parameters<typeof membership.startCheckout>[1]> = {}) {
    const outcome = await membership.startCheckout(userId, { ...order, ...given });
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome;
  }

  async function subscribed(userId: string, given: Parameters<typeof ordered>[1] = {}) {
    const { url: page, reference } = await ordered(userId, given);
    await pay(page, reference);
    await harness.takeAll();
    return harness.saleOf(reference);
  }

  /** A payment on a chain is certain after a while. */
  async function pay(page: string, reference: string): Promise<void> {
    await press(page, 'Pay');
    if (name === 'btcpay') await standIns.sales.advance((await harness.saleOf(reference)).id, { minutes: 60 });
  }

  const stateOf = (userId: string) => membership.findSubscriptionState(userId);

  test('an order that is paid on the provider’s page subscribes, and says nothing about anybody there', async () => {
    const userId = await newUser();
    const { url: page, reference } = await ordered(userId, { returnTo: '/audio/bright-star' });
    expect(page).not.toMatch(/listener|example|bright/i);
    expect(await membership.findCheckout(userId, reference, { isAsking: false })).toMatchObject({ state: 'open' });
    await pay(page, reference);
    expect(await harness.takeAll()).toBeGreaterThan(0);
    expect(await membership.findCheckout(userId, reference, { isAsking: false })).toMatchObject({
      state: 'paid',
      returnTo: '/audio/bright-star',
    });
    const state = await stateOf(userId);
    expect(state).toMatchObject({
      isSubscribed: true,
      state: capabilities.prepaid ? 'ending' : capabilities.trial ? 'trialing' : 'active',
      period: 'month',
      amount: 799,
    });
    const { through } = await membership.findSubscription(userId);
    expect(through).toMatchObject({ provider: name, sellsInOwnName: capabilities.sellsInOwnName });
    expect(await membership.findCheckout(await newUser(), reference, { isAsking: true })).toBeUndefined();
  });

  test('declined and closed orders charge nothing, and another one may be made', async () => {
    const userId = await newUser();
    const first = await ordered(userId);
    await press(first.url, 'Close');
    await harness.takeAll();
    expect((await stateOf(userId)).isSubscribed).toBe(false);
    const second = await ordered(userId);
    await press(second.url, 'Decline');
    await harness.takeAll();
    expect((await stateOf(userId)).isSubscribed).toBe(false);
    await subscribed(userId);
    expect((await stateOf(userId)).isSubscribed).toBe(true);
  });

  test('a lost word is found by asking', async () => {
    const userId = await newUser();
    await standIns.setDisorder({ lose: 10 });
    const { url: page, reference } = await ordered(userId);
    await pay(page, reference);
    await standIns.setDisorder({ lose: 0 });
    expect(await harness.takeAll()).toBe(0);
    expect(await membership.findCheckout(userId, reference, { isAsking: false })).toMatchObject({ state: 'open' });
    // CCBill can only be asked about a sale whose id it has told.
    if (name === 'ccbill') return;
    expect(await membership.findCheckout(userId, reference, { isAsking: true })).toMatchObject({ state: 'paid' });
    expect((await stateOf(userId)).isSubscribed).toBe(true);
  });

  test('the nightly comparison finds a renewal whose word was lost, and no payment of another provider', async () => {
    const userId = await newUser();
    await db.execute(`insert into memberships (user_id, trial_used_at) values ('${userId}', now())`);
    const sale = await subscribed(userId);
    await standIns.setDisorder({ lose: 10 });
    if (!capabilities.prepaid) await standIns.sales.advance(sale.id, { days: 45 });
    await standIns.setDisorder({ lose: 0 });
    expect(await harness.takeAll()).toBe(0);
    const before = (await stateOf(userId)).renewsAt;
    const outcome = await reconcile(harness.parts);
    // The amount is not told, only until when it is paid.
    if (!capabilities.prepaid) expect(+((await stateOf(userId)).renewsAt ?? 0)).toBeGreaterThan(+(before ?? Infinity));
    expect(outcome).toMatchObject({ failed: [] });
    expect(outcome.totals.filter((one) => one.here !== one.atProvider)).toEqual([]);
  });

  test('words that come twice, late and the newest first lead to the same state', async () => {
    const [one, other] = [await newUser(), await newUser()];
    for (const userId of [one, other]) {
      const { url: page, reference } = await ordered(userId);
      await pay(page, reference);
      const sale = await harness.saleOf(reference);
      if (!capabilities.prepaid) await standIns.sales.advance(sale.id, { days: 45 });
      await harness.takeAll((all) => (userId === one ? all : [...all, ...all].toReversed()));
    }
    const of = async (userId: string) => {
      const rows = await db.select().from(invoices).where(eq(invoices.userId, userId));
      const { state, amount, isSubscribed } = await stateOf(userId);
      return {
        state,
        amount,
        isSubscribed,
        paid: rows.map(({ amountPaid, status }) => [status, amountPaid]).toSorted(),
      };
    };
    expect(await of(other)).toEqual(await of(one));
    expect((await of(one)).isSubscribed).toBe(true);
    const open = await db.select().from(paymentEvents);
    expect(open.filter(({ status }) => status !== 'done' && status !== 'ignored')).toEqual([]);
  });

  test('who pays already cannot pay again; prepaid time is added', async () => {
    const userId = await newUser();
    await subscribed(userId);
    const again = await membership.startCheckout(userId, order);
    if (!capabilities.prepaid) {
      expect(again).toMatchObject({ ok: false, reason: 'subscription/already-subscribed' });
      return;
    }
    const before = (await stateOf(userId)).endsAt;
    await subscribed(userId);
    const days = (Number((await stateOf(userId)).endsAt) - Number(before)) / (24 * 60 * 60 * 1000);
    expect(days).toBeGreaterThan(27);
  });

  test('cancelling works here where the provider lets a site cancel, and elsewhere says where', async () => {
    const userId = await newUser();
    const sale = await subscribed(userId);
    if (capabilities.cancel === 'api') {
      expect(await membership.cancelSubscription(userId, 'too quiet')).toMatchObject({ ok: true });
      expect(await stateOf(userId)).toMatchObject({ state: 'ending', isSubscribed: true });
      return;
    }
    if (capabilities.cancel === 'none') return;
    await expect(membership.cancelSubscription(userId, undefined)).rejects.toMatchObject({
      code: 'payment/cancel-at-provider',
    });
    expect((await membership.findSubscription(userId)).through?.cancelUrl).toContain('http');
    await standIns.sales.cancel(sale.id);
    await harness.takeAll();
    expect(await stateOf(userId)).toMatchObject({ state: 'ending', isSubscribed: true });
  });

  test('money that goes back ends it at once', async () => {
    const userId = await newUser();
    await db.execute(`insert into memberships (user_id, trial_used_at) values ('${userId}', now())`);
    const sale = await subscribed(userId);
    expect((await stateOf(userId)).isSubscribed).toBe(true);
    if (name === 'btcpay') return;
    await standIns.sales.chargeBack(sale.id);
    await harness.takeAll();
    expect(await stateOf(userId)).toMatchObject({ state: 'ended', isSubscribed: false });
  });

  test('a code of the site lowers the price that is sent, once', async () => {
    const code = `NIGHT${name.toUpperCase()}`;
    const made = await payments.createPromoCode({ code, percentOff: 20, currency: 'usd', duration: 'once' });
    expect(made).toMatchObject({ code, isActive: true, redemptions: 0 });
    expect(await payments.createPromoCode({ code, percentOff: 30, currency: 'usd', duration: 'once' })).toBeUndefined();
    const own = { code: `${code}OWN`, percentOff: 20, currency: 'usd', duration: 'once', isForOne: true } as const;
    expect(await payments.createPromoCode(own)).toMatchObject({ code: own.code, isActive: true });
    const listed = (await payments.listPromoCodes()).map((one) => one.code);
    expect([listed.includes(code), listed.includes(own.code)]).toEqual([true, false]);
    const userId = await newUser();
    const shown = await membership.previewSubscription(userId, { ...order, promoCode: code, withoutTrial: false });
    expect(shown).toMatchObject({ ok: true, preview: { dueToday: 639, thenAmount: 799 } });
    await expect(
      membership.startCheckout(userId, { ...order, promoCode: code, firstCharge: 500 }),
    ).resolves.toMatchObject({
      ok: false,
      reason: 'subscription/price-changed',
    });
    await subscribed(userId, { promoCode: code.toLowerCase() });
    const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, userId));
    expect(invoice).toMatchObject({ subtotal: 799, discount: 160, total: 639, amountPaid: 639 });
    expect((await payments.findPromoCode(code))?.redemptions).toBe(1);
  });

  test('a gift card is paid on the provider’s page', async () => {
    const bought = await membership.buyGiftCard(undefined, {
      months: 3,
      recipientEmail: 'nora@example.org',
      senderName: 'Ada',
      message: undefined,
      deliverAt: undefined,
      buyerEmail: 'ada@example.org',
    });
    expect(bought.url).toContain('http');
    expect(bought.giftCard.state).toBe('awaiting-payment');
    const [row] = await db.select().from(paymentOrders).where(eq(paymentOrders.kind, 'single'));
    // CCBill can only be asked about a sale whose id it has told.
    await standIns.setDisorder({ lose: name === 'ccbill' ? 0 : 10 });
    await pay(bought.url ?? '', row?.reference ?? '');
    await standIns.setDisorder({ lose: 0 });
    await harness.takeAll();
    expect((await membership.refreshGiftCard(bought.giftCard.id, undefined))?.state).toBe('paid');
  });

  test('what is altered on its way is not believed', async () => {
    const userId = await newUser();
    const { url: page, reference } = await ordered(userId);
    const known = harness.received.length;
    await pay(page, reference);
    await standIns.settled();
    const request = harness.received.at(-1);
    expect(harness.received.length).toBeGreaterThan(known);
    if (request === undefined) throw new Error('nothing was posted');
    const altered = {
      ...request,
      query: request.query.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`),
      body: request.body.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`),
      address: '203.0.113.9',
    };
    expect(await harness.take(altered)).toBe(false);
    expect((await stateOf(userId)).isSubscribed).toBe(false);
    await harness.takeAll();
    expect((await stateOf(userId)).isSubscribed).toBe(true);
  });

  test('a provider that is off is said, and nothing is written twice', async () => {
    const userId = await newUser();
    await standIns.setDisorder({ off: [name] });
    const outcome = membership.startCheckout(userId, order);
    if (name === 'btcpay') await expect(outcome).rejects.toMatchObject({ code: 'payment/unavailable' });
    else expect(await outcome).toMatchObject({ ok: true });
    await standIns.setDisorder({ off: [] });
    await subscribed(userId);
    expect((await stateOf(userId)).isSubscribed).toBe(true);
  });

  test('after an account is erased, its orders name nobody', async () => {
    const userId = await newUser();
    const { reference } = await ordered(userId);
    const { personalData } = await import('../personal-data.ts');
    await personalData.erase(db, userId);
    const [row] = await db.select().from(paymentOrders).where(eq(paymentOrders.reference, reference));
    expect(row).toMatchObject({ userId: null, customerId: null, returnTo: null });
    expect(await findCustomerId(db, userId)).toBeUndefined();
    expect((await db.select().from(hostedEvents)).every((event) => !JSON.stringify(event).includes(userId))).toBe(true);
  });
});
