import { z } from 'zod';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import { billingDetails, equal, mergeMetadata, metadata, natural, paging, text } from '../http/parameters.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { optionalIdOf } from '../store/ids.ts';
import { changedFrom } from '../store/work.ts';
import {
  attachPaymentMethod,
  createCard,
  detachPaymentMethod,
  findPaymentMethod,
  readBillingDetails,
} from './payment-methods.ts';
import { CardInput } from './read-card.ts';

const PaymentMethodCreate = z.strictObject({
  type: z.literal('card'),
  card: CardInput,
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
});

const PaymentMethodUpdate = z.strictObject({
  billing_details: billingDetails.optional(),
  card: z.strictObject({ exp_month: natural.optional(), exp_year: natural.optional() }).optional(),
  metadata: metadata.optional(),
});

const PaymentMethodList = z.strictObject({
  ...paging,
  customer: text.optional(),
  type: z.literal('card').optional(),
});

export const paymentMethodEndpoints: Endpoint[] = [
  post(
    '/v1/payment_methods',
    PaymentMethodCreate,
    (work, input) =>
      createCard(work, input.card, {
        billing: input.billing_details,
        metadata: mergeMetadata({}, input.metadata),
      }),
    { forBrowsers: true },
  ),
  get('/v1/payment_methods', PaymentMethodList, async (work, input) => {
    if (input.customer === undefined)
      throw invalid('Missing required param: customer.', 'customer', 'parameter_missing');
    await findCustomer(work, input.customer, 'customer');
    return listOf(work, 'payment_method', equal({ customer: input.customer }), input, '/v1/payment_methods');
  }),
  get('/v1/payment_methods/:id', z.strictObject({}), async (work, _input, path) =>
    work.store.get('payment_method', named(path, 'id'), 'payment_method'),
  ),
  post('/v1/payment_methods/:id', PaymentMethodUpdate, async (work, input, path) => {
    const { document: before } = await findPaymentMethod(work, named(path, 'id'));
    const owner = optionalIdOf(before.customer);
    if (owner === null)
      throw invalid('You must save this PaymentMethod to a customer before you can update it.', 'payment_method');
    const { card } = before;
    const after = {
      ...before,
      billing_details:
        input.billing_details === undefined ? before.billing_details : readBillingDetails(input.billing_details),
      ...(card === undefined ? {} : { card: { ...card, ...input.card } }),
      metadata: mergeMetadata(before.metadata, input.metadata),
    };
    await work.store.save<'payment_method'>(after);
    const { test_clock } = await findCustomer(work, owner, 'customer');
    await work.emit('payment_method.updated', after, {
      clock: optionalIdOf(test_clock),
      previous: changedFrom(before, after),
    });
    return after;
  }),
  post('/v1/payment_methods/:id/attach', z.strictObject({ customer: text }), (work, { customer }, path) =>
    attachPaymentMethod(work, named(path, 'id'), customer),
  ),
  post('/v1/payment_methods/:id/detach', z.strictObject({}), (work, _input, path) =>
    detachPaymentMethod(work, named(path, 'id')),
  ),
  get('/v1/customers/:customer/payment_methods', PaymentMethodList, async (work, input, path) => {
    const customer = named(path, 'customer');
    await findCustomer(work, customer, 'customer');
    return listOf(work, 'payment_method', equal({ customer }), input, `/v1/customers/${customer}/payment_methods`);
  }),
];
