import type Stripe from 'stripe';
import { voidInvoice } from '../invoices/void.ts';
import { idOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { dropPendingUpdate } from './pending-update.ts';

/** Ends a subscription at once. Open invoices are no longer collected automatically. */
export async function endSubscription(
  work: Work,
  subscription: Stripe.Subscription,
  reason: Stripe.Subscription.CancellationDetails.Reason,
  status: 'canceled' | 'incomplete_expired' = 'canceled',
): Promise<Stripe.Subscription> {
  const clock = optionalIdOf(subscription.test_clock);
  const now = await work.now(clock);
  if (subscription.pending_update !== null) await dropPendingUpdate(work, subscription.id);
  const ended: Stripe.Subscription = {
    ...subscription,
    cancel_at_period_end: false,
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...subscription.cancellation_details,
      reason,
    },
    ended_at: now,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    status,
  };
  await work.store.save(ended);
  await closeInvoices(work, ended, status === 'incomplete_expired');
  await closeSchedule(work, subscription, now);
  if (status === 'canceled') await work.emit('customer.subscription.deleted', ended, { clock });
  else await work.emit('customer.subscription.updated', ended, { clock, previous: { status: subscription.status } });
  return ended;
}

/** @param isVoid the billed periods were never available, so void the invoices */
async function closeInvoices(work: Work, { id }: Stripe.Subscription, isVoid: boolean): Promise<void> {
  const invoices = await work.store.all('invoice', [
    { path: 'parent.subscription_details.subscription', is: id },
    { path: 'status', among: ['draft', 'open'] },
  ]);
  for (const invoice of invoices) {
    if (isVoid) await voidInvoice(work, invoice);
    else
      await work.store.save<'invoice'>({
        ...invoice,
        auto_advance: false,
        automatically_finalizes_at: null,
        next_payment_attempt: null,
      });
  }
}

async function closeSchedule(work: Work, { schedule }: Stripe.Subscription, now: number): Promise<void> {
  if (schedule === null) return;
  const open = await work.store.get('subscription_schedule', idOf(schedule));
  const closed: Stripe.SubscriptionSchedule = { ...open, canceled_at: now, current_phase: null, status: 'canceled' };
  await work.store.save(closed);
  await work.emit('subscription_schedule.canceled', closed, { clock: optionalIdOf(open.test_clock) });
}
