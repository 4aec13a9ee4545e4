import { afterAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { type AnyProvider, cardPayer, hostedPayer, plainPayer } from '#test/support/payments/any-provider.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { DomainError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { addMonths } from '../kernel/calendar/months.ts';
import type { Plan } from './payment-provider.ts';
import { currentOf } from './sync/current.ts';

vi.setConfig({ testTimeout: 60_000 });

/** The contract of all payment providers, as far as their capabilities go; the domain relies on nothing else. */

const { db, url } = await createTestDatabase();
const stripe = await stripeHarness(url);
afterAll(() => stripe.sandbox.close());
const providers: AnyProvider[] = [
  cardPayer('Stripe, as the sandbox has it', stripe),
  plainPayer(),
  await hostedPayer({ db, databaseUrl: url, name: 'verotel' }),
  await hostedPayer({ db, databaseUrl: url, name: 'ccbill' }),
  await hostedPayer({ db, databaseUrl: url, name: 'btcpay' }),
];

const month: Plan = { period: 'month', amount: 799, currency: 'usd' };
const year: Plan = { period: 'year', amount: 5988, currency: 'usd' };
const dayMs = 24 * 60 * 60 * 1000;
let keys = 0;
const newKey = () => `key ${(keys += 1)}`;

describe.each(providers)('$title', (payer) => {
  const { provider } = payer;
  const { capabilities } = provider;
  const { prepaid } = capabilities;

  async function factsOf(customerId: string) {
    const facts = await provider.readCustomer(customerId);
    if (facts === undefined) throw new Error('there is no such customer');
    const paid = facts.invoices.filter(({ amountPaid }) => amountPaid > 0);
    return { ...facts, paid, current: currentOf(facts) };
  }

  /** Providers tell days, moments or seconds. */
  const isNear = (at: Date | undefined, expected: Date) =>
    expect(Math.abs(Number(at) - Number(expected))).toBeLessThan(1.5 * dayMs);

  test.each([month, year])('a $period is charged at once, and says when the next one is', async (plan) => {
    await provider.checkPlans([month, year]);
    const customerId = await payer.newCustomer();
    const made = await payer.subscribe({ customerId, plan });
    expect(made).toMatchObject({ status: 'active', plan, trialEndsAt: undefined, action: undefined });
    isNear(made.periodEndsAt, addMonths(payer.now(), plan.period === 'year' ? 12 : 1));
    const { invoices, subscriptions } = await factsOf(customerId);
    expect(subscriptions).toEqual([made]);
    if (capabilities.cardOnFile) expect(made.cardExpires).toMatch(/^20\d\d-(?:0[1-9]|1[0-2])$/);
    else expect(made.cardExpires).toBeUndefined();
    const { amount, currency } = plan;
    expect(invoices).toMatchObject([
      { status: 'paid', subscriptionId: made.id, currency, subtotal: amount, discount: 0, total: amount },
    ]);
    expect(invoices[0]).toMatchObject({ amountPaid: amount, refunded: 0, isDisputed: false, promoCodeIds: [] });
    const { nextCharge } = await provider.readUpcoming(customerId, made.id);
    if (prepaid) expect(nextCharge).toBeUndefined();
    else expect(nextCharge).toMatchObject({ amount, currency });
    expect((await factsOf(await payer.newCustomer())).subscriptions).toEqual([]);
  });

  test.runIf(capabilities.trial)('a trial costs nothing until it ends', async () => {
    const customerId = await payer.newCustomer();
    const made = await payer.subscribe({ customerId, plan: month, free: { days: 7 } });
    const ends = new Date(payer.now().getTime() + 7 * dayMs);
    expect(made).toMatchObject({ status: 'trialing', plan: month });
    isNear(made.trialEndsAt, ends);
    isNear(made.periodEndsAt, ends);
    expect((await factsOf(customerId)).paid).toEqual([]);
    await payer.advance(customerId, 9);
    const { current, paid } = await factsOf(customerId);
    expect(current).toMatchObject({ id: made.id, status: 'active' });
    expect(paid).toMatchObject([{ total: 799, amountPaid: 799, currency: 'usd' }]);
  });

  test('it is charged again each month, or ends when nothing renews', async () => {
    const customerId = await payer.newCustomer();
    const { id } = await payer.subscribe({ customerId, plan: month });
    await payer.advance(customerId, 33);
    const { current, paid } = await factsOf(customerId);
    expect(current).toMatchObject({ id, status: prepaid ? 'ended' : 'active' });
    expect(paid.map(({ amountPaid }) => amountPaid)).toEqual(prepaid ? [799] : [799, 799]);
  });

  test('a cancelled one lasts to the end of what was paid, and is never charged again', async () => {
    const customerId = await payer.newCustomer();
    const { id, periodEndsAt } = await payer.subscribe({ customerId, plan: month });
    if (capabilities.cancel === 'page') {
      const refused = expect.objectContaining({ code: 'payment/cancel-at-provider' }) as DomainError;
      await expect(provider.cancelAtPeriodEnd(id, undefined)).rejects.toEqual(refused);
      expect((await provider.checkouts?.pagesOf(id))?.cancel).toMatch(/^http/);
      expect((await factsOf(customerId)).current?.endsAt).toBeUndefined();
      return;
    }
    if (!prepaid) await provider.cancelAtPeriodEnd(id, 'too quiet');
    const cancelled = await factsOf(customerId);
    expect(cancelled.current).toMatchObject({ id, status: 'active' });
    isNear(cancelled.current?.endsAt, periodEndsAt);
    expect((await provider.readUpcoming(customerId, id)).nextCharge).toBeUndefined();
    if (capabilities.resume) {
      await provider.resume(id);
      expect((await factsOf(customerId)).current).toMatchObject({ status: 'active', endsAt: undefined });
      await provider.cancelAtPeriodEnd(id, undefined);
    }
    await payer.advance(customerId, 40);
    const { current, paid } = await factsOf(customerId);
    expect(current?.status).toBe('ended');
    expect(paid).toHaveLength(1);
  });

  test.skipIf(capabilities.cancel === 'page')('one that is ended now ends now', async () => {
    const customerId = await payer.newCustomer();
    const { id } = await payer.subscribe({ customerId, plan: month });
    await provider.cancelNow(id);
    const { current, paid } = await factsOf(customerId);
    expect([paid.length, prepaid ? 'ended' : current?.status]).toEqual([1, 'ended']);
    await payer.advance(customerId, 40);
    expect((await factsOf(customerId)).paid).toHaveLength(1);
  });

  test('what it cannot do is refused, and changes nothing', async () => {
    const customerId = await payer.newCustomer();
    const { id } = await payer.subscribe({ customerId, plan: month });
    const before = await factsOf(customerId);
    const isRefused = async (call: Promise<unknown>) =>
      call.then(
        (answer) => (answer as { ok?: boolean } | undefined)?.ok === false,
        (error: unknown) => error instanceof DomainError && error.code === 'payment/not-offered',
      );
    const refused: [boolean, () => Promise<unknown>][] = [
      [capabilities.resume, () => provider.resume(id)],
      [capabilities.periodChange, () => provider.previewPeriodChange(id, year)],
      [capabilities.periodChange, () => provider.changePeriodNow(id, year)],
      [capabilities.periodChange, () => provider.changePeriodAtEnd(id, year)],
      [capabilities.movesCharge, () => provider.delayCharge(id, addMonths(payer.now(), 3), newKey())],
      [capabilities.cardOnFile, () => provider.startCardSetup(customerId)],
      [capabilities.cardOnFile, () => provider.payOpenInvoice(customerId)],
      [capabilities.promo === 'provider', () => provider.applyPromoCode(id, 'any')],
    ];
    const offered = refused.filter(([isOffered]) => !isOffered);
    expect(await Promise.all(offered.map(async ([, call]) => isRefused(call())))).toEqual(offered.map(() => true));
    expect(await factsOf(customerId)).toEqual(before);
    expect(capabilities.form === 'redirect').toBe(provider.checkouts !== undefined);
  });

  test('a payment is refunded as far as the provider does', async () => {
    const customerId = await payer.newCustomer();
    await payer.subscribe({ customerId, plan: month });
    const { paid } = await factsOf(customerId);
    const invoiceId = paid[0]?.id ?? '';
    const refund = async (amount: number, key: string) =>
      provider.refundInvoice({ invoiceId, amount, key: `${invoiceId} ${key}` });
    const done = { ok: true, refunded: 300 };
    expect(await refund(300, 'one')).toEqual(capabilities.refund === 'partial' ? done : { ok: false });
    if (capabilities.refund === 'partial') expect(await refund(300, 'one')).toEqual(done);
    const refunded = capabilities.refund === 'partial' ? 300 : 0;
    expect((await factsOf(customerId)).paid[0]).toMatchObject({ amountPaid: 799, refunded, isDisputed: false });
    expect(await refund(800, 'too much')).toEqual({ ok: false });
  });

  test('a promo code lowers the first charge, is counted, and can be ended', async () => {
    const code = `HALF${newKey().slice(4)}`;
    const terms = { code, percentOff: 50, currency: 'usd', duration: 'once', maxRedemptions: 3 } as const;
    const made = await provider.createPromoCode(terms, newId());
    if (made === undefined) throw new Error('it was not made');
    expect(made).toMatchObject({ code, isActive: true, redemptions: 0, maxRedemptions: 3 });
    expect(made.discount).toEqual({ percentOff: 50, amountOff: null, duration: 'once' });
    expect(await provider.createPromoCode(terms)).toBeUndefined();
    expect(await provider.findPromoCode(code.toLowerCase())).toEqual(made);
    expect(await provider.findPromoCode('NOTHING')).toBeUndefined();
    const customerId = await payer.newCustomer();
    await payer.subscribe({ customerId, plan: month, promoCode: made });
    await payer.advance(customerId, 33);
    const { paid } = await factsOf(customerId);
    expect(paid.map(({ amountPaid }) => amountPaid)).toEqual(prepaid ? [399] : [799, 399]);
    expect(paid.at(-1)).toMatchObject({ subtotal: 799, discount: 400, total: 399, promoCodeIds: [made.id] });
    expect(await provider.findPromoCode(code)).toMatchObject({ redemptions: 1 });
    await provider.disablePromoCode(made.id);
    expect(await provider.findPromoCode(code)).toMatchObject({ isActive: false });
    expect((await provider.listPromoCodes()).map(({ id }) => id)).toContain(made.id);
    expect(await provider.enablePromoCode(made.id)).toBe(true);
  });

  test('a single payment is waited for, and made once', async () => {
    const order = { amount: 2199, currency: 'usd', description: 'Sotto gift card', customerId: undefined };
    const payment = await provider.startPayment({ ...order, key: newKey() });
    expect(await provider.findPayment(payment.paymentId)).toMatchObject({ status: 'waiting', refunded: 0 });
    await payer.pay(payment);
    const paid = { status: 'paid', amount: 2199, refunded: 0 };
    expect(await provider.findPayment(payment.paymentId)).toMatchObject(paid);
    expect(await provider.cancelPayment(payment.paymentId)).toBe(false);
    const unknown = payment.paymentId.replace(/[^:_]+$/, 'none');
    expect(await provider.findPayment(unknown)).toBeUndefined();
    expect(await provider.cancelPayment(unknown)).toBe(true);
    const unpaid = await provider.startPayment({ ...order, key: newKey() });
    expect(await provider.cancelPayment(unpaid.paymentId)).toBe(true);
    if (capabilities.refund === 'no') return;
    await provider.refundPayment(payment.paymentId);
    await provider.refundPayment(payment.paymentId);
    expect(await provider.findPayment(payment.paymentId)).toMatchObject({ status: 'refunded', refunded: 2199 });
  });

  test.skipIf(prepaid)('a payment that the bank takes back is said', async () => {
    const customerId = await payer.newCustomer();
    const { id } = await payer.subscribe({ customerId, plan: month, isDisputed: true });
    expect((await factsOf(customerId)).invoices).toMatchObject([{ subscriptionId: id, isDisputed: true }]);
  });

  test.skipIf(capabilities.cancel === 'page')('a deleted customer is charged no more, twice deleted', async () => {
    const customerId = await payer.newCustomer();
    await payer.subscribe({ customerId, plan: month });
    await provider.deleteCustomer(customerId);
    if ((await provider.readCustomer(customerId)) !== undefined) await payer.advance(customerId, 40);
    const facts = await provider.readCustomer(customerId);
    expect((facts?.subscriptions ?? []).filter(({ status }) => status !== 'ended')).toEqual([]);
    expect((facts?.invoices ?? []).filter(({ amountPaid }) => amountPaid > 0).length).toBeLessThan(2);
    await provider.deleteCustomer(customerId);
    await provider.changeEmail(customerId, 'cy@example.org');
  });

  test('a postback names its customer; one that was altered names nobody', async () => {
    const customerId = await payer.newCustomer();
    const postback = await payer.postbackAbout(customerId, month);
    const altered = {
      ...postback,
      body: flipped(postback.body),
      query: flipped(postback.query),
      address: '203.0.113.9',
    };
    expect(await provider.readEvents(altered)).toBeUndefined();
    expect(await provider.readEvents({ ...postback, body: '', query: '', header: () => undefined })).toBeUndefined();
    const events = await provider.readEvents(postback);
    expect(new Set(events?.map((event) => event.customerId))).toEqual(new Set([customerId]));
    expect(await provider.readEvents(postback)).toEqual(events);
    expect(provider.received).not.toBe('');
  });
});

const flipped = (text: string) => text.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`);
