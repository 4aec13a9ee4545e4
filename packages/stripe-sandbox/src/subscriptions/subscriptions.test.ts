/** @module-tag slow */
import type Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  answerBank,
  attachCard,
  createPlans,
  createTestCustomer,
  createTestSandbox,
  day,
  failureOf,
  start,
} from '#test/test-sandbox.ts';

const { stripe, sandbox, events } = await createTestSandbox();
const { month, year } = await createPlans(stripe);

beforeEach(async () => {
  await sandbox.settled();
  events.length = 0;
});

const typesOf = (prefix: string) => events.map(({ type }) => type as string).filter((type) => type.startsWith(prefix));

async function invoicesOf(customer: string) {
  const { data } = await stripe.invoices.list({ customer });
  return data.map(({ amount_due, status, billing_reason }) => [billing_reason, status, amount_due]);
}

const itemOf = ({ items }: Stripe.Subscription) => items.data[0]?.id ?? '';
const periodOf = ({ items }: Stripe.Subscription) => [
  ((items.data[0]?.current_period_start ?? 0) - start) / day,
  ((items.data[0]?.current_period_end ?? 0) - start) / day,
];

describe('a subscription', () => {
  test('begins with a free trial, which is announced, and is charged an hour after its end', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const { id, ...created } = await stripe.subscriptions.create({
      customer,
      items: [{ price: month.id }],
      trial_period_days: 7,
      expand: ['latest_invoice'],
    });
    expect(created).toMatchObject({ status: 'trialing', trial_end: start + 7 * day, pending_setup_intent: null });
    expect(created.latest_invoice).toMatchObject({ status: 'paid', total: 0 });
    await until(3.9);
    await sandbox.settled();
    expect(typesOf('customer.subscription.trial')).toEqual([]);
    await until(4.1);
    await sandbox.settled();
    expect(typesOf('customer.subscription.trial')).toEqual(['customer.subscription.trial_will_end']);
    await until(7.01);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
    expect(await invoicesOf(customer)).toEqual([
      ['subscription_cycle', 'draft', 799],
      ['subscription_create', 'paid', 0],
    ]);
    await until(7.05);
    expect((await invoicesOf(customer))[0]).toEqual(['subscription_cycle', 'paid', 799]);
  });

  test('without a trial is paid at once, and renews on the same day of each month', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const subscription = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    expect(subscription.status).toBe('active');
    await until(366);
    const invoices = await stripe.invoices.list({ customer, limit: 100 });
    expect(invoices.data).toHaveLength(13);
    expect(invoices.data.every(({ status, total }) => status === 'paid' && total === 799)).toBe(true);
    const days = invoices.data.map(({ created }) => new Date(created * 1000).getUTCDate());
    expect(new Set(days)).toEqual(new Set([15]));
    const charges = await stripe.charges.list({ customer, limit: 100 });
    expect(charges.data.filter(({ paid }) => paid)).toHaveLength(13);
    await sandbox.settled();
    expect(typesOf('invoice.upcoming')).toHaveLength(12);
  });

  test('that is cancelled lasts to the end of the paid period, and can be resumed until then', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    const ending = await stripe.subscriptions.update(id, {
      cancel_at_period_end: true,
      cancellation_details: { feedback: 'too_expensive', comment: 'later' },
    });
    expect(ending).toMatchObject({ status: 'active', cancel_at: start + 31 * day, cancel_at_period_end: true });
    const resumed = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect(resumed).toMatchObject({ cancel_at: null, canceled_at: null, cancel_at_period_end: false });
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await until(30.9);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
    await until(31.1);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      ended_at: start + 31 * day,
      cancellation_details: { reason: 'cancellation_requested', feedback: 'too_expensive', comment: 'later' },
    });
    expect(await invoicesOf(customer)).toHaveLength(1);
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
    await sandbox.settled();
    expect(typesOf('customer.subscription.deleted')).toHaveLength(1);
  });

  test('from month to year costs at once the previewed amount: a year less the unused month', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const subscription = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    await until(15.5);
    const change = {
      items: [{ id: itemOf(subscription), price: year.id }],
      proration_behavior: 'always_invoice' as const,
    };
    const preview = await stripe.invoices.createPreview({
      customer,
      subscription: subscription.id,
      subscription_details: change,
    });
    expect(preview.total).toBe(5988 - Math.round(799 / 2));
    expect(await invoicesOf(customer)).toHaveLength(1);
    const changed = await stripe.subscriptions.update(subscription.id, {
      ...change,
      payment_behavior: 'error_if_incomplete',
      expand: ['latest_invoice'],
    });
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', amount_paid: preview.total });
    expect(periodOf(changed)).toEqual([15.5, 380.5]);
    expect(itemOf(changed)).toBe(itemOf(subscription));
  });

  test('from year to month changes at the end of the year, by a schedule that can be cancelled', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: year.id }] });
    const planned = await stripe.subscriptionSchedules.create({ from_subscription: id });
    await stripe.subscriptionSchedules.release(planned.id);
    expect((await stripe.subscriptions.retrieve(id)).schedule).toBeNull();

    const { id: schedule, phases } = await stripe.subscriptionSchedules.create({ from_subscription: id });
    const [phase] = phases;
    await stripe.subscriptionSchedules.update(schedule, {
      end_behavior: 'release',
      phases: [
        { items: [{ price: year.id, quantity: 1 }], start_date: phase?.start_date, end_date: phase?.end_date },
        { items: [{ price: month.id, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
    const refused = await failureOf(stripe.subscriptions.update(id, { cancel_at_period_end: true }));
    expect(refused.message).toContain('managed by the subscription schedule');
    await until(366);
    const monthly = await stripe.subscriptions.retrieve(id);
    expect(monthly.items.data[0]?.price.id).toBe(month.id);
    expect(periodOf(monthly)).toEqual([365, 396]);
    await until(397);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ schedule: null, status: 'active' });
    expect(await invoicesOf(customer)).toEqual([
      ['subscription_cycle', 'paid', 799],
      ['subscription_cycle', 'paid', 799],
      ['subscription_create', 'paid', 5988],
    ]);
    expect((await stripe.subscriptionSchedules.retrieve(schedule)).status).toBe('released');
  });

  test('with gift time pays nothing until its end', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    const moved = await stripe.subscriptions.update(id, { trial_end: start + 121 * day, proration_behavior: 'none' });
    expect(moved).toMatchObject({ status: 'trialing', trial_end: start + 121 * day });
    const beyond = await failureOf(stripe.subscriptions.update(id, { trial_end: start + 730 * day + 1 }));
    expect(beyond).toMatchObject({ statusCode: 400, param: 'trial_end', message: expect.stringContaining('730') });
    await until(121.5);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active', trial_end: start + 121 * day });
    expect(await invoicesOf(customer)).toEqual([
      ['subscription_cycle', 'paid', 799],
      ['subscription_update', 'paid', 0],
      ['subscription_create', 'paid', 799],
    ]);
  });

  test('that is ended at once with a proration leaves credit for the next one', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: year.id }] });
    await until(365 / 2);
    await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -2994 });
    const next = await stripe.subscriptions.create({
      customer,
      items: [{ price: month.id }],
      expand: ['latest_invoice'],
    });
    expect(next.latest_invoice).toMatchObject({ total: 799, amount_due: 0, status: 'paid', ending_balance: -2195 });
    const transactions = await stripe.customers.listBalanceTransactions(customer);
    expect(transactions.data.map(({ amount }) => amount)).toEqual([799, -2994]);
  });

  test('counts periods from its first day: after 31 January comes 28 February, then the 31st', async () => {
    const { customer, until, clock } = await createTestCustomer(stripe);
    await until(16);
    expect((await stripe.testHelpers.testClocks.retrieve(clock)).frozen_time).toBe(Date.UTC(2027, 0, 31, 12) / 1000);
    await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    await until(80);
    const { data } = await stripe.invoices.list({ customer });
    expect(data.map(({ created }) => new Date(created * 1000).toISOString().slice(0, 10))).toEqual([
      '2027-03-31',
      '2027-02-28',
      '2027-01-31',
    ]);
  });
});

describe("a bank's question", () => {
  test('in a trial waits in the pending setup intent, which is cleared by the answer', async () => {
    const { customer, until } = await createTestCustomer(stripe, { card: '4000002500003155' });
    const { id, ...created } = await stripe.subscriptions.create({
      customer,
      items: [{ price: month.id }],
      trial_period_days: 7,
      expand: ['pending_setup_intent'],
    });
    const intent = created.pending_setup_intent as Stripe.SetupIntent;
    expect([created.status, intent.status]).toEqual(['trialing', 'requires_action']);
    await answerBank(stripe, intent.id, 'fail');
    expect((await stripe.setupIntents.retrieve(intent.id)).last_setup_error?.code).toBe(
      'setup_intent_authentication_failure',
    );
    expect((await stripe.subscriptions.retrieve(id)).pending_setup_intent).toBe(intent.id);
    const { data } = await stripe.paymentMethods.list({ customer });
    await stripe.setupIntents.confirm(intent.id, { payment_method: data[0]?.id });
    await answerBank(stripe, intent.id, 'complete');
    expect((await stripe.subscriptions.retrieve(id)).pending_setup_intent).toBeNull();
    await sandbox.settled();
    expect(typesOf('setup_intent')).toEqual([
      'setup_intent.created',
      'setup_intent.requires_action',
      'setup_intent.setup_failed',
      'setup_intent.requires_action',
      'setup_intent.succeeded',
    ]);
    await until(8);
    expect((await invoicesOf(customer))[0]).toEqual(['subscription_cycle', 'paid', 799]);
  });

  test('without a trial leaves the subscription incomplete until the payment is confirmed', async () => {
    const { customer } = await createTestCustomer(stripe, { card: '4000002500003155' });
    const { id, ...created } = await stripe.subscriptions.create({
      customer,
      items: [{ price: month.id }],
      payment_behavior: 'allow_incomplete',
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
    });
    const invoice = created.latest_invoice as Stripe.Invoice;
    expect([created.status, invoice.status]).toEqual(['incomplete', 'open']);
    const intent = String(invoice.payments?.data[0]?.payment.payment_intent);
    expect(invoice.confirmation_secret?.client_secret).toMatch(new RegExp(`^${intent}_secret_`));
    await answerBank(stripe, intent, 'complete');
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
    expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('paid');
  });

  test('that is never answered expires an incomplete subscription after 23 hours', async () => {
    const { customer, until } = await createTestCustomer(stripe, { card: '4000002760003184' });
    const { id, latest_invoice } = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    await until(22 / 24);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete');
    await until(1);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired');
    expect((await stripe.invoices.retrieve(String(latest_invoice))).status).toBe('void');
  });

  test('at each renewal makes it past due until the answer', async () => {
    const { customer, until } = await createTestCustomer(stripe, { card: '4000002760003184' });
    const { id, ...created } = await stripe.subscriptions.create({
      customer,
      items: [{ price: month.id }],
      expand: ['latest_invoice.payments'],
    });
    const first = (created.latest_invoice as Stripe.Invoice).payments?.data[0]?.payment.payment_intent;
    await answerBank(stripe, String(first), 'complete');
    await until(31.1);
    const late = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payments'] });
    expect(late.status).toBe('past_due');
    await sandbox.settled();
    expect(typesOf('invoice.payment_action_required')).toHaveLength(2);
    const second = (late.latest_invoice as Stripe.Invoice).payments?.data[0]?.payment.payment_intent;
    await answerBank(stripe, String(second), 'complete');
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  test('that is approved still fails with insufficient funds if the account is empty', async () => {
    const { customer } = await createTestCustomer(stripe, { card: '4000008260003178' });
    const created = await stripe.subscriptions.create({
      customer,
      items: [{ price: month.id }],
      expand: ['latest_invoice.payments'],
    });
    const intent = String((created.latest_invoice as Stripe.Invoice).payments?.data[0]?.payment.payment_intent);
    await answerBank(stripe, intent, 'complete');
    expect((await stripe.paymentIntents.retrieve(intent)).last_payment_error?.decline_code).toBe('insufficient_funds');
    expect((await stripe.subscriptions.retrieve(created.id)).status).toBe('incomplete');
  });
});

describe('a card that fails', () => {
  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', undefined],
    ['4000000000009995', 'card_declined', 'insufficient_funds', undefined],
    ['4000000000000069', 'expired_card', 'expired_card', 'exp_month'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', 'cvc'],
    ['4000000000000119', 'processing_error', 'processing_error', undefined],
  ])('%s is refused when it is attached: %s', async (number, code, decline_code, param) => {
    const customer = await stripe.customers.create();
    const error = await failureOf(attachCard(stripe, customer.id, number));
    expect({ type: error.type, status: error.statusCode }).toEqual({ type: 'StripeCardError', status: 402 });
    expect({ code: error.code, decline_code: error.decline_code, param: error.param }).toEqual({
      code,
      decline_code,
      param,
    });
  });

  test.each([
    [{ number: '4242424242424241' }, 'incorrect_number', 'number'],
    [{ exp_month: 13 }, 'invalid_expiry_month', 'exp_month'],
    [{ exp_year: 2020 }, 'invalid_expiry_year', 'exp_year'],
    [{ cvc: '12' }, 'invalid_cvc', 'cvc'],
    [{ number: '4012888888881881' }, 'card_declined', undefined],
  ])('%o is not a card at all: %s', async (wrong, code, param) => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', ...wrong };
    const error = await failureOf(stripe.paymentMethods.create({ type: 'card', card }));
    expect({ type: error.type, code: error.code, param: error.param }).toEqual({
      type: 'StripeCardError',
      code,
      param,
    });
  });

  test('at the first charge stores nothing with `error_if_incomplete`', async () => {
    const { customer } = await createTestCustomer(stripe, { card: '4000000000000341' });
    const error = await failureOf(
      stripe.subscriptions.create({
        customer,
        items: [{ price: month.id }],
        payment_behavior: 'error_if_incomplete',
      }),
    );
    expect([error.statusCode, error.code, error.decline_code]).toEqual([402, 'card_declined', 'generic_decline']);
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([]);
    expect((await stripe.invoices.list({ customer })).data).toEqual([]);
  });

  test('at a renewal is retried after 3, 5 and 7 days, and then the subscription ends', async () => {
    const { customer, until } = await createTestCustomer(stripe);
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    const broken = await attachCard(stripe, customer, '4000000000000341');
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: broken.id } });
    const failures = async () => {
      await sandbox.settled();
      return typesOf('invoice.payment_failed').length;
    };
    for (const [days, tries, status] of [
      [31.1, 1, 'past_due'],
      [34.1, 2, 'past_due'],
      [39.1, 3, 'past_due'],
      [45.9, 3, 'past_due'],
      [46.1, 4, 'canceled'],
    ] as const) {
      await until(days);
      expect([await failures(), (await stripe.subscriptions.retrieve(id)).status]).toEqual([tries, status]);
    }
    expect((await stripe.subscriptions.retrieve(id)).cancellation_details?.reason).toBe('payment_failed');
  });

  test('can be replaced by another card, and the subscription is active again', async () => {
    const { customer, method, until } = await createTestCustomer(stripe);
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
    const broken = await attachCard(stripe, customer, '4000000000000341');
    await stripe.subscriptions.update(id, { default_payment_method: broken.id });
    await until(31.1);
    const late = await stripe.subscriptions.retrieve(id);
    const open = String(late.latest_invoice);
    const again = await failureOf(stripe.invoices.pay(open));
    expect([again.statusCode, again.code]).toEqual([402, 'card_declined']);
    await stripe.subscriptions.update(id, { default_payment_method: method });
    expect(await stripe.invoices.pay(open)).toMatchObject({ status: 'paid', next_payment_attempt: null });
    const recovered = await stripe.subscriptions.retrieve(id);
    expect([recovered.status, ...periodOf(recovered)]).toEqual(['active', 31, 59]);
    expect((await failureOf(stripe.invoices.pay(open))).message).toBe('Invoice is already paid');
  });

  test('is missing: the trial ends as configured', async () => {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
    const { id: customer } = await stripe.customers.create({ test_clock: clock.id });
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: month.id }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    });
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 8 * day });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled');
  });
});
