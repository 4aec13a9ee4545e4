import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, del, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import {
  address,
  clearable,
  createdRange,
  createdWithin,
  currency,
  equal,
  integer,
  mergeMetadata,
  metadata,
  paging,
  text,
} from '../http/parameters.ts';
import { attachPaymentMethod, requireOwnMethod } from '../cards/payment-methods.ts';
import { newIdOf, optionalIdOf, randomText } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';
import { endSubscription } from '../subscriptions/end.ts';
import { locate, unrecognized } from '../tax/locate.ts';
import { changeBalance } from './balance.ts';
import { findCustomer } from './find-customer.ts';

const fields = {
  address: clearable(address).optional(),
  balance: integer.optional(),
  description: clearable(text).optional(),
  email: clearable(text).optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearable(text).optional() }).optional(),
  metadata: metadata.optional(),
  name: clearable(text).optional(),
  phone: clearable(text).optional(),
  preferred_locales: z.array(text).optional(),
  tax: z
    .strictObject({
      ip_address: clearable(z.union([z.ipv4('Invalid IP address'), z.ipv6('Invalid IP address')])).optional(),
      validate_location: z.enum(['auto', 'deferred', 'immediately']).optional(),
    })
    .optional(),
};

const CustomerCreate = z.strictObject({ ...fields, payment_method: text.optional(), test_clock: text.optional() });
const CustomerUpdate = z.strictObject(fields);
type CustomerInput = z.output<typeof CustomerUpdate>;

const CustomerList = z.strictObject({
  ...paging,
  created: createdRange,
  email: text.optional(),
  test_clock: text.optional(),
});

const BalanceTransactionCreate = z.strictObject({
  amount: integer,
  currency,
  description: text.optional(),
  metadata: metadata.optional(),
});

async function createCustomer(work: Work, input: z.output<typeof CustomerCreate>): Promise<Stripe.Customer> {
  const clock = input.test_clock ?? null;
  if (clock !== null) await work.store.get('test_helpers.test_clock', clock, 'test_clock');
  const customer: Stripe.Customer = {
    id: newIdOf('customer'),
    object: 'customer',
    address: null,
    balance: 0,
    created: await work.now(clock),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: clock,
  };
  await work.store.insert<'customer'>(customer);
  if (input.payment_method !== undefined) await attachPaymentMethod(work, input.payment_method, customer.id);
  const filled = { ...customer, ...(await readFields(work, customer, input)) };
  await work.store.save<'customer'>(filled);
  await changeTax(work, filled, input.tax);
  await work.emit('customer.created', filled, { clock });
  return filled;
}

async function readFields(
  work: Work,
  before: Stripe.Customer,
  input: CustomerInput,
): Promise<Partial<Stripe.Customer>> {
  const { invoice_settings, metadata: changes, address: place, tax: _tax, ...plain } = input;
  const method = invoice_settings?.default_payment_method;
  if (method !== undefined && method !== null)
    await requireOwnMethod(work, method, before.id, 'invoice_settings[default_payment_method]');
  const blank = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  return {
    ...plain,
    ...(place === undefined ? {} : { address: place === null ? null : { ...blank, ...place } }),
    ...(method === undefined
      ? {}
      : { invoice_settings: { ...before.invoice_settings, default_payment_method: method } }),
    metadata: mergeMetadata(before.metadata, changes),
  };
}

/** @throws Failure 400 when the place is to be known at once and is not */
async function changeTax(work: Work, customer: Stripe.Customer, tax: CustomerInput['tax']): Promise<void> {
  if (tax?.ip_address !== undefined)
    await work.store.save<'customer'>(customer, { taxAddress: tax.ip_address ?? undefined });
  if (tax?.validate_location === 'immediately' && (await locate(work, customer)).location === null)
    throw unrecognized();
}

async function updateCustomer(work: Work, id: string, input: CustomerInput): Promise<Stripe.Customer> {
  const before = await findCustomer(work, id, 'id');
  const after: Stripe.Customer = { ...before, ...(await readFields(work, before, input)) };
  const previous = changedFrom(before, after);
  await work.store.save(after);
  await changeTax(work, after, input.tax);
  if (Object.keys(previous).length === 0) return before;
  await work.emit('customer.updated', after, { clock: optionalIdOf(after.test_clock), previous });
  return after;
}

async function deleteCustomer(work: Work, id: string): Promise<Stripe.DeletedCustomer> {
  const customer = await findCustomer(work, id, 'id');
  for (const subscription of await work.store.all('subscription', equal({ customer: id })))
    if (subscription.ended_at === null) await endSubscription(work, subscription, 'cancellation_requested');
  for (const method of await work.store.all('payment_method', equal({ customer: id })))
    await work.store.save<'payment_method'>({ ...method, customer: null });
  const remains = { id, object: 'customer', deleted: true } as const;
  await work.emit('customer.deleted', customer, { clock: optionalIdOf(customer.test_clock) });
  await work.store.remove('customer', id, remains);
  return remains;
}

export const customerEndpoints: Endpoint[] = [
  post('/v1/customers', CustomerCreate, createCustomer),
  get('/v1/customers', CustomerList, (work, input) =>
    listOf(
      work,
      'customer',
      [...equal({ email: input.email, test_clock: input.test_clock }), ...createdWithin(input.created)],
      input,
      '/v1/customers',
    ),
  ),
  // A deleted customer is still returned, marked as deleted.
  get('/v1/customers/:id', z.strictObject({}), async (work, _input, path) => {
    const row = await work.store.find('customer', named(path, 'id'));
    return row?.document ?? findCustomer(work, named(path, 'id'), 'id');
  }),
  post('/v1/customers/:id', CustomerUpdate, (work, input, path) => updateCustomer(work, named(path, 'id'), input)),
  del('/v1/customers/:id', z.strictObject({}), (work, _input, path) => deleteCustomer(work, named(path, 'id'))),
  post('/v1/customers/:id/balance_transactions', BalanceTransactionCreate, async (work, input, path) => {
    const customer = await findCustomer(work, named(path, 'id'), 'customer');
    if (customer.currency && customer.currency !== input.currency)
      throw invalid(`The currency must match the customer's currency (${customer.currency}).`, 'currency');
    return changeBalance(work, customer, {
      ...input,
      type: 'adjustment',
      metadata: mergeMetadata({}, input.metadata),
    });
  }),
  get('/v1/customers/:id/balance_transactions', z.strictObject(paging), async (work, input, path) => {
    const customer = named(path, 'id');
    await findCustomer(work, customer, 'customer');
    return listOf(
      work,
      'customer_balance_transaction',
      equal({ customer }),
      input,
      `/v1/customers/${customer}/balance_transactions`,
    );
  }),
  get('/v1/customers/:id/balance_transactions/:transaction', z.strictObject({}), (work, _input, path) =>
    work.store.get('customer_balance_transaction', named(path, 'transaction'), 'transaction'),
  ),
];
