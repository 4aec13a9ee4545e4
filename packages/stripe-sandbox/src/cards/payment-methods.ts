import type Stripe from 'stripe';
import type { z } from 'zod';
import { Failure, invalid, missing } from '../http/failure.ts';
import type { billingDetails } from '../http/parameters.ts';
import { idOf, newIdOf, optionalIdOf } from '../store/ids.ts';
import type { Row } from '../store/store.ts';
import { type Work, changedFrom } from '../store/work.ts';
import { clockOfCustomer, findCustomer } from '../customers/find-customer.ts';
import { type CardInput, readCard } from './read-card.ts';
import { type DeclineName, countryOf, declines, testPaymentMethods } from './test-cards.ts';

export type BillingDetailsInput = z.output<typeof billingDetails>;

export function readBillingDetails(input: BillingDetailsInput | undefined): Stripe.PaymentMethod.BillingDetails {
  const blank = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  return {
    address: { ...blank, ...input?.address },
    email: input?.email ?? null,
    name: input?.name ?? null,
    phone: input?.phone ?? null,
    tax_id: null,
  };
}

/** The full card number is discarded here: only its last digits, its brand and a keyed hash are stored. */
export async function createCard(
  work: Work,
  card: CardInput,
  { billing, metadata = {} }: { billing?: BillingDetailsInput; metadata?: Stripe.Metadata } = {},
): Promise<Stripe.PaymentMethod> {
  const created = await work.now(null);
  const read = readCard(card, { now: created, hashKey: work.hashKey });
  const method: Stripe.PaymentMethod = {
    id: newIdOf('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: readBillingDetails(billing),
    card: {
      brand: read.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: read.hasCvc ? 'unchecked' : null,
      },
      country: countryOf(card.number),
      display_brand: read.brand === 'amex' ? 'american_express' : read.brand,
      exp_month: read.expMonth,
      exp_year: read.expYear,
      fingerprint: read.fingerprint,
      funding: 'credit',
      generated_from: null,
      last4: read.last4,
      networks: { available: [read.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    type: 'card',
  };
  await work.store.insert<'payment_method'>(method, { behaviour: read.behaviour, setUp: false });
  return method;
}

/** @param id id of a payment method, or the name of a test card @throws Failure */
export async function findPaymentMethod(
  work: Work,
  id: string,
  parameter = 'payment_method',
): Promise<Row<'payment_method'>> {
  const number = testPaymentMethods[id];
  if (number === undefined)
    return work.store.row('payment_method', id, parameter).catch(() => {
      throw missingMethod(id, parameter);
    });
  const { id: made } = await createCard(work, {
    number,
    exp_month: 12,
    exp_year: 2034,
    cvc: number.startsWith('37') ? '1234' : '123',
  });
  return work.store.row('payment_method', made);
}

function missingMethod(id: string, parameter: string): Failure {
  const { details } = missing('payment_method', id, parameter);
  return new Failure({ ...details, message: `No such PaymentMethod: '${id}'` });
}

export function declined(name: DeclineName, extra: Partial<Failure['details']> = {}): Failure {
  return new Failure({ status: 402, type: 'card_error', ...declines[name], ...extra });
}

/** @throws Failure 402 for a card that its bank refuses, 400 for a card of another customer */
export async function attachPaymentMethod(work: Work, id: string, customer: string): Promise<Stripe.PaymentMethod> {
  const { document: before, hidden } = await findPaymentMethod(work, id);
  const owner = optionalIdOf(before.customer);
  if (owner === customer) return before;
  if (owner !== null)
    throw invalid(
      'The payment method you provided has already been attached to a customer.',
      undefined,
      'payment_method_already_attached',
    );
  await findCustomer(work, customer, 'customer');
  if (hidden.behaviour.declinesAlways !== undefined) throw declined(hidden.behaviour.declinesAlways);
  const after: Stripe.PaymentMethod = { ...before, customer, card: checked(before.card) };
  await work.store.save(after);
  await work.emit('payment_method.attached', after, { clock: await clockOfCustomer(work, customer) });
  return after;
}

function checked(card: Stripe.PaymentMethod.Card | undefined): Stripe.PaymentMethod.Card | undefined {
  if (card?.checks === undefined || card.checks === null || card.checks.cvc_check === null) return card;
  return { ...card, checks: { ...card.checks, cvc_check: 'pass' } };
}

/** Detaches the card for good and removes every reference to it. */
export async function detachPaymentMethod(work: Work, id: string): Promise<Stripe.PaymentMethod> {
  const { document: before } = await findPaymentMethod(work, id);
  const owner = optionalIdOf(before.customer);
  if (owner === null)
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.');
  const clock = await clockOfCustomer(work, owner);
  const after: Stripe.PaymentMethod = { ...before, customer: null };
  await work.store.save(after);
  await work.emit('payment_method.detached', after, { clock, previous: { customer: owner } });
  const customer = await work.store.find('customer', owner);
  if (customer !== undefined && !customer.deleted && isDefault(customer.document, id)) {
    const { document } = customer;
    const changed = { ...document, invoice_settings: { ...document.invoice_settings, default_payment_method: null } };
    await work.store.save<'customer'>(changed);
    await work.emit('customer.updated', changed, { clock, previous: changedFrom(document, changed) });
  }
  for (const subscription of await work.store.all('subscription', [{ path: 'default_payment_method', is: id }])) {
    const changed = { ...subscription, default_payment_method: null };
    await work.store.save<'subscription'>(changed);
    await work.emit('customer.subscription.updated', changed, { clock, previous: { default_payment_method: id } });
  }
  return after;
}

function isDefault({ invoice_settings }: Stripe.Customer, id: string): boolean {
  return optionalIdOf(invoice_settings.default_payment_method) === id;
}

/** @throws Failure 400 if the card is not this customer's */
export async function requireOwnMethod(work: Work, id: string, customer: string, parameter: string): Promise<void> {
  const row = await work.store.find('payment_method', id);
  if (row !== undefined && row.document.customer !== null && idOf(row.document.customer) === customer) return;
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    parameter,
    'resource_missing',
  );
}
