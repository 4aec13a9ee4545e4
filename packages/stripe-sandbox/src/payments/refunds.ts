import type Stripe from 'stripe';
import { z } from 'zod';
import { clockOfCustomer } from '../customers/find-customer.ts';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listing } from '../http/list.ts';
import { mergeMetadata, metadata, natural, text } from '../http/parameters.ts';
import { newIdOf, optionalIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';

const RefundCreate = z.strictObject({
  amount: natural.pipe(z.number().min(1)).optional(),
  charge: text.optional(),
  metadata: metadata.optional(),
  payment_intent: text.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

async function chargeOf(work: Work, input: z.output<typeof RefundCreate>): Promise<Stripe.Charge> {
  if (input.charge !== undefined) return work.store.get('charge', input.charge, 'charge');
  if (input.payment_intent === undefined)
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      undefined,
      'parameter_missing',
    );
  const { id, latest_charge, status } = await work.store.get('payment_intent', input.payment_intent, 'payment_intent');
  const charge = optionalIdOf(latest_charge);
  if (status !== 'succeeded' || charge === null)
    throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`, 'payment_intent');
  return work.store.get('charge', charge);
}

async function createRefund(work: Work, input: z.output<typeof RefundCreate>): Promise<Stripe.Refund> {
  const before = await chargeOf(work, input);
  const left = before.amount - before.amount_refunded;
  if (!before.paid || before.refunded || left === 0)
    throw invalid(`Charge ${before.id} has already been refunded.`, undefined, 'charge_already_refunded');
  if (before.disputed) throw invalid(`Charge ${before.id} has been charged back.`, undefined, 'charge_disputed');
  const amount = input.amount ?? left;
  if (amount > left)
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount');
  const clock = await clockOfCustomer(work, optionalIdOf(before.customer));
  const refund: Stripe.Refund = {
    id: newIdOf('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: before.id,
    created: await work.now(clock),
    currency: before.currency,
    customer: before.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: mergeMetadata({}, input.metadata),
    payment_intent: before.payment_intent,
    payment_method: before.payment_method,
    reason: input.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  await work.store.insert<'refund'>(refund);
  const after = { ...before, amount_refunded: before.amount_refunded + amount, refunded: amount === left };
  await work.store.save<'charge'>(after);
  await work.emit('charge.refunded', after, { clock, previous: changedFrom(before, after) });
  await work.emit('refund.created', refund, { clock });
  return refund;
}

export const refundEndpoints: Endpoint[] = [
  post('/v1/refunds', RefundCreate, createRefund),
  listing('/v1/refunds', 'refund', ['charge', 'payment_intent']),
  get('/v1/refunds/:id', z.strictObject({}), (work, _input, at) => work.store.get('refund', named(at, 'id'))),
  listing('/v1/charges', 'charge', ['created', 'customer', 'payment_intent']),
  get('/v1/charges/:id', z.strictObject({}), (work, _input, at) => work.store.get('charge', named(at, 'id'))),
  listing('/v1/disputes', 'dispute', ['charge', 'payment_intent']),
  get('/v1/disputes/:id', z.strictObject({}), (work, _input, at) => work.store.get('dispute', named(at, 'id'))),
];
