import type Stripe from 'stripe';
import { z } from 'zod';
import { findPaymentMethod, requireOwnMethod } from '../cards/payment-methods.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listing } from '../http/list.ts';
import { clearable, currency, flag, mergeMetadata, metadata, natural, text } from '../http/parameters.ts';
import { optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { confirmPayment } from './after-payment.ts';
import { canceled, confirmation, intentFailure, methodOf, requireSecret, unexpectedState } from './intents.ts';
import { createPaymentIntent } from './payment-intents.ts';

const path = '/v1/payment_intents';

export const automaticMethods = z
  .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
  .optional();

const use = {
  off_session: flag.optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
};

const PaymentIntentCreate = z.strictObject({
  ...use,
  payment_method: text.optional(),
  return_url: z.url().optional(),
  amount: natural,
  automatic_payment_methods: automaticMethods,
  capture_method: z.literal('automatic').optional(),
  confirm: flag.optional(),
  currency,
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  receipt_email: text.optional(),
  statement_descriptor: text.max(22).optional(),
  statement_descriptor_suffix: text.max(22).optional(),
});

const PaymentIntentUpdate = z.strictObject({
  amount: natural.optional(),
  customer: text.optional(),
  description: clearable(text).optional(),
  metadata: metadata.optional(),
  payment_method: text.optional(),
  receipt_email: clearable(text).optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
});

const PaymentIntentConfirm = z.strictObject({ ...use, ...confirmation, receipt_email: text.optional() });

const minAmount = 50;

async function create(work: Work, input: z.output<typeof PaymentIntentCreate>): Promise<Stripe.PaymentIntent> {
  if (input.amount < minAmount) throw invalid('Amount must be at least $0.50 usd', 'amount', 'amount_too_small');
  if (input.customer !== undefined) await findCustomer(work, input.customer, 'customer');
  const method =
    input.payment_method === undefined ? null : await usable(work, input.payment_method, input.customer ?? null);
  const intent = await createPaymentIntent(work, {
    amount: input.amount,
    currency: input.currency,
    customer: input.customer ?? null,
    paymentMethod: method,
    setupFutureUsage: input.setup_future_usage ?? null,
    description: input.description,
    metadata: mergeMetadata({}, input.metadata),
    receiptEmail: input.receipt_email,
    statementDescriptor: input.statement_descriptor,
    statementDescriptorSuffix: input.statement_descriptor_suffix,
    automatic: input.automatic_payment_methods?.enabled ?? input.allowed_payment_method_types === undefined,
  });
  return input.confirm === true ? confirm(work, intent.id, { off_session: input.off_session }) : intent;
}

/** Refuses another customer's card; an unattached card may be used once. */
async function usable(work: Work, id: string, customer: string | null): Promise<string> {
  const { document } = await findPaymentMethod(work, id);
  if (document.customer === null) return document.id;
  if (customer === null)
    throw invalid(
      'The PaymentMethod belongs to a customer; please include the customer in the `customer` parameter on the PaymentIntent.',
      'payment_method',
    );
  await requireOwnMethod(work, document.id, customer, 'payment_method');
  return document.id;
}

async function confirm(
  work: Work,
  id: string,
  input: Partial<z.output<typeof PaymentIntentConfirm>>,
): Promise<Stripe.PaymentIntent> {
  const before = await work.store.get('payment_intent', id, 'intent');
  requireSecret(work, before, input.client_secret);
  const states = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
  if (!states.includes(before.status)) throw unexpectedState(before, 'confirm');
  const given = await methodOf(work, input);
  const method =
    given === undefined
      ? optionalIdOf(before.payment_method)
      : await usable(work, given, optionalIdOf(before.customer));
  await work.store.save<'payment_intent'>({
    ...before,
    payment_method: method,
    receipt_email: input.receipt_email ?? before.receipt_email,
    setup_future_usage: input.setup_future_usage ?? before.setup_future_usage,
  });
  const intent = await confirmPayment(work, id, { mayAsk: input.off_session !== true });
  if (intent.status === 'requires_payment_method') throw intentFailure(intent, true);
  return intent;
}

async function cancel(work: Work, id: string): Promise<Stripe.PaymentIntent> {
  const before = await work.store.get('payment_intent', id, 'intent');
  if (before.status === 'succeeded' || before.status === 'canceled') throw unexpectedState(before, 'cancel');
  const after: Stripe.PaymentIntent = { ...before, ...canceled, canceled_at: await work.now(null) };
  await work.store.save(after);
  await work.emit('payment_intent.canceled', after, { clock: null });
  return after;
}

export const paymentIntentEndpoints: Endpoint[] = [
  post(path, PaymentIntentCreate, create),
  listing(path, 'payment_intent', ['created', 'customer']),
  get(
    `${path}/:id`,
    z.strictObject({ client_secret: text.optional() }),
    async (work, input, at) => {
      const intent = await work.store.get('payment_intent', named(at, 'id'), 'intent');
      requireSecret(work, intent, input.client_secret);
      return intent;
    },
    { forBrowsers: true },
  ),
  post(`${path}/:id`, PaymentIntentUpdate, async (work, input, at) => {
    const before = await work.store.get('payment_intent', named(at, 'id'), 'intent');
    if (before.status === 'succeeded' || before.status === 'canceled')
      throw invalid(
        `This PaymentIntent could not be updated because it is ${before.status}.`,
        undefined,
        'payment_intent_unexpected_state',
      );
    const { metadata: changes, payment_method: given, ...plain } = input;
    const customer = input.customer ?? optionalIdOf(before.customer);
    const method = given === undefined ? before.payment_method : await usable(work, given, customer);
    const after: Stripe.PaymentIntent = {
      ...before,
      ...plain,
      metadata: mergeMetadata(before.metadata, changes),
      payment_method: method,
      status: method !== null && before.status === 'requires_payment_method' ? 'requires_confirmation' : before.status,
    };
    await work.store.save(after);
    return after;
  }),
  post(`${path}/:id/confirm`, PaymentIntentConfirm, (work, input, at) => confirm(work, named(at, 'id'), input), {
    forBrowsers: true,
  }),
  post(
    `${path}/:id/cancel`,
    z.strictObject({
      cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    }),
    (work, _input, at) => cancel(work, named(at, 'id')),
  ),
];
