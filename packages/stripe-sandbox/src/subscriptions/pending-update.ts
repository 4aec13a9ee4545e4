import type Stripe from 'stripe';
import { firstPaymentPatience } from '../clocks/due.ts';
import { invalid } from '../http/failure.ts';
import { voidInvoice } from '../invoices/void.ts';
import { optionalIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';

/** Parameters that Stripe allows in a pending update; others need their own request. */
const mayWait = new Set([
  'billing_cycle_anchor',
  'items',
  'payment_behavior',
  'off_session',
  'proration_behavior',
  'proration_date',
]);

/** @throws Failure 400 */
export function requireOnlyWhatMayWait(input: object): void {
  const [name] = Object.entries(input).find(([key, value]) => value !== undefined && !mayWait.has(key)) ?? [];
  if (name !== undefined)
    throw invalid(
      `You can only pass supported parameters when payment_behavior is pending_if_incomplete. Unsupported parameter: ${name}.`,
      name,
    );
}

/** Restores the subscription except for the pending change, without sending an event yet. */
export async function keepForPayment(
  work: Work,
  before: Stripe.Subscription,
  after: Stripe.Subscription,
  invoice: Stripe.Invoice,
): Promise<Stripe.Subscription> {
  const { items, billing_cycle_anchor } = after;
  const { hidden } = await work.store.row('subscription', before.id);
  const now = await work.now(optionalIdOf(before.test_clock));
  const waiting: Stripe.Subscription = {
    ...before,
    latest_invoice: invoice.id,
    pending_update: {
      billing_cycle_anchor,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: now + firstPaymentPatience,
      metadata: null,
      subscription_items: items.data,
      trial_end: null,
      trial_from_plan: null,
    },
  };
  await work.store.save(waiting, { ...hidden, pendingInvoice: invoice.id });
  return waiting;
}

/** Announces the pending change, because its payment did not succeed at once. */
export async function emitPendingUpdate(work: Work, id: string): Promise<void> {
  const subscription = await work.store.get('subscription', id);
  const clock = optionalIdOf(subscription.test_clock);
  await work.emit('customer.subscription.updated', subscription, { clock, previous: { pending_update: null } });
}

/** Whether a change waits for this invoice. */
export async function isAwaited(work: Work, subscription: string, invoice: string): Promise<boolean> {
  return (await work.store.row('subscription', subscription)).hidden.pendingInvoice === invoice;
}

/** Applies the change after its invoice is paid. */
export async function applyPendingUpdate(work: Work, id: string): Promise<void> {
  const { document: before, hidden } = await work.store.row('subscription', id);
  const { pending_update: pending, items } = before;
  if (pending === null) return;
  const after: Stripe.Subscription = {
    ...before,
    billing_cycle_anchor: pending.billing_cycle_anchor ?? before.billing_cycle_anchor,
    items: { ...items, data: pending.subscription_items ?? items.data },
    pending_update: null,
  };
  await work.store.save(after, { ...hidden, pendingInvoice: undefined });
  const clock = optionalIdOf(before.test_clock);
  await work.emit('customer.subscription.pending_update_applied', after, { clock });
  await work.emit('customer.subscription.updated', after, { clock, previous: changedFrom(before, after) });
}

/** Drops the pending change and voids its invoice. */
export async function dropPendingUpdate(
  work: Work,
  id: string,
  { isLate = false }: { isLate?: boolean } = {},
): Promise<Stripe.Subscription> {
  const { document: before, hidden } = await work.store.row('subscription', id);
  if (before.pending_update === null) return before;
  const after: Stripe.Subscription = { ...before, pending_update: null };
  await work.store.save(after, { ...hidden, pendingInvoice: undefined });
  const invoice = await work.store.get('invoice', hidden.pendingInvoice ?? '');
  if (invoice.status === 'open') await voidInvoice(work, invoice);
  const clock = optionalIdOf(before.test_clock);
  if (isLate) await work.emit('customer.subscription.pending_update_expired', after, { clock });
  const previous = changedFrom(before, after);
  await work.emit('customer.subscription.updated', after, { clock, previous });
  return after;
}
