import type Stripe from 'stripe';
import { attachCard, day, start } from './test-sandbox.ts';

export type Plans = { month: Stripe.Price; year: Stripe.Price };

type Act =
  | 'change-period'
  | 'cancel-at-end'
  | 'resume'
  | 'cancel-now'
  | 'break-card'
  | 'mend-card'
  | 'gift-time'
  | 'add-code'
  | 'subscribe-again';

/** One customer's actions within a year: days after the start, in order. */
export type Story = {
  seed: number;
  period: 'month' | 'year';
  trialDays: number;
  card: string;
  steps: { day: number; act: Act }[];
};

export type LivedStory = { story: Story; customer: string; clock: string };

/** Pseudo-random number from 0 to 1, determined by the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const acts: readonly Act[] = [
  'change-period',
  'cancel-at-end',
  'resume',
  'cancel-now',
  'break-card',
  'mend-card',
  'gift-time',
  'add-code',
  'subscribe-again',
];

/** Generates a story; the same seed gives the same one. */
export function generateStory(seed: number): Story {
  const random = randomOf(seed);
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const period = one(['month', 'month', 'year'] as const);
  const trialDays = one([0, 7, 7]);
  const card = one(['4242424242424242', '5555555555554444', '4000000000000341', '378282246310005']);
  const count = 1 + Math.floor(random() * 4);
  const days = Array.from({ length: count }, () => 1 + Math.floor(random() * 360)).toSorted((a, b) => a - b);
  return { seed, period, trialDays, card, steps: days.map((at) => ({ day: at, act: one(acts) })) };
}

/**
 * Runs a story and the rest of its year. Ignores actions that Stripe refuses, such as resuming an ended subscription.
 */
export async function liveStory(stripe: Stripe, plans: Plans, story: Story): Promise<LivedStory> {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
  const { id: customer } = await stripe.customers.create({
    email: `story-${story.seed}@example.org`,
    test_clock: clock.id,
  });
  const method = await attachCard(stripe, customer, story.card);
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
  const subscribe = () =>
    stripe.subscriptions.create({
      customer,
      items: [{ price: plans[story.period].id }],
      ...(story.trialDays === 0 ? {} : { trial_period_days: story.trialDays }),
    });
  await subscribe();
  let now = 0;
  for (const step of story.steps) {
    if (step.day > now) await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + step.day * day });
    now = Math.max(now, step.day);
    await act(stripe, plans, customer, step.act, subscribe).catch(passRefusal);
  }
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 366 * day });
  return { story, customer, clock: clock.id };
}

function passRefusal(error: unknown): void {
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === undefined || statusCode >= 500) throw error;
}

async function act(
  stripe: Stripe,
  { month, year }: Plans,
  customer: string,
  name: Act,
  subscribe: () => Promise<unknown>,
): Promise<void> {
  const { data } = await stripe.subscriptions.list({ customer, limit: 1 });
  const [subscription] = data;
  if (name === 'subscribe-again' || subscription === undefined) {
    if (subscription === undefined) await subscribe();
    return;
  }
  const { id, items } = subscription;
  const [item] = items.data;
  switch (name) {
    case 'change-period':
      await stripe.subscriptions.update(id, {
        items: [{ id: item?.id, price: item?.price.id === month.id ? year.id : month.id }],
        proration_behavior: 'always_invoice',
      });
      return;
    case 'cancel-at-end':
      await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      return;
    case 'resume':
      await stripe.subscriptions.update(id, { cancel_at_period_end: false });
      return;
    case 'cancel-now':
      await stripe.subscriptions.cancel(id);
      return;
    case 'break-card':
    case 'mend-card': {
      const method = await attachCard(
        stripe,
        customer,
        name === 'break-card' ? '4000000000000341' : '4242424242424242',
      );
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
      if (name === 'mend-card' && subscription.status === 'past_due' && subscription.latest_invoice !== null)
        await stripe.invoices.pay(String(subscription.latest_invoice));
      return;
    }
    case 'gift-time':
      await stripe.subscriptions.update(id, {
        trial_end: (item?.current_period_end ?? 0) + 30 * day,
        proration_behavior: 'none',
      });
      return;
    case 'add-code': {
      const coupon = await stripe.coupons.create({ percent_off: 30, duration: 'repeating', duration_in_months: 2 });
      await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
    }
  }
}
