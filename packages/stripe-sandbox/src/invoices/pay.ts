import type Stripe from 'stripe';
import { retryDays } from '../clocks/due.ts';
import { attemptPayment, createPaymentIntent } from '../payments/payment-intents.ts';
import { endSubscription } from '../subscriptions/end.ts';
import { isAwaited } from '../subscriptions/pending-update.ts';
import { invoiceWasPaid, payingMethod, renewalFailed } from '../subscriptions/status.ts';
import { newIdOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { subscriptionOf } from './draft.ts';

export type PaymentOutcome = 'paid' | 'requires_action' | 'failed' | 'waits';

/**
 * Tries to collect a finalized invoice.
 * @param method instead of the customer's default
 * @param tries false leaves the confirmation to the browser
 */
export async function collectInvoice(
  work: Work,
  id: string,
  { method, tries = true }: { method?: string | null; tries?: boolean } = {},
): Promise<PaymentOutcome> {
  const { document: invoice } = await work.store.row('invoice', id);
  if (invoice.amount_due === 0) {
    await markPaid(work, id, undefined);
    return 'paid';
  }
  const chosen = method === undefined ? await methodFor(work, invoice) : method;
  const intent = await intentOf(work, invoice, chosen);
  if (!tries) return 'waits';
  if (chosen === null) {
    await paymentFailed(work, id, intent);
    return 'failed';
  }
  return paymentWasTried(work, id, await attemptPayment(work, intent.id, { mayAsk: true }));
}

async function methodFor(work: Work, invoice: Stripe.Invoice): Promise<string | null> {
  const subscription = subscriptionOf(invoice);
  return subscription === null ? null : payingMethod(work, await work.store.get('subscription', subscription));
}

/** One payment per invoice, however often it is tried. */
async function intentOf(work: Work, invoice: Stripe.Invoice, method: string | null): Promise<Stripe.PaymentIntent> {
  const { hidden } = await work.store.row('invoice', invoice.id);
  if (hidden.paymentIntent !== undefined) {
    const before = await work.store.get('payment_intent', hidden.paymentIntent);
    const after: Stripe.PaymentIntent = {
      ...before,
      next_action: null,
      payment_method: method ?? before.payment_method,
      status: method === null ? before.status : 'requires_confirmation',
    };
    await work.store.save(after);
    return after;
  }
  const intent = await createPaymentIntent(
    work,
    {
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: optionalIdOf(invoice.customer),
      paymentMethod: method,
      setupFutureUsage: 'off_session',
      description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
      receiptEmail: null,
    },
    { invoice: invoice.id },
  );
  await work.store.save<'invoice'>(invoice, { ...hidden, paymentIntent: intent.id });
  const payment: Stripe.InvoicePayment = {
    id: newIdOf('invoice_payment'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: intent.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
  await work.store.insert<'invoice_payment'>(payment);
  return intent;
}

/** Applies the result of a payment to its invoice and subscription. */
export async function paymentWasTried(
  work: Work,
  invoiceId: string,
  intent: Stripe.PaymentIntent,
): Promise<PaymentOutcome> {
  const invoice = await work.store.get('invoice', invoiceId);
  if (invoice.status !== 'open') return invoice.status === 'paid' ? 'paid' : 'failed';
  if (intent.status === 'succeeded') {
    await markPaid(work, invoiceId, intent);
    return 'paid';
  }
  if (intent.status !== 'requires_action') {
    await paymentFailed(work, invoiceId, intent);
    return 'failed';
  }
  const clock = optionalIdOf(invoice.test_clock);
  await work.emit('invoice.payment_action_required', invoice, { clock });
  if (invoice.billing_reason !== 'subscription_create') await paymentFailed(work, invoiceId, intent);
  return 'requires_action';
}

async function markPaid(work: Work, id: string, intent: Stripe.PaymentIntent | undefined): Promise<void> {
  const invoice = await work.store.get('invoice', id);
  const clock = optionalIdOf(invoice.test_clock);
  const now = await work.now(clock);
  const paid: Stripe.Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + (intent === undefined ? 0 : 1),
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  };
  await work.store.save(paid);
  const [payment] = await work.store.all('invoice_payment', [{ path: 'invoice', is: id }]);
  if (payment !== undefined && intent !== undefined) {
    const done: Stripe.InvoicePayment = {
      ...payment,
      amount_paid: intent.amount,
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at: now },
    };
    await work.store.save(done);
    await work.emit('invoice_payment.paid', done, { clock });
  }
  await work.emit('invoice.paid', paid, { clock });
  await work.emit('invoice.payment_succeeded', paid, { clock });
  const subscription = subscriptionOf(paid);
  if (subscription !== null) await invoiceWasPaid(work, subscription, id);
}

/** A failed renewal is retried days later, a first payment is not; after the last retry the subscription ends. */
async function paymentFailed(work: Work, id: string, intent: Stripe.PaymentIntent): Promise<void> {
  const { document: invoice, hidden } = await work.store.row('invoice', id);
  const clock = optionalIdOf(invoice.test_clock);
  const now = await work.now(clock);
  const isFirst = invoice.billing_reason === 'subscription_create';
  const wasDue = invoice.next_payment_attempt === null || invoice.next_payment_attempt <= now;
  const subscriptionId = subscriptionOf(invoice);
  const subscription = subscriptionId === null ? undefined : await work.store.get('subscription', subscriptionId);
  // The pending change has not started: its payment is not retried, and the subscription is not past due.
  const isAwaitedOnly = subscriptionId !== null && (await isAwaited(work, subscriptionId, id));
  const isCollected = !isFirst && !isAwaitedOnly && subscription?.ended_at === null;
  const days = isCollected ? retryDays[hidden.retries] : undefined;
  const failed: Stripe.Invoice = {
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: wasDue ? (days === undefined ? null : now + days * 86_400) : invoice.next_payment_attempt,
  };
  // Attempts by the customer do not use up the scheduled retries.
  await work.store.save(failed, { ...hidden, retries: hidden.retries + (wasDue ? 1 : 0), paymentIntent: intent.id });
  await work.emit('invoice.payment_failed', failed, { clock });
  if (!isCollected) return;
  await renewalFailed(work, subscription.id);
  if (failed.next_payment_attempt === null)
    await endSubscription(work, await work.store.get('subscription', subscription.id), 'payment_failed');
}

/** Id of the invoice that a payment belongs to. */
export async function invoiceOf(work: Work, intent: Stripe.PaymentIntent): Promise<string | undefined> {
  return (await work.store.row('payment_intent', intent.id)).hidden.invoice;
}
