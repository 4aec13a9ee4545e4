import type Stripe from 'stripe';
import { periodOf } from '../clocks/due.ts';
import { draftInvoice } from '../invoices/draft.ts';
import { optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { nextTurn } from './calendar.ts';
import { endSubscription } from './end.ts';
import { intervalOf, itemList, withPeriod } from './items.ts';
import { periodLines } from './lines.ts';
import { pendingLines } from './pending-items.ts';
import { enterPhase } from './phases.ts';
import { payingMethod, saveSubscription } from './status.ts';

/**
 * Starts the next period and drafts its invoice, which is charged after an hour.
 * @returns the invoice, or undefined if the subscription ended
 */
export async function renewSubscription(work: Work, id: string): Promise<Stripe.Invoice | undefined> {
  const before = await work.store.get('subscription', id);
  const clock = optionalIdOf(before.test_clock);
  const now = await work.now(clock);
  if (before.cancel_at !== null && before.cancel_at <= now) {
    await endSubscription(work, before, 'cancellation_requested');
    return undefined;
  }
  const isTrial = before.status === 'trialing';
  if (isTrial && (await endsWithoutCard(work, before))) return undefined;

  const phased = await enterPhase(work, before, now);
  if (phased === undefined) return undefined;
  const { start: oldStart, end: start } = periodOf(before);
  const [item] = phased.items.data;
  const anchor = phased.billing_cycle_anchor;
  const period = { start, end: item === undefined ? start : nextTurn(anchor, start, intervalOf(item.price)) };
  const items = withPeriod(phased.items.data, period);
  const after: Stripe.Subscription = {
    ...phased,
    items: itemList(id, items),
    status: isTrial ? 'active' : before.status,
  };
  const invoice = await draftInvoice(work, {
    subscription: after,
    reason: 'subscription_cycle',
    lines: [...(await pendingLines(work, id)), ...(await periodLines(work, items, period, after))],
    period: { start: oldStart, end: start },
    waits: true,
  });
  await saveSubscription(work, before, { ...after, latest_invoice: invoice.id });
  return invoice;
}

/** A trial without a card ends as configured: with an unpaid invoice, a pause, or a cancellation. */
async function endsWithoutCard(work: Work, subscription: Stripe.Subscription): Promise<boolean> {
  const behavior = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice';
  if (behavior === 'create_invoice' || (await payingMethod(work, subscription)) !== null) return false;
  if (behavior === 'cancel') {
    await endSubscription(work, subscription, 'cancellation_requested');
    return true;
  }
  const paused: Stripe.Subscription = { ...subscription, status: 'paused' };
  await work.store.save(paused);
  await work.emit('customer.subscription.paused', paused, { clock: optionalIdOf(subscription.test_clock) });
  return true;
}
