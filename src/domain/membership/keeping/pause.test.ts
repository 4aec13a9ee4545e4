import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { formatDay } from '#formats/times.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, isSubscribed, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { losingMove } from '#test/support/payments/plain-payments.ts';
import { users } from '../../identity/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { findCustomerId } from '../customers.ts';
import { doDueWork } from '../due-work.ts';
import { entitledUntilSql, isInTrialSql } from '../entitlement.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import { giveTime, takeTimeBack } from '../gift-cards/operator-gifts.ts';
import { keptUntilSql } from '../moving/plan-move.ts';
import { membershipMails, memberships, subscriptions } from '../tables.ts';
import { closePauses } from './follow-pauses.ts';
import { keepingSetting } from './settings.ts';
import { pauses } from './tables.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts, mails } = site;
const day = 24 * 60 * 60 * 1000;

/** Charged three weeks ago. */
async function subscriber(card: 'good' | 'fails-later' = 'good') {
  const { id, email } = await createListener(site, { startsAt: new Date(Date.now() - 21 * day) });
  await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { withoutTrial: true }));
  const customerId = (await findCustomerId(db, id)) ?? '';
  // The months pass by the provider's clock, and the card is another one by then.
  if (card !== 'good') {
    const { setupId, clientSecret } = await site.startCardChange(id);
    plain.finish(clientSecret, { cardId: plain.newCard(card) });
    await site.finishCardChange(id, setupId);
  }
  const { renewsAt } = await site.findSubscriptionState(id);
  await plain.provider.testClock?.advance(customerId, new Date());
  return { id, email, customerId, renewsAt: renewsAt ?? expect.fail() };
}

async function pauseOf(userId: string) {
  const [row] = await db.select().from(pauses).where(eq(pauses.userId, userId));
  return row ?? expect.fail();
}

async function factsOf(customerId: string) {
  return (await plain.provider.readCustomer(customerId))?.subscriptions[0] ?? expect.fail();
}

/** The paid time is over since a minute: the charge is moved by hand, and the pause with it. */
async function begin(userId: string) {
  const { id, fromAt, untilAt, subscriptionId } = await pauseOf(userId);
  const until = new Date(untilAt.getTime() - fromAt.getTime() + Date.now() - 60_000);
  await plain.provider.delayCharge(subscriptionId, until, `pause ${id}`.slice(0, -1));
  await site.refreshSubscription(userId);
}

async function entitledUntil(userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ until: entitledUntilSql(users.id, sql`'infinity'::timestamptz`) })
    .from(users)
    .where(eq(users.id, userId));
  const until = row?.until ?? 'infinity';
  return until === 'infinity' ? null : new Date(until);
}

async function doLateWork(): Promise<void> {
  const earlier = sql`now() - interval '2 minutes'`;
  await db.update(pauses).set({ createdAt: earlier });
  await db
    .update(pauses)
    .set({ endingAt: earlier })
    .where(sql`ending_at is not null and ended_at is null`);
  await doDueWork(parts);
}

test('a pause begins when the paid time ends, charges nothing, and goes on by itself with a charge', async () => {
  const { id, email, customerId, renewsAt } = await subscriber();
  expect(await site.pauseSubscription(id, 2)).toMatchObject({ ok: true });
  const until = addMonths(renewsAt, 2);
  expect(await factsOf(customerId)).toMatchObject({ status: 'trialing', periodEndsAt: until });
  const agreed = await site.findSubscription(id);
  expect(agreed).toMatchObject({ state: 'active', isTrial: false, freeBy: null, renewsAt: until, isSubscribed: true });
  expect(agreed).toMatchObject({ pauseChoices: [], pause: { months: 2, from: renewsAt, until, isWaiting: false } });
  expect(await entitledUntil(id)).toEqual(renewsAt);
  await site.sendDueMails();
  const about = mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(about.filter((subject) => subject.startsWith('Your pause from'))).toHaveLength(1);
  const notices = () =>
    db
      .select()
      .from(membershipMails)
      .where(sql`user_id = ${id} and kind in ('trial-ends', 'pause-ends')`);
  expect(await notices()).toMatchObject([{ kind: 'pause-ends', dueAt: new Date(until.getTime() - 7 * day) }]);

  await begin(id);
  const running = await site.findSubscription(id);
  expect(running).toMatchObject({ state: 'paused', isSubscribed: false, freeBy: null });
  expect(await entitledUntil(id)).toBeNull();
  const [inTrial] = await db
    .select({ is: isInTrialSql(memberships.userId) })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(users.id, id));
  expect(inTrial?.is).toBe(false);
  const end = running.pause?.until ?? expect.fail();
  expect(await notices()).toMatchObject([{ kind: 'pause-ends', dueAt: new Date(end.getTime() - 7 * day) }]);
  await db
    .update(membershipMails)
    .set({ dueAt: new Date() })
    .where(sql`user_id = ${id} and kind = 'pause-ends'`);
  await site.sendDueMails();
  expect(mails.findLast(({ to }) => to === email)).toMatchObject({
    subject: expect.stringContaining('Your pause ends on'),
    text: expect.stringContaining('$7.99 is charged'),
  });

  const paid = async () => (await site.listInvoices(id, { limit: 9 })).items.length;
  expect(await paid()).toBe(1);
  await plain.provider.testClock?.advance(customerId, new Date(end.getTime() + 1000));
  await site.refreshSubscription(id);
  expect(await site.findSubscription(id)).toMatchObject({
    state: 'active',
    isSubscribed: true,
    renewsAt: addMonths(end, 1),
    pause: null,
  });
  expect(await paid()).toBe(2);
});

test('the mail about a pause leaves also before the pause is in the stored state, with what is charged then', async () => {
  const { id, email, renewsAt } = await subscriber();
  await site.changePeriod(id, 'year');
  await site.changePeriod(id, 'month');
  const [stored] = await db.select().from(subscriptions).where(eq(subscriptions.userId, id));
  const { periodEndsAt = renewsAt } = stored ?? {};
  await site.pauseSubscription(id, 1);
  await db.update(subscriptions).set({ status: 'active', periodEndsAt }).where(eq(subscriptions.userId, id));
  await site.sendDueMails();
  const agreed = mails.filter(({ to, subject }) => to === email && subject.startsWith('Your pause from'));
  const until = addMonths(periodEndsAt, 1);
  expect(agreed).toMatchObject([
    {
      subject: `Your pause from ${formatDay(periodEndsAt)} to ${formatDay(until)}`,
      text: expect.stringContaining('$7.99 is charged'),
    },
  ]);
});

test('the lock begins and ends to the millisecond', async () => {
  const { id } = await subscriber();
  await site.pauseSubscription(id, 1);
  const isHeard = async (from: string, until: string) =>
    db.transaction(async (tx) => {
      await tx
        .update(pauses)
        .set({ fromAt: sql.raw(from), untilAt: sql.raw(until) })
        .where(eq(pauses.userId, id));
      return isSubscribed(tx, id);
    });
  const [now, next, month] = [
    "date_trunc('milliseconds', now())",
    "now() + interval '2 ms'",
    "now() + interval '1 month'",
  ];
  expect(await isHeard(next, month)).toBe(true);
  expect(await isHeard(now, month)).toBe(false);
  const [before] = ["now() - interval '1 month'"];
  expect(await isHeard(before, next)).toBe(false);
  expect(await isHeard(before, now)).toBe(true);
});

test('a pause that has not begun is taken back exactly, and does not count for the next one', async () => {
  const { id, customerId, renewsAt } = await subscriber();
  await site.pauseSubscription(id, 3);
  expect(await site.endPause(id)).toMatchObject({ ok: true });
  expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: renewsAt });
  expect(await site.findSubscription(id)).toMatchObject({
    state: 'active',
    isTrial: false,
    freeBy: null,
    renewsAt,
    pause: null,
    isSubscribed: true,
    pauseChoices: [1, 2, 3].map((months) => ({ months, from: renewsAt, until: addMonths(renewsAt, months) })),
  });
  // Its time is paid: nobody is told that free time ends.
  const notices = await db
    .select()
    .from(membershipMails)
    .where(sql`user_id = ${id} and kind like '%-ends'`);
  expect(notices).toEqual([]);
  expect(await site.endPause(id)).toMatchObject({ ok: true });
  expect(await site.pauseSubscription(id, 1)).toMatchObject({ ok: true });
  expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: addMonths(renewsAt, 1) });
});

test('a running pause ends with a charge at once, once', async () => {
  const { id, customerId } = await subscriber();
  await site.pauseSubscription(id, 3);
  await begin(id);
  const ended = await Promise.all([site.endPause(id), site.endPause(id)]);
  expect(ended).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await site.findSubscription(id)).toMatchObject({ state: 'active', isSubscribed: true, pause: null });
  expect(await factsOf(customerId)).toMatchObject({ status: 'active' });
  expect((await site.listInvoices(id, { limit: 9 })).items).toHaveLength(2);
});

test('access returns only once the charge that ends a pause is paid', async () => {
  const { id } = await subscriber('fails-later');
  await site.pauseSubscription(id, 1);
  await begin(id);
  expect(await site.endPause(id)).toEqual({ ok: false, reason: 'payment/card-declined' });
  expect(await site.findSubscription(id)).toMatchObject({ state: 'past-due', isSubscribed: false, pause: null });
  expect(await entitledUntil(id)).toBeNull();
  const { setupId, clientSecret } = await site.startCardChange(id);
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  expect(await site.finishCardChange(id, setupId)).toMatchObject({ ok: true });
  expect(await isSubscribed(db, id)).toBe(true);
});

test('on a page that is older than the pause’s begin, or than gift time, its end has no effect', async () => {
  const { id, customerId } = await subscriber();
  await site.pauseSubscription(id, 2);
  await begin(id);
  const before = await factsOf(customerId);
  const changed = { ok: false, reason: 'subscription/changed' };
  expect(await site.endPause(id, { chargesNow: false })).toEqual(changed);
  expect(await factsOf(customerId)).toEqual(before);
  expect(await site.findSubscription(id)).toMatchObject({ state: 'paused', pause: { isWaiting: false } });
  await giveTime(parts, id, { months: 1 });
  expect(await site.endPause(id, { chargesNow: true })).toEqual(changed);
  expect(await site.endPause(id, { chargesNow: false })).toMatchObject({ ok: true });
  expect((await site.listInvoices(id, { limit: 9 })).items).toHaveLength(1);
  // Pressed again, it stays ended.
  expect(await site.endPause(id, { chargesNow: false })).toMatchObject({ ok: true });
});

test('a charge at the end of a pause that fails gives the days of every failed charge', async () => {
  const { id, customerId } = await subscriber('fails-later');
  await site.pauseSubscription(id, 1);
  await begin(id);
  const { untilAt } = await pauseOf(id);
  await plain.provider.testClock?.advance(customerId, new Date(untilAt.getTime() + 1000));
  await site.refreshSubscription(id);
  expect(await site.findSubscription(id)).toMatchObject({ state: 'past-due', isSubscribed: true, pause: null });
});

test('canceling before a pause keeps the paid time; during one it ends now, and nothing is charged', async () => {
  const before = await subscriber();
  await site.pauseSubscription(before.id, 2);
  expect(await site.cancelSubscription(before.id, undefined)).toMatchObject({ ok: true });
  expect(await site.findSubscription(before.id)).toMatchObject({
    state: 'ending',
    endsAt: before.renewsAt,
    isSubscribed: true,
    pause: null,
  });
  const during = await subscriber();
  await site.pauseSubscription(during.id, 2);
  await begin(during.id);
  expect(await site.cancelSubscription(during.id, undefined)).toMatchObject({ ok: true });
  expect(await site.findSubscription(during.id)).toMatchObject({ state: 'ended', isSubscribed: false, pause: null });
  expect((await site.listInvoices(during.id, { limit: 9 })).items).toHaveLength(1);
});

test('canceling where the charge was moved or made behind the pause charges nothing', async () => {
  const paid = async (userId: string) => (await site.listInvoices(userId, { limit: 9 })).items.length;
  // Later, by hand.
  const moved = await subscriber();
  await site.pauseSubscription(moved.id, 1);
  await begin(moved.id);
  const { untilAt, subscriptionId } = await pauseOf(moved.id);
  const later = new Date(untilAt.getTime() + 10 * day);
  await plain.provider.delayCharge(subscriptionId, later, 'by hand');
  expect(await site.cancelSubscription(moved.id, undefined)).toMatchObject({ ok: true });
  expect(await factsOf(moved.customerId)).toMatchObject({ status: 'trialing', endsAt: later });
  expect(await paid(moved.id)).toBe(1);
  // Made, but no event of it has come.
  const charged = await subscriber();
  await site.pauseSubscription(charged.id, 2);
  await begin(charged.id);
  await plain.provider.delayCharge((await pauseOf(charged.id)).subscriptionId, 'now', 'by hand');
  const { periodEndsAt } = await factsOf(charged.customerId);
  expect(await site.cancelSubscription(charged.id, undefined)).toMatchObject({ ok: true });
  expect(await factsOf(charged.customerId)).toMatchObject({ status: 'active', endsAt: periodEndsAt });
  expect(await paid(charged.id)).toBe(2);
});

test('a cancellation that fails half-way leaves the charge where it was agreed, and is completed', async () => {
  const { id, customerId, renewsAt } = await subscriber();
  await site.pauseSubscription(id, 2);
  const until = addMonths(renewsAt, 2);
  const { cancelAtPeriodEnd } = plain.provider;
  plain.provider.cancelAtPeriodEnd = async () => {
    throw new Error('the connection broke');
  };
  await expect(site.cancelSubscription(id, undefined)).rejects.toThrow('broke');
  plain.provider.cancelAtPeriodEnd = cancelAtPeriodEnd;
  expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: until, endsAt: undefined });
  expect(await site.findSubscription(id)).toMatchObject({ pause: { until, isWaiting: false } });
  for (const how of ['request', 'answer'] as const) {
    if (how === 'answer') {
      await site.resumeSubscription(id);
      await site.pauseSubscription(id, 2);
    }
    await expect(losingMove(plain, how, () => site.cancelSubscription(id, undefined))).rejects.toThrow('broke');
    expect((await factsOf(customerId)).endsAt).toBeDefined();
    await doLateWork();
    expect(await factsOf(customerId)).toMatchObject({ endsAt: renewsAt });
    expect(await site.findSubscription(id)).toMatchObject({ state: 'ending', endsAt: renewsAt, pause: null });
  }
});

test('an end that the provider refuses is said, and is in the log', async () => {
  const { id } = await subscriber();
  await site.pauseSubscription(id, 1);
  await begin(id);
  const { delayCharge } = plain.provider;
  plain.provider.delayCharge = async () => ({ ok: false });
  expect(await site.endPause(id)).toEqual({ ok: false, reason: 'payment/not-offered' });
  plain.provider.delayCharge = delayCharge;
  expect(await site.findSubscription(id)).toMatchObject({ state: 'paused', pause: { isWaiting: false } });
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id));
  expect(entries).toMatchObject([{ action: 'subscription.end-pause-failed', actorRole: 'operator' }]);
  expect(await site.endPause(id)).toMatchObject({ ok: true });
});

test('months given before a pause come before it, and are taken back exactly', async () => {
  const { id, customerId, renewsAt } = await subscriber();
  await site.pauseSubscription(id, 1);
  await giveTime(parts, id, { months: 2 });
  const charge = addMonths(addMonths(renewsAt, 1), 2);
  expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: charge });
  const moved = charge.getTime() - addMonths(renewsAt, 1).getTime();
  const fromAt = new Date(renewsAt.getTime() + moved);
  expect(await pauseOf(id)).toMatchObject({ fromAt, untilAt: charge });
  expect(await entitledUntil(id)).toEqual(fromAt);
  expect(await takeTimeBack(parts, id)).toMatchObject({ ok: true, months: 2 });
  expect(await pauseOf(id)).toMatchObject({ fromAt: renewsAt, untilAt: addMonths(renewsAt, 1) });
  await giveTime(parts, id, { months: 1 });
  await begin(id);
  expect(await takeTimeBack(parts, id)).toEqual({ ok: false, reason: 'already-used' });
});

test('given months that have begun before a pause are not taken back at its cost', async () => {
  const { id } = await subscriber();
  await site.pauseSubscription(id, 3);
  await giveTime(parts, id, { months: 1 });
  const { fromAt, untilAt, subscriptionId } = await pauseOf(id);
  const until = new Date(untilAt.getTime() - fromAt.getTime() + Date.now() + 10 * day);
  await plain.provider.delayCharge(subscriptionId, until, 'by hand');
  await site.refreshSubscription(id);
  expect(await takeTimeBack(parts, id)).toEqual({ ok: false, reason: 'already-used' });
  expect(await isSubscribed(db, id)).toBe(true);
});

test('months given during a pause count from now on, and nothing of them is lost', async () => {
  const { id, customerId } = await subscriber();
  await site.pauseSubscription(id, 3);
  await begin(id);
  const { untilAt } = await pauseOf(id);
  const given = await giveTime(parts, id, { months: 1 });
  expect(given).toHaveProperty('giftUntil');
  expect(await isSubscribed(db, id)).toBe(true);
  expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: untilAt });
  // Longer than the pause: the charge comes behind them.
  await giveTime(parts, id, { months: 6 });
  const { giftUntil } = await site.findSubscription(id);
  const facts = await factsOf(customerId);
  expect(facts.periodEndsAt).toEqual(giftUntil);
  expect(await entitledUntil(id)).toEqual(giftUntil);
  // Ended in the gift time, it is charged behind it.
  expect(await site.endPause(id)).toMatchObject({ ok: true });
  expect(await factsOf(customerId)).toMatchObject({ status: 'trialing', periodEndsAt: giftUntil });
});

test.each(['answer', 'request'] as const)(
  'a pause, and its end, are carried out although the %s is lost',
  async (how) => {
    const { id, email, customerId, renewsAt } = await subscriber();
    await expect(losingMove(plain, how, () => site.pauseSubscription(id, 1))).rejects.toThrow('broke');
    expect(await site.findSubscription(id)).toMatchObject({ pause: { isWaiting: true }, isSubscribed: true });
    await doLateWork();
    expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: addMonths(renewsAt, 1) });
    expect(await site.pauseSubscription(id, 1)).toMatchObject({ ok: true });
    await expect(losingMove(plain, how, () => site.endPause(id))).rejects.toThrow('broke');
    await doLateWork();
    expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: renewsAt });
    expect(await pauseOf(id)).toMatchObject({ fromAt: renewsAt, endedAt: expect.any(Date) });
    await site.sendDueMails();
    expect(mails.filter(({ to, subject }) => to === email && subject.startsWith('Your pause from'))).toEqual([]);

    const running = await subscriber();
    await site.pauseSubscription(running.id, 2);
    await begin(running.id);
    await expect(losingMove(plain, how, () => site.endPause(running.id))).rejects.toThrow('broke');
    await doLateWork();
    expect(await site.findSubscription(running.id)).toMatchObject({ state: 'active', isSubscribed: true, pause: null });
    expect((await site.listInvoices(running.id, { limit: 9 })).items).toHaveLength(2);
  },
);

test('a pause that has ended locks nothing any more, although gifts move the charge again', async () => {
  const resumed = await subscriber();
  await site.pauseSubscription(resumed.id, 3);
  await begin(resumed.id);
  expect(await site.endPause(resumed.id)).toMatchObject({ ok: true });
  await giveTime(parts, resumed.id, { months: 1 });
  const { periodEndsAt, status } = await factsOf(resumed.customerId);
  expect(status).toBe('trialing');
  expect(await isSubscribed(db, resumed.id)).toBe(true);
  expect(await entitledUntil(resumed.id)).toBeNull();
  const { rows } = await db.execute<{ kept: string }>(
    sql`select ${keptUntilSql} as kept from subscriptions s where s.user_id = ${resumed.id}`,
  );
  expect(new Date(rows[0]?.kept ?? 0)).toEqual(periodEndsAt);

  // Ended by hand, at the provider.
  const byHand = await subscriber();
  await site.pauseSubscription(byHand.id, 3);
  await begin(byHand.id);
  await plain.provider.delayCharge((await pauseOf(byHand.id)).subscriptionId, 'now', 'by hand');
  await site.refreshSubscription(byHand.id);
  await giveTime(parts, byHand.id, { months: 1 });
  expect(await isSubscribed(db, byHand.id)).toBe(true);

  // Ended in gift time; a second gift follows.
  const given = await subscriber();
  await site.pauseSubscription(given.id, 3);
  await begin(given.id);
  await giveTime(parts, given.id, { months: 1 });
  expect(await site.endPause(given.id)).toMatchObject({ ok: true });
  await giveTime(parts, given.id, { months: 1 });
  await db.update(memberships).set({ giftUntil: new Date() }).where(eq(memberships.userId, given.id));
  expect(await isSubscribed(db, given.id)).toBe(true);
});

test('pressed twice, it is one pause; another length is refused', async () => {
  const { id, customerId, renewsAt } = await subscriber();
  const both = await Promise.all([site.pauseSubscription(id, 2), site.pauseSubscription(id, 2)]);
  expect(both).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await factsOf(customerId)).toMatchObject({ periodEndsAt: addMonths(renewsAt, 2) });
  expect(await site.pauseSubscription(id, 1)).toEqual({ ok: false, reason: 'subscription/already-paused' });
});

test('a second pause begins at least twelve months after the first one', async () => {
  const { id, renewsAt } = await subscriber();
  await site.pauseSubscription(id, 1);
  await begin(id);
  await site.endPause(id);
  const { fromAt } = await pauseOf(id);
  const { renewsAt: charge } = await site.findSubscriptionState(id);
  const lately = { ok: false, reason: 'subscription/paused-lately' };
  expect(await site.pauseSubscription(id, 1)).toEqual(lately);
  const yearBefore = addMonths(charge ?? renewsAt, -12);
  const move = (at: Date) => db.update(pauses).set({ fromAt: at }).where(eq(pauses.userId, id));
  await move(new Date(yearBefore.getTime() + 1));
  expect(await site.pauseSubscription(id, 1)).toEqual(lately);
  expect(fromAt < new Date()).toBe(true);
  await move(yearBefore);
  expect(await site.pauseSubscription(id, 1)).toMatchObject({ ok: true });
});

test('it is not offered in a trial, past due, canceled, switched off, and where the charge cannot move', async () => {
  const trial = await createListener(site);
  await site.createSubscription(trial.id, orderOf(plain.newCard('good')));
  const not = { ok: false, reason: 'subscription/not-pausable' };
  expect(await site.pauseSubscription(trial.id, 1)).toEqual(not);
  const none = await createListener(site);
  expect(await site.pauseSubscription(none.id, 1)).toEqual({ ok: false, reason: 'subscription/none' });
  const canceled = await subscriber();
  await site.cancelSubscription(canceled.id, undefined);
  expect(await site.pauseSubscription(canceled.id, 1)).toEqual(not);
  const late = await subscriber('fails-later');
  await plain.provider.testClock?.advance(late.customerId, new Date(late.renewsAt.getTime() + day));
  await site.refreshSubscription(late.id);
  expect(await site.pauseSubscription(late.id, 1)).toEqual({ ok: false, reason: 'subscription/payment-due' });

  const { id } = await subscriber();
  const { capabilities, delayCharge } = plain.provider;
  plain.provider.capabilities = { ...capabilities, movesCharge: false };
  expect(await site.pauseSubscription(id, 1)).toEqual(not);
  expect(await site.findSubscription(id)).toMatchObject({ pauseChoices: [] });
  plain.provider.capabilities = capabilities;
  plain.provider.delayCharge = async () => ({ ok: false });
  expect(await site.pauseSubscription(id, 1)).toEqual(not);
  plain.provider.delayCharge = delayCharge;
  expect(await db.$count(pauses, eq(pauses.userId, id))).toBe(0);
  const set = async (pause: boolean) => {
    const { value, revision } = await findSetting(db, keepingSetting);
    await changeSetting(db, keepingSetting, { actor: operator, value: { ...value, pause }, revision });
  };
  await set(false);
  expect(await site.pauseSubscription(id, 1)).toEqual(not);
  await set(true);
  expect(await site.pauseSubscription(id, 1)).toMatchObject({ ok: true });
});

test('moved to another provider, paid time is kept and the pause is not', async () => {
  const { id, renewsAt } = await subscriber();
  await site.pauseSubscription(id, 2);
  const kept = async () => {
    const { rows } = await db.execute<{ kept: string; now: string }>(
      sql`select ${keptUntilSql} as kept, now() from subscriptions s where s.user_id = ${id}`,
    );
    return rows[0] ?? expect.fail();
  };
  expect(new Date((await kept()).kept)).toEqual(renewsAt);
  await begin(id);
  const { kept: until, now } = await kept();
  expect(until).toEqual(now);
  await db.transaction((tx) => closePauses(tx, id));
  expect(await pauseOf(id)).toMatchObject({ endedAt: expect.any(Date) });
});

test('the plan can be changed during a pause, and the account deleted', async () => {
  const { id, customerId } = await subscriber();
  await site.pauseSubscription(id, 2);
  await begin(id);
  const { untilAt } = await pauseOf(id);
  expect(await site.previewPeriodChange(id, 'year')).toMatchObject({ preview: { dueToday: 0, nextChargeAt: untilAt } });
  expect(await site.changePeriod(id, 'year')).toMatchObject({ ok: true });
  expect(await site.findSubscription(id)).toMatchObject({ state: 'paused', period: 'year', isSubscribed: false });
  await site.withoutCharges(id, async () => void (await db.delete(users).where(eq(users.id, id))));
  expect(await plain.provider.readCustomer(customerId)).toBeUndefined();
  expect(await db.$count(pauses, eq(pauses.userId, id))).toBe(0);
});
