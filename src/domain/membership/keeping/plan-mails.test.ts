import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { formatDay } from '#formats/times.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { users } from '../../identity/tables.ts';
import { siteSettings } from '../../settings/tables.ts';
import { findCustomerId } from '../customers.ts';
import { sendDueMails } from '../mail-queue.ts';
import { syncSubscription } from '../sync/sync.ts';
import { membershipMails, subscriptions } from '../tables.ts';
import { taxSetting } from '../tax/settings.ts';
import { planKeepingMails } from './plan-mails.ts';
import { keepingSetting } from './settings.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts, mails } = site;
const day = 24 * 60 * 60 * 1000;
const inDays = (days: number, from = Date.now()) => new Date(from + days * day);

const set = ({ key }: { key: string }, value: object) =>
  db.insert(siteSettings).values({ key, value }).onConflictDoUpdate({ target: siteSettings.key, set: { value } });

beforeEach(async () => {
  await db.delete(siteSettings);
  await db.delete(subscriptions);
  mails.length = 0;
});

/** A subscriber who has paid once, after a trial of seven days, and whose next charge is at that time. */
async function subscriber(period: 'month' | 'year', periodEndsAt: Date, more: Parameters<typeof orderOf>[1] = {}) {
  const startsAt = new Date(periodEndsAt);
  if (period === 'year') startsAt.setUTCFullYear(startsAt.getUTCFullYear() - 1);
  else startsAt.setUTCMonth(startsAt.getUTCMonth() - 1);
  const listener = await createListener(site, { startsAt: inDays(-7, startsAt.getTime()) });
  const cardId = plain.newCard('good');
  await site.createSubscription(listener.id, orderOf(cardId, { period, ...more }));
  const customerId = (await findCustomerId(db, listener.id)) ?? '';
  await plain.provider.testClock?.advance(customerId, new Date());
  const sync = () => syncSubscription(parts, customerId);
  await sync();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, listener.id));
  if (row === undefined) throw new Error('no subscription');
  return { ...listener, cardId, customerId, sync, row };
}

const queued = async (userId: string, kind: 'card-expires' | 'renewal' | 'prepaid-ends' | 'trial-ends') =>
  db
    .select()
    .from(membershipMails)
    .where(and(eq(membershipMails.userId, userId), eq(membershipMails.kind, kind)));
const plan = (now?: Date) => planKeepingMails(parts, { ...(now && { now }) });
const sentTo = (email: string, pattern: RegExp) =>
  mails.filter(({ to, subject }) => to === email && pattern.test(subject));
const renews = /^Your subscription renews on/;
const cardEnds = /^Your card ends/;

test('a yearly charge is told 35 days before: not a millisecond earlier, and once', async () => {
  const { id, email, row } = await subscriber('year', inDays(300));
  const due = row.periodEndsAt.getTime() - 35 * day;
  await plan(new Date(due - 2 * 60 * 60 * 1000 - 1));
  expect(await queued(id, 'renewal')).toEqual([]);
  await plan(new Date(due - 2 * 60 * 60 * 1000));
  await Promise.all([plan(new Date(due + 1)), plan(new Date(due + day))]);
  const [mail, ...others] = await queued(id, 'renewal');
  expect([mail?.dueAt.getTime(), others]).toEqual([due, []]);
  await sendDueMails(parts);
  expect(sentTo(email, renews)).toEqual([]);
  await db.update(membershipMails).set({ dueAt: new Date() });
  await Promise.all([sendDueMails(parts), sendDueMails(parts)]);
  await plan(new Date(due + 2 * day));
  await sendDueMails(parts);
  const [told, ...again] = sentTo(email, renews);
  expect(again).toEqual([]);
  expect(told?.subject).toBe(`Your subscription renews on ${formatDay(row.periodEndsAt)}`);
  expect(told?.text).toContain('$59.88 is charged then.');
  expect(told?.text).toContain(`cancel on ${formatDay(inDays(-1, row.periodEndsAt.getTime()))} at the latest`);
});

test('the days are those of the setting, and nothing is told after the charge or by the month', async () => {
  await set(keepingSetting, { renewalDays: 7 });
  const [soon, later] = [await subscriber('year', inDays(6)), await subscriber('year', inDays(8))];
  const monthly = await subscriber('month', inDays(6));
  await plan();
  expect(await queued(soon.id, 'renewal')).toHaveLength(1);
  expect(await queued(later.id, 'renewal')).toEqual([]);
  expect(await queued(monthly.id, 'renewal')).toEqual([]);
  await plan(new Date(later.row.periodEndsAt.getTime()));
  expect(await queued(later.id, 'renewal')).toEqual([]);
});

test('the amount is what is charged then, with what is left of a discount and the tax of its invoice', async () => {
  await set(taxSetting, {
    mode: 'table',
    rates: [{ country: 'DE', from: '2020-01-01', permille: 190 }],
    seller: { name: 'S', address: 'A', country: 'DE' },
  });
  await plain.provider.createPromoCode({ code: 'SEVENTEEN', percentOff: 17, currency: 'usd', duration: 'forever' });
  const { id, email, customerId, sync, row } = await subscriber('year', inDays(20), { promoCode: 'SEVENTEEN' });
  await plan();
  await sendDueMails(parts);
  const text = sentTo(email, renews)[0]?.text ?? '';
  expect(text).toContain('$49.70 is charged then. This includes $7.93 of VAT (19%).');
  await plain.provider.testClock?.advance(customerId, new Date(row.periodEndsAt.getTime() + 1000));
  await sync();
  const { items } = await site.listInvoices(id, { limit: 1 });
  expect(items[0]).toMatchObject({ status: 'paid', amount: 4970 });
  const { rows } = await db.execute(
    sql`select gross, tax from tax_documents where user_id = ${id} order by issued_at desc, supplied_at desc limit 1`,
  );
  expect(rows).toEqual([{ gross: 4970, tax: 793 }]);
});

test('a charge that gift time moves is told anew, and its free time gets no second mail', async () => {
  const { id, email, sync, row } = await subscriber('year', inDays(20));
  await plan();
  await sendDueMails(parts);
  const moved = new Date(row.periodEndsAt.getTime() + 30 * day);
  await plain.provider.delayCharge(row.subscriptionId, moved);
  await sync();
  expect(await queued(id, 'trial-ends')).toEqual([]);
  await plan();
  expect(await queued(id, 'renewal')).toHaveLength(1);
  await plan(inDays(16));
  await db.update(membershipMails).set({ dueAt: new Date() });
  await sendDueMails(parts);
  expect(sentTo(email, renews).map(({ subject }) => subject)).toEqual([
    `Your subscription renews on ${formatDay(row.periodEndsAt)}`,
    `Your subscription renews on ${formatDay(moved)}`,
  ]);
  expect(sentTo(email, /free time/)).toEqual([]);
});

test('before and during a pause, the notice of a yearly charge promises no time to listen', async () => {
  const { id, email, sync, row } = await subscriber('year', inDays(20));
  expect(await site.pauseSubscription(id, 1)).toMatchObject({ ok: true });
  await plan(inDays(25));
  await db.update(membershipMails).set({ dueAt: new Date() }).where(eq(membershipMails.kind, 'renewal'));
  await sendDueMails(parts);
  const [ahead] = sentTo(email, renews);
  expect(ahead?.text).toContain('Nothing is charged then.');
  expect(ahead?.text).not.toContain('listen until');
  await plain.provider.delayCharge(row.subscriptionId, inDays(20));
  await sync();
  await plan();
  await sendDueMails(parts);
  expect(sentTo(email, renews)).toHaveLength(2);
  expect(sentTo(email, renews)[1]?.text).not.toContain('listen until');
  const others = await subscriber('year', inDays(20));
  await plan();
  await sendDueMails(parts);
  expect(sentTo(others.email, renews)[0]?.text).toContain(
    `Nothing is charged then, and you can listen until ${formatDay(others.row.periodEndsAt)}.`,
  );
});

test('a notice that a cancellation made void leaves after all when it is taken back', async () => {
  const { id, email } = await subscriber('year', inDays(34));
  await plan();
  await site.cancelSubscription(id, undefined);
  await sendDueMails(parts);
  expect([sentTo(email, renews), await queued(id, 'renewal')]).toEqual([[], []]);
  await plan();
  expect(await queued(id, 'renewal')).toEqual([]);
  await site.resumeSubscription(id);
  await plan();
  await sendDueMails(parts);
  expect(sentTo(email, renews)).toHaveLength(1);
});

test('without the switch, moved yearly charges have the notice of free time, a week before', async () => {
  await set(keepingSetting, { renewal: false });
  const { id, sync, row } = await subscriber('year', inDays(20));
  const moved = new Date(row.periodEndsAt.getTime() + 30 * day);
  await plain.provider.delayCharge(row.subscriptionId, moved);
  await sync();
  expect(await plan()).toBe(0);
  const [notice] = await queued(id, 'trial-ends');
  expect(notice?.dueAt).toEqual(inDays(-8, moved.getTime()));
});

test('the first charge after a trial has the notice of the trial alone', async () => {
  const listener = await createListener(site);
  await site.createSubscription(listener.id, orderOf(plain.newCard('good'), { period: 'year' }));
  await plan(inDays(1));
  expect(await queued(listener.id, 'renewal')).toEqual([]);
  const [notice] = await queued(listener.id, 'trial-ends');
  expect(Math.abs((notice?.dueAt.getTime() ?? 0) - inDays(5).getTime())).toBeLessThan(60_000);
});

test('what was cancelled, switched off or deleted meanwhile is not mailed', async () => {
  const [cancelled, off, deleted] = [
    await subscriber('year', inDays(20)),
    await subscriber('year', inDays(21)),
    await subscriber('year', inDays(22)),
  ];
  await plan();
  await site.cancelSubscription(cancelled.id, undefined);
  await db.delete(users).where(eq(users.id, deleted.id));
  await sendDueMails(parts, AbortSignal.timeout(60_000));
  expect(sentTo(cancelled.email, renews)).toEqual([]);
  expect(sentTo(deleted.email, renews)).toEqual([]);
  expect(sentTo(off.email, renews)).toHaveLength(1);
  await set(keepingSetting, { renewal: false });
  const late = await subscriber('year', inDays(23));
  expect(await plan()).toBe(0);
  expect(await queued(late.id, 'renewal')).toEqual([]);
});

test('a provider that does not answer postpones the mail, and another one leaves', async () => {
  const { email, id } = await subscriber('year', inDays(20));
  await plan();
  plain.failWith = new Error('away');
  await expect(sendDueMails(parts)).rejects.toThrow('away');
  plain.failWith = undefined;
  expect(sentTo(email, renews)).toEqual([]);
  await db.update(membershipMails).set({ claimedUntil: null }).where(eq(membershipMails.userId, id));
  await sendDueMails(parts);
  expect(sentTo(email, renews)).toHaveLength(1);
});

test('what was queued before does not hide what comes after it, page by page', async () => {
  const ends = monthOf(inDays(-40));
  for (let index = 0; index < 3; index += 1) {
    const { cardId, sync } = await subscriber('year', inDays(20 + index));
    plain.setExpiry(cardId, ends);
    await sync();
  }
  expect(await planKeepingMails(parts, { atOnce: 1 })).toBe(6);
  expect(await planKeepingMails(parts, { atOnce: 1 })).toBe(0);
});

const monthOf = (time: Date) => time.toISOString().slice(0, 7);
/** Noon of the first day of a month at least that many days ahead. */
function firstOfMonth(days: number): Date {
  const later = inDays(days);
  return new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 1, 12));
}

test('a card that ends before the next charge is told 30 to 7 days before it, and once', async () => {
  const charge = firstOfMonth(60);
  const { id, email, cardId, sync, row } = await subscriber('year', charge);
  plain.setExpiry(cardId, monthOf(inDays(-1, charge.getTime())));
  expect(await sync()).toMatchObject({ hasChanged: false });
  await set(keepingSetting, { renewal: false });
  const due = row.periodEndsAt.getTime() - 30 * day;
  await plan(new Date(due - 2 * 60 * 60 * 1000 - 1));
  expect(await queued(id, 'card-expires')).toEqual([]);
  await plan(new Date(row.periodEndsAt.getTime() - 7 * day + 1));
  expect(await queued(id, 'card-expires')).toEqual([]);
  await plan(new Date(row.periodEndsAt.getTime() - 7 * day));
  await plan(new Date(due));
  expect(await queued(id, 'card-expires')).toHaveLength(1);
  await db.update(membershipMails).set({ dueAt: new Date() });
  await sendDueMails(parts);
  await plan(new Date(due + day));
  await sendDueMails(parts);
  const [told, ...again] = sentTo(email, cardEnds);
  expect(again).toEqual([]);
  expect(told?.text).toContain(`The next payment is on ${formatDay(row.periodEndsAt)}`);
  expect(told?.text).not.toContain('0000');
});

test('a card is told by the day of the charge in the earliest time zone, and not when it lives to see it', async () => {
  const charge = firstOfMonth(60);
  charge.setUTCDate(0);
  const lastMonth = monthOf(charge);
  const [midday, dayBefore] = [
    await subscriber('year', charge),
    await subscriber('year', inDays(-1, charge.getTime())),
  ];
  for (const { cardId, sync } of [midday, dayBefore]) {
    plain.setExpiry(cardId, lastMonth);
    await sync();
  }
  await plan(inDays(-20, charge.getTime()));
  expect(await queued(midday.id, 'card-expires')).toHaveLength(1);
  expect(await queued(dayBefore.id, 'card-expires')).toEqual([]);
});

test('a card that the bank or its owner replaced meanwhile is not told, and a cancelled subscription neither', async () => {
  const charge = inDays(20);
  const ends = monthOf(inDays(-40, charge.getTime()));
  const [renewed, cancelled, kept] = [
    await subscriber('year', charge),
    await subscriber('year', charge),
    await subscriber('year', charge),
  ];
  for (const { cardId, sync } of [renewed, cancelled, kept]) {
    plain.setExpiry(cardId, ends);
    await sync();
  }
  await plan();
  plain.setExpiry(renewed.cardId, '2040-01');
  await renewed.sync();
  await site.cancelSubscription(cancelled.id, undefined);
  await sendDueMails(parts);
  expect([renewed, cancelled, kept].map(({ email }) => sentTo(email, cardEnds).length)).toEqual([0, 0, 1]);
  await set(keepingSetting, { cardExpiry: false, renewal: false });
  const off = await subscriber('year', charge);
  plain.setExpiry(off.cardId, ends);
  await off.sync();
  expect(await plan()).toBe(0);
});

test('mails are in the language of their receiver', async () => {
  await set({ key: 'languages' }, { de: true });
  const { id, email } = await subscriber('year', inDays(20));
  await db
    .update(users)
    .set({ preferences: { language: 'de' } })
    .where(eq(users.id, id));
  await plan();
  await sendDueMails(parts);
  const german = mails.filter(({ to, html }) => to === email && html.includes('<html lang="de"'));
  expect(german.some(({ subject }) => /verlängert/.test(subject))).toBe(true);
});
