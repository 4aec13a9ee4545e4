import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { findCustomerId } from './customers.ts';
import { doDueWork } from './due-work.ts';
import { refundUnused } from './refunds.ts';
import { invoiceRefunds, invoices, memberships } from './tables.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts } = site;

/** Charged at once, at a time of the provider's. */
async function subscriber(startsAt: Date) {
  const { id } = await createListener(site, { startsAt });
  await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { withoutTrial: true }));
  return { id, customerId: (await findCustomerId(db, id)) ?? '' };
}

async function refundedOf(userId: string): Promise<number[]> {
  const rows = await db.select().from(invoices).where(eq(invoices.userId, userId)).orderBy(invoices.createdAt);
  return rows.map(({ refunded }) => refunded);
}

const at = (text: string) => new Date(text);

test.each([
  // A month of 30 days for $7.99: a day is 26.633 cents.
  ['2026-03-31T23:59:59Z', undefined],
  ['2026-04-01T00:00:00Z', 799],
  ['2026-04-02T00:00:00Z', 772],
  ['2026-04-16T00:00:00Z', 399],
  ['2026-04-30T00:00:00Z', 26],
  ['2026-04-30T23:00:00Z', 1],
  ['2026-04-30T23:59:59Z', undefined],
  ['2026-05-01T00:00:00Z', undefined],
] as const)('unused days are refunded in whole cents, rounded down: at %s %s cents', async (now, amount) => {
  const { id } = await subscriber(at('2026-04-01T00:00:00Z'));
  const refunded = await refundUnused(parts, id, { now: at(now) });
  expect(refunded?.amount).toBe(amount);
  expect(await refundedOf(id)).toEqual([amount ?? 0]);
  // Once, however often it is asked for.
  expect(await refundUnused(parts, id, { now: at(now) })).toBeUndefined();
  expect(await refundedOf(id)).toEqual([amount ?? 0]);
});

test('what was refunded before stays, and no more than the rest follows', async () => {
  const { id, customerId } = await subscriber(at('2026-04-01T00:00:00Z'));
  const [invoice] = (await plain.provider.readCustomer(customerId))?.invoices ?? [];
  await plain.provider.refundInvoice({ invoiceId: invoice?.id ?? '', amount: 500, key: 'by hand' });
  expect(await refundUnused(parts, id, { now: at('2026-04-16T00:00:00Z') })).toMatchObject({ amount: 299 });
  expect(await refundedOf(id)).toEqual([799]);
});

test('after an upgrade the time that its credit had paid for is refunded too, once, with its entry in the log', async () => {
  const { id } = await subscriber(new Date());
  expect(await site.changePeriod(id, 'year')).toMatchObject({ ok: true });
  const paid = await db.select().from(invoices).where(eq(invoices.userId, id)).orderBy(invoices.createdAt);
  expect(paid.reduce((sum, { amountPaid }) => sum + amountPaid, 0)).toBe(5988);
  const recorded: unknown[] = [];
  const { refundInvoice } = plain.provider;
  let calls = 0;
  plain.provider.refundInvoice = async (refund) => {
    calls += 1;
    const outcome = await refundInvoice(refund);
    // The second answer is lost.
    if (calls === 2) throw new Error('the connection broke');
    return outcome;
  };
  const record = async (_tx: unknown, amount: unknown) => void recorded.push(amount);
  await expect(refundUnused(parts, id, { record })).rejects.toThrow('broke');
  plain.provider.refundInvoice = refundInvoice;
  await db.update(invoiceRefunds).set({ createdAt: sql`now() - interval '2 minutes'` });
  await doDueWork(parts);
  const refunded = (await refundedOf(id)).reduce((sum, cents) => sum + cents, 0);
  // A few seconds are used.
  expect(5988 - refunded).toBeLessThanOrEqual(2);
  expect(recorded).toEqual([{ amount: refunded, currency: 'usd' }]);
  expect((await refundedOf(id)).every((cents, index) => cents <= (paid[index]?.amountPaid ?? 0))).toBe(true);
});

test('a refund that was ordered is owed although the provider has no such customer any more', async () => {
  const { id, customerId } = await subscriber(new Date());
  const { refundInvoice, readCustomer } = plain.provider;
  plain.provider.refundInvoice = () => Promise.reject(new Error('away'));
  await expect(refundUnused(parts, id)).rejects.toThrow('away');
  plain.provider.refundInvoice = refundInvoice;
  plain.provider.readCustomer = async (asked) => (asked === customerId ? undefined : readCustomer(asked));
  await db.update(invoiceRefunds).set({ createdAt: sql`now() - interval '2 hours'` });
  await doDueWork(parts);
  plain.provider.readCustomer = readCustomer;
  expect((await refundedOf(id))[0]).toBeGreaterThan(790);
  expect(await db.select().from(invoiceRefunds).where(eq(invoiceRefunds.userId, id))).toMatchObject([
    { state: 'done' },
  ]);
});

test('an order whose subscription could not be ended is repeated with the same refund', async () => {
  const { id } = await subscriber(new Date());
  const { cancelNow } = plain.provider;
  plain.provider.cancelNow = () => Promise.reject(new Error('away'));
  await expect(refundUnused(parts, id)).rejects.toThrow('away');
  plain.provider.cancelNow = cancelNow;
  const refunded = await refundUnused(parts, id);
  expect(await refundedOf(id)).toEqual([refunded?.amount]);
  expect(await db.select().from(invoiceRefunds).where(eq(invoiceRefunds.userId, id))).toMatchObject([
    { state: 'done' },
  ]);
});

/** Runs the job that long after a refund whose call was not answered. */
async function doDueWorkAfter(call: 'cancelNow' | 'refundInvoice', age: string) {
  const { id } = await subscriber(new Date());
  const away = vi.spyOn(plain.provider, call).mockRejectedValue(new Error('away'));
  await expect(refundUnused(parts, id)).rejects.toThrow('away');
  away.mockRestore();
  const isOwn = eq(invoiceRefunds.userId, id);
  await db
    .update(invoiceRefunds)
    .set({ createdAt: sql`now() - ${age}::interval` })
    .where(isOwn);
  await doDueWork(parts);
  return { id, states: await db.select({ state: invoiceRefunds.state }).from(invoiceRefunds).where(isOwn) };
}

test.each([
  ['59 minutes', [{ state: 'asked' }]],
  ['61 minutes', []],
])('an order whose subscription goes on after %s leaves %j', async (age, left) => {
  const { id, states } = await doDueWorkAfter('cancelNow', age);
  expect(states).toEqual(left);
  expect(await refundedOf(id)).toEqual([0]);
});

test.each([
  ['50 seconds', 'asked'],
  ['70 seconds', 'done'],
  ['29 days 23 hours', 'done'],
  ['30 days 1 hour', 'asked'],
])('a refund without an answer for %s is %s after the job', async (age, state) => {
  const { states } = await doDueWorkAfter('refundInvoice', age);
  expect(states).toEqual([{ state }]);
});
