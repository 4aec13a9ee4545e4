import type Stripe from 'stripe';
import { idOf, optionalIdOf } from '../store/ids.ts';
import { inOrder } from '../store/in-order.ts';
import { type Work, changedFrom } from '../store/work.ts';
import { endSubscription } from './end.ts';
import { intervalOf, itemList, makeItem } from './items.ts';

/**
 * The subscription in its schedule's phase at `now`; unchanged without a schedule.
 * @returns undefined if the schedule ended it
 */
export async function enterPhase(
  work: Work,
  subscription: Stripe.Subscription,
  now: number,
): Promise<Stripe.Subscription | undefined> {
  if (subscription.schedule === null) return subscription;
  const schedule = await work.store.get('subscription_schedule', idOf(subscription.schedule));
  const phase = schedule.phases.find(({ start_date, end_date }) => start_date <= now && now < end_date);
  if (phase === undefined) {
    if (schedule.end_behavior === 'cancel') {
      await endSubscription(work, subscription, 'cancellation_requested');
      return undefined;
    }
    await releaseSchedule(work, schedule);
    return { ...subscription, schedule: null };
  }
  if (phase.start_date === schedule.current_phase?.start_date) return subscription;
  const entered: Stripe.SubscriptionSchedule = {
    ...schedule,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
  };
  await work.store.save(entered);
  await work.emit('subscription_schedule.updated', entered, {
    clock: optionalIdOf(schedule.test_clock),
    previous: changedFrom(schedule, entered),
  });
  return withPhaseItems(work, subscription, phase, now);
}

async function withPhaseItems(
  work: Work,
  subscription: Stripe.Subscription,
  phase: Stripe.SubscriptionSchedule.Phase,
  now: number,
): Promise<Stripe.Subscription> {
  const before = subscription.items.data;
  const items = await inOrder(phase.items, async ({ price, quantity }, index) =>
    makeItem(
      {
        price: await work.store.get('price', idOf(price)),
        quantity: quantity ?? 1,
        id: before[index]?.id,
        created: before[index]?.created,
      },
      { subscription: subscription.id, period: { start: now, end: now }, now },
    ),
  );
  const [was] = before;
  const [is] = items;
  const isSameRhythm =
    was !== undefined &&
    is !== undefined &&
    intervalOf(was.price).interval === intervalOf(is.price).interval &&
    intervalOf(was.price).interval_count === intervalOf(is.price).interval_count;
  return {
    ...subscription,
    billing_cycle_anchor: isSameRhythm ? subscription.billing_cycle_anchor : now,
    items: itemList(subscription.id, items),
  };
}

/** Ends the schedule; the subscription continues as it is. */
export async function releaseSchedule(
  work: Work,
  schedule: Stripe.SubscriptionSchedule,
): Promise<Stripe.SubscriptionSchedule> {
  const clock = optionalIdOf(schedule.test_clock);
  const released: Stripe.SubscriptionSchedule = {
    ...schedule,
    current_phase: null,
    released_at: await work.now(clock),
    released_subscription: optionalIdOf(schedule.subscription),
    status: 'released',
    subscription: null,
  };
  await work.store.save(released);
  await work.emit('subscription_schedule.released', released, { clock });
  return released;
}
