import type Stripe from 'stripe';
import type { AdoptionRefusal, Adoptions } from '#domain/membership/payment-provider.ts';
import { asking, finding } from './client.ts';
import { type Prices, adopted, rhythmOf } from './plans.ts';

const running = ['active', 'trialing', 'past_due'] as const satisfies Stripe.Subscription.Status[];

type Found = { customer: Stripe.Customer; subscription: Stripe.Subscription };

/** Subscriptions of the same Stripe account that another site has begun. */
export function openAdoptions({ client, prices }: { client: Stripe; prices: Prices }): Adoptions {
  async function find(customerId: string): Promise<Found | AdoptionRefusal> {
    const answers = await finding(() =>
      Promise.all([
        client.customers.retrieve(customerId),
        client.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }),
      ]),
    );
    const customer = answers?.[0];
    if (answers === undefined || customer === undefined || customer.deleted) return 'customer-missing';
    const [subscription, ...others] = answers[1].data.filter(({ status }) => running.some((one) => one === status));
    if (subscription === undefined) return 'subscription-ended';
    if (others.length > 0) return 'several-subscriptions';
    const [item, ...more] = subscription.items.data;
    const isSimple = item !== undefined && more.length === 0 && item.price.unit_amount !== null;
    return isSimple && rhythmOf(item.price) !== undefined ? { customer, subscription } : 'other-rhythm';
  }

  return {
    async check(customerId) {
      const found = await find(customerId);
      return typeof found === 'string' ? found : undefined;
    },

    async adopt(customerId, userId) {
      const found = await find(customerId);
      if (typeof found === 'string') return found;
      const { customer, subscription } = found;
      // Its payments then count as the site's. A name that the former site gave stays.
      if (customer.metadata['userId'] === undefined)
        await asking(() => client.customers.update(customerId, { metadata: { userId } }));
      if ((await prices.periodOfSubscription(subscription)) === undefined)
        await asking(() => client.subscriptions.update(subscription.id, { metadata: adopted }));
      return undefined;
    },
  };
}
