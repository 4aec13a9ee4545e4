import { eq, sql } from 'drizzle-orm';
import { press } from 'payment-stand-ins/testing';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { hostedHarness } from '#test/support/payments/hosted-harness.ts';
import { addSubscribers, watchAccess } from '#test/support/payments/many-subscribers.ts';
import { openSilentProvider } from '#test/support/payments/silent-provider.ts';
import { findSubscriptionState } from '../subscription.ts';
import { formerPaymentCustomers, memberships, paymentCustomers, subscriptions } from '../tables.ts';
import { planMove } from './plan-move.ts';
import { runMove, storeMove } from './run-move.ts';
import { movedSubscriptions, providerMoves } from './tables.ts';

/** Subscribers who are moved; 10,000 take some minutes. */
const count = Number(process.env['MOVED_SUBSCRIBERS'] ?? 50);
const dayMs = 24 * 60 * 60 * 1000;

test(
  'all subscribers of a provider that is off keep their time to the day, through a killed run, and pay once',
  { timeout: 60_000 + count * 60 },
  async ({ annotate }) => {
    const { db, url } = await createTestDatabase();
    const off = openSilentProvider();
    const harness = await hostedHarness({ db, databaseUrl: url, name: 'verotel', others: [off.provider] });
    const { parts, membership, payments } = harness;
    await addSubscribers(db, count);
    const before = await db
      .select({ row: subscriptions, giftUntil: memberships.giftUntil })
      .from(subscriptions)
      .leftJoin(memberships, eq(memberships.userId, subscriptions.userId));
    const access = await watchAccess(db);
    const plan = await planMove(parts, 'stripe', 'verotel');
    const tenth = count / 10;
    expect(plan).toMatchObject({
      stoppedBy: 'site',
      withGiftTime: tenth,
      confirming: 0,
      kinds: [
        { kind: 'active', count: 7 * tenth },
        { kind: 'cancelled', count: tenth },
        { kind: 'past-due', count: tenth },
        { kind: 'trialing', count: tenth },
      ],
    });
    expect(await db.$count(movedSubscriptions)).toBe(0);

    const began = Date.now();
    const { id, total } = await db.transaction((tx) => storeMove(tx, 'stripe', 'verotel'));
    expect(total).toBe(count);
    await killedRun(db, url, parts, id);
    const moved = await db.$count(movedSubscriptions, eq(movedSubscriptions.state, 'moved'));
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(count);
    // The killed process renews its leases no more.
    await db.execute(sql`update payment_locks set until = now()`);
    await runMove(parts, id);
    const seconds = (Date.now() - began) / 1000;
    expect(await db.select({ state: providerMoves.state }).from(providerMoves)).toEqual([{ state: 'done' }]);
    expect(await db.$count(movedSubscriptions, sql`state = 'moved' and stopped_at is null`)).toBe(count);
    // It was not asked again and again while it did not answer.
    expect(off.calls.length).toBeLessThan(30);

    expect(await access.losses()).toBe(0);
    const after = new Map((await db.select().from(memberships)).map((row) => [row.userId, row.giftUntil]));
    for (const { row, giftUntil } of before) {
      const isOverdue = row.status === 'active' && row.periodEndsAt < new Date(began);
      const grace = row.unpaidSince && new Date(+row.unpaidSince + 7 * dayMs);
      const paid = giftUntil ?? row.endsAt ?? grace ?? row.periodEndsAt;
      const own = after.get(row.userId);
      // A charge that is overdue counts as one that failed when the move came.
      if (isOverdue) expect(+(own ?? 0)).toBeGreaterThan(began + 6.9 * dayMs);
      else expect(own).toEqual(paid);
    }
    expect(await db.$count(paymentCustomers)).toBe(0);
    expect(await db.$count(subscriptions)).toBe(0);
    expect(await db.$count(formerPaymentCustomers)).toBe(count);

    // One mail each, which names no title.
    expect(await membership.sendDueMails()).toBe(count);
    expect(new Set(harness.mails.map(({ to }) => to)).size).toBe(count);
    expect(harness.mails[0]?.text).toContain('We have not heard from Stripe');
    expect(await membership.sendDueMails()).toBe(0);

    // Some subscribe anew at once: the first charge is not before the end of the time that is theirs.
    for (const { row } of before.slice(0, 10)) {
      const outcome = await membership.startCheckout(row.userId, { period: 'month', promoCode: undefined });
      if (!outcome.ok) throw new Error(outcome.reason);
      await press(outcome.url, 'Pay');
      await harness.takeAll();
      const state = await findSubscriptionState(db, row.userId);
      expect(state).toMatchObject({ state: 'trialing', isSubscribed: true });
      expect(+(state.renewsAt ?? 0)).toBeGreaterThanOrEqual(+(after.get(row.userId) ?? 0) - 1000);
    }
    expect(payments.name).toBe('verotel');
    expect(await access.losses()).toBe(0);
    await annotate(`${count} moved in ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(600);
  },
);

/** A process that dies in the middle: its connections break within their transactions. */
async function killedRun(
  db: Awaited<ReturnType<typeof createTestDatabase>>['db'],
  url: string,
  parts: Parameters<typeof runMove>[0],
  id: string,
): Promise<void> {
  const name = 'killed';
  const own = new URL(url);
  own.searchParams.set('application_name', name);
  const process = openDatabase({ url: own.href, poolSize: 4 });
  const run = runMove({ ...parts, db: process.db }, id).catch(() => undefined);
  while ((await db.$count(movedSubscriptions, eq(movedSubscriptions.state, 'moved'))) < count / 3)
    await new Promise((resolve) => setTimeout(resolve, 2));
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const kill = async () => {
    await db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name} and datname = current_database()`,
    );
  };
  const again = setInterval(() => void kill(), 1);
  await kill();
  await Promise.race([run.then(resolve), died, new Promise((later) => setTimeout(later, 2000))]);
  clearInterval(again);
  await process.close();
}
