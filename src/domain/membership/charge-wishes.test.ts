import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { losingMove } from '#test/support/payments/plain-payments.ts';
import { users } from '../identity/tables.ts';
import { findCustomerId } from './customers.ts';
import { doDueWork } from './due-work.ts';
import { isInTrialSql } from './entitlement.ts';
import { addMonths } from '../kernel/calendar/months.ts';
import { giveTime, takeTimeBack } from './gift-cards/operator-gifts.ts';
import { auditEntries } from '../kernel/audit.ts';
import { newId } from '../kernel/ids.ts';
import { giftCards, givenMonths, memberships } from './tables.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts, mails } = site;
const day = 24 * 60 * 60 * 1000;

/** A paid gift card. @returns its code */
async function newCard(months: 1 | 3 | 6 | 12): Promise<{ id: string; code: string }> {
  const recipientEmail = `to-${newId()}@example.org`;
  const form = { months, recipientEmail, senderName: undefined, message: undefined, buyerEmail: 'ada@example.org' };
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, form);
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  await site.refreshGiftCard(giftCard.id, undefined);
  await site.sendDueMails();
  const mail = mails.findLast(({ to }) => to === recipientEmail);
  return { id: giftCard.id, code: /Your code is (\S+)\./.exec(mail?.text ?? '')?.[1] ?? '' };
}

/** A subscription that is charged at once. */
async function subscriber(options: { startsAt?: Date } = {}) {
  const { id } = await createListener(site, options);
  await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { withoutTrial: true }));
  return { id, renewsAt: await chargeOf(id) };
}

async function chargeOf(id: string): Promise<Date> {
  await site.refreshSubscription(id);
  const { renewsAt } = await site.findSubscriptionState(id);
  if (renewsAt === null) throw new Error('it is not charged again');
  const customerId = (await findCustomerId(db, id)) ?? '';
  const facts = await plain.provider.readCustomer(customerId);
  expect(facts?.subscriptions[0]?.periodEndsAt).toEqual(renewsAt);
  return renewsAt;
}

async function giftUntilOf(userId: string): Promise<Date | null | undefined> {
  const [row] = await db.select().from(memberships).where(eq(memberships.userId, userId));
  return row?.giftUntil;
}

async function doLateWork(): Promise<void> {
  const earlier = sql`now() - interval '2 minutes'`;
  await db
    .update(givenMonths)
    .set({ createdAt: earlier })
    .where(sql`applied_at is null`);
  await db
    .update(givenMonths)
    .set({ takingBackAt: earlier })
    .where(sql`taking_back_at is not null`);
  await db
    .update(giftCards)
    .set({ redeemedAt: earlier })
    .where(sql`redeemed_at is not null and applied_at is null`);
  await doDueWork(parts);
}

test.each(['answer', 'request'] as const)(
  'months are given once although the %s is lost, and the same wish is found again',
  async (how) => {
    const { id, renewsAt } = await subscriber();
    const key = newId();
    let records = 0;
    const record = async () => void (records += 1);
    const nextChargeAt = addMonths(renewsAt, 3);
    expect(await losingMove(plain, how, () => giveTime(parts, id, { months: 3, key }, record))).toEqual({
      nextChargeAt,
    });
    expect(await losingMove(plain, how, () => giveTime(parts, id, { months: 3, key }, record))).toEqual({
      nextChargeAt,
    });
    await doLateWork();
    expect(await giveTime(parts, id, { months: 3, key }, record)).toEqual({ nextChargeAt });
    expect(await chargeOf(id)).toEqual(nextChargeAt);
    expect(records).toBe(1);
    await expect(giveTime(parts, id, { months: 1, key })).rejects.toMatchObject({ code: 'request/invalid' });
    const { id: other } = await subscriber();
    await expect(giveTime(parts, other, { months: 3, key })).rejects.toMatchObject({ code: 'request/invalid' });
  },
);

test.each(['answer', 'request'] as const)('months are taken back once although the %s is lost', async (how) => {
  const { id, renewsAt } = await subscriber();
  await giveTime(parts, id, { months: 1 });
  await giveTime(parts, id, { months: 3 });
  const once = { ok: true, months: 3, nextChargeAt: addMonths(renewsAt, 1) };
  expect(await losingMove(plain, how, () => takeTimeBack(parts, id))).toEqual(once);
  await doLateWork();
  expect(await chargeOf(id)).toEqual(once.nextChargeAt);
  expect(await takeTimeBack(parts, id)).toEqual({ ok: true, months: 1, nextChargeAt: renewsAt });
  expect(await takeTimeBack(parts, id)).toEqual({ ok: false, reason: 'nothing-given' });
  expect(await chargeOf(id)).toEqual(renewsAt);
});

test('months that the provider refuses to put before the charge are gift time, and hold up no later ones', async () => {
  const { id, renewsAt } = await subscriber();
  const cards = [await newCard(12), await newCard(12), await newCard(1)];
  const [first, second, third] = cards.map(({ code }) => code);
  expect(await site.redeemGiftCard(id, first ?? '')).toMatchObject({ nextChargeAt: addMonths(renewsAt, 12) });
  // A charge 25 months ahead is beyond the provider's two years.
  const giftUntil = addMonths(addMonths(renewsAt, 12), 12);
  expect(await site.redeemGiftCard(id, second ?? '')).toEqual({ ok: true, months: 12, giftUntil, nextChargeAt: null });
  const nextChargeAt = addMonths(addMonths(renewsAt, 12), 1);
  expect(await site.redeemGiftCard(id, third ?? '')).toEqual({ ok: true, months: 1, giftUntil: null, nextChargeAt });
  expect(await chargeOf(id)).toEqual(nextChargeAt);
  // The gift time stays as long, behind the charge.
  const span = nextChargeAt.getTime() - addMonths(renewsAt, 12).getTime();
  expect(await giftUntilOf(id)).toEqual(new Date(giftUntil.getTime() + span));
  const rows = await db.select().from(giftCards).where(eq(giftCards.redeemedBy, id));
  expect(rows.filter(({ appliedAt }) => appliedAt === null)).toEqual([]);

  const given = await giveTime(parts, id, { months: 12 });
  expect(given).toEqual({ giftUntil: addMonths(new Date(giftUntil.getTime() + span), 12) });
  expect(await chargeOf(id)).toEqual(nextChargeAt);
  expect(await takeTimeBack(parts, id)).toMatchObject({ ok: true, months: 12 });
  expect(await giftUntilOf(id)).toEqual(new Date(giftUntil.getTime() + span));
});

test('months that wait to be taken back leave the gift time behind the charge as it was', async () => {
  const { id } = await subscriber();
  await giveTime(parts, id, { months: 36 });
  const giftUntil = (await giftUntilOf(id)) ?? expect.fail();
  const before = await chargeOf(id);
  await giveTime(parts, id, { months: 1 });
  expect(await chargeOf(id)).toEqual(addMonths(before, 1));
  expect(await losingMove(plain, 'request', () => takeTimeBack(parts, id))).toMatchObject({ ok: true, months: 1 });
  const tooFar = giftUntil.getTime() - Date.now() - 20 * 31 * day;
  // The gift time is near enough now to be asked for again; what waits for the provider comes first.
  await db
    .update(memberships)
    .set({
      chargeRefusedAt: sql`now() - interval '21 hours'`,
      giftUntil: sql`${memberships.giftUntil} - make_interval(secs => ${tooFar / 1000})`,
    })
    .where(eq(memberships.userId, id));
  await doLateWork();
  const left = new Date(giftUntil.getTime() - tooFar);
  expect(Math.abs(((await giftUntilOf(id))?.getTime() ?? 0) - left.getTime())).toBeLessThan(2000);
  expect(Math.abs((await chargeOf(id)).getTime() - left.getTime())).toBeLessThan(2000);
});

test('a refused move is asked for again a day later, not with each sync', async () => {
  const { id, renewsAt } = await subscriber();
  const tries = () => plain.calls.filter((name) => name === 'delayCharge').length;
  const first = tries();
  await giveTime(parts, id, { months: 36 });
  const before = tries();
  expect(before - first).toBe(1);
  await site.refreshSubscription(id);
  expect(tries()).toBe(before);
  const { delayCharge } = plain.provider;
  plain.provider.delayCharge = async (subscriptionId, until) => {
    expect(until).toEqual(addMonths(renewsAt, 36));
    return delayCharge(subscriptionId, addMonths(renewsAt, 20));
  };
  await db
    .update(memberships)
    .set({ chargeRefusedAt: sql`now() - interval '21 hours'`, giftUntil: addMonths(renewsAt, 36) })
    .where(eq(memberships.userId, id));
  await site.refreshSubscription(id);
  plain.provider.delayCharge = delayCharge;
  expect(await chargeOf(id)).toEqual(addMonths(renewsAt, 20));
});

test('gift time behind the charge stays as long when a period is paid before it', async () => {
  const { id, renewsAt } = await subscriber({ startsAt: new Date(Date.now() - 20 * day) });
  const customerId = (await findCustomerId(db, id)) ?? '';
  await giveTime(parts, id, { months: 36 });
  expect(await giftUntilOf(id)).toEqual(addMonths(renewsAt, 36));
  await plain.provider.testClock?.advance(customerId, new Date(renewsAt.getTime() + day));
  const paid = await chargeOf(id);
  expect(paid).toEqual(addMonths(renewsAt, 1));
  const span = paid.getTime() - renewsAt.getTime();
  expect(await giftUntilOf(id)).toEqual(new Date(addMonths(renewsAt, 36).getTime() + span));
});

test('at a month’s end exactly what was given is taken back', async () => {
  const { id } = await createListener(site);
  const start = new Date('2031-01-31T10:00:00Z');
  await db.insert(memberships).values({ userId: id, giftUntil: start });
  expect(await giveTime(parts, id, { months: 1 })).toEqual({ giftUntil: new Date('2031-02-28T10:00:00Z') });
  expect(await giveTime(parts, id, { months: 1 })).toEqual({ giftUntil: new Date('2031-03-28T10:00:00Z') });
  expect(await takeTimeBack(parts, id)).toMatchObject({ giftUntil: new Date('2031-02-28T10:00:00Z') });
  expect(await takeTimeBack(parts, id)).toMatchObject({ giftUntil: start });

  // The same before a charge.
  const other = await subscriber();
  const customerId = (await findCustomerId(db, other.id)) ?? '';
  const facts = await plain.provider.readCustomer(customerId);
  const now = new Date();
  const monthEnd = new Date(Date.UTC(now.getUTCFullYear() + 1, 0, 31, 10));
  await plain.provider.delayCharge(facts?.subscriptions[0]?.id ?? '', monthEnd);
  await giveTime(parts, other.id, { months: 1 });
  expect((await chargeOf(other.id)).getUTCMonth()).toBe(1);
  expect(await takeTimeBack(parts, other.id)).toMatchObject({ nextChargeAt: monthEnd });
  expect(await chargeOf(other.id)).toEqual(monthEnd);
});

test('months whose time has begun are not taken back, to the second', async () => {
  const { id, renewsAt } = await subscriber();
  await giveTime(parts, id, { months: 1 });
  const [row] = await db.select().from(givenMonths).where(eq(givenMonths.userId, id));
  const customerId = (await findCustomerId(db, id)) ?? '';
  const subscriptionId = (await plain.provider.readCustomer(customerId))?.subscriptions[0]?.id ?? '';
  const span = (row?.chargeUntil?.getTime() ?? 0) - renewsAt.getTime();
  // More of the time until the charge is used than was paid for.
  await plain.provider.delayCharge(subscriptionId, new Date(Date.now() + span - 1));
  const refused = { ok: false, reason: 'already-used' };
  const calls = plain.calls.length;
  let records = 0;
  expect(await takeTimeBack(parts, id, async () => void (records += 1))).toEqual(refused);
  expect(records).toBe(0);
  expect(plain.calls.slice(calls)).not.toContain('delayCharge');
  await plain.provider.delayCharge(subscriptionId, new Date(Date.now() + span + 60_000));
  expect(await takeTimeBack(parts, id)).toMatchObject({ ok: true });

  // Gift time that is over.
  const { id: late } = await createListener(site);
  await giveTime(parts, late, { months: 1 });
  await db
    .update(memberships)
    .set({ giftUntil: sql`now() - interval '1 second'` })
    .where(eq(memberships.userId, late));
  expect(await takeTimeBack(parts, late)).toEqual(refused);
  expect((await giftUntilOf(late))?.getTime()).toBeLessThan(Date.now());
  // Gift time that has begun ends now.
  await db
    .update(memberships)
    .set({ giftUntil: sql`now() + interval '1 day'` })
    .where(eq(memberships.userId, late));
  expect(await takeTimeBack(parts, late)).toMatchObject({ ok: true });
  expect((await giftUntilOf(late))?.getTime()).toBeLessThanOrEqual(Date.now());
});

test('a gift card that is redeemed within a trial, or months that are given in it, are no trial', async () => {
  const isInTrial = async (userId: string) => {
    const { rows } = await db.execute<{ is: boolean }>(
      sql`select ${isInTrialSql(users.id)} as is from users where id = ${userId}`,
    );
    return rows[0]?.is;
  };
  for (const gift of ['card', 'months'] as const) {
    const { id } = await createListener(site);
    await site.createSubscription(id, orderOf(plain.newCard('good')));
    expect(await isInTrial(id)).toBe(true);
    if (gift === 'card') await site.redeemGiftCard(id, (await newCard(1)).code);
    else await giveTime(parts, id, { months: 1 });
    expect(await isInTrial(id)).toBe(false);
    if (gift === 'card') continue;
    await takeTimeBack(parts, id);
    expect(await isInTrial(id)).toBe(true);
  }
});

test('a change of period that waits for the bank does not undo a cancellation', async () => {
  for (const isFirst of [true, false]) {
    const { id, renewsAt } = await subscriber();
    const { setupId, clientSecret } = await site.startCardChange(id);
    plain.finish(clientSecret, { cardId: plain.newCard('always-needs-bank') });
    await site.finishCardChange(id, setupId);
    if (!isFirst) await site.cancelSubscription(id, undefined);
    const changed = await site.changePeriod(id, 'year');
    const action = changed.ok ? changed.action : undefined;
    expect(action).toMatchObject({ kind: 'payment' });
    expect(await site.cancelSubscription(id, undefined)).toMatchObject({ ok: true });
    plain.finish(action?.clientSecret ?? '', { works: true });
    await site.refreshSubscription(id);
    expect(await site.findSubscriptionState(id)).toMatchObject({ state: 'ending', period: 'month', endsAt: renewsAt });
  }
});

test('months whose time begins before the provider answers stay given, which the log says', async () => {
  const { id, renewsAt } = await subscriber();
  await giveTime(parts, id, { months: 1 });
  expect(await losingMove(plain, 'request', () => takeTimeBack(parts, id))).toMatchObject({ ok: true });
  await db
    .update(givenMonths)
    .set({ backUntil: sql`now() - interval '1 second'` })
    .where(eq(givenMonths.userId, id));
  const calls = plain.calls.length;
  await doLateWork();
  expect(plain.calls.slice(calls)).not.toContain('delayCharge');
  expect(await chargeOf(id)).toEqual(addMonths(renewsAt, 1));
  const [row] = await db.select().from(givenMonths).where(eq(givenMonths.userId, id));
  expect(row).toMatchObject({ takingBackAt: null, backUntil: null, takenBackAt: null });
  const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id));
  expect(entry).toMatchObject({ action: 'user.take-months-back-failed', actorRole: 'operator', after: { months: 1 } });
});

test('months count from now when the renewal of a period that has ended is not known yet', async () => {
  const { id } = await subscriber({ startsAt: new Date(Date.now() - 40 * day) });
  const given = await giveTime(parts, id, { months: 1 });
  const expected = addMonths(new Date(), 1).getTime();
  expect(Math.abs(('nextChargeAt' in given ? given.nextChargeAt.getTime() : 0) - expected)).toBeLessThan(60_000);
});

/** The provider goes away once it has said what is paid. */
async function awayAfterRead<Result>(act: () => Promise<Result>): Promise<Result> {
  const { readCustomer } = plain.provider;
  let reads = 0;
  plain.provider.readCustomer = async (customerId) => {
    reads += 1;
    if (reads > 1) throw new Error('away');
    return readCustomer(customerId);
  };
  try {
    return await act();
  } finally {
    plain.provider.readCustomer = readCustomer;
  }
}

test('the expected charge counts months that wait once, whether their answer or their request was lost', async () => {
  for (const how of ['answer', 'request'] as const) {
    const { id, renewsAt } = await subscriber();
    await losingMove(plain, how, () => giveTime(parts, id, { months: 1 }));
    const nextChargeAt = addMonths(addMonths(renewsAt, 1), 3);
    expect(await awayAfterRead(() => giveTime(parts, id, { months: 3 }))).toEqual({ nextChargeAt });
    await doLateWork();
    expect(await chargeOf(id)).toEqual(nextChargeAt);
  }
  // Months that are to be taken back.
  const { id, renewsAt } = await subscriber();
  await giveTime(parts, id, { months: 6 });
  await losingMove(plain, 'request', () => takeTimeBack(parts, id));
  const nextChargeAt = addMonths(renewsAt, 3);
  expect(await awayAfterRead(() => giveTime(parts, id, { months: 3 }))).toEqual({ nextChargeAt });
});

test('of two gifts the second comes on top of the first, which never reached the provider', async () => {
  const { id, renewsAt } = await subscriber();
  await losingMove(plain, 'request', () => giveTime(parts, id, { months: 1 }));
  await giveTime(parts, id, { months: 3 });
  expect(await chargeOf(id)).toEqual(addMonths(addMonths(renewsAt, 1), 3));
});

test('months that waited until the subscription was cancelled come after its end, for all users in one run', async () => {
  const people = [await subscriber(), await subscriber()];
  for (const { id } of people) {
    await losingMove(plain, 'request', () => giveTime(parts, id, { months: 1 }));
    await site.cancelSubscription(id, undefined);
  }
  await doLateWork();
  for (const { id, renewsAt } of people) expect(await giftUntilOf(id)).toEqual(addMonths(renewsAt, 1));
});

test('without a running subscription the months that waited come first, then a card or months of now', async () => {
  for (const later of ['card', 'months'] as const) {
    const { id, renewsAt } = await subscriber();
    await losingMove(plain, 'request', () => giveTime(parts, id, { months: 1 }));
    await site.cancelSubscription(id, undefined);
    const second = later === 'card' ? await newCard(3) : undefined;
    const until = addMonths(addMonths(renewsAt, 1), 3);
    if (second === undefined) expect(await giveTime(parts, id, { months: 3 })).toEqual({ giftUntil: until });
    else expect(await site.redeemGiftCard(id, second.code)).toMatchObject({ giftUntil: until });
    const [waited] = await db.select().from(givenMonths).where(eq(givenMonths.userId, id)).orderBy(givenMonths.id);
    expect(waited).toMatchObject({ months: 1, giftFrom: renewsAt, giftUntil: addMonths(renewsAt, 1) });
  }
});

test('a charge at the end of the gift time is where it belongs, and months taken back are taken from both', async () => {
  const { id } = await createListener(site);
  await giveTime(parts, id, { months: 1 });
  await giveTime(parts, id, { months: 2 });
  const giftUntil = (await giftUntilOf(id)) ?? expect.fail();
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  expect(await chargeOf(id)).toEqual(giftUntil);
  const calls = plain.calls.length;
  await site.refreshSubscription(id);
  expect(plain.calls.slice(calls)).not.toContain('delayCharge');
  const { giftUntil: left } = (await takeTimeBack(parts, id)) as { giftUntil: Date };
  expect(left.getTime()).toBeLessThan(giftUntil.getTime());
  expect([await chargeOf(id), await giftUntilOf(id)]).toEqual([left, left]);
});
