import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser, createViewer } from '#test/support/factories.ts';
import type { User } from '../../kernel/viewer.ts';
import { newId } from '../../kernel/ids.ts';
import { invoices, subscriptions } from '../../membership/tables.ts';
import { findOverview } from './overview.ts';
import { readSiteDays } from './site-days.ts';

const { db } = await createTestDatabase();
const ada: User = { ...(await createViewer(db, { isAdmin: true })), isAdmin: true };

/** Noon UTC of a day so many days ago, which a whole period away from midnight no test can cross. */
const ago = (days: number) => new Date(new Date().setUTCHours(12, 0, 0, 0) - days * 24 * 60 * 60 * 1000);

type Subscription = Partial<typeof subscriptions.$inferInsert> & { startedAt: Date };

async function subscribe(subscription: Subscription, paidAt?: Date): Promise<void> {
  const { id: userId } = await createUser(db);
  const terms = { subscriptionId: newId(), period: 'month', amount: 799, currency: 'usd' } as const;
  await db
    .insert(subscriptions)
    .values({ userId, ...terms, status: 'active', periodEndsAt: ago(-10), ...subscription });
  if (paidAt === undefined) return;
  const sums = { currency: 'usd', subtotal: 799, discount: 0, credit: 0, total: 799, amountDue: 0, amountPaid: 799 };
  const times = { periodStart: paidAt, periodEnd: ago(-10), createdAt: paidAt, paidAt };
  await db
    .insert(invoices)
    .values({ id: newId(), userId, invoiceId: newId(), status: 'paid', ...sums, ...times, lines: [] });
}

test('churn counts only who was there at the start, and a gift turns no payer into a trial', async () => {
  for (let count = 0; count < 4; count += 1) await subscribe({ startedAt: ago(60) }, ago(60));
  await subscribe({ startedAt: ago(60), status: 'ended', endsAt: ago(10) }, ago(60));
  // Joined and left within the period; one of them on one day.
  await subscribe({ startedAt: ago(20), status: 'ended', endsAt: ago(5) }, ago(20));
  await subscribe({ startedAt: ago(5), status: 'ended', endsAt: new Date(ago(5).getTime() + 60_000) }, ago(5));
  // Given months move the next charge as a trial does.
  await subscribe({ startedAt: ago(40), status: 'trialing', trialEndsAt: ago(-60) }, ago(33));
  await subscribe({ startedAt: ago(2), status: 'trialing', trialEndsAt: ago(-5) });

  const { subscribers, trials, monthlyRevenue, churn } = await findOverview({ db }, ada, '28');
  expect(subscribers).toEqual({ now: 5, joined: 2, left: 3, atStart: 6, leftOfStart: 1 });
  expect(trials).toBe(1);
  expect(monthlyRevenue).toBe(5 * 799);
  expect(churn.filter((share) => share > 0)).toEqual([100 / 7, 100 / 6]);
  const days = await readSiteDays(db);
  expect(days.at(-40)?.trials).toBe(1);
  expect(days.at(-34)).toMatchObject({ subscribers: 6, trials: 0, joined: 1 });
});
