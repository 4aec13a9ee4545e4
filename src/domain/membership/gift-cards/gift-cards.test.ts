import { eq, isNotNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createListener,
  isSubscribed,
  openTestMembership,
  orderOf,
  readEverything,
} from '#test/support/payments/membership.ts';
import { findCustomerId } from '../customers.ts';
import { doDueWork } from '../due-work.ts';
import { hashCode } from './gift-codes.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import { refundGiftCard, resendGiftCard } from './gift-cards.ts';
import { sendDueMails } from '../mail-queue.ts';
import { reconcile } from '../sync/reconcile.ts';
import { giftCards } from '../tables.ts';
import { slow } from '#test/support/tags.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts, mails } = site;
const recipientEmail = 'nora@example.org';

/** Does all that is due: money, and mails. */
async function doJobs(): Promise<void> {
  await doDueWork(parts);
  await sendDueMails(parts);
}

/** Buys and pays a gift card. @returns the mailed code */
async function give(months: 1 | 3 | 6 | 12, buyer?: { id: string; email: string }) {
  const { giftCard, clientSecret } = await site.buyGiftCard(buyer, {
    months,
    recipientEmail,
    senderName: 'Ada',
    message: 'For the long nights.\nYours',
    buyerEmail: 'ada@example.org',
  });
  expect(giftCard.state).toBe('awaiting-payment');
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  mails.length = 0;
  expect(await site.refreshGiftCard(giftCard.id, buyer?.id)).toMatchObject({ state: 'paid' });
  await doJobs();
  return { id: giftCard.id, code: mailedCode() };
}

function mailedCode(): string {
  // The last one: a mail of an earlier test may be late.
  const mail = mails.findLast(({ to }) => to === recipientEmail);
  return /Your code is (\S+)\./.exec(mail?.text ?? '')?.[1] ?? '';
}

test('a gift card is bought without an account, mailed with its message, and adds its months', async () => {
  const { code, id } = await give(3);
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  // The last one: a mail of an earlier test may be late.
  const mail = mails.findLast(({ to }) => to === recipientEmail);
  expect(mail?.subject).toBe('A gift for you at Sotto');
  for (const words of ['Ada gives you 3 months', 'For the long nights.', 'Yours']) {
    expect(mail?.text).toContain(words);
    expect(mail?.html).toContain(words);
  }
  expect(mails.find(({ to }) => to === 'ada@example.org')?.text).toContain('$21.99 was paid');

  const { id: userId } = await createListener(site);
  const redeemed = await site.redeemGiftCard(userId, ` ${code.toLowerCase().replaceAll('-', ' ')} `);
  expect(redeemed).toMatchObject({ ok: true, months: 3, nextChargeAt: null });
  expect(await isSubscribed(db, userId)).toBe(true);
  const first = redeemed.ok ? redeemed.giftUntil : null;
  expect(Math.abs((first?.getTime() ?? 0) - addMonths(new Date(), 3).getTime())).toBeLessThan(60_000);
  expect(await site.redeemGiftCard(userId, code)).toEqual({ ok: false, reason: 'gift-card/already-redeemed' });

  const second = await give(1);
  expect(await site.redeemGiftCard(userId, second.code)).toMatchObject({
    giftUntil: addMonths(first ?? new Date(), 1),
  });
  expect(await site.refreshGiftCard(id, undefined)).toMatchObject({ state: 'redeemed', recipientEmail: null });
});

test('50 people redeem one code at once: one succeeds', slow, async () => {
  const { code } = await give(6);
  const people = await Promise.all(Array.from({ length: 50 }, () => createListener(site)));
  const outcomes = await Promise.all(people.map(({ id }) => site.redeemGiftCard(id, code)));
  const winners = outcomes.filter(({ ok }) => ok);
  process.stdout.write(`50 simultaneous redemptions of one code → ${winners.length}\n`);
  expect(winners).toHaveLength(1);
  expect(outcomes.filter(({ ok }) => !ok)).toEqual(
    Array.from({ length: 49 }, () => ({ ok: false, reason: 'gift-card/already-redeemed' })),
  );
  const subscribed = await Promise.all(people.map(({ id }) => isSubscribed(db, id)));
  expect(subscribed.filter(Boolean)).toHaveLength(1);
});

test('50 concurrent redemptions by one user count once', async () => {
  const { code } = await give(1);
  const { id } = await createListener(site);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => site.redeemGiftCard(id, code)));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  const { giftUntil } = await site.findSubscriptionState(id);
  expect(Math.abs((giftUntil?.getTime() ?? 0) - addMonths(new Date(), 1).getTime())).toBeLessThan(60_000);
});

test('the code is in the mail only, not in the database', async () => {
  const { code, id } = await give(1);
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, id));
  expect(row?.codeHash).toBe(hashCode(code));
  const everything = await readEverything(db);
  for (const spelling of [code, code.replaceAll('-', ''), code.toLowerCase()])
    expect(everything).not.toContain(spelling);
});

test('a card that is not paid gives nothing, even if it has a code', async () => {
  const { code, id } = await give(1);
  await db.update(giftCards).set({ paidAt: null }).where(eq(giftCards.id, id));
  const { id: userId } = await createListener(site);
  expect(await site.redeemGiftCard(userId, code)).toEqual({ ok: false, reason: 'gift-card/unknown' });
  expect(await isSubscribed(db, userId)).toBe(false);
});

test('with a running subscription the gift moves its next charge and adds no gift time', async () => {
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  const { renewsAt, freeBy } = await site.findSubscription(id);
  expect(freeBy).toBe('trial');
  const until = addMonths(renewsAt ?? new Date(), 6);
  const { code } = await give(6);
  expect(await site.redeemGiftCard(id, code)).toEqual({ ok: true, months: 6, giftUntil: null, nextChargeAt: until });
  expect(await site.findSubscription(id)).toMatchObject({
    state: 'trialing',
    freeBy: 'gift',
    renewsAt: until,
    giftUntil: null,
    nextCharge: { at: until },
  });
  const twelve = await give(12);
  await site.redeemGiftCard(id, twelve.code);
  expect((await site.findSubscription(id)).renewsAt).toEqual(addMonths(until, 12));
});

test('after a cancelled subscription come the months, and before the next charge if it is resumed', async () => {
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  await site.cancelSubscription(id, undefined);
  const { endsAt } = await site.findSubscription(id);
  const { code } = await give(1);
  const giftUntil = addMonths(endsAt ?? new Date(), 1);
  expect(await site.redeemGiftCard(id, code)).toMatchObject({ ok: true, giftUntil, nextChargeAt: null });
  expect(await site.findSubscription(id)).toMatchObject({ state: 'ending', endsAt, giftUntil });
  await site.resumeSubscription(id);
  expect(await site.findSubscription(id)).toMatchObject({ endsAt: null, renewsAt: giftUntil, freeBy: 'gift' });
});

test('a gift whose payment was charged back cannot be redeemed', async () => {
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, {
    months: 1,
    recipientEmail,
    senderName: undefined,
    message: undefined,
    buyerEmail: 'ada@example.org',
  });
  plain.finish(clientSecret, { cardId: plain.newCard('disputed') });
  // The buyer asks before the provider has told of the dispute: nothing is paid back, and no document may say so.
  const { id } = await createListener(site);
  await db.update(giftCards).set({ buyerId: id, paidAt: new Date() }).where(eq(giftCards.id, giftCard.id));
  await expect(site.refundGiftCard(id, giftCard.id)).rejects.toMatchObject({ code: 'payment/unavailable' });
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, giftCard.id));
  expect(row).toMatchObject({ refundedAt: null, refundState: null });
  await site.refreshGiftCard(giftCard.id, undefined);
  mails.length = 0;
  await doJobs();
  expect(mails).toEqual([]);
});

/** Redeems cards while the provider does not move the charge; they are due for the next try. */
async function redeemWhileAway(userId: string, cards: { code: string; id: string }[]) {
  const { delayCharge } = plain.provider;
  plain.provider.delayCharge = async () => Promise.reject(new Error('away'));
  for (const [count, { code, id }] of cards.entries()) {
    expect(await site.redeemGiftCard(userId, code)).toMatchObject({ ok: true });
    await db
      .update(giftCards)
      .set({ redeemedAt: new Date(Date.now() - 120_000 + count) })
      .where(eq(giftCards.id, id));
  }
  plain.provider.delayCharge = delayCharge;
}

test('if the provider is unreachable at that moment, the charge is moved later, once for each card', async () => {
  const { id } = await createListener(site);
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  const { renewsAt } = await site.findSubscription(id);
  await redeemWhileAway(id, [await give(1), await give(1)]);
  expect((await site.findSubscription(id)).renewsAt).toEqual(renewsAt);
  await doJobs();
  const moved = addMonths(addMonths(renewsAt ?? new Date(), 1), 1);
  expect((await site.findSubscription(id)).renewsAt).toEqual(moved);
  await doJobs();
  expect((await site.findSubscription(id)).renewsAt).toEqual(moved);

  // Only the answer is lost: the charge was moved, and a second card comes on top of it.
  const { delayCharge } = plain.provider;
  const [lost, next] = [await give(1), await give(1)];
  plain.provider.delayCharge = (...args) => delayCharge(...args).then(() => Promise.reject(new Error('lost')));
  await site.redeemGiftCard(id, lost.code);
  plain.provider.delayCharge = delayCharge;
  await site.redeemGiftCard(id, next.code);
  expect((await site.findSubscription(id)).renewsAt).toEqual(addMonths(addMonths(moved, 1), 1));
});

test('a card that waits for the provider counts after a renewal too', async () => {
  const { id } = await createListener(site, { startsAt: new Date(Date.now() - 10 * 24 * 60 * 60 * 1000) });
  const customerId = (await findCustomerId(db, id)) ?? '';
  await site.createSubscription(id, orderOf(plain.newCard('good')));
  await plain.provider.testClock?.advance(customerId, new Date(Date.now() - 24 * 60 * 60 * 1000));
  await site.refreshSubscription(id);
  const { renewsAt } = await site.findSubscription(id);
  const renewed = addMonths(renewsAt ?? new Date(), 1);
  await redeemWhileAway(id, [await give(1)]);
  await plain.provider.testClock?.advance(customerId, new Date((renewsAt?.getTime() ?? 0) + 1000));
  await doJobs();
  expect((await site.findSubscription(id)).renewsAt).toEqual(addMonths(renewed, 1));
});

test('a gift card can be refunded until it is redeemed; a refunded one cannot be redeemed', async () => {
  const buyer = await createListener(site);
  const { code, id } = await give(1, buyer);
  expect(await site.listGiftCards(buyer.id)).toMatchObject([{ id, state: 'sent', recipientEmail, amount: 799 }]);
  const stranger = await createListener(site);
  expect(await site.refundGiftCard(stranger.id, id)).toEqual({ ok: false, reason: 'gift-card/unknown' });
  expect(await site.refundGiftCard(buyer.id, id)).toMatchObject({ ok: true, giftCard: { state: 'refunded' } });
  expect(await site.refundGiftCard(buyer.id, id)).toEqual({ ok: false, reason: 'gift-card/refunded' });
  expect(await site.redeemGiftCard(stranger.id, code)).toEqual({ ok: false, reason: 'gift-card/refunded' });
  expect(await isSubscribed(db, stranger.id)).toBe(false);
  await doJobs();
  await doJobs();
  const mailed = site.mails.filter(({ to, subject }) => to === 'ada@example.org' && subject.startsWith('Your refund'));
  expect(mailed.map(({ text }) => text)).toEqual([
    expect.stringMatching(/We have refunded \$7\.99: your payment of .* for a gift card of a month\./),
  ]);

  const used = await give(1, buyer);
  await site.redeemGiftCard(stranger.id, used.code);
  expect(await site.refundGiftCard(buyer.id, used.id)).toEqual({ ok: false, reason: 'gift-card/already-redeemed' });
  expect(await refundGiftCard(parts, used.id)).toEqual({ ok: false, reason: 'gift-card/already-redeemed' });
});

test('a concurrent refund and redemption: one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const buyer = await createListener(site);
    const { code, id } = await give(1, buyer);
    const { id: userId } = await createListener(site);
    const [refund, redemption] = await Promise.all([
      site.refundGiftCard(buyer.id, id),
      site.redeemGiftCard(userId, code),
    ]);
    expect([refund.ok, redemption.ok].filter(Boolean)).toHaveLength(1);
    expect(await isSubscribed(db, userId)).toBe(redemption.ok);
  }
});

test('a refund whose answer is lost is done, and its card cannot be redeemed', async () => {
  const buyer = await createListener(site);
  const { id, code } = await give(1, buyer);
  const { refundPayment } = plain.provider;
  plain.provider.refundPayment = (paymentId) => refundPayment(paymentId).then(() => Promise.reject(new Error('away')));
  expect(await site.refundGiftCard(buyer.id, id)).toMatchObject({ ok: true, giftCard: { state: 'refunded' } });
  plain.provider.refundPayment = refundPayment;
  expect(await site.redeemGiftCard(buyer.id, code)).toEqual({ ok: false, reason: 'gift-card/refunded' });
});

test('a failed refund leaves the card as it was', async () => {
  const buyer = await createListener(site);
  const { code, id } = await give(1, buyer);
  const { refundPayment } = plain.provider;
  plain.provider.refundPayment = async () => Promise.reject(new Error('away'));
  await expect(site.refundGiftCard(buyer.id, id)).rejects.toThrow('away');
  plain.provider.refundPayment = refundPayment;
  expect(await site.redeemGiftCard(buyer.id, code)).toMatchObject({ ok: true });
});

test('a card that was partly refunded at the provider is refunded to the end, and the mail says how much', async () => {
  const buyer = await createListener(site);
  const { code, id } = await give(3, buyer);
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, id));
  plain.refundByHand(row?.paymentId ?? '', 700);
  expect(await site.refreshGiftCard(id, buyer.id)).toMatchObject({ state: 'sent' });
  expect(await site.refundGiftCard(buyer.id, id)).toMatchObject({ ok: true, giftCard: { state: 'refunded' } });
  expect(await plain.provider.findPayment(row?.paymentId ?? '')).toMatchObject({ status: 'refunded', refunded: 2199 });
  mails.length = 0;
  await doJobs();
  expect(mails.map(({ text }) => text)).toEqual([
    expect.stringMatching(/We have refunded \$14\.99: the rest of the \$21\.99 that you paid on .* for a gift card/),
  ]);
  expect(await site.redeemGiftCard(buyer.id, code)).toEqual({ ok: false, reason: 'gift-card/refunded' });
});

test('a refund without any answer stays, nobody redeems its card, and a job completes it once', async () => {
  const buyer = await createListener(site);
  const { code, id } = await give(1, buyer);
  const { refundPayment, findPayment } = plain.provider;
  let refunds = 0;
  plain.provider.refundPayment = async (paymentId) => {
    refunds += 1;
    await refundPayment(paymentId);
    plain.provider.findPayment = async () => Promise.reject(new Error('away'));
    throw new Error('away');
  };
  await expect(site.refundGiftCard(buyer.id, id)).rejects.toThrow('away');
  plain.provider.refundPayment = refundPayment;
  plain.provider.findPayment = findPayment;
  expect(refunds).toBe(1);
  expect(await site.redeemGiftCard(buyer.id, code)).toEqual({ ok: false, reason: 'gift-card/refunded' });
  mails.length = 0;
  await doJobs();
  expect(mails).toEqual([]);
  await db
    .update(giftCards)
    .set({ refundedAt: new Date(Date.now() - 120_000) })
    .where(eq(giftCards.id, id));
  await doJobs();
  await doJobs();
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('We have refunded $7.99')]);
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, id));
  expect(row).toMatchObject({ refundState: 'done', refundAmount: 799 });
});

test('the code of a card that was redeemed or refunded meanwhile is not mailed again', async () => {
  for (const end of ['redeemed', 'refunded'] as const) {
    const buyer = await createListener(site);
    const { code, id } = await give(1, buyer);
    expect(await resendGiftCard(parts, id)).toMatchObject({ ok: true });
    const [before] = await db.select().from(giftCards).where(eq(giftCards.id, id));
    if (end === 'redeemed') expect(await site.redeemGiftCard(buyer.id, code)).toMatchObject({ ok: true });
    else expect(await site.refundGiftCard(buyer.id, id)).toMatchObject({ ok: true });
    mails.length = 0;
    await doJobs();
    expect(mails.filter(({ to }) => to === recipientEmail)).toEqual([]);
    const [after] = await db.select().from(giftCards).where(eq(giftCards.id, id));
    expect(after?.codeHash).toBe(before?.codeHash);
    expect(await resendGiftCard(parts, id)).toEqual({
      ok: false,
      reason: end === 'redeemed' ? 'gift-card/already-redeemed' : 'gift-card/refunded',
    });
    await doJobs();
    expect(mails.filter(({ to }) => to === recipientEmail)).toEqual([]);
  }
});

test('the mail is sent on the chosen day, and again with a new code', async () => {
  const deliverAt = new Date(Date.now() + 60 * 60 * 1000).toISOString();
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, {
    months: 1,
    recipientEmail,
    senderName: undefined,
    message: undefined,
    deliverAt,
    buyerEmail: 'ada@example.org',
  });
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  await site.refreshGiftCard(giftCard.id, undefined);
  mails.length = 0;
  await doJobs();
  expect(mails.map(({ to }) => to)).toEqual(['ada@example.org']);
  expect(await resendGiftCard(parts, giftCard.id)).toMatchObject({ ok: true });
  await doJobs();
  const first = mailedCode();
  expect(mails.at(-1)?.text).toContain('Someone gives you a month');
  await resendGiftCard(parts, giftCard.id);
  mails.length = 0;
  await doJobs();
  const second = mailedCode();
  const { id } = await createListener(site);
  expect(await site.redeemGiftCard(id, first)).toEqual({ ok: false, reason: 'gift-card/unknown' });
  expect(await site.redeemGiftCard(id, second)).toMatchObject({ ok: true });
});

test('an unpaid card cannot be used, and amounts come from the settings', async () => {
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, {
    months: 12,
    recipientEmail,
    senderName: undefined,
    message: undefined,
    buyerEmail: 'ada@example.org',
  });
  expect(giftCard.amount).toBe(5988);
  plain.finish(clientSecret, { cardId: plain.newCard('declining') });
  expect(await site.refreshGiftCard(giftCard.id, undefined)).toMatchObject({ state: 'awaiting-payment' });
  mails.length = 0;
  await doJobs();
  expect(mails).toEqual([]);
  expect(await resendGiftCard(parts, giftCard.id)).toEqual({ ok: false, reason: 'gift-card/unknown' });
  expect(await refundGiftCard(parts, giftCard.id)).toEqual({ ok: false, reason: 'gift-card/unknown' });
  const { id } = await createListener(site);
  for (const code of ['', 'AAAA-AAAA-AAAA-AAAA', 'x'.repeat(40)])
    expect(await site.redeemGiftCard(id, code)).toEqual({ ok: false, reason: 'gift-card/unknown' });
});

test('a payment of less than the price pays no card', async () => {
  const form = { months: 3, recipientEmail, senderName: undefined, message: undefined } as const;
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, { ...form, buyerEmail: 'ada@example.org' });
  const isCard = eq(giftCards.id, giftCard.id);
  await db
    .update(giftCards)
    .set({ amount: giftCard.amount + 1 })
    .where(isCard);
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  expect(await site.refreshGiftCard(giftCard.id, undefined)).toMatchObject({ state: 'awaiting-payment' });
  await db.update(giftCards).set({ amount: giftCard.amount }).where(isCard);
  expect(await site.refreshGiftCard(giftCard.id, undefined)).toMatchObject({ state: 'paid' });
});

test('months are calendar months', () => {
  expect(addMonths(new Date('2027-01-31T10:00:00Z'), 1)).toEqual(new Date('2027-02-28T10:00:00Z'));
  expect(addMonths(new Date('2027-11-30T10:00:00Z'), 3)).toEqual(new Date('2028-02-29T10:00:00Z'));
  expect(addMonths(new Date('2027-05-15T10:00:00Z'), 12)).toEqual(new Date('2028-05-15T10:00:00Z'));
});

test('while the provider is unreachable mails are sent, and each gift is applied afterwards', slow, async () => {
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, {
    months: 1,
    recipientEmail,
    senderName: undefined,
    message: undefined,
    buyerEmail: 'ada@example.org',
  });
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  const codes = [await give(1), await give(1)];
  const listeners = await Promise.all(codes.map(() => createListener(site)));
  const { delayCharge } = plain.provider;
  plain.provider.delayCharge = async () => Promise.reject(new Error('away'));
  for (const [index, { id }] of listeners.entries()) {
    await site.createSubscription(id, orderOf(plain.newCard('good')));
    expect(await site.redeemGiftCard(id, codes[index]?.code ?? '')).toMatchObject({ ok: true });
  }
  await db
    .update(giftCards)
    .set({ redeemedAt: new Date(Date.now() - 120_000) })
    .where(isNotNull(giftCards.redeemedBy));
  await site.refreshGiftCard(giftCard.id, undefined);
  mails.length = 0;
  await expect(doDueWork(parts)).rejects.toThrow('away');
  await sendDueMails(parts);
  expect(mails.map(({ to }) => to)).toContain(recipientEmail);
  const broken = (await site.findSubscription(listeners[0]?.id ?? '')).renewsAt?.getTime();
  plain.provider.delayCharge = async (id, until) => {
    const [first] =
      (await plain.provider.readCustomer((await findCustomerId(db, listeners[0]?.id ?? '')) ?? ''))?.subscriptions ??
      [];
    if (id === first?.id) throw new Error('refused');
    return delayCharge(id, until);
  };
  await expect(doDueWork(parts)).rejects.toThrow('refused');
  plain.provider.delayCharge = delayCharge;
  expect((await site.findSubscription(listeners[0]?.id ?? '')).renewsAt?.getTime()).toBe(broken);
  expect((await site.findSubscription(listeners[1]?.id ?? '')).renewsAt?.getTime()).toBeGreaterThan(broken ?? 0);
  await doJobs();
  expect((await site.findSubscription(listeners[0]?.id ?? '')).renewsAt?.getTime()).toBeGreaterThan(broken ?? 0);
});

test('a gift card refunded at the provider, whose event was lost, cannot be redeemed after the nightly comparison', async () => {
  const { id, code } = await give(1);
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, id));
  await plain.provider.refundPayment(row?.paymentId ?? '');
  const { failed } = await reconcile(parts);
  expect(failed.filter(({ customerId }) => customerId === 'gift cards')).toEqual([]);
  const { id: userId } = await createListener(site);
  expect(await site.redeemGiftCard(userId, code)).toEqual({ ok: false, reason: 'gift-card/refunded' });
});

test('an unpaid gift card is deleted after a week and cannot be paid after that', async () => {
  const form = {
    months: 1,
    recipientEmail,
    senderName: undefined,
    message: undefined,
    buyerEmail: 'a@example.org',
  } as const;
  const [forgotten, paid] = [await site.buyGiftCard(undefined, form), await site.buyGiftCard(undefined, form)];
  plain.finish(paid.clientSecret, { cardId: plain.newCard('good') });
  const old = { createdAt: new Date(Date.now() - 8 * 24 * 60 * 60 * 1000) };
  for (const { giftCard } of [forgotten, paid])
    await db.update(giftCards).set(old).where(eq(giftCards.id, giftCard.id));
  await reconcile(parts);
  plain.finish(forgotten.clientSecret, { cardId: plain.newCard('good') });
  const left = await db.select().from(giftCards).where(eq(giftCards.createdAt, old.createdAt));
  expect(left).toMatchObject([{ id: paid.giftCard.id, paidAt: expect.any(Date) as Date }]);
});

test('a payment that declined five cards is canceled, and repeated events count once', async () => {
  const { giftCard } = await site.buyGiftCard(undefined, {
    months: 1,
    recipientEmail,
    senderName: undefined,
    message: undefined,
    buyerEmail: 'ada@example.org',
  });
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, giftCard.id));
  const paymentId = row?.paymentId ?? '';
  const decline = async (id: string) => {
    await site.storeEvent({
      id: `${giftCard.id} ${id}`,
      type: 'payment_intent.payment_failed',
      createdAt: new Date(),
      customerId: undefined,
      paymentId,
    });
    await site.settleEvent(`${giftCard.id} ${id}`);
    return (await plain.provider.findPayment(paymentId))?.status;
  };
  for (const id of ['1', '2', '3', '4', '4', '4']) expect(await decline(id)).toBe('waiting');
  expect(await decline('5')).toBeUndefined();
  expect(await site.refreshGiftCard(giftCard.id, undefined)).toMatchObject({ state: 'awaiting-payment' });
});
