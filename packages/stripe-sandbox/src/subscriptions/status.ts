import type Stripe from 'stripe';
import { idOf, optionalIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';
import { applyPendingUpdate, isAwaited } from './pending-update.ts';

/** Stores a changed subscription and emits its event. */
export async function saveSubscription(
  work: Work,
  before: Stripe.Subscription,
  after: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  const previous = changedFrom(before, after);
  if (Object.keys(previous).length === 0) return before;
  await work.store.save(after);
  await work.emit('customer.subscription.updated', after, { clock: optionalIdOf(after.test_clock), previous });
  return after;
}

/** Activates a subscription held back by an unpaid invoice, unless another one is still owed. */
export async function invoiceWasPaid(work: Work, subscriptionId: string, invoice: string): Promise<void> {
  if (await isAwaited(work, subscriptionId, invoice)) await applyPendingUpdate(work, subscriptionId);
  const subscription = await work.store.get('subscription', subscriptionId);
  const { status } = subscription;
  if (status !== 'incomplete' && status !== 'past_due' && status !== 'unpaid') return;
  const open = await work.store.all('invoice', [
    { path: 'parent.subscription_details.subscription', is: subscriptionId },
    { path: 'status', is: 'open' },
  ]);
  if (open.some(({ id, attempted }) => id !== invoice && attempted)) return;
  const { trial_end } = subscription;
  const now = await work.now(optionalIdOf(subscription.test_clock));
  await saveSubscription(work, subscription, {
    ...subscription,
    status: trial_end !== null && trial_end > now ? 'trialing' : 'active',
  });
}

export async function renewalFailed(work: Work, subscriptionId: string): Promise<void> {
  const subscription = await work.store.get('subscription', subscriptionId);
  if (subscription.status !== 'active' && subscription.status !== 'trialing') return;
  await saveSubscription(work, subscription, { ...subscription, status: 'past_due' });
}

/** The trial's card is ready: the bank has agreed, or did not ask. */
export async function setupSucceeded(work: Work, intent: Stripe.SetupIntent): Promise<void> {
  const waiting = await work.store.all('subscription', [{ path: 'pending_setup_intent', is: intent.id }]);
  for (const subscription of waiting) {
    const customer = await work.store.get('customer', idOf(subscription.customer));
    const hasCard =
      subscription.default_payment_method !== null || customer.invoice_settings.default_payment_method !== null;
    await saveSubscription(work, subscription, {
      ...subscription,
      default_payment_method: hasCard ? subscription.default_payment_method : optionalIdOf(intent.payment_method),
      pending_setup_intent: null,
    });
  }
}

/** The paying card: the subscription's own, or its customer's default. */
export async function payingMethod(work: Work, subscription: Stripe.Subscription): Promise<string | null> {
  const own = optionalIdOf(subscription.default_payment_method);
  if (own !== null) return own;
  const customer = await work.store.get('customer', idOf(subscription.customer));
  return optionalIdOf(customer.invoice_settings.default_payment_method);
}
