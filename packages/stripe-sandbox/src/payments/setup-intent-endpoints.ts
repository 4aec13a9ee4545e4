import type Stripe from 'stripe';
import { z } from 'zod';
import { findPaymentMethod } from '../cards/payment-methods.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listing } from '../http/list.ts';
import { flag, mergeMetadata, metadata, text } from '../http/parameters.ts';
import type { Work } from '../store/work.ts';
import { answerBank, confirmSetup } from './after-payment.ts';
import { canceled, confirmation, intentFailure, methodOf, requireSecret, unexpectedState } from './intents.ts';
import { automaticMethods } from './payment-intent-endpoints.ts';
import { createSetupIntent } from './setup-intents.ts';

const path = '/v1/setup_intents';

const SetupIntentCreate = z.strictObject({
  automatic_payment_methods: automaticMethods,
  confirm: flag.optional(),
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  payment_method: text.optional(),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  return_url: z.url().optional(),
  usage: z.enum(['off_session', 'on_session']).optional(),
});

const SetupIntentConfirm = z.strictObject(confirmation);

async function confirm(
  work: Work,
  id: string,
  input: z.output<typeof SetupIntentConfirm>,
): Promise<Stripe.SetupIntent> {
  const before = await work.store.get('setup_intent', id, 'setup_intent');
  requireSecret(work, before, input.client_secret);
  if (before.status === 'succeeded' || before.status === 'canceled') throw unexpectedState(before, 'confirm');
  const given = await methodOf(work, input);
  const method = given === undefined ? before.payment_method : (await findPaymentMethod(work, given)).document.id;
  const intent = await confirmSetup(work, { ...before, payment_method: method }, false);
  if (intent.status === 'requires_payment_method') throw intentFailure(intent, true);
  return intent;
}

async function cancel(work: Work, id: string): Promise<Stripe.SetupIntent> {
  const before = await work.store.get('setup_intent', id, 'setup_intent');
  if (before.status === 'succeeded' || before.status === 'canceled') throw unexpectedState(before, 'cancel');
  const after: Stripe.SetupIntent = { ...before, ...canceled };
  await work.store.save(after);
  await work.emit('setup_intent.canceled', after, { clock: null });
  return after;
}

const Authentication = z.strictObject({
  client_secret: text.optional(),
  outcome: z.enum(['complete', 'fail']),
  source: text,
});

export const setupIntentEndpoints: Endpoint[] = [
  post(path, SetupIntentCreate, async (work, input) => {
    if (input.customer !== undefined) await findCustomer(work, input.customer, 'customer');
    const method =
      input.payment_method === undefined ? null : (await findPaymentMethod(work, input.payment_method)).document.id;
    const intent = await createSetupIntent(work, {
      customer: input.customer ?? null,
      paymentMethod: method,
      usage: input.usage,
      description: input.description,
      metadata: mergeMetadata({}, input.metadata),
      automatic: input.automatic_payment_methods?.enabled ?? input.allowed_payment_method_types === undefined,
    });
    return input.confirm === true ? confirm(work, intent.id, { client_secret: intent.client_secret ?? '' }) : intent;
  }),
  listing(path, 'setup_intent', ['customer']),
  get(
    `${path}/:id`,
    z.strictObject({ client_secret: text.optional() }),
    async (work, input, at) => {
      const intent = await work.store.get('setup_intent', named(at, 'id'), 'setup_intent');
      requireSecret(work, intent, input.client_secret);
      return intent;
    },
    { forBrowsers: true },
  ),
  post(`${path}/:id/confirm`, SetupIntentConfirm, (work, input, at) => confirm(work, named(at, 'id'), input), {
    forBrowsers: true,
  }),
  post(
    `${path}/:id/cancel`,
    z.strictObject({ cancellation_reason: z.enum(['abandoned', 'duplicate', 'requested_by_customer']).optional() }),
    (work, _input, at) => cancel(work, named(at, 'id')),
  ),
  // The customer's answer in the bank's dialog; with Stripe it happens on the bank's own page.
  post(
    '/v1/3ds2/authenticate',
    Authentication,
    async (work, input) => {
      const intent = input.source.startsWith('seti_')
        ? await work.store.get('setup_intent', input.source, 'source')
        : await work.store.get('payment_intent', input.source, 'source');
      requireSecret(work, intent, input.client_secret);
      if (intent.status !== 'requires_action')
        throw invalid(`The bank is not asking: the status is ${intent.status}.`, 'source');
      return answerBank(work, intent, input.outcome === 'complete');
    },
    { forBrowsers: true },
  ),
];
