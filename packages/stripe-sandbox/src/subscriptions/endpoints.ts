import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, del, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import { createdRange, createdWithin, equal, flag, paging, text } from '../http/parameters.ts';
import { draftInvoice } from '../invoices/draft.ts';
import { finalizeInvoice } from '../invoices/finalize.ts';
import { collectInvoice } from '../invoices/pay.ts';
import { idOf, optionalIdOf } from '../store/ids.ts';
import type { Condition } from '../store/store.ts';
import type { Work } from '../store/work.ts';
import { nextTurn } from './calendar.ts';
import { ProrationBehavior, SubscriptionCreate } from './create.ts';
import { endSubscription } from './end.ts';
import { createSubscription, refuseIncomplete } from './first-payment.ts';
import { intervalOf, itemList, withPeriod } from './items.ts';
import { creditLines, periodLines } from './lines.ts';
import { keepForNextInvoice } from './pending-items.ts';
import { emitPendingUpdate } from './pending-update.ts';
import { SubscriptionUpdate, cancellationDetails, changeSubscription } from './update.ts';

const path = '/v1/subscriptions';

const SubscriptionList = z.strictObject({
  ...paging,
  created: createdRange,
  customer: text.optional(),
  price: text.optional(),
  status: z
    .enum([
      'active',
      'all',
      'canceled',
      'ended',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'paused',
      'trialing',
      'unpaid',
    ])
    .optional(),
  test_clock: text.optional(),
});

const SubscriptionCancel = z.strictObject({
  cancellation_details: cancellationDetails,
  invoice_now: flag.optional(),
  prorate: flag.optional(),
});

const SubscriptionResume = z.strictObject({
  billing_cycle_anchor: z.literal('now').optional(),
  proration_behavior: ProrationBehavior.optional(),
});

/** Default: everything but canceled subscriptions. */
function havingStatus(status: string | undefined): Condition[] {
  if (status === 'all') return [];
  if (status === 'ended') return [{ path: 'status', among: ['canceled', 'incomplete_expired'] }];
  if (status !== undefined) return [{ path: 'status', is: status }];
  return [
    {
      path: 'status',
      among: ['active', 'incomplete', 'incomplete_expired', 'past_due', 'paused', 'trialing', 'unpaid'],
    },
  ];
}

async function updateSubscription(
  work: Work,
  id: string,
  input: z.output<typeof SubscriptionUpdate>,
): Promise<Stripe.Subscription> {
  const { invoice } = await changeSubscription(work, id, input);
  if (invoice !== undefined) {
    await finalizeInvoice(work, invoice.id);
    const outcome = await collectInvoice(work, invoice.id, { tries: input.payment_behavior !== 'default_incomplete' });
    await refuseIncomplete(work, invoice.id, outcome, input.payment_behavior);
    if (input.payment_behavior === 'pending_if_incomplete' && outcome !== 'paid') await emitPendingUpdate(work, id);
  }
  return work.store.get('subscription', id);
}

async function cancelSubscription(
  work: Work,
  id: string,
  input: z.output<typeof SubscriptionCancel>,
): Promise<Stripe.Subscription> {
  const subscription = await work.store.get('subscription', id);
  if (subscription.ended_at !== null) throw invalid(`No such subscription: '${id}'`, 'id', 'resource_missing');
  const now = await work.now(optionalIdOf(subscription.test_clock));
  const details: Stripe.Subscription.CancellationDetails = {
    comment: input.cancellation_details?.comment ?? null,
    feedback: input.cancellation_details?.feedback ?? null,
    feedback_option: null,
    reason: 'cancellation_requested',
  };
  const ended = await endSubscription(
    work,
    { ...subscription, canceled_at: now, cancellation_details: details },
    'cancellation_requested',
    subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled',
  );
  if (input.prorate !== true) return ended;
  const lines = await creditLines(work, subscription, now);
  if (input.invoice_now !== true) {
    await keepForNextInvoice(work, ended, lines);
    return ended;
  }
  const period = { start: now, end: now };
  const invoice = await draftInvoice(work, {
    subscription: ended,
    reason: 'subscription_update',
    lines,
    period,
    waits: false,
  });
  await finalizeInvoice(work, invoice.id);
  await collectInvoice(work, invoice.id);
  return ended;
}

/** Resuming a paused subscription starts a new period now. */
async function resumeSubscription(work: Work, id: string): Promise<Stripe.Subscription> {
  const paused = await work.store.get('subscription', id);
  const [item] = paused.items.data;
  if (paused.status !== 'paused' || item === undefined)
    throw invalid(
      'Only paused subscriptions can be resumed; this one is not paused.',
      undefined,
      'subscription_not_paused',
    );
  const clock = optionalIdOf(paused.test_clock);
  const now = await work.now(clock);
  const period = { start: now, end: nextTurn(now, now, intervalOf(item.price)) };
  const items = withPeriod(paused.items.data, period);
  const active: Stripe.Subscription = {
    ...paused,
    billing_cycle_anchor: now,
    items: itemList(id, items),
    status: 'active',
  };
  const lines = await periodLines(work, items, period, active);
  const invoice = await draftInvoice(work, {
    subscription: active,
    reason: 'subscription_update',
    lines,
    period,
    waits: false,
  });
  const resumed = { ...active, latest_invoice: invoice.id };
  await work.store.save<'subscription'>(resumed);
  await work.emit('customer.subscription.resumed', resumed, { clock });
  await finalizeInvoice(work, invoice.id);
  await collectInvoice(work, invoice.id);
  return work.store.get('subscription', id);
}

export const subscriptionEndpoints: Endpoint[] = [
  post(path, SubscriptionCreate, createSubscription),
  get(path, SubscriptionList, async (work, input) => {
    const where = [
      ...havingStatus(input.status),
      ...equal({ customer: input.customer, test_clock: input.test_clock, 'items.data.0.price.id': input.price }),
      ...createdWithin(input.created),
    ];
    return listOf(work, 'subscription', where, input, path);
  }),
  get(`${path}/:id`, z.strictObject({}), (work, _input, at) => work.store.get('subscription', named(at, 'id'))),
  post(`${path}/:id`, SubscriptionUpdate, (work, input, at) => updateSubscription(work, named(at, 'id'), input)),
  del(`${path}/:id`, SubscriptionCancel, (work, input, at) => cancelSubscription(work, named(at, 'id'), input)),
  post(`${path}/:id/resume`, SubscriptionResume, (work, _input, at) => resumeSubscription(work, named(at, 'id'))),
  del(`${path}/:id/discount`, z.strictObject({}), async (work, _input, at) => {
    const before = await work.store.get('subscription', named(at, 'id'));
    const [first] = before.discounts;
    if (first === undefined) throw invalid('This subscription has no discount.', 'id', 'resource_missing');
    await changeSubscription(work, before.id, SubscriptionUpdate.parse({ discounts: '' }));
    const discount = await work.store.get('discount', idOf(first));
    await work.emit('customer.discount.deleted', discount, { clock: optionalIdOf(before.test_clock) });
    return { ...discount, deleted: true };
  }),
  get('/v1/subscription_items', z.strictObject({ ...paging, subscription: text }), async (work, { subscription }) => {
    const { items } = await work.store.get('subscription', subscription, 'subscription');
    return { ...items, url: '/v1/subscription_items' };
  }),
];
