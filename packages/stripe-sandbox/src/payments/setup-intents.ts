import type Stripe from 'stripe';
import { attachPaymentMethod, findPaymentMethod } from '../cards/payment-methods.ts';
import { declines } from '../cards/test-cards.ts';
import type { Decline } from '../cards/test-cards.ts';
import { clockOfCustomer } from '../customers/find-customer.ts';
import { invalid } from '../http/failure.ts';
import { newIdOf, optionalIdOf, randomText } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

export type NewSetupIntent = {
  customer: string | null;
  paymentMethod: string | null;
  usage?: 'off_session' | 'on_session';
  description?: string | null;
  metadata?: Stripe.Metadata;
  automatic?: boolean;
};

export async function createSetupIntent(work: Work, input: NewSetupIntent): Promise<Stripe.SetupIntent> {
  const clock = await clockOfCustomer(work, input.customer);
  const id = newIdOf('setup_intent');
  const intent: Stripe.SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: input.automatic === true ? { allow_redirects: 'never', enabled: true } : null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: await work.now(clock),
    customer: input.customer,
    customer_account: null,
    description: input.description ?? null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: input.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: input.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: input.paymentMethod === null ? 'requires_payment_method' : 'requires_confirmation',
    usage: input.usage ?? 'off_session',
  };
  await work.store.insert<'setup_intent'>(intent);
  await work.emit('setup_intent.created', intent, { clock });
  return intent;
}

/**
 * Prepares a card for later charges; the intent's status has the result, as with a payment.
 * @param isAuthenticated the bank's question was answered
 */
export async function attemptSetup(
  work: Work,
  intent: Stripe.SetupIntent,
  { isAuthenticated }: { isAuthenticated: boolean },
): Promise<Stripe.SetupIntent> {
  const methodId = optionalIdOf(intent.payment_method);
  if (methodId === null)
    throw invalid(
      'You cannot confirm this SetupIntent because it is missing a payment method.',
      'payment_method',
      'setup_intent_unexpected_state',
    );
  const { document: method, hidden } = await findPaymentMethod(work, methodId);
  const clock = await clockOfCustomer(work, optionalIdOf(intent.customer));
  const { asks, declinesAlways } = hidden.behaviour;
  if (asks !== undefined && !isAuthenticated) {
    const asked: Stripe.SetupIntent = {
      ...intent,
      next_action: {
        type: 'use_stripe_sdk',
        use_stripe_sdk: { type: 'three_d_secure_redirect', source: intent.id },
      },
      status: 'requires_action',
    };
    await work.store.save(asked);
    await work.emit('setup_intent.requires_action', asked, { clock });
    return asked;
  }
  if (declinesAlways !== undefined) {
    const { code, declineCode, message, param }: Decline = declines[declinesAlways];
    return refuse(work, intent, {
      code: code as Stripe.SetupIntent.LastSetupError.Code,
      decline_code: declineCode,
      message,
      param,
      payment_method: method,
      type: 'card_error',
    });
  }
  const customer = optionalIdOf(intent.customer);
  if (customer !== null) await attachPaymentMethod(work, method.id, customer);
  const { document } = await work.store.row('payment_method', method.id);
  await work.store.save<'payment_method'>(document, { ...hidden, setUp: true });
  const done: Stripe.SetupIntent = { ...intent, last_setup_error: null, next_action: null, status: 'succeeded' };
  await work.store.save(done);
  await work.emit('setup_intent.succeeded', done, { clock });
  return done;
}

export async function refuseSetup(work: Work, intent: Stripe.SetupIntent): Promise<Stripe.SetupIntent> {
  const methodId = optionalIdOf(intent.payment_method);
  return refuse(work, intent, {
    code: 'setup_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: methodId === null ? undefined : await work.store.get('payment_method', methodId),
    type: 'invalid_request_error',
  });
}

async function refuse(
  work: Work,
  intent: Stripe.SetupIntent,
  error: Stripe.SetupIntent.LastSetupError,
): Promise<Stripe.SetupIntent> {
  const refused: Stripe.SetupIntent = {
    ...intent,
    last_setup_error: error,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  await work.store.save(refused);
  const clock = await clockOfCustomer(work, optionalIdOf(intent.customer));
  await work.emit('setup_intent.setup_failed', refused, { clock });
  return refused;
}
