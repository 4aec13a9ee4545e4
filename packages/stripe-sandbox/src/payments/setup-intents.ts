import type Stripe from 'stripe';
import { attachPaymentMethod } from '../cards/payment-methods.ts';
import { clockOfCustomer } from '../customers/find-customer.ts';
import { newIdOf, optionalIdOf, randomText } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { asked, authenticationError, declineError, refused, requireMethod } from './intents.ts';

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
  const { document: method, hidden } = await requireMethod(work, intent);
  const clock = await clockOfCustomer(work, optionalIdOf(intent.customer));
  const { asks, declinesAlways } = hidden.behaviour;
  if (asks !== undefined && !isAuthenticated) {
    const waiting: Stripe.SetupIntent = { ...intent, ...asked(intent) };
    await work.store.save(waiting);
    await work.emit('setup_intent.requires_action', waiting, { clock });
    return waiting;
  }
  if (declinesAlways !== undefined) return refuse(work, intent, declineError(method, declinesAlways));
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
  const error = await authenticationError(work, intent);
  return refuse(work, intent, { code: 'setup_intent_authentication_failure', ...error });
}

async function refuse(
  work: Work,
  intent: Stripe.SetupIntent,
  error: Stripe.SetupIntent.LastSetupError,
): Promise<Stripe.SetupIntent> {
  const after: Stripe.SetupIntent = { ...intent, ...refused, last_setup_error: error };
  await work.store.save(after);
  const clock = await clockOfCustomer(work, optionalIdOf(intent.customer));
  await work.emit('setup_intent.setup_failed', after, { clock });
  return after;
}
