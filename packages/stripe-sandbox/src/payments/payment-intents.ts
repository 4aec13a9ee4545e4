import type Stripe from 'stripe';
import type { DeclineName } from '../cards/test-cards.ts';
import { clockOfCustomer } from '../customers/find-customer.ts';
import type { HiddenOf } from '../store/documents.ts';
import { newIdOf, optionalIdOf, randomText } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { createCharge } from './charge.ts';
import { disputeCharge } from './dispute.ts';
import { asked, authenticationError, declineError, refused, requireMethod } from './intents.ts';

export type NewPaymentIntent = {
  amount: number;
  currency: string;
  customer: string | null;
  paymentMethod: string | null;
  setupFutureUsage?: Stripe.PaymentIntent.SetupFutureUsage | null;
  description?: string | null;
  metadata?: Stripe.Metadata;
  receiptEmail?: string | null;
  statementDescriptor?: string | null;
  statementDescriptorSuffix?: string | null;
  automatic?: boolean;
};

export async function createPaymentIntent(
  work: Work,
  input: NewPaymentIntent,
  hidden: HiddenOf<'payment_intent'> = {},
): Promise<Stripe.PaymentIntent> {
  const clock = await clockOfCustomer(work, input.customer);
  const id = newIdOf('payment_intent');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: input.automatic === true ? { allow_redirects: 'never', enabled: true } : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: await work.now(clock),
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    description: input.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: input.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: input.receiptEmail ?? null,
    review: null,
    setup_future_usage: input.setupFutureUsage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: input.statementDescriptor ?? null,
    statement_descriptor_suffix: input.statementDescriptorSuffix ?? null,
    status: input.paymentMethod === null ? 'requires_payment_method' : 'requires_confirmation',
    transfer_data: null,
    transfer_group: null,
  };
  await work.store.insert<'payment_intent'>(intent, hidden);
  await work.emit('payment_intent.created', intent, { clock });
  return intent;
}

/**
 * Charges the card of an intent. The intent's status has the result: `succeeded`, `requires_action` for the bank's
 * question, or `requires_payment_method` with `last_payment_error`.
 * @param mayAsk the customer is present or reachable by mail; otherwise the bank's question counts as a refusal
 */
export async function attemptPayment(
  work: Work,
  id: string,
  { mayAsk }: { mayAsk: boolean },
): Promise<Stripe.PaymentIntent> {
  const { document: intent, hidden } = await work.store.row('payment_intent', id);
  const method = await requireMethod(work, intent);
  const { asks, declinesAlways, declinesCharges } = method.hidden.behaviour;
  const isAsked = hidden.authenticated !== true && (asks === 'always' || (asks === 'once' && !method.hidden.setUp));
  if (isAsked && mayAsk) return askBank(work, intent);
  const decline = isAsked ? 'authenticationRequired' : (declinesAlways ?? declinesCharges);
  const charge = await createCharge(work, intent, method, decline);
  if (decline !== undefined) return declineIntent(work, intent, method.document, decline, charge.id);
  if (method.hidden.behaviour.disputes === true) await disputeCharge(work, charge);
  return succeed(work, intent, charge);
}

async function askBank(work: Work, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const waiting: Stripe.PaymentIntent = { ...intent, ...asked(intent), last_payment_error: null };
  await work.store.save(waiting);
  const clock = await clockOfCustomer(work, optionalIdOf(intent.customer));
  await work.emit('payment_intent.requires_action', waiting, { clock });
  return waiting;
}

async function succeed(work: Work, intent: Stripe.PaymentIntent, charge: Stripe.Charge): Promise<Stripe.PaymentIntent> {
  const customer = optionalIdOf(intent.customer);
  const clock = await clockOfCustomer(work, customer);
  const done: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'succeeded',
  };
  await work.store.save(done);
  await work.emit('payment_intent.succeeded', done, { clock });
  if (charge.payment_method !== null && customer !== null && intent.setup_future_usage !== null)
    await keepForLater(work, charge.payment_method, customer);
  return done;
}

/** Attaches the card to the customer for later charges, which then need no question unless the bank always asks. */
export async function keepForLater(work: Work, methodId: string, customer: string): Promise<void> {
  const { document, hidden } = await work.store.row('payment_method', methodId);
  const kept = { ...document, customer };
  await work.store.save<'payment_method'>(kept, { ...hidden, setUp: true });
  if (document.customer === null)
    await work.emit('payment_method.attached', kept, { clock: await clockOfCustomer(work, customer) });
}

async function declineIntent(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: DeclineName,
  charge: string,
): Promise<Stripe.PaymentIntent> {
  const error = declineError(method, decline);
  const doc_url = `https://stripe.com/docs/error-codes/${error.code}`;
  return refuse(work, { ...intent, latest_charge: charge }, { charge, doc_url, ...error });
}

/** The bank's question was refused or not answered. */
export async function refuseAuthentication(work: Work, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  return refuse(work, intent, {
    code: 'payment_intent_authentication_failure',
    doc_url: 'https://stripe.com/docs/error-codes/payment-intent-authentication-failure',
    ...(await authenticationError(work, intent)),
  });
}

async function refuse(
  work: Work,
  intent: Stripe.PaymentIntent,
  error: Stripe.PaymentIntent.LastPaymentError,
): Promise<Stripe.PaymentIntent> {
  const after: Stripe.PaymentIntent = { ...intent, ...refused, last_payment_error: error };
  const { hidden } = await work.store.row('payment_intent', intent.id);
  await work.store.save(after, { ...hidden, authenticated: false });
  const clock = await clockOfCustomer(work, optionalIdOf(intent.customer));
  await work.emit('payment_intent.payment_failed', after, { clock });
  return after;
}
