/** @module-tag slow */
import type Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import {
  answerBank,
  attachCard,
  createPlans,
  createTestCustomer,
  createTestSandbox,
  failureOf,
} from '#test/test-sandbox.ts';

const { stripe, sandbox, events } = await createTestSandbox();
const { month, year } = await createPlans(stripe);

beforeEach(async () => {
  await sandbox.settled();
  events.length = 0;
});

/** Pays a month with a working card, then switches to a year with another card; some cents are owed already. */
async function changeWith(card: string) {
  const { customer, until } = await createTestCustomer(stripe);
  const made = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
  const method = await attachCard(stripe, customer, card);
  await stripe.subscriptions.update(made.id, { default_payment_method: method.id });
  await stripe.customers.createBalanceTransaction(customer, { amount: -100, currency: 'usd' });
  const changed = await stripe.subscriptions.update(made.id, {
    items: [{ id: made.items.data[0]?.id ?? '', price: year.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice.confirmation_secret'],
  });
  const invoice = changed.latest_invoice as Stripe.Invoice;
  const get = () => stripe.subscriptions.retrieve(made.id);
  const secret = invoice.confirmation_secret?.client_secret ?? '';
  return { customer, until, made, changed, invoice, intent: secret.split('_secret_')[0] ?? '', get };
}

const priceOf = ({ items }: Stripe.Subscription) => items.data[0]?.price.id;
const balanceOf = async (customer: string) => ((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance;

test('a change that is paid at once does not wait', async () => {
  const { changed, invoice } = await changeWith('5555555555554444');
  expect([changed.pending_update, priceOf(changed), invoice.status]).toEqual([null, year.id, 'paid']);
  expect(invoice.amount_paid).toBe(5988 - 799 - 100);
});

test('a change waits for the bank, and applies from its answer on', async () => {
  const { changed, invoice, intent, get } = await changeWith('4000002760003184');
  expect([changed.status, priceOf(changed), invoice.status]).toEqual(['active', month.id, 'open']);
  expect(changed.pending_update?.subscription_items?.[0]?.price.id).toBe(year.id);
  await answerBank(stripe, intent, 'complete');
  const after = await get();
  expect([after.pending_update, priceOf(after)]).toEqual([null, year.id]);
  await sandbox.settled();
  expect(events.map(({ type }) => type)).toContain('customer.subscription.pending_update_applied');
});

test('a refused card keeps it pending; voiding the invoice undoes change, payment and used credit', async () => {
  const { customer, changed, invoice, intent, get } = await changeWith('4000000000000341');
  expect([changed.status, priceOf(changed), invoice.status]).toEqual(['active', month.id, 'open']);
  expect([invoice.next_payment_attempt, await balanceOf(customer)]).toEqual([null, 0]);
  await stripe.invoices.voidInvoice(invoice.id);
  const after = await get();
  expect([after.status, after.pending_update, priceOf(after)]).toEqual(['active', null, month.id]);
  expect(await balanceOf(customer)).toBe(-100);
  expect((await stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
  expect((await failureOf(stripe.paymentIntents.confirm(intent))).statusCode).toBe(400);
});

test('after 23 hours it expires', async () => {
  const { invoice, until, get } = await changeWith('4000002760003184');
  await until(22.9 / 24);
  expect((await get()).pending_update).not.toBeNull();
  await until(23.1 / 24);
  const after = await get();
  expect([after.status, after.pending_update, priceOf(after)]).toEqual(['active', null, month.id]);
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('void');
  await sandbox.settled();
  expect(events.map(({ type }) => type)).toContain('customer.subscription.pending_update_expired');
});

test('another change replaces it, and the end of the subscription ends it', async () => {
  const { made, invoice, get } = await changeWith('4000002760003184');
  const item = made.items.data[0]?.id ?? '';
  const again = await stripe.subscriptions.update(made.id, {
    items: [{ id: item, price: year.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  });
  expect(again.latest_invoice).not.toBe(invoice.id);
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('void');
  await stripe.subscriptions.cancel(made.id);
  expect((await get()).pending_update).toBeNull();
  expect((await stripe.invoices.retrieve(String(again.latest_invoice))).status).toBe('void');
});

test('only a change that affects the payment can wait', async () => {
  const { made } = await changeWith('5555555555554444');
  const refused = await failureOf(
    stripe.subscriptions.update(made.id, { payment_behavior: 'pending_if_incomplete', metadata: { a: 'b' } }),
  );
  expect([refused.statusCode, refused.param]).toEqual([400, 'metadata']);
});
