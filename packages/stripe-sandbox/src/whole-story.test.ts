/** @module-tag slow */
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { type SentRequest, checkRequests, describeChecks, recordingClient } from '#test/published-description.ts';
import { createTestSandbox, day, failureOf, start } from '#test/test-sandbox.ts';

const { sandbox, events } = await createTestSandbox();
const sent: SentRequest[] = [];
const stripe = new Stripe(sandbox.apiKey, {
  ...sandbox.connection,
  telemetry: false,
  maxNetworkRetries: 2,
  httpClient: recordingClient(sent),
});

const card = (number: string) => ({
  type: 'card' as const,
  card: { number, exp_month: 12, exp_year: 2040, cvc: '123' },
});

/** A site's calls to Stripe during one listener's subscription, from the prices to the refund, each once or twice. */
async function liveThroughAYear() {
  const product = await stripe.products.create({ name: 'Sotto', statement_descriptor: 'SOTTO AUDIO' });
  await stripe.products.update(product.id, { description: 'Everything to hear' });
  await stripe.products.retrieve(product.id);
  await stripe.products.list({ active: true });
  const month = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 799,
    recurring: { interval: 'month' },
    lookup_key: 'sotto_month',
  });
  const year = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 5988,
    recurring: { interval: 'year' },
    lookup_key: 'sotto_year',
    transfer_lookup_key: true,
  });
  await stripe.prices.update(year.id, { nickname: 'A year' });
  const found = await stripe.prices.list({ lookup_keys: ['sotto_month', 'sotto_year'], active: true });
  expect(found.data.map(({ id }) => id)).toEqual([year.id, month.id]);
  const coupon = await stripe.coupons.create({
    percent_off: 20,
    duration: 'repeating',
    duration_in_months: 2,
    name: 'Winter',
  });
  await stripe.coupons.retrieve(coupon.id);
  const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'WINTER' });
  await stripe.promotionCodes.list({ code: 'winter', active: true, limit: 1 });

  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start, name: 'Ada' });
  const until = (days: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + days * day });
  const customer = await stripe.customers.create({
    email: 'ada@example.org',
    name: 'Ada',
    test_clock: clock.id,
    metadata: { user: '0197' },
  });
  const visa = await stripe.paymentMethods.create(card('4242424242424242'));
  await stripe.paymentMethods.attach(visa.id, { customer: customer.id });
  await stripe.paymentMethods.retrieve(visa.id);
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: visa.id } });
  await stripe.customers.retrieve(customer.id);
  await stripe.customers.list({ email: 'ada@example.org', limit: 1 });
  await failureOf(
    stripe.paymentMethods.attach((await stripe.paymentMethods.create(card('4000000000000002'))).id, {
      customer: customer.id,
    }),
  );
  await stripe.paymentMethods.list({ customer: customer.id, type: 'card' });

  await stripe.invoices.createPreview({
    customer: customer.id,
    subscription_details: { items: [{ price: month.id }] },
    discounts: [{ promotion_code: code.id }],
  });
  const created = await stripe.subscriptions.create(
    {
      customer: customer.id,
      items: [{ price: month.id }],
      trial_period_days: 7,
      default_payment_method: visa.id,
      discounts: [{ promotion_code: code.id }],
      payment_behavior: 'default_incomplete',
      metadata: { user: '0197' },
      expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
    },
    { idempotencyKey: `subscribe-${visa.id}` },
  );
  const pending = created.pending_setup_intent as Stripe.SetupIntent;
  await stripe.setupIntents.retrieve(pending.id);
  expect((await stripe.setupIntents.confirm(pending.id)).status).toBe('succeeded');
  await until(8);
  await stripe.testHelpers.testClocks.retrieve(clock.id);
  const active = await stripe.subscriptions.retrieve(created.id, {
    expand: ['latest_invoice', 'discounts.source.coupon'],
  });
  expect([active.status, (active.latest_invoice as Stripe.Invoice).amount_paid]).toEqual(['active', 639]);
  await stripe.subscriptions.list({ customer: customer.id, status: 'all', limit: 3 });

  const item = active.items.data[0]?.id;
  const change = { items: [{ id: item, price: year.id }], proration_behavior: 'always_invoice' as const };
  const preview = await stripe.invoices.createPreview({
    customer: customer.id,
    subscription: active.id,
    subscription_details: change,
  });
  const yearly = await stripe.subscriptions.update(active.id, {
    ...change,
    payment_behavior: 'error_if_incomplete',
    proration_date: start + 8 * day,
    expand: ['latest_invoice'],
  });
  expect((yearly.latest_invoice as Stripe.Invoice).amount_paid).toBe(preview.amount_due);

  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: active.id });
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      {
        items: [{ price: year.id, quantity: 1 }],
        start_date: schedule.phases[0]?.start_date,
        end_date: schedule.phases[0]?.end_date,
      },
      { items: [{ price: month.id, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
    ],
  });
  await stripe.subscriptionSchedules.retrieve(schedule.id);
  await stripe.subscriptionSchedules.list({ customer: customer.id });
  await stripe.subscriptionSchedules.release(schedule.id);

  await stripe.subscriptions.update(active.id, {
    cancel_at_period_end: true,
    cancellation_details: { feedback: 'unused' },
  });
  await stripe.subscriptions.update(active.id, { cancel_at_period_end: false });
  const asking = await stripe.paymentMethods.create(card('4000002500003155'));
  const setup = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: asking.id,
    usage: 'off_session',
  });
  expect((await stripe.setupIntents.confirm(setup.id)).status).toBe('requires_action');
  await stripe.rawRequest('POST', '/v1/3ds2/authenticate', { source: setup.id, outcome: 'complete' });
  await stripe.subscriptions.update(active.id, { default_payment_method: asking.id });
  await stripe.paymentMethods.detach(visa.id);
  await stripe.customers.createBalanceTransaction(customer.id, {
    amount: -100,
    currency: 'usd',
    description: 'For the wait',
  });
  await stripe.customers.listBalanceTransactions(customer.id, { limit: 5 });
  await until(8 + 366);
  const renewed = await stripe.invoices.list({ customer: customer.id, subscription: active.id, limit: 2 });
  expect(renewed.data[0]).toMatchObject({
    billing_reason: 'subscription_cycle',
    status: 'paid',
    total: 5988,
    amount_due: 5888,
  });

  const failing = await stripe.paymentMethods.create(card('4000000000000341'));
  await stripe.paymentMethods.attach(failing.id, { customer: customer.id });
  await stripe.subscriptions.update(active.id, { default_payment_method: failing.id });
  await until(8 + 732);
  const late = await stripe.subscriptions.retrieve(active.id);
  expect(late.status).toBe('past_due');
  const open = String(late.latest_invoice);
  await failureOf(stripe.invoices.pay(open));
  await stripe.invoices.pay(open, { payment_method: asking.id });
  const paid = await stripe.invoices.retrieve(open, { expand: ['payments'] });
  expect((await stripe.subscriptions.retrieve(active.id)).status).toBe('active');
  const intent = String(paid.payments?.data[0]?.payment.payment_intent);
  await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] });
  await stripe.charges.list({ customer: customer.id, limit: 3 });
  await stripe.refunds.create({ payment_intent: intent, amount: 500, reason: 'requested_by_customer' });
  await stripe.refunds.list({ payment_intent: intent });

  const gift = await stripe.paymentIntents.create({
    amount: 2397,
    currency: 'usd',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: { gift: '3' },
    receipt_email: 'bea@example.org',
  });
  await stripe.paymentIntents.update(gift.id, { metadata: { gift: '6' }, amount: 4794 });
  await stripe.paymentIntents.confirm(gift.id, {
    payment_method: (await stripe.paymentMethods.create(card('5555555555554444'))).id,
  });
  const dropped = await stripe.paymentIntents.create({
    amount: 799,
    currency: 'usd',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  await stripe.paymentIntents.cancel(dropped.id);

  await stripe.subscriptions.cancel(active.id, {
    prorate: true,
    invoice_now: true,
    cancellation_details: { comment: 'Thanks' },
  });
  await stripe.customers.del(customer.id);
  await stripe.events.list({ types: ['invoice.paid', 'charge.refunded'], limit: 5 });
  await stripe.events.retrieve(events[0]?.id ?? '');
  await stripe.promotionCodes.update(code.id, { active: false });
  await stripe.coupons.del(coupon.id);
  await stripe.testHelpers.testClocks.del(clock.id);
}

test('the official SDK runs a listener’s years, and its requests match Stripe’s published description', async () => {
  await liveThroughAYear();
  await sandbox.settled();

  expect(sent.length).toBeGreaterThanOrEqual(58);
  // The bank's answer is the sandbox's own call: with Stripe it happens on the bank's page.
  const checked = await checkRequests(sent.filter(({ path }) => !path.startsWith('/v1/3ds2/')));
  process.stdout.write(describeChecks(`a whole story (${events.length} signed events)`, checked));
  expect(checked.filter(({ problems, isNewer }) => problems.length > 0 && !isNewer)).toEqual([]);

  const types = new Set(events.map(({ type }) => type as string));
  const wanted = [
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'customer.subscription.trial_will_end',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_failed',
    'invoice.upcoming',
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'setup_intent.succeeded',
    'payment_method.attached',
    'payment_method.detached',
    'charge.refunded',
  ];
  expect(wanted.filter((type) => !types.has(type))).toEqual([]);
});
