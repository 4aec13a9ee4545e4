import { eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { findCustomerId } from '../customers.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { syncSubscription } from '../sync/sync.ts';
import { subscriptions } from '../tables.ts';

vi.setConfig({ testTimeout: 60_000 });

const { db, url } = await createTestDatabase();
const harness = await stripeHarness(url);
afterAll(() => harness.sandbox.close());
const site = openTestMembership(db, { ...openPlainPayments(), provider: harness.provider });

test('the month of the card comes with the sync, in no request of its own, and without the number', async () => {
  await site.checkPlans();
  const { id } = await createListener(site, { startsAt: new Date() });
  const cardId = await harness.newCard('good');
  await site.createSubscription(id, orderOf(cardId));
  const customerId = (await findCustomerId(db, id)) ?? '';
  await harness.stripe.paymentMethods.update(cardId, { card: { exp_month: 3, exp_year: 2031 } });
  const before = harness.sent.length;
  expect(await syncSubscription(site.parts, customerId)).toMatchObject({ hasChanged: false });
  const paths = harness.sent.slice(before).map(({ path }) => path);
  expect(paths.some((path) => path.includes('payment_methods'))).toBe(false);
  expect(paths).toHaveLength(4);
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, id));
  expect(row?.cardExpires).toBe('2031-03');
  expect(JSON.stringify(row)).not.toContain('4242');
});
