/** @module-tag slow */
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createTestSandbox } from '#test/test-sandbox.ts';

// The SDK accepts timestamps after the machine's time, but not before.
let now = new Date();
let plan = (due: Stripe.Event[]) => due;
const { stripe, sandbox, events, answers, logged } = await createTestSandbox({
  now: () => now,
  planDeliveries: (due) => plan(due),
});

const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};
const names = () => events.map(({ data }) => (data.object as { name?: string }).name);

async function createThree(): Promise<void> {
  await sandbox.settled();
  events.length = 0;
  for (const name of ['one', 'two', 'three']) await stripe.customers.create({ name });
}

test('events arrive signed, in the order in which they happened', async () => {
  await createThree();
  await sandbox.settled();
  expect(names()).toEqual(['one', 'two', 'three']);
  const [event] = events;
  expect(event).toMatchObject({
    object: 'event',
    type: 'customer.created',
    api_version: '2026-10-28.endive',
    livemode: false,
    request: { id: expect.stringMatching(/^req_/), idempotency_key: expect.stringMatching(/^stripe-node-retry-/) },
  });
  expect((await stripe.events.retrieve(event?.id ?? '')).pending_webhooks).toBe(0);
});

test('an event not answered with 200 is retried with growing delays', async () => {
  answers.push(500, 404, 302);
  await createThree();
  await sandbox.settled();
  expect(names()).toEqual([]);
  await sandbox.tick();
  expect(names()).toEqual([]);
  answers.push(500);
  pass(6);
  await sandbox.tick();
  expect(names()).toEqual(['two', 'three']);
  pass(6);
  await sandbox.tick();
  expect(names()).toHaveLength(2);
  pass(25);
  await sandbox.tick();
  expect(names()).toEqual(['two', 'three', 'one']);
  expect(logged.filter((line) => line.includes('answered 500'))).toHaveLength(2);
});

test('a site that never answers gets an event for three days', async () => {
  answers.push(...Array.from({ length: 100 }, () => 503));
  const before = answers.length;
  await stripe.customers.create({ name: 'lost' });
  await sandbox.settled();
  for (let hours = 0; hours < 24 * 5; hours += 1) {
    pass(3600);
    await sandbox.tick();
  }
  const tries = before - answers.length;
  expect(tries).toBeGreaterThan(12);
  expect(tries).toBeLessThan(20);
  answers.length = 0;
});

test('a test can shuffle, repeat and drop deliveries; dropped events are retried', async () => {
  plan = () => [];
  await createThree();
  await sandbox.settled();
  expect(names()).toEqual([]);
  plan = (due) => {
    const [one, two, three] = due.filter(({ data }) => (data.object as { name?: string }).name !== 'lost');
    return [three, one, three].filter((event) => event !== undefined && event !== two) as Stripe.Event[];
  };
  await sandbox.retryDeliveries();
  expect(names()).toEqual(['three', 'one', 'three']);
  plan = (due) => due;
  pass(60);
  await sandbox.tick();
  expect(names()).toEqual(['three', 'one', 'three', 'two']);
});
