/** @module-tag slow */
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createPlans, createTestSandbox } from '#test/test-sandbox.ts';
import { liveStory, generateStory } from '#test/stories.ts';

const { stripe, sandbox, events } = await createTestSandbox();
const plans = await createPlans(stripe);

test('the same seed gives the same story', () => {
  expect(generateStory(7)).toEqual(generateStory(7));
  expect(new Set(Array.from({ length: 50 }, (_, seed) => JSON.stringify(generateStory(seed)))).size).toBe(50);
});

test('after any year every cent is accounted for, and the last event of each subscription is its state', async () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const { customer, story } = await liveStory(stripe, plans, generateStory(seed));
    const invoices = await all(stripe.invoices.list({ customer, limit: 100 }));
    const charges = await all(stripe.charges.list({ customer, limit: 100 }));
    const charged = charges.filter(({ paid }) => paid).reduce((sum, { amount }) => sum + amount, 0);
    const paid = invoices.reduce((sum, { amount_paid }) => sum + amount_paid, 0);
    expect([story, charged]).toEqual([story, paid]);
    // The invoiced amount equals the paid and the owed amounts plus the change of the balance.
    const { balance } = (await stripe.customers.retrieve(customer)) as Stripe.Customer;
    const asked = invoices.filter(({ status }) => status !== 'void' && status !== 'draft');
    const total = asked.reduce((sum, one) => sum + one.total, 0);
    const due = asked.reduce((sum, { amount_due }) => sum + amount_due, 0);
    expect([story, total]).toEqual([story, due + balance]);
    for (const invoice of asked) {
      const lines = invoice.lines.data.reduce((sum, { amount }) => sum + amount, 0);
      const discounts = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
      expect([story, invoice.total]).toEqual([story, lines - discounts]);
    }
    for (const charge of charges) expect([story, charge.amount > 49]).toEqual([story, true]);

    await sandbox.settled();
    for (const subscription of await all(stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))) {
      const last = events.findLast(({ data }) => (data.object as { id?: string }).id === subscription.id);
      const { id, status, items, discounts } = (last?.data.object ?? {}) as Stripe.Subscription;
      expect({ id, status, items, discounts }).toEqual({
        id: subscription.id,
        status: subscription.status,
        items: JSON.parse(JSON.stringify(subscription.items)),
        discounts: expect.arrayContaining(subscription.discounts),
      });
    }
  }
}, 120_000);

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
