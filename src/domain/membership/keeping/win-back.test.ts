import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { accountDeletions, users } from '../../identity/tables.ts';
import { siteSettings } from '../../settings/tables.ts';
import { findCustomerId } from '../customers.ts';
import { giveMonths } from '../entitlement.ts';
import { sendDueMails } from '../mail-queue.ts';
import { syncSubscription } from '../sync/sync.ts';
import { invoices, subscriptions } from '../tables.ts';
import { keepingSetting } from './settings.ts';
import { winBack } from './win-back.ts';
import { countWinBacks } from './win-back-facts.ts';
import { winBacks } from './win-back-tables.ts';

const database = await createTestDatabase();
const { db } = database;
const site = openTestMembership(db);
const { plain, mails } = site;
const unsubscribeUrlOf = (userId: string) => `https://sotto.example/unsubscribe/of-${userId}`;
const parts = { ...site.parts, unsubscribeUrlOf };
const day = 24 * 60 * 60 * 1000;

const set = (value: object, key: string = keepingSetting.key) =>
  db.insert(siteSettings).values({ key, value }).onConflictDoUpdate({ target: siteSettings.key, set: { value } });
const on = { winBack: true, winBackPercent: 30, winBackMonths: 2 };

beforeEach(async () => {
  await db.delete(siteSettings);
  await db.delete(winBacks);
  await db.delete(subscriptions);
  await set(on);
  mails.length = 0;
});

/** Someone whose subscription ended that many days ago, and who gets emails about news. */
async function former(daysAgo = 61, endedAt = new Date(Date.now() - daysAgo * day)) {
  const listener = await createListener(site);
  await site.createSubscription(listener.id, orderOf(plain.newCard('good')));
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, listener.id));
  const subscriptionId = row?.subscriptionId ?? '';
  await plain.provider.cancelNow(subscriptionId);
  await db.update(subscriptions).set({ status: 'ended', endsAt: endedAt }).where(eq(subscriptions.userId, listener.id));
  await news(listener.id, 'daily');
  return { ...listener, subscriptionId };
}

const news = (userId: string, email: 'daily' | 'off') =>
  db.execute(sql`insert into notification_preferences (user_id, email) values (${userId}, ${email})
    on conflict (user_id) do update set email = excluded.email`);

const sentTo = (email: string) => mails.filter(({ to, subject }) => to === email && /come back/.test(subject));
const codesOf = (userId: string) => db.select().from(winBacks).where(eq(winBacks.userId, userId));

test('a code of their own, sixty days after the end: not a millisecond earlier, and once', async () => {
  const endedAt = new Date(Date.now() - 61 * day);
  const { id, email } = await former(61, endedAt);
  const due = endedAt.getTime() + 60 * day;
  expect(await winBack(parts, { now: new Date(due - 1) })).toBe(0);
  expect(await winBack(parts, { now: new Date(due) })).toBe(1);
  expect(await winBack(parts)).toBe(0);
  await sendDueMails(parts);
  await sendDueMails(parts);
  const [mail, ...others] = sentTo(email);
  expect(others).toEqual([]);
  const [{ code = '', promoCodeId = '' } = {}] = await codesOf(id);
  expect(code).toMatch(/^[A-HJ-KM-NP-TV-Z0-9]{12}$/);
  expect(mail?.text).toContain(`the code ${code} takes 30% off your payments of the first 2 months`);
  expect(mail?.text).toContain(`/account/subscription?promoCode=${code}`);
  expect(mail?.text).toContain(`Unsubscribe: ${unsubscribeUrlOf(id)}`);
  expect(mail?.unsubscribeUrl).toBe(unsubscribeUrlOf(id));
  expect(await plain.provider.findPromoCode(code)).toMatchObject({
    id: promoCodeId,
    discount: { percentOff: 30, amountOff: null, duration: 'months' },
    months: 2,
    maxRedemptions: 1,
    expiresAt: new Date(due + 30 * day),
  });
});

test('the code subscribes once, and is noted as used', async () => {
  const { id, email } = await former();
  await winBack(parts);
  const [{ code = '' } = {}] = await codesOf(id);
  expect(await countWinBacks(db)).toEqual({ sent: 1, used: 0 });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { promoCode: code.toLowerCase() }));
  await syncSubscription(parts, (await findCustomerId(db, id)) ?? '');
  expect(await countWinBacks(db)).toEqual({ sent: 1, used: 1 });
  // They came back before the mail left.
  await sendDueMails(parts);
  expect(sentTo(email)).toEqual([]);
  const other = await createListener(site);
  const again = await site.createSubscription(other.id, orderOf(plain.newCard('good'), { promoCode: code }));
  expect(again).toMatchObject({ ok: false, reason: 'promo-code/used-up' });
});

test('the code is for nobody else, neither before they come back nor for who pays already', async () => {
  const { id } = await former();
  await winBack(parts);
  const [{ code = '' } = {}] = await codesOf(id);
  const refused = { ok: false, reason: 'promo-code/not-for-you' };
  const order = { period: 'month', promoCode: code.toLowerCase(), withoutTrial: false } as const;
  expect(await site.previewSubscription(undefined, order)).toEqual(refused);
  const other = await createListener(site);
  expect(await site.previewSubscription(other.id, order)).toEqual(refused);
  expect(await site.createSubscription(other.id, orderOf(plain.newCard('good'), { promoCode: code }))).toEqual(refused);
  await site.createSubscription(other.id, orderOf(plain.newCard('good')));
  expect(await site.applyPromoCode(other.id, code)).toEqual(refused);
  expect(await site.previewSubscription(id, order)).toMatchObject({ ok: true });
});

describe('nobody is written to', () => {
  test.each<[string, (userId: string) => Promise<unknown>]>([
    ['without emails about news', (userId) => news(userId, 'off')],
    [
      'who has never chosen',
      (userId) => db.execute(sql`delete from notification_preferences where user_id = ${userId}`),
    ],
    [
      'whose account is suspended',
      (userId) => db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, userId)),
    ],
    [
      'whose account is about to be deleted',
      (userId) => db.insert(accountDeletions).values({ userId, reason: 'asked', dueAt: new Date() }),
    ],
    ['whose account is deleted', (userId) => db.delete(users).where(eq(users.id, userId))],
    [
      'whose bank took the money back',
      (userId) =>
        db.insert(invoices).values({
          id: userId,
          userId,
          invoiceId: `disputed ${userId}`,
          status: 'paid',
          currency: 'usd',
          subtotal: 799,
          discount: 0,
          credit: 0,
          total: 799,
          amountDue: 799,
          amountPaid: 799,
          periodStart: new Date(),
          periodEnd: new Date(),
          createdAt: new Date(),
          lines: [],
          isDisputed: true,
        }),
    ],
    ['who has gift time', (userId) => giveMonths(db, userId, 1)],
    [
      'who has subscribed again, elsewhere',
      (userId) =>
        db
          .update(subscriptions)
          .set({ subscriptionId: `verotel:${userId}`, status: 'active', endsAt: null })
          .where(eq(subscriptions.userId, userId)),
    ],
  ])('%s, before and after the code was made', async (_name, change) => {
    const [before, after] = [await former(), await former()];
    await change(before.id);
    await winBack(parts);
    expect(await codesOf(before.id)).toEqual([]);
    expect(await codesOf(after.id)).toHaveLength(1);
    await change(after.id);
    await sendDueMails(parts);
    expect([sentTo(before.email), sentTo(after.email)]).toEqual([[], []]);
  });

  test('while it is off, or the emails about news are', async () => {
    const { id } = await former();
    await set({ ...on, winBack: false });
    expect(await winBack(parts)).toBe(0);
    await set(on);
    await set({ news: false }, 'features');
    expect(await winBack(parts)).toBe(0);
    expect(await codesOf(id)).toEqual([]);
  });

  test('without a link that ends such mails', async () => {
    const { email } = await former();
    await winBack(site.parts);
    await sendDueMails(site.parts);
    expect(sentTo(email)).toEqual([]);
  });

  test('whose subscription ended long before the switch was turned on', async () => {
    const { id } = await former(75);
    expect(await winBack(parts)).toBe(0);
    expect(await codesOf(id)).toEqual([]);
  });
});

test('each person once in twelve months, also after another subscription', async () => {
  const { id } = await former();
  await winBack(parts);
  await db
    .update(subscriptions)
    .set({ subscriptionId: `another ${id}` })
    .where(eq(subscriptions.userId, id));
  expect(await winBack(parts)).toBe(0);
  await db.update(winBacks).set({ createdAt: new Date(Date.now() - 370 * day) });
  expect(await winBack(parts)).toBe(1);
  expect(await codesOf(id)).toHaveLength(2);
});

test('an answer that was lost makes no second code, and a provider that stays away a day is given up', async () => {
  const { id, email } = await former();
  const create = plain.provider.createPromoCode.bind(plain.provider);
  let asked = 0;
  plain.provider.createPromoCode = async (...given) => {
    asked += 1;
    await create(...given);
    throw new Error('the answer was lost');
  };
  await expect(winBack(parts)).rejects.toThrow('the answer was lost');
  plain.provider.createPromoCode = create;
  const [{ code = '', createdAt = new Date() } = {}] = await codesOf(id);
  expect(await winBack(parts)).toBe(1);
  expect(asked).toBe(1);
  const listed = await plain.provider.listPromoCodes();
  expect(listed.filter((one) => one.code === code)).toHaveLength(1);
  await sendDueMails(parts);
  expect(sentTo(email)).toHaveLength(1);

  const late = await former();
  plain.failWith = new Error('away');
  await expect(winBack(parts)).rejects.toThrow('away');
  await winBack(parts, { now: new Date(createdAt.getTime() + 2 * day) });
  plain.failWith = undefined;
  expect(await codesOf(late.id)).toMatchObject([{ state: 'refused', promoCodeId: null }]);
});

test('four processes at once write once to each of thirty people', async () => {
  const people = [];
  for (let index = 0; index < 30; index += 1) people.push(await former());
  const others = Array.from({ length: 2 }, () => openDatabase({ url: database.url, poolSize: 2 }));
  try {
    const processes = [parts, ...others.map((other) => ({ ...parts, db: other.db })), parts];
    await Promise.all(processes.map((one) => winBack(one)));
    await Promise.all(processes.map((one) => sendDueMails(one)));
  } finally {
    for (const other of others) await other.close();
  }
  for (const { email } of people) expect(sentTo(email)).toHaveLength(1);
});
