import type Stripe from 'stripe';
import { Failure, invalid } from '../http/failure.ts';
import { finalizeInvoice } from '../invoices/finalize.ts';
import { collectInvoice } from '../invoices/pay.ts';
import { intentFailure } from '../payments/intents.ts';
import { attemptSetup, createSetupIntent } from '../payments/setup-intents.ts';
import { idOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { type PaymentBehavior, type SubscriptionCreate, startSubscription } from './create.ts';
import { payingMethod, saveSubscription } from './status.ts';

/** @throws Failure 402 with `error_if_incomplete` if the first payment does not succeed at once */
export async function createSubscription(work: Work, input: SubscriptionCreate): Promise<Stripe.Subscription> {
  const { subscription, invoice } = await startSubscription(work, input);
  await finalizeInvoice(work, invoice.id);
  if (subscription.status === 'trialing') {
    await collectInvoice(work, invoice.id);
    await prepareCard(work, subscription.id, input.payment_behavior);
  } else {
    await collectFirst(work, subscription, invoice, input.payment_behavior);
  }
  return work.store.get('subscription', subscription.id);
}

/** A trial charges nothing, but asks the bank now, while the customer is present. */
async function prepareCard(work: Work, id: string, behavior: PaymentBehavior): Promise<void> {
  const subscription = await work.store.get('subscription', id);
  const method = await payingMethod(work, subscription);
  const row = method === null ? undefined : await work.store.row('payment_method', method);
  const isAsked = row?.hidden.behaviour.asks !== undefined && !row.hidden.setUp;
  if (!isAsked && behavior !== 'default_incomplete') return;
  const intent = await createSetupIntent(work, { customer: idOf(subscription.customer), paymentMethod: method });
  if (isAsked && behavior !== 'default_incomplete') await attemptSetup(work, intent, { isAuthenticated: false });
  if (isAsked && behavior === 'error_if_incomplete') throw requiresAction();
  await saveSubscription(work, subscription, { ...subscription, pending_setup_intent: intent.id });
}

async function collectFirst(
  work: Work,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  behavior: PaymentBehavior,
): Promise<void> {
  const { amount_due } = await work.store.get('invoice', invoice.id);
  const waits = behavior === 'default_incomplete';
  if (amount_due > 0 && !waits && (await payingMethod(work, subscription)) === null)
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      undefined,
      'resource_missing',
    );
  const outcome = await collectInvoice(work, invoice.id, { tries: !waits });
  await refuseIncomplete(work, invoice.id, outcome, behavior);
}

/** @throws Failure 402 if the payment had to succeed at once and did not */
export async function refuseIncomplete(
  work: Work,
  invoiceId: string,
  outcome: string,
  behavior: PaymentBehavior,
): Promise<void> {
  if (behavior !== 'error_if_incomplete' || outcome === 'paid') return;
  if (outcome === 'requires_action') throw requiresAction();
  const { hidden } = await work.store.row('invoice', invoiceId);
  const intent =
    hidden.paymentIntent === undefined ? undefined : await work.store.get('payment_intent', hidden.paymentIntent);
  throw intent?.last_payment_error ? intentFailure(intent) : invalid('The payment could not be collected.');
}

function requiresAction(): Failure {
  return new Failure({
    status: 402,
    type: 'card_error',
    code: 'subscription_payment_intent_requires_action',
    message:
      'Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with `subscription.latest_invoice`.',
  });
}
