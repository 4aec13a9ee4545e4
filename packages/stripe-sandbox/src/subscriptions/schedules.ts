import type Stripe from 'stripe';
import { z } from 'zod';
import { periodOf } from '../clocks/due.ts';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import { equal, flag, integer, mergeMetadata, metadata, natural, paging, text } from '../http/parameters.ts';
import { idOf, newIdOf, optionalIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';
import { addInterval } from './calendar.ts';
import { ProrationBehavior } from './create.ts';
import { endSubscription } from './end.ts';
import { findRecurringPrice } from './items.ts';
import { releaseSchedule } from './phases.ts';
import { requireInclusive } from '../tax/tax-lines.ts';

const path = '/v1/subscription_schedules';

const PhaseInput = z.strictObject({
  duration: z
    .strictObject({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: natural.optional() })
    .optional(),
  end_date: integer.optional(),
  items: z
    .array(z.strictObject({ price: text, quantity: natural.optional() }))
    .min(1)
    .max(20),
  metadata: metadata.optional(),
  proration_behavior: ProrationBehavior.optional(),
  start_date: integer.optional(),
  trial_end: integer.optional(),
});
type PhaseInput = z.output<typeof PhaseInput>;

const ScheduleUpdate = z.strictObject({
  end_behavior: z.enum(['cancel', 'release']).optional(),
  metadata: metadata.optional(),
  phases: z.array(PhaseInput).min(1).max(10).optional(),
  proration_behavior: ProrationBehavior.optional(),
});

function makePhase(input: {
  items: { price: string; quantity: number }[];
  start: number;
  end: number;
  currency: string;
  prorates?: ProrationBehavior;
  metadata?: Stripe.Metadata;
  trialEnd?: number | null | undefined;
}): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: input.currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: input.end,
    invoice_settings: null,
    items: input.items.map(({ price, quantity }) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: price,
      price,
      quantity,
      tax_rates: [],
    })),
    metadata: input.metadata ?? {},
    on_behalf_of: null,
    proration_behavior: input.prorates ?? 'create_prorations',
    start_date: input.start,
    transfer_data: null,
    trial_end: input.trialEnd ?? null,
  };
}

async function createSchedule(work: Work, id: string): Promise<Stripe.SubscriptionSchedule> {
  const subscription = await work.store.get('subscription', id, 'from_subscription');
  if (subscription.schedule !== null)
    throw invalid('You cannot migrate a subscription that is already attached to a schedule.', 'from_subscription');
  if (subscription.ended_at !== null || subscription.cancel_at !== null || subscription.status === 'incomplete')
    throw invalid(
      'You cannot migrate a subscription that is canceled, about to be, or incomplete.',
      'from_subscription',
    );
  const clock = optionalIdOf(subscription.test_clock);
  const { start, end } = periodOf(subscription);
  const schedule: Stripe.SubscriptionSchedule = {
    id: newIdOf('subscription_schedule'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode as Stripe.SubscriptionSchedule.BillingMode,
    canceled_at: null,
    completed_at: null,
    created: await work.now(clock),
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      makePhase({
        items: subscription.items.data.map(({ price, quantity }) => ({ price: price.id, quantity: quantity ?? 1 })),
        start,
        end,
        currency: subscription.currency,
        trialEnd: subscription.status === 'trialing' ? subscription.trial_end : null,
      }),
    ],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: id,
    test_clock: clock,
  };
  await work.store.insert<'subscription_schedule'>(schedule);
  await work.emit('subscription_schedule.created', schedule, { clock });
  const managed = { ...subscription, schedule: schedule.id };
  await work.store.save<'subscription'>(managed);
  await work.emit('customer.subscription.updated', managed, { clock, previous: { schedule: null } });
  return schedule;
}

async function active(work: Work, id: string): Promise<Stripe.SubscriptionSchedule> {
  const schedule = await work.store.get('subscription_schedule', id);
  if (schedule.status !== 'active')
    throw invalid(
      `You cannot change a subscription schedule that is ${schedule.status}.`,
      undefined,
      'resource_missing',
    );
  return schedule;
}

/** Phases are consecutive; the running one is unchanged and ends with the paid period. */
async function readPhases(
  work: Work,
  schedule: Stripe.SubscriptionSchedule,
  input: PhaseInput[],
): Promise<Stripe.SubscriptionSchedule.Phase[]> {
  const current = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.start_date);
  if (current === undefined) throw new Error('An active schedule has no current phase');
  const subscription = await work.store.get('subscription', idOf(schedule.subscription ?? ''));
  const phases: Stripe.SubscriptionSchedule.Phase[] = [];
  for (const [index, phase] of input.entries()) {
    const param = `phases[${index}]`;
    for (const [at, { price }] of phase.items.entries()) {
      const found = await findRecurringPrice(work, price, `${param}[items][${at}][price]`);
      if (subscription.automatic_tax.enabled) await requireInclusive(work, [found], current.currency);
    }
    const start = phases.at(-1)?.end_date ?? phase.start_date;
    if (start === undefined)
      throw invalid(`Missing required param: ${param}[start_date].`, `${param}[start_date]`, 'parameter_missing');
    if (phase.start_date !== undefined && phase.start_date !== start)
      throw invalid('The start date of a phase must be the end date of the one before it.', `${param}[start_date]`);
    const { duration } = phase;
    const end =
      phase.end_date ??
      (duration === undefined
        ? undefined
        : addInterval(start, { interval: duration.interval, interval_count: duration.interval_count ?? 1 }));
    if (end === undefined || end <= start)
      throw invalid('A phase needs an end_date after its start, or a duration.', `${param}[end_date]`);
    phases.push(
      makePhase({
        items: phase.items.map(({ price, quantity }) => ({ price, quantity: quantity ?? 1 })),
        start,
        end,
        currency: current.currency,
        prorates: phase.proration_behavior,
        metadata: mergeMetadata({}, phase.metadata),
        trialEnd: phase.trial_end,
      }),
    );
  }
  const [first] = phases;
  if (phases.some(({ trial_end }, index) => index > 0 && trial_end !== null))
    throw invalid('In this sandbox only the current phase can be free.', 'phases[1][trial_end]');
  const keepsCurrent = first?.start_date === current.start_date && sameItems(first, current);
  if (!keepsCurrent || first.end_date !== periodOf(subscription).end)
    throw invalid(
      'In this sandbox the first phase has to be the current one as it is, ending with the current period; change the subscription itself for what is to happen at once.',
      'phases[0]',
    );
  return phases;
}

function sameItems(one: Stripe.SubscriptionSchedule.Phase, other: Stripe.SubscriptionSchedule.Phase): boolean {
  const plain = ({ items, trial_end }: Stripe.SubscriptionSchedule.Phase) =>
    JSON.stringify([trial_end, ...items.map(({ price, quantity }) => [idOf(price), quantity])]);
  return plain(one) === plain(other);
}

async function detach(work: Work, schedule: Stripe.SubscriptionSchedule): Promise<void> {
  const id = optionalIdOf(schedule.subscription);
  if (id === null) return;
  const subscription = await work.store.get('subscription', id);
  if (subscription.schedule === null) return;
  const free = { ...subscription, schedule: null };
  await work.store.save<'subscription'>(free);
  await work.emit('customer.subscription.updated', free, {
    clock: optionalIdOf(schedule.test_clock),
    previous: { schedule: schedule.id },
  });
}

export const scheduleEndpoints: Endpoint[] = [
  post(path, z.strictObject({ from_subscription: text }), (work, input) =>
    createSchedule(work, input.from_subscription),
  ),
  get(path, z.strictObject({ ...paging, customer: text.optional() }), (work, input) =>
    listOf(work, 'subscription_schedule', equal({ customer: input.customer }), input, path),
  ),
  get(`${path}/:id`, z.strictObject({}), (work, _input, at) =>
    work.store.get('subscription_schedule', named(at, 'id')),
  ),
  post(`${path}/:id`, ScheduleUpdate, async (work, input, at) => {
    const before = await active(work, named(at, 'id'));
    const after: Stripe.SubscriptionSchedule = {
      ...before,
      end_behavior: input.end_behavior ?? before.end_behavior,
      metadata: mergeMetadata(before.metadata, input.metadata),
      phases: input.phases === undefined ? before.phases : await readPhases(work, before, input.phases),
    };
    await work.store.save(after);
    await work.emit('subscription_schedule.updated', after, {
      clock: optionalIdOf(after.test_clock),
      previous: changedFrom(before, after),
    });
    return after;
  }),
  post(`${path}/:id/release`, z.strictObject({ preserve_cancel_date: flag.optional() }), async (work, _input, at) => {
    const schedule = await active(work, named(at, 'id'));
    await detach(work, schedule);
    return releaseSchedule(work, schedule);
  }),
  post(
    `${path}/:id/cancel`,
    z.strictObject({ invoice_now: flag.optional(), prorate: flag.optional() }),
    async (work, _input, at) => {
      const schedule = await active(work, named(at, 'id'));
      const subscription = await work.store.get('subscription', idOf(schedule.subscription ?? ''));
      await endSubscription(work, subscription, 'cancellation_requested');
      return work.store.get('subscription_schedule', schedule.id);
    },
  ),
];
