import { eq } from 'drizzle-orm';
import { press } from 'payment-stand-ins/testing';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { hostedHarness } from '#test/support/payments/hosted-harness.ts';
import { isSubscribed, orderOf } from '#test/support/payments/membership.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { newId } from '../../kernel/ids.ts';
import type { ProviderName } from '../capabilities.ts';
import { findCustomerId, writeCustomer } from '../customers.ts';
import { doDueWork } from '../due-work.ts';
import { findGiftUntil } from '../entitlement.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import { personalData } from '../personal-data.ts';
import { reconcile } from '../sync/reconcile.ts';
import { syncSubscription } from '../sync/sync.ts';
import { invoices, subscriptions } from '../tables.ts';
import { findFormerProvider } from './find-former.ts';
import { runMove, storeMove } from './run-move.ts';
import { movedSubscriptions } from './tables.ts';

/** From the Stripe sandbox to the stand-in of Verotel, and back. */

const { db, url } = await createTestDatabase();
let main: ProviderName = 'stripe';
const stripe = await stripeHarness(url);
const verotel = await hostedHarness({
  db,
  databaseUrl: url,
  name: 'verotel',
  others: [stripe.provider],
  main: () => main,
});
const { parts, membership, mails } = verotel;
afterAll(() => stripe.sandbox.close());

const dayMs = 24 * 60 * 60 * 1000;
let users = 0;

async function newUser(): Promise<string> {
  users += 1;
  return (await createUser(db, { email: `moving-${users}@example.org` })).id;
}

/** Pays through Stripe, and past its trial if `days` says so. */
async function atStripe(days = 0) {
  main = 'stripe';
  const userId = await newUser();
  const { testClock } = stripe.provider;
  const customerId =
    (await testClock?.createCustomer({ userId, email: undefined, startsAt: new Date(Date.now() - days * dayMs) })) ??
    '';
  await writeCustomer(db, userId, customerId);
  const card = await stripe.newCard('good');
  expect(await membership.createSubscription(userId, orderOf(card, { withoutTrial: true }))).toMatchObject({
    ok: true,
  });
  if (days > 0) {
    await testClock?.advance(customerId, new Date());
    await membership.refreshSubscription(userId);
  }
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  if (row === undefined) throw new Error('not subscribed');
  return { userId, customerId, row };
}

async function move(from: ProviderName, to: ProviderName): Promise<void> {
  main = to;
  const { id } = await db.transaction((tx) => storeMove(tx, from, to));
  await runMove(parts, id);
}

async function movedOf(userId: string) {
  const [row] = await db.select().from(movedSubscriptions).where(eq(movedSubscriptions.userId, userId));
  return row;
}

test('a provider that answers stops the renewal, and charges nobody again', async () => {
  const { userId, customerId, row } = await atStripe(8);
  await move('stripe', 'verotel');
  expect(await movedOf(userId)).toMatchObject({ state: 'moved', paidUntil: row.periodEndsAt, error: null });
  expect(await findGiftUntil(db, userId)).toEqual(row.periodEndsAt);
  expect(await isSubscribed(db, userId)).toBe(true);
  const facts = await stripe.provider.readCustomer(customerId);
  expect(facts?.subscriptions[0]?.endsAt).toEqual(row.periodEndsAt);
  await membership.sendDueMails();
  const mail = mails.find(({ subject }) => subject === 'Our payments move to Verotel');
  expect(mail?.text).toContain('Stripe does not charge you again.');
  expect(await findFormerProvider(db, userId)).toEqual({
    title: 'Stripe',
    newTitle: 'Verotel',
    state: 'stopped',
    paidUntil: row.periodEndsAt,
    cancelUrl: null,
    invoices: 1,
  });
  const { failed, totals } = await reconcile(parts);
  expect(failed).toEqual([]);
  expect(totals.filter((one) => one.here !== one.atProvider)).toEqual([]);
  // Its last words settle: nothing is charged, and nothing is to be stopped again.
  await stripe.provider.testClock?.advance(customerId, new Date(Date.now() + 60 * dayMs));
  await syncSubscription(parts, customerId);
  expect(await db.$count(invoices, eq(invoices.userId, userId))).toBe(2);
  expect(await movedOf(userId)).toMatchObject({ livedOnAt: null, chargedAgainAt: null });
});

test('one that has ended is no hindrance where its provider is silent', async () => {
  const { userId, row } = await atStripe(8);
  await membership.cancelSubscription(userId, undefined);
  await db
    .update(subscriptions)
    .set({ status: 'ended', endsAt: new Date() })
    .where(eq(subscriptions.subscriptionId, row.subscriptionId));
  main = 'verotel';
  const { readCustomer } = stripe.provider;
  stripe.provider.readCustomer = async () => {
    throw new Error('off');
  };
  await expect(membership.startCheckout(userId, { period: 'month', promoCode: undefined })).resolves.toMatchObject({
    ok: true,
  });
  expect(await findCustomerId(db, userId)).toMatch(/^verotel:/);
  stripe.provider.readCustomer = readCustomer;
});

test('a new subscription in the time that was kept is not charged before its end', async () => {
  const { userId, row } = await atStripe(8);
  await move('stripe', 'verotel');
  const outcome = await membership.startCheckout(userId, { period: 'month', promoCode: undefined });
  if (!outcome.ok) throw new Error(outcome.reason);
  await press(outcome.url, 'Pay');
  await verotel.takeAll();
  const sale = await verotel.saleOf(outcome.reference);
  expect(await findCustomerId(db, userId)).toMatch(/^verotel:/);
  const state = await membership.findSubscriptionState(userId);
  expect(state).toMatchObject({ state: 'trialing', isSubscribed: true });
  expect(+(state.renewsAt ?? 0)).toBeGreaterThanOrEqual(+row.periodEndsAt);
  expect(sale).toMatchObject({ status: 'active', charges: [{ price: '0.00' }] });
  expect(sale.dueAt).toBeGreaterThanOrEqual(+row.periodEndsAt);
});

test('a process that dies after the provider’s word and before its own note only repeats', async () => {
  const { userId, customerId, row } = await atStripe(8);
  // As the word leaves it behind: canceled there, and nothing noted here.
  main = 'verotel';
  const { id } = await db.transaction((tx) => storeMove(tx, 'stripe', 'verotel'));
  await stripe.provider.cancelAtPeriodEnd(row.subscriptionId, undefined);
  await syncSubscription(parts, customerId);
  expect(await isSubscribed(db, userId)).toBe(true);
  await runMove(parts, id);
  await runMove(parts, id);
  expect(await findGiftUntil(db, userId)).toEqual(row.periodEndsAt);
});

test('one that goes on is stopped again, what was charged is added, and operators see it', async () => {
  const { userId, customerId, row } = await atStripe(8);
  await move('stripe', 'verotel');
  const before = await findGiftUntil(db, userId);
  // Somebody resumes it in the provider’s dashboard, and it renews.
  await stripe.provider.resume(row.subscriptionId);
  await stripe.provider.testClock?.advance(customerId, new Date(+row.periodEndsAt + dayMs));
  await syncSubscription(parts, customerId);
  const facts = await stripe.provider.readCustomer(customerId);
  const [again] = facts?.subscriptions ?? [];
  expect(again?.endsAt).toEqual(again?.periodEndsAt);
  expect(await movedOf(userId)).toMatchObject({ livedOnAt: expect.any(Date), chargedAgainAt: expect.any(Date) });
  const added = +(again?.periodEndsAt ?? 0) - +row.periodEndsAt;
  const after = await findGiftUntil(db, userId);
  expect(Math.abs(+(after ?? 0) - +(before ?? 0) - added)).toBeLessThan(1000);
  // Its event comes twice.
  await syncSubscription(parts, customerId);
  expect(await findGiftUntil(db, userId)).toEqual(after);
  const acts = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, userId));
  expect(acts.filter(({ action }) => action === 'subscription.stopped-again')).toHaveLength(1);
});

test('without an answer the time is kept at once, and the provider is asked until it stops', async () => {
  const { userId, customerId, row } = await atStripe(8);
  const { readCustomer } = stripe.provider;
  stripe.provider.readCustomer = async () => {
    throw new Error('off');
  };
  await move('stripe', 'verotel');
  expect(await movedOf(userId)).toMatchObject({ state: 'moved', stoppedAt: null, paidUntil: row.periodEndsAt });
  await expect(doDueWork(parts)).rejects.toThrow('off');
  expect(await movedOf(userId)).toMatchObject({ stoppedAt: null, attempts: 1 });
  stripe.provider.readCustomer = readCustomer;
  await db.update(movedSubscriptions).set({ tryAfter: new Date(0) });
  await doDueWork(parts);
  expect(await movedOf(userId)).toMatchObject({ stoppedAt: expect.any(Date), livedOnAt: null, error: null });
  expect((await stripe.provider.readCustomer(customerId))?.subscriptions[0]?.endsAt).toEqual(row.periodEndsAt);
  expect(await findGiftUntil(db, userId)).toEqual(row.periodEndsAt);
});

test.each([true, false])('the months of a pause are not added to what is kept; with an answer: %j', async (answers) => {
  const { userId, customerId, row } = await atStripe(8);
  expect(await membership.pauseSubscription(userId, 2)).toMatchObject({ ok: true });
  const { readCustomer } = stripe.provider;
  if (!answers)
    stripe.provider.readCustomer = async () => {
      throw new Error('off');
    };
  await move('stripe', 'verotel');
  stripe.provider.readCustomer = readCustomer;
  expect(await movedOf(userId)).toMatchObject({ state: 'moved', paidUntil: row.periodEndsAt });
  await db.update(movedSubscriptions).set({ tryAfter: new Date(0) });
  await doDueWork(parts);
  await syncSubscription(parts, customerId);
  const [there] = (await stripe.provider.readCustomer(customerId))?.subscriptions ?? [];
  expect(there?.endsAt).toEqual(addMonths(row.periodEndsAt, 2));
  expect(await findGiftUntil(db, userId)).toEqual(row.periodEndsAt);
  expect(await movedOf(userId)).toMatchObject({ paidUntil: row.periodEndsAt, stoppedAt: expect.any(Date) });
  // It is resumed there, and charged at the end: only what was charged counts.
  await stripe.provider.resume(row.subscriptionId);
  await stripe.provider.testClock?.advance(customerId, new Date(+addMonths(row.periodEndsAt, 2) + dayMs));
  await syncSubscription(parts, customerId);
  const [again] = (await stripe.provider.readCustomer(customerId))?.subscriptions ?? [];
  const added = +(again?.periodEndsAt ?? 0) - +addMonths(row.periodEndsAt, 2);
  expect(Math.abs(+((await findGiftUntil(db, userId)) ?? 0) - +row.periodEndsAt - added)).toBeLessThan(4000);
});

test('a deleted account is forgotten, and what was not stopped is stopped nevertheless', async () => {
  const { userId, customerId } = await atStripe(8);
  const { readCustomer } = stripe.provider;
  stripe.provider.readCustomer = async () => {
    throw new Error('off');
  };
  await move('stripe', 'verotel');
  stripe.provider.readCustomer = readCustomer;
  const row = await movedOf(userId);
  await personalData.erase(db, userId);
  expect(await movedOf(userId)).toBeUndefined();
  expect(await db.$count(movedSubscriptions, eq(movedSubscriptions.id, row?.id ?? newId()))).toBe(1);
  await db.update(movedSubscriptions).set({ tryAfter: new Date(0) });
  await doDueWork(parts);
  expect((await stripe.provider.readCustomer(customerId))?.subscriptions[0]?.status).toBe('ended');
  expect(await db.$count(movedSubscriptions, eq(movedSubscriptions.id, row?.id ?? newId()))).toBe(0);
});

test('where only the subscriber can cancel, they are asked, and moved once they have', async () => {
  main = 'verotel';
  const userId = await newUser();
  const outcome = await membership.startCheckout(userId, { period: 'month', promoCode: undefined });
  if (!outcome.ok) throw new Error(outcome.reason);
  await press(outcome.url, 'Pay');
  await verotel.takeAll();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  await move('verotel', 'stripe');
  expect(await movedOf(userId)).toMatchObject({ state: 'asked', cancelUrl: expect.stringContaining('cancel') });
  expect(await findFormerProvider(db, userId)).toMatchObject({ state: 'asked', title: 'Verotel', newTitle: 'Stripe' });
  await membership.sendDueMails();
  expect(mails.find(({ subject }) => subject === 'Please cancel at Verotel')?.text).toContain('cancel');
  await doDueWork(parts);
  expect(await movedOf(userId)).toMatchObject({ state: 'asked' });
  // They cancel there.
  const [sale] = await db.select().from(movedSubscriptions).where(eq(movedSubscriptions.userId, userId));
  await verotel.standIns.sales.cancel((await verotel.saleOf(outcome.reference)).id);
  await verotel.takeAll();
  await doDueWork(parts);
  expect(await movedOf(userId)).toMatchObject({ state: 'moved', stoppedAt: expect.any(Date) });
  expect(await findGiftUntil(db, userId)).toEqual(row?.periodEndsAt);
  expect(await isSubscribed(db, userId)).toBe(true);
  expect(sale?.kind).toBe('trialing');
});
