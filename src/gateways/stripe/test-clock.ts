import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { TestClock } from '#domain/membership/payment-provider.ts';
import { asking, dateOf, idOf, secondsOf } from './client.ts';

export function openTestClock({ client }: { client: Stripe }): TestClock {
  async function clockOf(customerId: string): Promise<Stripe.TestHelpers.TestClock | undefined> {
    const customer = await asking(() => client.customers.retrieve(customerId));
    const clock = customer.deleted ? undefined : idOf(customer.test_clock);
    return clock === undefined ? undefined : asking(() => client.testHelpers.testClocks.retrieve(clock));
  }

  return {
    async createCustomer({ userId, email, startsAt }) {
      return asking(async () => {
        const clock = await client.testHelpers.testClocks.create({ frozen_time: secondsOf(startsAt) });
        const customer = await client.customers.create({
          test_clock: clock.id,
          metadata: { userId },
          email,
        });
        return customer.id;
      });
    },

    async timeOf(customerId) {
      const clock = await clockOf(customerId);
      return clock && dateOf(clock.frozen_time);
    },

    async advance(customerId, to) {
      const clock = await clockOf(customerId);
      if (clock === undefined) throw new Error('the customer lives in everybody’s time');
      await asking(() => client.testHelpers.testClocks.advance(clock.id, { frozen_time: secondsOf(to) }));
      // Stripe advances the clock in the background.
      for (let tries = 0; tries < 120; tries += 1) {
        const { status } = await asking(() => client.testHelpers.testClocks.retrieve(clock.id));
        if (status === 'ready') return;
        await wait(1000);
      }
      throw new Error('the test clock does not arrive');
    },
  };
}
