import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  type PaymentHarness,
  plainHarness,
  postbackOf,
  stripeHarness,
} from '#test/support/payments/payment-harness.ts';
import { slow } from '#test/support/tags.ts';
import { type SentRequest, checkRequests, describeChecks } from 'stripe-sandbox/testing/published-description';
import { addMonths } from '../kernel/calendar/months.ts';
import type { Plan, SubscriptionFacts, TotalsPage } from './payment-provider.ts';
import { currentOf } from './sync/current.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Besides what `provider-contract.test.ts` asks of all: card forms, and what only Stripe's kind of provider can do. */

const { url } = await createTestDatabase();
const month: Plan = { period: 'month', amount: 799, currency: 'usd' };
const year: Plan = { period: 'year', amount: 5988, currency: 'usd' };
const day = 24 * 60 * 60 * 1000;
/** In the past, so that due charges are due by the real clock too. */
const start = new Date('2025-01-10T12:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * day);

let stripeRequests: SentRequest[] = [];

const providers: [string, () => Promise<PaymentHarness & { close(): Promise<void> }>][] = [
  [
    'Stripe, as the sandbox has it',
    async () => {
      const harness = await stripeHarness(url);
      stripeRequests = harness.sent;
      return { ...harness, close: () => harness.sandbox.close() };
    },
  ],
  ['the plain one', async () => ({ ...plainHarness(), close: async () => {} })],
];

describe.each(providers)('%s', (name, open) => {
  let harness: Awaited<ReturnType<typeof open>>;
  let keys = 0;
  beforeAll(async () => {
    harness = await open();
    await harness.provider.checkPlans([month, year]);
  });
  afterAll(() => harness.close());

  const newKey = () => `key ${(keys += 1)}`;

  async function newCustomer(): Promise<string> {
    const { testClock } = harness.provider;
    if (testClock === undefined) throw new Error('its time cannot be moved');
    return testClock.createCustomer({ userId: 'a', email: 'ada@example.org', startsAt: start });
  }

  async function subscribe(options: {
    customerId: string;
    cardId?: string;
    plan?: Plan;
    trialDays?: number;
    promoCodeId?: string;
    key?: string;
  }) {
    return harness.provider.subscribe({
      customerId: options.customerId,
      cardId: options.cardId ?? (await harness.newCard('good')),
      plan: options.plan ?? month,
      free: options.trialDays === undefined ? undefined : { days: options.trialDays },
      promoCodeId: options.promoCodeId,
      key: options.key ?? newKey(),
    });
  }

  async function subscribed(options: Parameters<typeof subscribe>[0]): Promise<SubscriptionFacts> {
    const outcome = await subscribe(options);
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome.subscription;
  }

  async function factsOf(customerId: string) {
    const facts = await harness.provider.readCustomer(customerId);
    if (facts === undefined) throw new Error('there is no such customer');
    return { ...facts, current: currentOf(facts) };
  }

  const advance = (customerId: string, to: Date) => harness.provider.testClock?.advance(customerId, to);

  test('a trial costs nothing until it ends, and is charged then, and again each month', async () => {
    const customerId = await newCustomer();
    const made = await subscribed({ customerId, trialDays: 7 });
    expect(made).toMatchObject({ status: 'trialing', plan: month, action: undefined, endsAt: undefined });
    expect(made.trialEndsAt).toEqual(after(7));
    expect(made.periodEndsAt).toEqual(after(7));
    const facts = await factsOf(customerId);
    expect(facts.subscriptions).toEqual([made]);
    expect(facts.invoices.filter(({ amountPaid }) => amountPaid > 0)).toEqual([]);

    await advance(customerId, after(8));
    const charged = await factsOf(customerId);
    expect(charged.current).toMatchObject({ id: made.id, status: 'active' });
    expect(charged.invoices.filter(({ amountPaid }) => amountPaid > 0)).toMatchObject([
      { status: 'paid', total: 799, amountPaid: 799, currency: 'usd', subscriptionId: made.id, hasFailed: false },
    ]);
    await advance(customerId, after(8 + 31));
    expect((await factsOf(customerId)).invoices.filter(({ amountPaid }) => amountPaid > 0)).toHaveLength(2);
  });

  test('who pays and what was paid is listed to the last page, each once', slow, async () => {
    const { provider } = harness;
    const everything = async <Item>(list: (after: string | undefined) => Promise<TotalsPage<Item>>) => {
      const items: Item[] = [];
      let after: string | undefined;
      do {
        const page = await list(after);
        items.push(...page.items);
        after = page.after;
      } while (after !== undefined);
      return items;
    };
    const own: string[] = [];
    for (let one = 0; one < 3; one += 1) {
      const customerId = await newCustomer();
      own.push(customerId);
      await subscribed({ customerId, ...(one === 2 && { trialDays: 7 }) });
    }
    const [first = '', second = ''] = own;
    const { invoices } = await factsOf(first);
    await provider.refundInvoice({ invoiceId: invoices[0]?.id ?? '', amount: 200, key: newKey() });
    const single = await provider.startPayment({
      amount: 2199,
      currency: 'usd',
      description: 'Sotto gift card',
      customerId: undefined,
      key: newKey(),
    });
    await harness.enterCard(single.clientSecret, await harness.newCard('good'));
    await provider.refundPayment(single.paymentId);
    const paying = await everything((after) => provider.listPaying({ until: new Date(), after }));
    expect(paying.flatMap((one) => (own.includes(one.customerId) ? one.customerId : []))).toEqual([second, first]);
    const payments = await everything((after) =>
      provider.listPayments({ from: start, until: new Date(Date.now() + 5000), after }),
    );
    expect(new Set(payments.map(({ paymentId }) => paymentId)).size).toBe(payments.length);
    const common = { currency: 'usd', isOwn: true };
    const made = payments.filter((one) => own.includes(one.customerId ?? ''));
    expect(made).toMatchObject([
      { ...common, customerId: second, amount: 799, refunded: 0, isTakenBack: false, createdAt: start },
      { ...common, customerId: first, amount: 799, refunded: 200, isTakenBack: false, createdAt: start },
    ]);
    expect(made[1]?.paymentId).toBe(invoices[0]?.paymentId);
    expect(payments.find(({ paymentId }) => paymentId === single.paymentId)).toMatchObject({
      ...common,
      customerId: undefined,
      amount: 2199,
      refunded: 2199,
      isTakenBack: true,
    });
    await provider.deleteCustomer(first);
    const left = await provider.listPayments({ from: start, until: after(1), after: undefined });
    expect(left.items.filter(({ customerId, isOwn }) => customerId === first && isOwn)).toEqual([]);
    const later = await everything((last) => provider.listPayments({ from: after(1), until: after(2), after: last }));
    expect(later.filter((one) => own.includes(one.customerId ?? ''))).toEqual([]);
  });

  test(
    'a moved charge keeps the discount of some months for as many charges, also when the code has ended',
    slow,
    async () => {
      const { provider } = harness;
      const startsAt = new Date();
      const customerId = (await provider.testClock?.createCustomer({ userId: 'a', email: undefined, startsAt })) ?? '';
      const expiresAt = new Date(startsAt.getTime() + 2 * day);
      const rules = {
        code: newKey().replace(' ', ''),
        percentOff: 50,
        currency: 'usd',
        duration: 'months',
        months: 2,
      } as const;
      const promo = await provider.createPromoCode({ ...rules, expiresAt });
      const made = await subscribed({ customerId, trialDays: 7, ...(promo && { promoCodeId: promo.id }) });
      await provider.disablePromoCode(promo?.id ?? '');
      const paid = async () =>
        (await factsOf(customerId)).invoices
          .flatMap(({ amountPaid }) => (amountPaid > 0 ? amountPaid : []))
          .toReversed();
      // A card of three months, and one of a year.
      for (const months of [3, 12]) {
        const { current } = await factsOf(customerId);
        const until = addMonths(current?.periodEndsAt ?? startsAt, months);
        expect(await provider.delayCharge(made.id, until, `card ${months} ${made.id}`)).toEqual({ ok: true });
        expect((await factsOf(customerId)).current).toMatchObject({ discount: { code: rules.code, percentOff: 50 } });
      }
      const charge = (await factsOf(customerId)).current?.periodEndsAt ?? startsAt;
      await advance(customerId, new Date(charge.getTime() + day));
      expect(await paid()).toEqual([399]);
      const first = (await factsOf(customerId)).invoices.find(({ amountPaid }) => amountPaid > 0);
      expect(first?.promoCodeIds).toEqual([promo?.id]);
      await advance(customerId, new Date(addMonths(charge, 2).getTime() + day));
      const isCounted = name.startsWith('Stripe');
      expect(await paid()).toEqual([399, 399, isCounted ? 799 : 399]);
    },
  );

  test('one key makes one subscription and one charge, however often and concurrently it is sent', slow, async () => {
    const customerId = await newCustomer();
    const order = { customerId, cardId: await harness.newCard('good'), key: newKey() };
    const first = await subscribed(order);
    const again = await Promise.all(Array.from({ length: 5 }, () => subscribed(order)));
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set([first.id]));
    const facts = await factsOf(customerId);
    expect([facts.subscriptions.length, facts.invoices.length]).toEqual([1, 1]);
  });

  test.each(['declining', 'fails-later'] as const)('a card that is %s leaves no subscription behind', async (kind) => {
    const customerId = await newCustomer();
    const outcome = await subscribe({ customerId, cardId: await harness.newCard(kind) });
    expect(outcome).toEqual({ ok: false, reason: 'payment/card-declined' });
    expect((await factsOf(customerId)).subscriptions).toEqual([]);
  });

  test('a trial waits until the bank confirms the card', async () => {
    const customerId = await newCustomer();
    const cardId = await harness.newCard('needs-bank');
    const made = await subscribed({ customerId, cardId, trialDays: 7 });
    expect(made).toMatchObject({ status: 'confirming', cardId, action: { kind: 'setup' } });
    await harness.answerBank(made.action?.clientSecret ?? '', true);
    expect((await factsOf(customerId)).current).toMatchObject({ status: 'trialing', action: undefined });
  });

  test('a first payment waits until the bank confirms it', async () => {
    const customerId = await newCustomer();
    const made = await subscribed({ customerId, cardId: await harness.newCard('needs-bank') });
    expect(made).toMatchObject({ status: 'confirming', action: { kind: 'payment' } });
    await harness.answerBank(made.action?.clientSecret ?? '', true);
    const facts = await factsOf(customerId);
    expect(facts.current).toMatchObject({ status: 'active', action: undefined });
    expect(facts.invoices).toMatchObject([{ status: 'paid', amountPaid: 799 }]);
  });

  test.each([7, undefined])('when the bank refuses, nothing is confirmed (trial of %s days)', async (trialDays) => {
    const customerId = await newCustomer();
    const cardId = await harness.newCard('needs-bank');
    const made = await subscribed({ customerId, cardId, ...(trialDays !== undefined && { trialDays }) });
    await harness.answerBank(made.action?.clientSecret ?? '', false);
    expect((await factsOf(customerId)).current).toMatchObject({ status: 'confirming', action: undefined });
    await harness.provider.cancelUnconfirmed(made.id);
    expect((await factsOf(customerId)).subscriptions).toEqual([]);
  });

  test('a failed renewal is past due, and a new card pays it', async () => {
    const customerId = await newCustomer();
    const { id } = await subscribed({ customerId, cardId: await harness.newCard('fails-later'), trialDays: 7 });
    await advance(customerId, after(8));
    const failed = await factsOf(customerId);
    expect(failed.current).toMatchObject({ id, status: 'past-due' });
    const open = failed.invoices.find(({ status }) => status === 'open');
    expect(open).toMatchObject({ hasFailed: true, amountDue: 799, amountPaid: 0, subscriptionId: id });
    expect(Math.abs((open?.createdAt.getTime() ?? 0) - after(7).getTime())).toBeLessThan(day / 2);
    expect(await harness.provider.payOpenInvoice(customerId)).toEqual({ ok: false, reason: 'payment/card-declined' });

    const { setupId, clientSecret } = await harness.provider.startCardSetup(customerId);
    expect(await harness.provider.finishCardSetup(customerId, setupId)).toMatchObject({ ok: false });
    const cardId = await harness.newCard('good');
    await harness.enterCard(clientSecret, cardId);
    const other = await newCustomer();
    expect(await harness.provider.finishCardSetup(other, setupId)).toMatchObject({ ok: false });
    expect(await harness.provider.finishCardSetup(customerId, setupId)).toEqual({ ok: true });
    expect(await harness.provider.payOpenInvoice(customerId)).toEqual({ ok: true, action: undefined });
    expect((await factsOf(customerId)).current).toMatchObject({ status: 'active', cardId });
    expect(await harness.provider.payOpenInvoice(customerId)).toEqual({ ok: true, action: undefined });
    // The declined attempt before it hides nothing that is paid back.
    const order = { invoiceId: open?.id ?? '', amount: 300, key: newKey() };
    expect(await harness.provider.refundInvoice(order)).toEqual({ ok: true, refunded: 300 });
    const paid = (await factsOf(customerId)).invoices.find((one) => one.id === open?.id);
    expect(paid).toMatchObject({ status: 'paid', amountPaid: 799, refunded: 300 });
  });

  test('a subscription that is never paid ends', slow, async () => {
    const customerId = await newCustomer();
    await subscribed({ customerId, cardId: await harness.newCard('fails-later'), trialDays: 7 });
    await advance(customerId, after(60));
    const { current } = await factsOf(customerId);
    expect(current?.status).toBe('ended');
    expect(current?.endsAt && current.endsAt < after(40)).toBe(true);

    const { invoices } = await factsOf(customerId);
    expect(invoices[0]).toMatchObject({ status: 'open' });
    for (const { id } of [...invoices, ...invoices]) await harness.provider.voidInvoice(id);
    const voided = (await factsOf(customerId)).invoices;
    expect(voided[0]).toMatchObject({ status: 'void', hasFailed: false, amountPaid: 0 });
    expect(voided.slice(1)).toEqual(invoices.slice(1));
    expect(await harness.provider.payOpenInvoice(customerId)).toEqual({ ok: true, action: undefined });
  });

  test('a cancelled subscription lasts until the end of its period, unless it is resumed', async () => {
    const customerId = await newCustomer();
    const { id, periodEndsAt } = await subscribed({ customerId });
    await harness.provider.cancelAtPeriodEnd(id, 'too quiet');
    expect((await factsOf(customerId)).current).toMatchObject({ status: 'active', endsAt: periodEndsAt });
    expect((await harness.provider.readUpcoming(customerId, id)).nextCharge).toBeUndefined();
    await harness.provider.resume(id);
    expect((await factsOf(customerId)).current).toMatchObject({ status: 'active', endsAt: undefined });
    await harness.provider.cancelAtPeriodEnd(id, undefined);
    await advance(customerId, after(40));
    const facts = await factsOf(customerId);
    expect(facts.current).toMatchObject({ status: 'ended', endsAt: periodEndsAt });
    expect(facts.invoices).toHaveLength(1);
  });

  test('month to year applies at once and costs the previewed amount', async () => {
    const customerId = await newCustomer();
    const { id } = await subscribed({ customerId });
    await advance(customerId, after(10));
    const preview = await harness.provider.previewPeriodChange(id, year);
    expect(preview.credit).toBeGreaterThan(500);
    expect(preview.credit).toBeLessThan(560);
    expect(preview.dueToday).toBe(5988 - preview.credit);
    expect(await harness.provider.changePeriodNow(id, year)).toEqual({ ok: true, action: undefined });
    const { current, invoices } = await factsOf(customerId);
    expect(current).toMatchObject({ id, plan: year, status: 'active', periodEndsAt: preview.nextChargeAt });
    expect(invoices.map(({ amountPaid }) => amountPaid).toSorted((one, other) => one - other)).toEqual([
      799,
      preview.dueToday,
    ]);
  });

  test('a new amount is a new price, and existing subscriptions keep the old one', async () => {
    const customerId = await newCustomer();
    await subscribed({ customerId });
    const dearer = { ...month, amount: 899 };
    await harness.provider.checkPlans([dearer, year]);
    const newcomer = await newCustomer();
    expect(await subscribed({ customerId: newcomer, plan: dearer })).toMatchObject({ plan: dearer });
    await advance(customerId, after(40));
    const { current, invoices } = await factsOf(customerId);
    expect([current?.plan, invoices.map(({ total }) => total)]).toEqual([month, [799, 799]]);
    await harness.provider.checkPlans([month, year]);
  });

  test('in a trial the period changes without a charge, and the trial continues', async () => {
    const customerId = await newCustomer();
    const { id } = await subscribed({ customerId, trialDays: 7 });
    expect(await harness.provider.previewPeriodChange(id, year)).toEqual({
      dueToday: 0,
      credit: 0,
      currency: 'usd',
      nextChargeAt: after(7),
    });
    await harness.provider.changePeriodNow(id, year);
    const { current, invoices } = await factsOf(customerId);
    expect(current).toMatchObject({ status: 'trialing', plan: year, trialEndsAt: after(7), periodEndsAt: after(7) });
    expect(invoices.filter(({ amountPaid }) => amountPaid > 0)).toEqual([]);
  });

  test('a change whose payment fails changes nothing', async () => {
    const customerId = await newCustomer();
    const { id } = await subscribed({ customerId });
    const { setupId, clientSecret } = await harness.provider.startCardSetup(customerId);
    await harness.enterCard(clientSecret, await harness.newCard('fails-later'));
    await harness.provider.finishCardSetup(customerId, setupId);
    expect(await harness.provider.changePeriodNow(id, year)).toEqual({ ok: false, reason: 'payment/card-declined' });
    expect((await factsOf(customerId)).current).toMatchObject({ plan: month, status: 'active' });
  });

  test(
    'a cancelled subscription changes its period, with the bank’s confirmation too, and is resumed after it',
    slow,
    async () => {
      for (const kind of ['good', 'always-needs-bank'] as const) {
        const customerId = await newCustomer();
        const { id, action: first } = await subscribed({ customerId, cardId: await harness.newCard(kind) });
        if (first !== undefined) await harness.answerBank(first.clientSecret, true);
        await harness.provider.cancelAtPeriodEnd(id, undefined);
        const changed = await harness.provider.changePeriodNow(id, year);
        const action = changed.ok ? changed.action : undefined;
        expect([kind, action?.kind]).toEqual([kind, kind === 'good' ? undefined : 'payment']);
        if (action !== undefined) await harness.answerBank(action.clientSecret, true);
        await harness.provider.resume(id);
        expect((await factsOf(customerId)).current).toMatchObject({ plan: year, status: 'active', endsAt: undefined });
      }
    },
  );

  test('year to month waits for the end of the year and can be undone', slow, async () => {
    const customerId = await newCustomer();
    const { id, periodEndsAt } = await subscribed({ customerId, plan: year });
    await harness.provider.changePeriodAtEnd(id, month);
    expect((await factsOf(customerId)).current).toMatchObject({ plan: year, nextPeriod: 'month' });
    await harness.provider.keepPeriod(id);
    expect((await factsOf(customerId)).current).toMatchObject({ plan: year, nextPeriod: undefined });
    await harness.provider.changePeriodAtEnd(id, month);
    await advance(customerId, after(366));
    const { current, invoices } = await factsOf(customerId);
    expect(current).toMatchObject({ plan: month, status: 'active', nextPeriod: undefined });
    expect(invoices.map(({ amountPaid }) => amountPaid)).toEqual([799, 5988]);
    expect(current?.periodEndsAt.getTime()).toBeGreaterThan(periodEndsAt.getTime());
  });

  test('a cancellation replaces a planned change, and resuming brings it back', slow, async () => {
    const customerId = await newCustomer();
    const { id, periodEndsAt } = await subscribed({ customerId, plan: year });
    await harness.provider.changePeriodAtEnd(id, month);
    await harness.provider.cancelAtPeriodEnd(id, undefined);
    expect((await factsOf(customerId)).current).toMatchObject({ endsAt: periodEndsAt, nextPeriod: undefined });
    await harness.provider.resume(id);
    expect((await factsOf(customerId)).current).toMatchObject({ plan: year, endsAt: undefined, nextPeriod: 'month' });
    await harness.provider.keepPeriod(id);
    await harness.provider.cancelAtPeriodEnd(id, undefined);
    await harness.provider.resume(id);
    expect((await factsOf(customerId)).current).toMatchObject({ endsAt: undefined, nextPeriod: undefined });
  });

  test('delaying a charge also delays a planned change', slow, async () => {
    const customerId = await newCustomer();
    const { id } = await subscribed({ customerId, plan: year });
    await harness.provider.changePeriodAtEnd(id, month);
    await harness.provider.delayCharge(id, after(500));
    expect((await factsOf(customerId)).current).toMatchObject({ periodEndsAt: after(500), nextPeriod: 'month' });
    await advance(customerId, after(499));
    expect((await factsOf(customerId)).invoices.filter(({ amountPaid }) => amountPaid > 0)).toHaveLength(1);
    await advance(customerId, after(501));
    expect((await factsOf(customerId)).invoices[0]).toMatchObject({ amountPaid: 799 });
  });

  test(
    'a charge is moved once by each key; a date over two years ahead is refused and changes nothing',
    slow,
    async () => {
      const customerId = await newCustomer();
      const { id, periodEndsAt, movedBy } = await subscribed({ customerId, plan: year });
      expect(movedBy).toBeUndefined();
      await harness.provider.changePeriodAtEnd(id, month);
      expect(await harness.provider.delayCharge(id, after(731), 'too far')).toEqual({ ok: false });
      const current = async () => (await factsOf(customerId)).current;
      expect(await current()).toMatchObject({
        periodEndsAt,
        movedBy: undefined,
        nextPeriod: 'month',
        status: 'active',
      });
      expect(await harness.provider.delayCharge(id, after(730), 'one')).toEqual({ ok: true });
      expect(await harness.provider.delayCharge(id, after(400), 'one')).toEqual({ ok: true });
      expect(await current()).toMatchObject({ periodEndsAt: after(730), movedBy: 'one', nextPeriod: 'month' });
      expect(await harness.provider.delayCharge(id, after(401))).toEqual({ ok: true });
      expect(await current()).toMatchObject({ periodEndsAt: after(401), movedBy: 'one' });
      expect(await harness.provider.delayCharge(id, after(402), 'two')).toEqual({ ok: true });
      expect(await current()).toMatchObject({ periodEndsAt: after(402), movedBy: 'two' });
      expect(await harness.provider.delayCharge(id, after(-1), 'past')).toEqual({ ok: false });
      await harness.provider.cancelNow(id);
      expect(await harness.provider.delayCharge(id, after(500), 'ended')).toEqual({ ok: false });
    },
  );

  test('a charge that was moved can be made at once, by each key once; declined, it is past due', slow, async () => {
    const paid = async (customerId: string) =>
      (await factsOf(customerId)).invoices.filter(({ amountPaid }) => amountPaid > 0).length;
    const customerId = await newCustomer();
    const { id } = await subscribed({ customerId });
    await harness.provider.delayCharge(id, after(100), 'pause');
    await advance(customerId, after(40));
    expect([await paid(customerId), (await factsOf(customerId)).current?.status]).toEqual([1, 'trialing']);
    for (let times = 0; times < 2; times += 1)
      expect(await harness.provider.delayCharge(id, 'now', 'end')).toEqual({ ok: true });
    expect((await factsOf(customerId)).current).toMatchObject({
      status: 'active',
      periodEndsAt: addMonths(after(40), 1),
      movedBy: 'end',
    });
    expect(await paid(customerId)).toBe(2);

    const unpaid = await newCustomer();
    const trial = await subscribed({ customerId: unpaid, cardId: await harness.newCard('fails-later'), trialDays: 7 });
    expect(await harness.provider.delayCharge(trial.id, 'now', 'end')).toEqual({ ok: true });
    expect((await factsOf(unpaid)).current).toMatchObject({ status: 'past-due' });
    expect(await paid(unpaid)).toBe(0);
  });

  test(
    'a charge that was moved comes back although it is cancelled: it ends then, and nothing is charged',
    slow,
    async () => {
      const customerId = await newCustomer();
      const { id, periodEndsAt } = await subscribed({ customerId });
      await harness.provider.delayCharge(id, after(100), 'pause');
      await harness.provider.cancelAtPeriodEnd(id, undefined);
      expect((await factsOf(customerId)).current).toMatchObject({ status: 'trialing', endsAt: after(100) });
      for (let times = 0; times < 2; times += 1)
        expect(await harness.provider.delayCharge(id, periodEndsAt, 'end')).toEqual({ ok: true });
      expect((await factsOf(customerId)).current).toMatchObject({ endsAt: periodEndsAt, periodEndsAt, movedBy: 'end' });
      await advance(customerId, after(40));
      const facts = await factsOf(customerId);
      expect(facts.current).toMatchObject({ status: 'ended', endsAt: periodEndsAt });
      expect(facts.invoices.filter(({ amountPaid }) => amountPaid > 0)).toHaveLength(1);
    },
  );

  test('a free time of over two years begins with the two years that are possible', slow, async () => {
    const customerId = await harness.provider.createCustomer({ userId: 'a', email: undefined });
    const cardId = await harness.newCard('good');
    const free = { until: new Date(Date.now() + 1095 * day) };
    const order = { customerId, cardId, plan: month, free, promoCodeId: undefined, key: newKey() };
    const made = await harness.provider.subscribe(order);
    const trialEndsAt = made.ok ? (made.subscription.trialEndsAt?.getTime() ?? 0) : 0;
    expect(trialEndsAt).toBeGreaterThan(Date.now() + 729 * day);
    expect(trialEndsAt).toBeLessThanOrEqual(Date.now() + 730 * day);
  });

  test('promo codes are found in any case, used once, and disabled', async () => {
    const { provider } = harness;
    const code = `HALF${newKey().slice(4)}`;
    const terms = { percentOff: 50, currency: 'usd', duration: 'once', maxRedemptions: 3 } as const;
    const made = await provider.createPromoCode({ code, ...terms });
    if (made === undefined) throw new Error('it was not made');
    expect(made).toMatchObject({ code, isActive: true, redemptions: 0, maxRedemptions: 3 });
    expect(made.discount).toEqual({ percentOff: 50, amountOff: null, duration: 'once' });
    expect(await provider.createPromoCode({ code, ...terms })).toBeUndefined();
    expect(await provider.findPromoCode(code.toLowerCase())).toEqual(made);
    expect(await provider.findPromoCode('NOTHING')).toBeUndefined();

    const customerId = await newCustomer();
    const subscription = await subscribed({ customerId, promoCodeId: made.id });
    await advance(customerId, after(32));
    const { invoices } = await factsOf(customerId);
    expect(invoices.map(({ total }) => total)).toEqual([799, 399]);
    expect(invoices[1]).toMatchObject({ subtotal: 799, discount: 400, amountPaid: 399 });
    expect(await provider.findPromoCode(code)).toMatchObject({ redemptions: 1 });
    expect(invoices.map(({ promoCodeIds }) => promoCodeIds)).toEqual([[], [made.id]]);

    expect(await provider.applyPromoCode(subscription.id, made.id)).toEqual({ ok: true });
    expect((await factsOf(customerId)).current?.discount).toMatchObject({ code, percentOff: 50 });
    expect((await provider.readUpcoming(customerId, subscription.id)).nextCharge?.amount).toBe(399);

    await provider.disablePromoCode(made.id);
    expect(await provider.findPromoCode(code)).toMatchObject({ isActive: false });
    expect((await provider.listPromoCodes()).map(({ id }) => id)).toContain(made.id);
  });

  test('a disabled code is offered again, unless another one took its name', slow, async () => {
    const { provider } = harness;
    const terms = { code: `AGAIN${newKey().slice(4)}`, percentOff: 5, currency: 'usd', duration: 'once' } as const;
    const made = await provider.createPromoCode(terms);
    if (made === undefined) throw new Error('it was not made');
    await provider.disablePromoCode(made.id);
    expect(await provider.enablePromoCode(made.id)).toBe(true);
    expect(await provider.findPromoCode(terms.code)).toMatchObject({ id: made.id, isActive: true });
    await provider.disablePromoCode(made.id);
    const other = await provider.createPromoCode(terms);
    expect(await provider.enablePromoCode(made.id)).toBe(false);
    expect(await provider.findPromoCode(terms.code)).toMatchObject({ id: other?.id, isActive: true });
  });

  test('a payment is refunded in parts, once for each key, and never beyond what was paid', slow, async () => {
    const { provider } = harness;
    const customerId = await newCustomer();
    await subscribed({ customerId });
    const invoiceId = (await factsOf(customerId)).invoices[0]?.id ?? '';
    const refund = (amount: number, key: string) =>
      provider.refundInvoice({ invoiceId, amount, key: `${invoiceId} ${key}` });
    expect((await factsOf(customerId)).invoices[0]).toMatchObject({ amountPaid: 799, refunded: 0 });
    expect(await refund(300, 'one')).toEqual({ ok: true, refunded: 300 });
    expect(await refund(300, 'one')).toEqual({ ok: true, refunded: 300 });
    expect(await refund(500, 'too much')).toEqual({ ok: false });
    expect(await refund(499, 'rest')).toEqual({ ok: true, refunded: 799 });
    expect(await refund(1, 'beyond')).toEqual({ ok: false });
    expect((await factsOf(customerId)).invoices[0]).toMatchObject({
      amountPaid: 799,
      refunded: 799,
      isDisputed: false,
    });
    expect((await factsOf(customerId)).current?.status).toBe('active');
  });

  test('fixed amounts keep their currency, limits their time', async () => {
    const code = `OFF${newKey().slice(4)}`;
    const expiresAt = new Date(Math.ceil(Date.now() / 1000 + 3600) * 1000);
    const made = await harness.provider.createPromoCode({
      code,
      amountOff: 300,
      currency: 'usd',
      duration: 'months',
      months: 3,
      expiresAt,
      isFirstTimeOnly: true,
    });
    expect(made).toMatchObject({
      discount: { percentOff: null, amountOff: 300, duration: 'months' },
      months: 3,
      currency: 'usd',
      expiresAt,
      isFirstTimeOnly: true,
    });
  });

  test('a card is identified by its owner and its fingerprint', async () => {
    const { provider } = harness;
    const cardId = await harness.newCard('good');
    const fresh = await provider.findCard(cardId);
    expect(fresh).toEqual({ fingerprint: expect.stringMatching(/.{8}/) as string, customerId: undefined });
    const customerId = await newCustomer();
    await subscribed({ customerId, cardId });
    expect(await provider.findCard(cardId)).toEqual({ fingerprint: fresh?.fingerprint, customerId });
    for (const odd of ['pm_none', '', 'a/../b', 'sub_1']) expect(await provider.findCard(odd)).toBeUndefined();
  });

  test('what is left of a single payment is refunded', async () => {
    const { provider } = harness;
    const pay = { amount: 2199, currency: 'usd', description: 'Sotto gift card', customerId: undefined, key: newKey() };
    const { paymentId, clientSecret } = await provider.startPayment(pay);
    await harness.enterCard(clientSecret, await harness.newCard('good'));
    await harness.refundByHand(paymentId, 700);
    expect(await provider.findPayment(paymentId)).toMatchObject({ status: 'paid', amount: 2199, refunded: 700 });
    await provider.refundPayment(paymentId);
    await provider.refundPayment(paymentId);
    expect(await provider.findPayment(paymentId)).toMatchObject({ status: 'refunded', refunded: 2199 });
  });

  test('a customer’s email is changed, and nothing happens to a deleted one', async () => {
    const customerId = await newCustomer();
    await harness.provider.changeEmail(customerId, 'bo@example.org');
    expect(await harness.emailOf(customerId)).toBe('bo@example.org');
    await harness.provider.deleteCustomer(customerId);
    await harness.provider.changeEmail(customerId, 'cy@example.org');
  });

  test('a change that waits for the bank is dropped by a cancellation, before it or after it', slow, async () => {
    for (const isCancelled of [false, true]) {
      const customerId = await newCustomer();
      const { id, action: first } = await subscribed({
        customerId,
        cardId: await harness.newCard('always-needs-bank'),
      });
      if (first !== undefined) await harness.answerBank(first.clientSecret, true);
      if (isCancelled) await harness.provider.cancelAtPeriodEnd(id, undefined);
      const changed = await harness.provider.changePeriodNow(id, year);
      const clientSecret = changed.ok ? (changed.action?.clientSecret ?? '') : '';
      expect((await factsOf(customerId)).current?.action).toMatchObject({ kind: 'payment' });
      await harness.provider.cancelAtPeriodEnd(id, undefined);
      await harness.answerBank(clientSecret, true).catch(() => undefined);
      const { current, invoices } = await factsOf(customerId);
      expect(current).toMatchObject({ plan: month, action: undefined, endsAt: expect.any(Date) });
      expect(invoices.filter(({ status }) => status === 'paid').map(({ amountPaid }) => amountPaid)).toEqual([799]);
    }
  });

  test('a payment that was cancelled before it was paid cannot be paid', async () => {
    const { provider } = harness;
    const { paymentId, clientSecret } = await provider.startPayment({
      amount: 799,
      currency: 'usd',
      description: 'Sotto gift card',
      customerId: undefined,
      key: newKey(),
    });
    expect(await provider.cancelPayment(paymentId)).toBe(true);
    const cardId = await harness.newCard('good');
    await harness.enterCard(clientSecret, cardId).catch(() => undefined);
    expect((await provider.findPayment(paymentId))?.status).not.toBe('paid');
    expect(await provider.cancelPayment(paymentId)).toBe(true);
    expect(await provider.cancelPayment('pi_none')).toBe(true);
  });

  test('a charged-back payment is reported and cannot be refunded again', slow, async () => {
    const { provider } = harness;
    const customerId = await newCustomer();
    const { id } = await subscribed({ customerId, cardId: await harness.newCard('disputed') });
    expect((await factsOf(customerId)).invoices).toMatchObject([{ subscriptionId: id, isDisputed: true }]);
    const { paymentId, clientSecret } = await provider.startPayment({
      amount: 799,
      currency: 'usd',
      description: 'Sotto gift card',
      customerId,
      key: newKey(),
    });
    expect(await provider.findPayment(paymentId)).toMatchObject({ status: 'waiting', customerId });
    await harness.enterCard(clientSecret, await harness.newCard('disputed'));
    expect(await provider.findPayment(paymentId)).toMatchObject({ status: 'disputed', amount: 799 });
    await provider.refundPayment(paymentId);
  });

  test('a deleted customer is not found, and deleting it again succeeds', async () => {
    const customerId = await newCustomer();
    await subscribed({ customerId });
    await harness.provider.deleteCustomer(customerId);
    expect(await harness.provider.readCustomer(customerId)).toBeUndefined();
    await harness.provider.deleteCustomer(customerId);
    expect(await harness.provider.readCustomer('cus_never')).toBeUndefined();
  });

  test('events are verified by signature and age only', async () => {
    const { provider, eventFor } = harness;
    const read = async ({ body, headers }: ReturnType<typeof eventFor>) =>
      (await provider.readEvents(postbackOf(body, headers)))?.[0];
    expect(await read(eventFor({ customerId: 'cus_1' }))).toMatchObject({ customerId: 'cus_1', paymentId: undefined });
    expect(await read(eventFor({ paymentId: 'pi_1' }))).toMatchObject({ customerId: undefined, paymentId: 'pi_1' });
    const event = eventFor({ customerId: 'cus_1' });
    expect(await read({ ...event, body: event.body.replace('cus_1', 'cus_2') })).toBeUndefined();
    expect(await read({ ...event, headers: {} })).toBeUndefined();
    for (const signature of ['', 't=1,v1=', 't=,v1=', 'v1=', 't=1', ',', 't=1,v1=,v1=x', `t=${'9'.repeat(400)},v1=a`])
      expect(
        await read({ ...event, headers: { 'stripe-signature': signature, 'plain-signature': signature } }),
      ).toBeUndefined();
    expect(await read({ body: event.body, headers: eventFor({ customerId: 'cus_3' }).headers })).toBeUndefined();
    expect(await read(eventFor({ customerId: 'cus_1', at: new Date(Date.now() - 60 * 60 * 1000) }))).toBeUndefined();
  });
});

test('a cancellation whose answer is lost is done, although Stripe refuses to cancel twice', slow, async () => {
  const { sandbox, provider, newCard, lost } = await stripeHarness(url);
  try {
    const customerId = await provider.createCustomer({ userId: 'a', email: undefined });
    const order = { customerId, cardId: await newCard('good'), plan: month, free: undefined, promoCodeId: undefined };
    const made = await provider.subscribe({ ...order, key: 'lost answer' });
    if (!made.ok) throw new Error(made.reason);
    lost.method = 'DELETE';
    await provider.cancelNow(made.subscription.id);
    expect(lost.method).toBeUndefined();
    expect((await provider.readCustomer(customerId))?.subscriptions).toMatchObject([{ status: 'ended' }]);
  } finally {
    await sandbox.close();
  }
});

test('codes for one user each take no place among the operators’ own', slow, async () => {
  const { sandbox, stripe, provider } = await stripeHarness(url);
  try {
    const terms = { percentOff: 10, currency: 'usd', duration: 'once' } as const;
    await provider.createPromoCode({ ...terms, code: 'OLDER' });
    const made = await provider.createPromoCode({ ...terms, code: 'FORONE', isForOne: true });
    const { promotion, metadata } = await stripe.promotionCodes.retrieve(made?.id ?? '');
    const coupon = typeof promotion.coupon === 'string' ? promotion.coupon : (promotion.coupon?.id ?? '');
    for (let count = 0; count < 100; count += 1)
      await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, metadata: metadata ?? {} });
    const listed = await provider.listPromoCodes();
    expect(listed[0]).toMatchObject({ code: 'OLDER' });
    expect(await provider.findPromoCode('forone')).toMatchObject({ id: made?.id, isActive: true });
  } finally {
    await sandbox.close();
  }
});

test("the adapter's requests are those of Stripe's published description", slow, async () => {
  const checked = await checkRequests(stripeRequests);
  process.stdout.write(describeChecks('the adapter', checked));
  expect(checked.length).toBeGreaterThan(200);
  expect(checked.filter(({ problems, isNewer }) => problems.length > 0 && !isNewer)).toEqual([]);
});
