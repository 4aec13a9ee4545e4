import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  answerBank,
  attachCard,
  createPlans,
  createTestCustomer,
  createTestSandbox,
  failureOf,
} from '#test/test-sandbox.ts';

const { stripe, sandbox, events } = await createTestSandbox();
const { month } = await createPlans(stripe);

test('a gift is paid without an account, once, and refunded in parts and in full', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 2397,
    currency: 'usd',
    metadata: { gift: '3' },
    payment_method: 'pm_card_visa',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 2397, customer: null, metadata: { gift: '3' } });
  expect((await failureOf(stripe.paymentIntents.confirm(intent.id))).code).toBe('payment_intent_unexpected_state');
  const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 397 });
  expect(part).toMatchObject({ status: 'succeeded', amount: 397 });
  const charge = await stripe.charges.retrieve(String(intent.latest_charge));
  expect(charge).toMatchObject({ amount_refunded: 397, refunded: false });
  expect((await failureOf(stripe.refunds.create({ charge: charge.id, amount: 2001 }))).param).toBe('amount');
  await stripe.refunds.create({ payment_intent: intent.id });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 2397, refunded: true });
  expect((await failureOf(stripe.refunds.create({ payment_intent: intent.id }))).code).toBe('charge_already_refunded');
  await sandbox.settled();
  expect(events.filter(({ type }) => type === 'charge.refunded')).toHaveLength(2);
});

test('a declined payment returns its error, stays stored, and accepts another card', async () => {
  const error = await failureOf(
    stripe.paymentIntents.create({
      amount: 2397,
      currency: 'usd',
      payment_method: 'pm_card_chargeDeclinedInsufficientFunds',
      confirm: true,
    }),
  );
  expect([error.type, error.code, error.decline_code]).toEqual([
    'StripeCardError',
    'card_declined',
    'insufficient_funds',
  ]);
  const { id } = error.payment_intent as Stripe.PaymentIntent;
  const failed = await stripe.paymentIntents.retrieve(id);
  expect([failed.status, failed.last_payment_error?.decline_code]).toEqual([
    'requires_payment_method',
    'insufficient_funds',
  ]);
  expect((await stripe.charges.list({ payment_intent: id })).data).toMatchObject([{ paid: false, status: 'failed' }]);
  expect((await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_mastercard' })).status).toBe('succeeded');
});

test('the card of a payment is saved on request, and later charged without a question', async () => {
  const { customer } = await createTestCustomer(stripe);
  const intent = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'usd',
    customer,
    payment_method: 'pm_card_authenticationRequiredOnSetup',
    setup_future_usage: 'off_session',
    confirm: true,
  });
  expect(intent.status).toBe('requires_action');
  await answerBank(stripe, intent.id, 'complete');
  const method = String((await stripe.paymentIntents.retrieve(intent.id)).payment_method);
  expect((await stripe.paymentMethods.retrieve(method)).customer).toBe(customer);
  const later = await stripe.paymentIntents.create({
    amount: 700,
    currency: 'usd',
    customer,
    payment_method: method,
    off_session: true,
    confirm: true,
  });
  expect(later.status).toBe('succeeded');
});

test('a bank that always asks refuses charges without the customer', async () => {
  const { customer } = await createTestCustomer(stripe);
  const method = await attachCard(stripe, customer, '4000002760003184');
  const error = await failureOf(
    stripe.paymentIntents.create({
      amount: 700,
      currency: 'usd',
      customer,
      payment_method: method.id,
      off_session: true,
      confirm: true,
    }),
  );
  expect([error.code, error.decline_code]).toEqual(['authentication_required', 'authentication_required']);
});

test("another's card can neither pay, nor be attached, nor be made the default", async () => {
  const ada = await createTestCustomer(stripe);
  const bea = await createTestCustomer(stripe);
  const pay = failureOf(
    stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      customer: bea.customer,
      payment_method: ada.method,
      confirm: true,
    }),
  );
  expect((await pay).code).toBe('resource_missing');
  const nobody = failureOf(
    stripe.paymentIntents.create({ amount: 500, currency: 'usd', payment_method: ada.method, confirm: true }),
  );
  expect((await nobody).param).toBe('payment_method');
  const attach = await failureOf(stripe.paymentMethods.attach(ada.method, { customer: bea.customer }));
  expect(attach.code).toBe('payment_method_already_attached');
  const subscribe = await failureOf(
    stripe.subscriptions.create({
      customer: bea.customer,
      items: [{ price: month.id }],
      default_payment_method: ada.method,
    }),
  );
  expect([subscribe.code, subscribe.param]).toEqual(['resource_missing', 'default_payment_method']);
});

test('the same number always has the same fingerprint', async () => {
  const ada = await createTestCustomer(stripe);
  const bea = await createTestCustomer(stripe);
  const other = await createTestCustomer(stripe, { card: '5555555555554444' });
  const prints = [];
  for (const { method } of [ada, bea, other])
    prints.push((await stripe.paymentMethods.retrieve(method)).card?.fingerprint);
  expect(prints[0]).toBe(prints[1]);
  expect(prints[0]).not.toBe(prints[2]);
});

test('a disputed charge sends an event, and cannot be refunded', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  await sandbox.settled();
  const dispute = events.find(({ type }) => type === 'charge.dispute.created');
  expect(dispute?.data.object).toMatchObject({ amount: 900, payment_intent: intent.id, status: 'needs_response' });
  expect((await failureOf(stripe.refunds.create({ payment_intent: intent.id }))).code).toBe('charge_disputed');
});

test('a deleted customer loses subscriptions and cards, and is returned as deleted', async () => {
  const { customer, method } = await createTestCustomer(stripe);
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: month.id }],
    default_payment_method: method,
  });
  await stripe.customers.del(customer);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled');
  expect((await stripe.paymentMethods.retrieve(method)).customer).toBeNull();
});

test('a detached card is no longer a default', async () => {
  const { customer, method } = await createTestCustomer(stripe);
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: month.id }],
    default_payment_method: method,
  });
  await stripe.paymentMethods.detach(method);
  const kept = (await stripe.customers.retrieve(customer)) as Stripe.Customer;
  expect(kept.invoice_settings.default_payment_method).toBeNull();
  expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBeNull();
});
