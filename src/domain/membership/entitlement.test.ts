import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, isSubscribed, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { users } from '../identity/tables.ts';
import { addGiftTime, giveMonths, hasSubscriptionSql, isInTrialSql } from './entitlement.ts';
import { addMonths } from '../kernel/calendar/months.ts';
import { giveTime } from './gift-cards/operator-gifts.ts';
import { givenMonths, invoices, memberships, subscriptions } from './tables.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);

async function inTrial() {
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(site.plain.newCard('good')));
  return id;
}

async function stateOf(userId: string) {
  const { rows } = await db.execute<{ subscription: boolean; trial: boolean }>(
    sql`select ${hasSubscriptionSql(users.id)} as subscription, ${isInTrialSql(users.id)} as trial from users where id = ${userId}`,
  );
  return { hears: await isSubscribed(db, userId), ...rows[0] };
}

const change = (id: string, set: Partial<typeof subscriptions.$inferInsert>) =>
  db.update(subscriptions).set(set).where(eq(subscriptions.userId, id));
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

test('a subscription whose end no sync has seen yet ends by itself, to the second', async () => {
  const id = await inTrial();
  await change(id, { status: 'active', endsAt: ago(-60) });
  expect(await stateOf(id)).toMatchObject({ hears: true, subscription: true });
  await change(id, { endsAt: ago(1) });
  expect(await stateOf(id)).toMatchObject({ hears: false, subscription: false });
});

test('grace days are counted from the oldest unpaid invoice to the second', async () => {
  const id = await inTrial();
  const week = 7 * 24 * 60 * 60;
  await change(id, { status: 'past-due', unpaidSince: ago(week - 60) });
  expect(await stateOf(id)).toMatchObject({ hears: true, subscription: true });
  await change(id, { unpaidSince: ago(week + 1) });
  expect(await stateOf(id)).toMatchObject({ hears: false, subscription: true });
});

test('gift time ends to the second, and is no subscription', async () => {
  const { id } = await createListener(site);
  await db.insert(memberships).values({ userId: id, giftUntil: ago(-60) });
  expect(await stateOf(id)).toEqual({ hears: true, subscription: false, trial: false });
  await db
    .update(memberships)
    .set({ giftUntil: ago(1) })
    .where(eq(memberships.userId, id));
  expect(await stateOf(id)).toMatchObject({ hears: false });
});

test('a trial is one until something was paid or given, and again once the given months are over', async () => {
  const id = await inTrial();
  expect(await stateOf(id)).toMatchObject({ trial: true });
  await giveTime(site.parts, id, { months: 1 });
  expect(await stateOf(id)).toMatchObject({ trial: false });
  await db
    .update(givenMonths)
    .set({ chargeUntil: ago(1) })
    .where(eq(givenMonths.userId, id));
  expect(await stateOf(id)).toMatchObject({ trial: true });
  // The provider's invoice at the start of a trial is of nothing.
  const { id: payer } = await createListener(site);
  await db.insert(memberships).values({ userId: payer, trialUsedAt: new Date() });
  await site.createSubscription(payer, orderOf(site.plain.newCard('good'), { withoutTrial: true }));
  await change(payer, { status: 'trialing' });
  for (const [amountPaid, trial] of [
    [0, true],
    [1, false],
  ] as const) {
    await db.update(invoices).set({ amountPaid }).where(eq(invoices.userId, payer));
    expect(await stateOf(payer)).toMatchObject({ trial });
  }
});

test('months that are given at the same moment all count, each behind the other', async () => {
  const { id } = await createListener(site);
  const start = new Date('2031-01-15T10:00:00Z');
  await db.insert(memberships).values({ userId: id, giftUntil: start });
  const ends = await Promise.all(Array.from({ length: 6 }, () => giveMonths(db, id, 1)));
  expect(new Set(ends.map(Number)).size).toBe(6);
  const { from, until } = await addGiftTime(db, id, 1, new Date('2030-01-01T00:00:00Z'));
  expect([from, until]).toEqual([addMonths(start, 6), addMonths(start, 7)]);
});
