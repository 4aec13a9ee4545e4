import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser, createViewer } from '#test/support/factories.ts';
import type { User } from '../../kernel/viewer.ts';
import { newId } from '../../kernel/ids.ts';
import { operator } from '../../kernel/actor.ts';
import { MembershipSettings, membershipSetting } from '../../membership/settings.ts';
import { pauses } from '../../membership/keeping/tables.ts';
import { invoiceRefunds, invoices, subscriptions } from '../../membership/tables.ts';
import { changeSetting } from '../../settings/change-setting.ts';
import { siteDayMoney, siteDays } from '../tables.ts';
import { findOverview } from './overview.ts';
import { exportRevenue } from './revenue-csv.ts';
import { readSiteDays } from './site-days.ts';

const { db } = await createTestDatabase();
const ada: User = { ...(await createViewer(db, { isAdmin: true })), isAdmin: true };

/** Noon UTC of a day so many days ago, which a whole period away from midnight no test can cross. */
const ago = (days: number) => new Date(new Date().setUTCHours(12, 0, 0, 0) - days * 24 * 60 * 60 * 1000);

type Subscription = Partial<typeof subscriptions.$inferInsert> & { startedAt: Date };

/** @returns the id of the invoice */
async function subscribe(subscription: Subscription, paidAt?: Date): Promise<string> {
  const { id: userId } = await createUser(db);
  const { amount = 799, currency = 'usd', status: state } = subscription;
  const terms = { subscriptionId: newId(), period: 'month', amount, currency } as const;
  await db
    .insert(subscriptions)
    .values({ userId, ...terms, status: 'active', periodEndsAt: ago(-10), ...subscription });
  const id = newId();
  if (paidAt === undefined) return id;
  const isOpen = state === 'past-due';
  const due = isOpen ? { amountDue: amount, amountPaid: 0 } : { amountDue: 0, amountPaid: amount };
  const sums = { currency, subtotal: amount, discount: 0, credit: 0, total: amount, ...due };
  const times = { periodStart: paidAt, periodEnd: ago(-10), createdAt: paidAt, paidAt: isOpen ? null : paidAt };
  const status = isOpen ? 'open' : 'paid';
  await db.insert(invoices).values({ id, userId, invoiceId: newId(), status, ...sums, ...times, lines: [] });
  return id;
}

async function refund(id: string, amount: number, at: Date): Promise<void> {
  const [invoice] = await db.select().from(invoices).where(eq(invoices.id, id));
  if (invoice === undefined) throw new Error('there is no such invoice');
  const { userId, currency } = invoice;
  await db
    .insert(invoiceRefunds)
    .values({ id: newId(), invoiceId: id, userId, amount, currency, state: 'done', createdAt: at });
}

/** Today and yesterday, and with `all` every day, are added up again. */
async function lookAgain(all = false) {
  if (all) await db.delete(siteDays);
  await db.update(siteDays).set({ computedAt: ago(1) });
  return findOverview({ db }, ada, '28');
}

const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

test('churn counts only who was there at the start, and a gift turns no payer into a trial', async () => {
  for (let count = 0; count < 4; count += 1) await subscribe({ startedAt: ago(60) }, ago(60));
  await subscribe({ startedAt: ago(60), status: 'ended', endsAt: ago(10) }, ago(60));
  // Joined and left within the period; one of them on one day.
  await subscribe({ startedAt: ago(20), status: 'ended', endsAt: ago(5) }, ago(20));
  await subscribe({ startedAt: ago(5), status: 'ended', endsAt: new Date(ago(5).getTime() + 60_000) }, ago(5));
  // Given months move the next charge as a trial does.
  await subscribe({ startedAt: ago(40), status: 'trialing', trialEndsAt: ago(-60) }, ago(33));
  await subscribe({ startedAt: ago(2), status: 'trialing', trialEndsAt: ago(-5) });

  const { subscribers, trials, money, churn } = await findOverview({ db }, ada, '28');
  expect(subscribers).toEqual({ now: 5, joined: 2, left: 3, atStart: 6, leftOfStart: 1 });
  expect(trials).toBe(1);
  expect(money).toMatchObject([{ currency: 'usd', monthlyRevenue: 5 * 799 }]);
  expect(churn.filter((share) => share > 0)).toEqual([100 / 7, 100 / 6]);
  const days = await readSiteDays(db);
  expect(days.at(-40)?.trials).toBe(1);
  expect(days.at(-34)).toMatchObject({ subscribers: 6, trials: 0, joined: 1 });
});

test('who pauses is counted apart, and neither joins nor leaves', async () => {
  const before = await lookAgain(true);
  const daysBefore = await readSiteDays(db);
  const pause = async (subscriptionId: string, [from, until, ended]: [number, number, number?]) => {
    const times = { fromAt: ago(from), untilAt: ago(until), endedAt: ended === undefined ? null : ago(ended) };
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.subscriptionId, subscriptionId));
    const own = { id: newId(), userId: row?.userId ?? '', subscriptionId, months: 1, appliedAt: ago(from + 9) };
    await db.insert(pauses).values({ ...own, ...times });
  };
  for (const id of ['now', 'over', 'back']) await subscribe({ startedAt: ago(50), subscriptionId: id }, ago(50));
  const isFree = { status: 'trialing', trialEndsAt: ago(-20), periodEndsAt: ago(-20) } as const;
  await db.update(subscriptions).set(isFree).where(eq(subscriptions.subscriptionId, 'now'));
  await pause('now', [6, -20]);
  await pause('over', [20, 8, 10]);
  await pause('back', [6, -20, 9]);
  const { subscribers, money, keeping, trials } = await lookAgain(true);
  expect([keeping.paused, trials]).toEqual([1, before.trials]);
  const { joined, left } = before.subscribers;
  expect(subscribers).toMatchObject({ now: before.subscribers.now + 2, joined, left });
  expect(money[0].monthlyRevenue).toBe(before.money[0].monthlyRevenue + 2 * 799);
  const days = await readSiteDays(db);
  const countOf = (day: number) => (days.at(-1 - day)?.subscribers ?? 0) - (daysBefore.at(-1 - day)?.subscribers ?? 0);
  expect([21, 20, 11, 10, 7, 6].map(countOf)).toEqual([3, 2, 2, 3, 3, 2]);
  await db.delete(pauses);
  await db.delete(subscriptions).where(sql`subscription_id in ('now', 'over', 'back')`);
  await lookAgain(true);
});

test('money is never a sum of two currencies, and each that has some is shown', async () => {
  const before = (await lookAgain(true)).money[0];
  await subscribe({ startedAt: ago(9), currency: 'eur', amount: 849 }, ago(9));
  await subscribe({ startedAt: ago(9), currency: 'eur', amount: 8490, period: 'year' });
  await subscribe({ startedAt: ago(2), currency: 'jpy', amount: 1180 }, ago(2));
  const overdue = { status: 'past-due', currency: 'kwd', amount: 2490 } as const;
  await subscribe({ startedAt: ago(40), ...overdue }, ago(3));
  // The operator offers no pounds any more; one payment was refunded in a later month.
  const ended = { status: 'ended', currency: 'gbp', amount: 699 } as const;
  const former = await subscribe({ startedAt: ago(80), endsAt: ago(40), ...ended }, ago(80));
  await refund(former, 500, ago(4));
  const { money, subscribers, failedPayments } = await lookAgain(true);
  expect(money[0]).toEqual(before);
  expect(
    money.map(({ currency, monthlyRevenue, unpaid, income }) => [currency, monthlyRevenue, unpaid, sumOf(income.days)]),
  ).toEqual([
    ['usd', before.monthlyRevenue, 0, sumOf(before.income.days)],
    ['eur', 849 + 708, 0, 849],
    ['gbp', 0, 0, -500],
    ['jpy', 1180, 0, 1180],
    ['kwd', 2490, 2490, 0],
  ]);
  expect(money.find(({ currency }) => currency === 'eur')?.monthlyRevenues.slice(-11)).toEqual([
    0,
    ...Array.from({ length: 10 }, () => 1557),
  ]);
  expect(money.find(({ currency }) => currency === 'gbp')).toMatchObject({ income: { before: 0 } });
  expect(failedPayments).toBe(1);
  expect(subscribers.now).toBe(5 + 4);
  const csv = await exportRevenue(db, ada, '28');
  const day = (days: number) => ago(days).toISOString().slice(0, 10);
  expect(csv.split('\r\n')).toEqual(
    expect.arrayContaining([
      `${day(9)},EUR,15.57,0.00,1,8.49,0,0.00,0,0.00,0,0.00`,
      `${day(2)},JPY,1180,0,1,1180,0,0,0,0,0,0`,
      `${day(0)},KWD,2.490,2.490,0,0.000,0,0.000,0,0.000,0,0.000`,
      `${day(4)},GBP,0.00,0.00,0,0.00,0,0.00,0,0.00,1,5.00`,
    ]),
  );
});

test('money that the former version left out is added up once', async () => {
  const { money } = await findOverview({ db }, ada, '28');
  const known = await db.select().from(siteDayMoney);
  await db.delete(siteDayMoney);
  await db.update(siteDays).set({ hasFurtherMoney: false });
  expect((await lookAgain()).money).toEqual(money);
  expect(await db.$count(siteDayMoney)).toBe(known.length);
  const [earlier] = await db
    .delete(siteDayMoney)
    .where(eq(siteDayMoney.day, ago(9).toISOString().slice(0, 10)))
    .returning();
  await lookAgain();
  expect(earlier).toBeDefined();
  expect(await db.$count(siteDayMoney, eq(siteDayMoney.day, earlier?.day ?? ''))).toBe(0);
  await db.delete(siteDayMoney);
  await db.insert(siteDayMoney).values(known);
});

test('a currency without subscriptions and payments goes, and a new currency of the site keeps each day’s own', async () => {
  await db.execute(sql`delete from invoices where currency = 'kwd'`);
  await db.execute(sql`delete from subscriptions where currency = 'kwd'`);
  const [usd, eur, gbp, jpy, kwd] = (await lookAgain()).money;
  expect([usd.currency, eur?.currency, gbp?.currency, jpy?.currency]).toEqual(['usd', 'eur', 'gbp', 'jpy']);
  // Earlier days stay as they are.
  expect(kwd).toMatchObject({ currency: 'kwd', monthlyRevenue: 0, unpaid: 0 });
  await changeSetting(db, membershipSetting, {
    actor: operator,
    value: MembershipSettings.parse({ currency: 'eur' }),
    revision: 0,
  });
  const { money } = await lookAgain();
  expect(money.map(({ currency }) => currency)).toEqual(['eur', 'gbp', 'jpy', 'kwd', 'usd']);
  expect(money[0]).toEqual(eur);
  expect(money.at(-1)).toEqual(usd);
});
